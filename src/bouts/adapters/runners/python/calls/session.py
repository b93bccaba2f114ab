"""The `calls` boundary: one worker a test, and the stand-ins that reach it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from bouts.adapters.runners.python.boundary import BoundaryNotes, Crashed
from bouts.adapters.runners.python.calls.channel import Channel, ChannelClosed, Message, Slot
from bouts.adapters.runners.python.calls.finder import Finder
from bouts.adapters.runners.python.calls.inside.plain import CannotCross, Malformed
from bouts.adapters.runners.python.calls.link import Link
from bouts.adapters.runners.python.calls.payload import PRELOAD, START, TARGET
from bouts.adapters.runners.python.calls.preloading import used_modules
from bouts.adapters.runners.python.calls.sharing import SharedFolder
from bouts.adapters.runners.python.calls.standins import CURRENT, Unknown
from bouts.adapters.runners.python.plan import ENVIRONMENT, plan_for
from bouts.adapters.runners.python.text import escape
from bouts.errors import SandboxFault
from bouts.hosts.deadlines import Deadline
from bouts.model.challenge import CallsInterface
from bouts.model.running import Escape, Target
from bouts.model.sandbox import Command, Ended, Look, Mount, SandboxPlan
from bouts.ports import Running, Sandbox

_END_SECONDS = 1.0
_SLACK_SECONDS = 3600.0
_TEMPORARY = "/tmp"  # noqa: S108 - the one folder that can be made on both sides


class CallsWorker:
    """A worker that has been started in a sandbox."""

    def __init__(
        self,
        running: Running,
        registry: dict[tuple[str, str], Any],
        memory_mb: int,
        waited: Callable[[], float] | None = None,
    ) -> None:
        self._running = running
        self._waited = waited
        self._memory_mb = memory_mb
        self.protocol_errors: list[str] = []
        self.crashed: str | None = None
        self.fault: str | None = None
        self.used = False
        end = running.channel
        if end is None:
            raise SandboxFault("a sandbox gave no channel")
        self.end = end
        self.channel = Channel(end, self._broken)
        self.link = Link(self.channel, registry, self.died)

    def _broken(self, reason: str) -> None:
        self.protocol_errors.append(reason)
        self._running.kill()

    def died(self) -> BaseException:
        """The exception that says how the worker ended."""
        if self.fault is not None:
            return SandboxFault(self.fault)
        if self.protocol_errors:
            self.crashed = f"the submission's process was cut off: {self.protocol_errors[0]}"
        elif self.crashed is None:
            ended = self._running.wait(2.0)
            if not self.channel.greeted():
                self.fault = f"before any code of the submission ran, {self._how(ended)}"
                return SandboxFault(self.fault)
            if ended is not None and ended.kind == "sandbox_error":
                self.fault = ended.detail or "a sandbox died"
                return SandboxFault(self.fault)
            self.crashed = self._how(ended)
        return Crashed(self.crashed)

    def _how(self, ended: Ended | None) -> str:
        if ended is None:
            return "the submission's process closed its connection"
        said = escape(ended.stderr[-300:].decode("utf-8", "replace").strip(), 300)
        tail = f"; it wrote: {said}" if said else ""
        if ended.kind == "oom":
            return f"the submission's process ran out of memory (limit {self._memory_mb} MiB)"
        if ended.kind == "output_limit":
            return "the submission's process wrote more output than a test may and was ended"
        if ended.kind == "exit" and ended.status is not None and ended.status < 0:
            return f"the submission's process died by signal {-ended.status}{tail}"
        if ended.kind == "exit":
            return f"the submission's process ended by itself with exit status {ended.status}{tail}"
        return f"the submission's process was ended ({ended.kind}){tail}"

    def import_modules(self, names: list[str]) -> None:
        """Have modules imported; the worker does it as soon as it can, and nobody waits."""
        message = self.link.request("import", None, names, (), None)
        message["th"] = 0
        try:
            self.channel.open(message["id"], Slot(self._imported))
            self.channel.send(message)
        except ChannelClosed:
            return

    def _imported(self, answer: Message | None) -> None:
        try:
            self.link.told.warned((answer or {}).get("warn", []))
        except Malformed:
            self.channel.close("warnings of the wrong shape")

    def finish(self) -> None:
        """Let exit hooks run and collect what escaped; a worker that does not answer soon is left to its end. One that
        rests has nothing to tell; that it lies costs it nothing that it could not keep to itself anyway."""
        if not self.used or self.channel.closed or self.link.rests:
            return
        try:
            self.channel.within(Deadline(_END_SECONDS, self._waited))
            self.link.ask("end")
        except (Crashed, SandboxFault, ChannelClosed, OSError):
            return


class CallsBoundary:
    """`import yourmodule` in a test gives a stand-in; see `boundary.BoundarySession` for the life of this object."""

    def __init__(self, target: Target, look: Look, folder: str, *, withhold: bool = False) -> None:
        interface = target.interface.calls
        if interface is None:
            raise SandboxFault("the challenge declares no interface for calls")
        self._interface: CallsInterface = interface
        self._target = target
        self._look = look
        self._folder = folder
        self._withhold = withhold
        self._modules: tuple[str, ...] | None = None
        self._registry: dict[tuple[str, str], Any] = {}
        self._worker: CallsWorker | None = None
        self._collector: Callable[[], CallsWorker] | None = None
        self._collecting: CallsWorker | None = None
        self._failed: set[str] = set()
        self.fault: str | None = None
        """What kept the names of test files from being looked up, where that was no act of the submission."""
        self._finder = Finder(interface.modules, self._collect)

    # ------------------------------------------------------------ collecting

    def open(self, collector: Callable[[], CallsWorker]) -> None:
        """Serve stand-ins from now on; `collector` gives a worker to ask what names are, if need be."""
        self._collector = collector
        self._finder.install()

    def collected(self) -> bool:
        """All tests are known. Says whether the worker that was asked can still serve a test."""
        worker, self._collecting, self._collector = self._collecting, None, None
        for module in self._finder.imported:
            self._registry.setdefault((module, ""), None)
        return worker is not None and not worker.channel.closed

    def _collect(self, module: str, name: str) -> Any:
        """What a name bound at the top of a test file is. Never fails because of the submission."""
        if module in self._failed or self._collector is None:
            return Unknown(module, name)
        if self.fault is not None:
            raise SandboxFault(self.fault)
        try:
            return self._look_up(module, name, self._collector)
        except SandboxFault:
            self._collecting = None
        try:
            return self._look_up(module, name, self._collector)
        except SandboxFault as fault:
            self.fault = str(fault)
            raise

    def _look_up(self, module: str, name: str, collector: Callable[[], CallsWorker]) -> Any:
        try:
            if self._collecting is None:
                self._collecting = collector()
            link = self._collecting.link
            CURRENT.link = link
            value = link.values.named(module, name, link.tell(module, name), missing=True)
            self._register(value)
        except (SandboxFault, CannotCross):
            raise
        except BaseException:
            # Whatever is wrong with the submission fails each test that uses it, with the reason told there.
            self._failed.add(module)
            return Unknown(module, name)
        finally:
            CURRENT.link = None
        return value

    def _register(self, value: Any) -> None:
        from bouts.adapters.runners.python.calls.classes import class_ref

        for kind in (value, type(value)) if isinstance(value, type) else (type(value),):
            for base in getattr(kind, "__mro__", ()):
                ref = class_ref(base)
                if ref is not None and ref.link is None and "ref" in ref.code:
                    self._registry[ref.code["ref"][0], ref.code["ref"][1]] = base

    # ------------------------------------------------------------ a test

    def plan(self) -> SandboxPlan:
        """The sandbox of every test, with the worker's files in it."""
        plan = plan_for(self._target, self._look)
        mounts = (*plan.mounts, Mount(source=self._folder, target=TARGET))
        if self._modules is None:
            roots = [Path(self._target.workspace) / folder for folder in self._interface.path]
            self._modules = used_modules(roots)
        return plan.model_copy(update={"mounts": mounts, "preload": PRELOAD, "preload_modules": self._modules})

    def prepare(self, sandbox: Sandbox) -> CallsWorker:
        """Start a worker and have it import what the tests use."""
        workspace = PurePosixPath(self._look.workspace)
        folders = [str(workspace / folder) for folder in self._interface.path]
        if self._target.environment is not None:
            folders.append(ENVIRONMENT)
        command = Command(argv=("python", START, "3", *folders), forked=True, seconds=_SLACK_SECONDS)
        running = sandbox.start(command, channel=True)
        worker = CallsWorker(running, self._registry, self._target.limits.memory_mb, sandbox.waited)
        if self._finder.imported and self._collector is None:
            worker.import_modules(self._finder.imported)
        return worker

    def begin(self, test: str, sandbox: Sandbox, ready: object) -> None:
        """Stand-ins mean this worker from now on."""
        assert isinstance(ready, CallsWorker)
        self._worker = ready
        ready.used = True
        ready.link.begin(test)
        ready.link.withhold = self._withhold
        CURRENT.link = ready.link

    def end(self) -> BoundaryNotes:
        """Stand-ins mean nothing until the next test."""
        worker, self._worker = self._worker, None
        if worker is None:
            return BoundaryNotes()
        try:
            worker.finish()
        finally:
            CURRENT.link = None
        link = worker.link
        escapes = list(link.told.escapes)
        if worker.crashed is not None:
            escapes.append(Escape(test=link.test, kind="worker_died", detail=worker.crashed))
        notes = BoundaryNotes(
            tuple(escapes),
            tuple(worker.protocol_errors),
            worker.crashed,
            worker.fault,
            judged=link.judging.account(),
            warnings=tuple(link.told.warnings),
        )
        worker.channel.release()
        return notes

    def close(self) -> None:
        """Nothing is kept."""

    def plugin(self) -> object:
        """`tmp_path` on both sides."""
        return _Fixtures(self)

    def mirror(self, path: str) -> None:
        """Show a folder to the worker, too."""
        if self._worker is not None:
            self._worker.link.shared = SharedFolder(path)


class _Fixtures:
    def __init__(self, boundary: CallsBoundary) -> None:
        self._boundary = boundary

    @pytest.fixture
    def tmp_path(self) -> Iterator[Path]:
        """A folder that the test and the submission both see under the same path."""
        path = tempfile.mkdtemp(prefix="case-", dir=_TEMPORARY)
        before = os.getcwd()  # noqa: PTH109
        self._boundary.mirror(path)
        yield Path(path)
        os.chdir(before)
        shutil.rmtree(path, ignore_errors=True)
