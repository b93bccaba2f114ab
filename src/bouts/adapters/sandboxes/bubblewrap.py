"""Sandboxes made by bubblewrap: namespaces, a minimal root, our agent as process 1."""

from __future__ import annotations

import atexit
import contextlib
import os
import platform
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bouts.adapters.sandboxes import cgroups, decoys, find, launch, layout, payload, runs, seccomp, wire
from bouts.adapters.sandboxes.box import BubblewrapSandbox, Parts
from bouts.adapters.sandboxes.users import User, Users
from bouts.errors import NotFound, SandboxFault, SandboxUnavailable, StoreFault
from bouts.model.sandbox import Probe, SandboxPlan

_NO_PROC = "mount proc"
_INSIDE_USER = 1000
# The overlay acts with the rights of whoever mounted it: copying a file up needs to write anywhere and to set owners.
_CAPABILITIES = ("SYS_ADMIN", "SETPCAP", "SYS_PTRACE", "CHOWN", "DAC_OVERRIDE", "FOWNER")
_ROOT_CAPABILITIES = ("SETUID", "SETGID", "KILL")


_EMPTY = Path("/empty")
"""Stands for a run's empty folder in what all runs have in common."""


@dataclass(frozen=True)
class _Machine:
    """What every sandbox here has in common. Finding it out takes longer than making a sandbox, so forks inherit it."""

    binary: Path
    root: bool
    capabilities: tuple[str, ...]
    boot: bytes
    programs: tuple[bytes, bytes]
    system: tuple[str, ...]


@lru_cache(maxsize=4)
def _machine(python: layout.Python, chosen: Path | None, mode: find.Mode) -> _Machine:
    binary, root = find.choose(chosen, mode)
    back = ("CHECKPOINT_RESTORE",) if find.counts_back(binary, root=root) else ()
    name = platform.machine()
    return _Machine(
        binary,
        root,
        (*_CAPABILITIES, *(_ROOT_CAPABILITIES if root else ()), *back),
        payload.build(),
        (seccomp.program(name, notify=True), seccomp.program(name, notify=False)),
        tuple(layout.with_parents(["--ro-bind", "/boot", "/opt/init", *layout.system_arguments(python, _EMPTY)])),
    )


class _State:
    """What belongs to one host process; a fork gets its own."""

    def __init__(self, scratch: Path, machine: _Machine) -> None:
        self.machine = machine
        self.run = runs.Run(scratch, cgroups.find())
        self.users = Users()
        self.decoys = decoys.Sets(self.run.folder)
        boot = self.run.folder / "boot"
        boot.write_bytes(machine.boot)
        boot.chmod(0o644)
        own = {"/boot": str(boot), str(_EMPTY): str(self.run.folder / "empty")}
        self.proc = ["--proc", "/proc"]
        self.system = [own.get(word, word) for word in machine.system]
        # Bubblewrap dies with the thread that started it, so one thread that lives as long as we do starts them all.
        self.starter = ThreadPoolExecutor(1, "sandboxes")
        atexit.register(self.close)

    def close(self) -> None:
        """Remove everything of this run."""
        atexit.unregister(self.close)
        if self.run.process == os.getpid():
            self.starter.shutdown()
            self.decoys.close()
            self.users.close()
            self.run.close()


class Bubblewrap:
    """The backend. `scratch` is a folder for what must lie on disk while sandboxes run; it may be shared by runs."""

    def __init__(self, scratch: Path, *, binary: Path | None = None, mode: find.Mode = "auto") -> None:
        self._scratch = scratch
        self._binary = binary
        self._mode: find.Mode = mode
        self._python = layout.Python.running()
        self._state: _State | None = None
        self._lock = threading.Lock()

    def probe(self) -> Probe:
        """What works here, and what to do about the rest."""
        from bouts.adapters.sandboxes.probe import probe

        return probe(self, self._binary, self._mode)

    def reap_orphans(self) -> tuple[str, ...]:
        """Clear folders and control groups of runs that died. Returns what was removed."""
        return runs.reap(self._scratch)

    def close(self) -> None:
        """Remove this run's folder and control groups. Sandboxes must have been destroyed.

        A forked child that used the backend calls this before `os._exit`, or leaves its folder to `reap_orphans`.
        """
        with self._lock:
            state, self._state = self._state, None
        if state is not None:
            state.close()

    def create(self, plan: SandboxPlan) -> BubblewrapSandbox:
        """Make a sandbox.

        Raises SandboxUnavailable where none works here, StoreFault where the scratch folder cannot be written,
        SandboxFault where this one failed, NotFound and BadUsage for a plan that cannot be.
        """
        state = self._current()
        layout.check_path(plan.look.workspace)
        layout.check_path(plan.look.home)
        for folder in (plan.workspace, plan.decoys):
            if folder is not None and not Path(folder).is_dir():
                raise NotFound("the folder does not exist", where=folder)
        try:
            return self._make(state, plan)
        except SandboxFault as fault:
            if _NO_PROC not in fault.message or not state.proc:
                raise
            # A container that masks parts of /proc may not mount a fresh one; sandboxes do without.
            state.proc = []
            return self._make(state, plan)

    def _make(self, state: _State, plan: SandboxPlan) -> BubblewrapSandbox:
        user = state.users.take(plan.workspace) if state.machine.root else User(_INSIDE_USER, (0, 0))
        shown = _decoys(state, plan)
        group = _group(state, plan)

        def release() -> None:
            state.users.give_back(user)
            if shown is not None:
                state.decoys.give_back(shown)

        try:
            mounts, late = layout.plan_arguments(plan, shown.shown if shown else {})
            arguments = [
                *self._namespaces(plan, user, state),
                *state.proc,
                *state.system,
                *layout.with_parents(mounts),
            ]
            started = launch.launch(state.machine.binary, arguments, self._python.inside, state.starter)
        except BaseException:
            if group is not None:
                group.remove()
            release()
            raise
        root = state.machine.root
        sandbox = BubblewrapSandbox(plan, self._python, Parts(started, group, shown, release), root=root)
        try:
            setup = layout.setup_message(plan, late, root=root, user=user, programs=state.machine.programs)
            setup["rlimits"] = layout.resource_limits(plan.limits, grouped=group is not None, root=root)
            entrances = group.entrances() if group else []
            # An agent that is gone already is told of below, with its reason.
            with contextlib.suppress(OSError):
                wire.send(started.control, setup, [*entrances, *([user.mapping] if user.mapping >= 0 else [])])
            for entrance in entrances:
                os.close(entrance)
            sandbox.workspace_by, mapping = launch.await_ready(started.control, started.complaints)
        except BaseException as error:
            sandbox.destroy()
            if isinstance(error, OSError):
                raise SandboxFault(f"the sandbox could not be set up: {error}", hint="run `bouts doctor`") from error
            raise
        if user.mapping < 0:
            user.mapping = mapping
        elif mapping >= 0:
            os.close(mapping)
        return sandbox

    def _current(self) -> _State:
        with self._lock:
            if self._state is None or self._state.run.process != os.getpid():
                if not seccomp.supported(platform.machine()) or platform.system() != "Linux":
                    raise SandboxUnavailable(
                        f"no sandbox for {platform.system()} on {platform.machine()}",
                        hint="`bouts doctor` says what works here",
                    )
                machine = _machine(self._python, self._binary, self._mode)
                try:
                    self._state = _State(self._scratch, machine)
                except OSError as error:
                    raise StoreFault(
                        f"nothing can be kept here while sandboxes run: {error.strerror}",
                        where=str(self._scratch),
                        hint="make room, mend the permissions, or set BOUTS_SCRATCH to another folder",
                    ) from error
            return self._state

    def _namespaces(self, plan: SandboxPlan, user: User, state: _State) -> list[str]:
        arguments = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        arguments += ["--as-pid-1", "--die-with-parent", "--new-session", "--clearenv", "--hostname", plan.look.host]
        if not state.machine.root:
            arguments += ["--unshare-user", "--uid", str(user.number), "--gid", str(user.number)]
        arguments += ["--cap-drop", "ALL"]
        for name in state.machine.capabilities:
            arguments += ["--cap-add", f"CAP_{name}"]
        # Forked commands inherit what an interpreter reads from these when it starts: encoding and time zone.
        commands = layout.command_environment(plan, self._python)
        for name in (*self._python.environment, "LANG", "TZ"):
            arguments += ["--setenv", name, commands[name]]
        return arguments


def _decoys(state: _State, plan: SandboxPlan) -> decoys.DecoySet | None:
    if plan.decoys is None:
        return None
    source = Path(plan.decoys)
    return state.decoys.take(
        source, tuple(place.format(workspace=plan.look.workspace) for place in layout.DECOY_PLACES)
    )


def _group(state: _State, plan: SandboxPlan) -> cgroups.Group | None:
    if state.run.places is None:
        return None
    group = cgroups.Group(state.run.places, state.run.name, state.run.next_name())
    try:
        group.make(plan.limits.memory_bytes, plan.limits.processes)
    except OSError:
        group.remove()
        return None
    return group
