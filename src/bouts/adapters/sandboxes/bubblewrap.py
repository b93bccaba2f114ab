"""Sandboxes made by bubblewrap: namespaces, a minimal root, our agent as process 1."""

from __future__ import annotations

import atexit
import json
import os
import platform
import random
import select
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

from bouts.adapters.sandboxes import cgroups, decoys, find, layout, payload, runs, seccomp, wire
from bouts.adapters.sandboxes.box import BubblewrapSandbox, Parts
from bouts.errors import NotFound, SandboxFault, SandboxUnavailable
from bouts.model.sandbox import Probe, SandboxPlan

Mode = Literal["auto", "root", "user"]

_NO_PROC = "mount proc"
_START_SECONDS = 20.0
_FIRST_USER = 0x7B000000
_USERS = 1 << 23
# The overlay acts with the rights of whoever mounted it: copying a file up needs to write anywhere and to set owners.
_CAPABILITIES = ("SYS_ADMIN", "SETPCAP", "SYS_PTRACE", "CHOWN", "DAC_OVERRIDE", "FOWNER")
_ROOT_CAPABILITIES = ("SETUID", "SETGID", "KILL")


class _State:
    """What belongs to one host process; a fork gets its own."""

    def __init__(self, scratch: Path, python: layout.Python, binary: Path) -> None:
        self.binary = binary
        self.run = runs.Run(scratch, cgroups.find())
        self.decoys = decoys.Sets(self.run.folder)
        boot = self.run.folder / "boot"
        boot.write_bytes(payload.build())
        boot.chmod(0o644)
        system = ["--ro-bind", str(boot), "/opt/init", *layout.system_arguments(python, self.run.folder / "empty")]
        machine = platform.machine()
        self.programs = (seccomp.program(machine, notify=True), seccomp.program(machine, notify=False))
        self.proc = ["--proc", "/proc"]
        self.system = layout.with_parents(system)
        # Bubblewrap dies with the thread that started it, so one thread that lives as long as we do starts them all.
        self.starter = ThreadPoolExecutor(1, "sandboxes")
        atexit.register(self.close)

    def close(self) -> None:
        """Remove everything of this run."""
        atexit.unregister(self.close)
        if self.run.process == os.getpid():
            self.starter.shutdown()
            self.decoys.close()
            self.run.close()


class Bubblewrap:
    """The backend. `scratch` is a folder for what must lie on disk while sandboxes run; it may be shared by runs."""

    def __init__(self, scratch: Path, *, binary: Path | None = None, mode: Mode = "auto") -> None:
        self._scratch = scratch
        self._binary = binary
        self._root = mode == "root" or (mode == "auto" and hasattr(os, "geteuid") and os.geteuid() == 0)
        self._python = layout.Python.running()
        self._state: _State | None = None
        self._lock = threading.Lock()

    def probe(self) -> Probe:
        """What works here, and what to do about the rest."""
        from bouts.adapters.sandboxes.probe import probe

        return probe(self, self._binary, root=self._root)

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

        Raises SandboxUnavailable where none works here, SandboxFault where this one failed, NotFound and BadUsage for a
        plan that cannot be.
        """
        state = self._current()
        layout.check_path(plan.look.workspace)
        layout.check_path(plan.look.home)
        try:
            return self._make(state, plan)
        except SandboxFault as fault:
            if _NO_PROC not in fault.message or not state.proc:
                raise
            # A container that masks parts of /proc may not mount a fresh one; sandboxes do without.
            state.proc = []
            return self._make(state, plan)

    def _make(self, state: _State, plan: SandboxPlan) -> BubblewrapSandbox:
        shown = _decoys(state, plan)
        group = _group(state, plan)
        try:
            parts, setup = self._prepare(state, plan, shown, group)
        except BaseException:
            if group is not None:
                group.remove()
            if shown is not None:
                state.decoys.give_back(shown)
            raise
        sandbox = BubblewrapSandbox(plan, self._python, parts, root=self._root)
        try:
            entrances = group.entrances() if group else []
            try:
                wire.send(parts.control, setup, entrances)
            finally:
                for entrance in entrances:
                    os.close(entrance)
            sandbox.workspace_by = _await_ready(parts)
        except BaseException:
            sandbox.destroy()
            raise
        return sandbox

    def _prepare(
        self, state: _State, plan: SandboxPlan, shown: decoys.DecoySet | None, group: cgroups.Group | None
    ) -> tuple[Parts, dict[str, object]]:
        uid, gid = self._identity()
        mounts, late = layout.plan_arguments(plan, shown.shown if shown else {})
        arguments = [*self._namespaces(plan, uid, gid), *state.proc, *state.system, *layout.with_parents(mounts)]
        setup = layout.setup_message(plan, late, root=self._root, uid=uid, gid=gid, programs=state.programs)
        setup["rlimits"] = layout.resource_limits(plan.limits, grouped=group is not None, root=self._root)
        parts = self._launch(state, arguments, group, shown)
        return parts, setup

    def _current(self) -> _State:
        with self._lock:
            if self._state is None or self._state.run.process != os.getpid():
                if not seccomp.supported(platform.machine()) or platform.system() != "Linux":
                    raise SandboxUnavailable(
                        f"no sandbox for {platform.system()} on {platform.machine()}",
                        hint="`bouts doctor` says what works here",
                    )
                self._state = _State(self._scratch, self._python, find.working(self._binary, root=self._root))
            return self._state

    def _identity(self) -> tuple[int, int]:
        if self._root:
            uid = _FIRST_USER + random.randrange(_USERS)  # noqa: S311 - a label, not a secret
            return uid, uid
        return 1000, 1000

    def _namespaces(self, plan: SandboxPlan, uid: int, gid: int) -> list[str]:
        arguments = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        arguments += ["--as-pid-1", "--die-with-parent", "--new-session", "--clearenv", "--hostname", plan.look.host]
        if not self._root:
            arguments += ["--unshare-user", "--uid", str(uid), "--gid", str(gid)]
        arguments += ["--cap-drop", "ALL"]
        for name in (*_CAPABILITIES, *(_ROOT_CAPABILITIES if self._root else ())):
            arguments += ["--cap-add", f"CAP_{name}"]
        for name, value in self._python.environment.items():
            arguments += ["--setenv", name, value]
        return arguments

    def _launch(
        self,
        state: _State,
        arguments: list[str],
        group: cgroups.Group | None,
        shown: decoys.DecoySet | None,
    ) -> Parts:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        told = os.memfd_create("arguments", os.MFD_CLOEXEC)
        complaints = os.memfd_create("complaints", os.MFD_CLOEXEC)
        info_r, info_w = os.pipe2(os.O_CLOEXEC)
        try:
            os.write(told, b"\0".join(os.fsencode(item) for item in arguments) + b"\0")
            os.lseek(told, 0, os.SEEK_SET)
            argv = [str(state.binary), "--args", str(told), "--info-fd", str(info_w), "--"]
            argv += [self._python.inside, "-I", "-S", "-E", "-B", "/opt/init", str(theirs.fileno())]

            def spawn() -> subprocess.Popen[bytes]:
                return subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=complaints,
                    pass_fds=(told, info_w, theirs.fileno()),
                    env={},
                    cwd="/",
                    # An interrupt at the terminal is for the host, which then ends its sandboxes in order.
                    start_new_session=True,
                )

            process = state.starter.submit(spawn).result()
        except OSError as error:
            ours.close()
            os.close(complaints)
            os.close(info_r)
            raise SandboxFault(f"bubblewrap could not be started: {error}", hint="run `bouts doctor`") from error
        finally:
            theirs.close()
            os.close(told)
            os.close(info_w)
        try:
            first = _first_process(info_r, process, complaints)
        except BaseException:
            process.kill()
            process.wait()
            os.close(complaints)
            ours.close()
            raise
        finally:
            os.close(info_r)

        def release() -> None:
            if shown is not None:
                state.decoys.give_back(shown)

        return Parts(process, first, ours, complaints, group, shown, release)


def _decoys(state: _State, plan: SandboxPlan) -> decoys.DecoySet | None:
    if plan.decoys is None:
        return None
    source = Path(plan.decoys)
    if not source.is_dir():
        raise NotFound("the decoy folder does not exist", where=plan.decoys)
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


def _complaint(complaints: int) -> str:
    return os.pread(complaints, 4000, 0).decode("utf-8", "replace").strip() or "no reason was given"


def _first_process(info: int, process: subprocess.Popen[bytes], complaints: int) -> int:
    """A descriptor of the process that becomes number 1 inside."""
    poll = select.poll()
    poll.register(info, select.POLLIN)
    text = b""
    while poll.poll(_START_SECONDS * 1000) and (block := os.read(info, 4096)):
        text += block
        if b"}" in text:
            break
    try:
        return os.pidfd_open(int(json.loads(text)["child-pid"]))
    except (ValueError, KeyError, OSError) as error:
        process.kill()
        process.wait()
        raise SandboxFault(
            "bubblewrap could not start: " + _complaint(complaints), hint="run `bouts doctor`"
        ) from error


def _await_ready(parts: Parts) -> str:
    """How the agent made the workspace."""
    parts.control.settimeout(_START_SECONDS)
    try:
        line = parts.control.recv(4096)
    except OSError:
        line = b""
    parts.control.settimeout(None)
    if not line:
        raise SandboxFault(
            "the sandbox could not be set up: " + _complaint(parts.complaints), hint="run `bouts doctor`"
        )
    return str(json.loads(line)["ready"])
