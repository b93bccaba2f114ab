"""One sandbox, seen from the host: commands by the agent's control socket, end by killing its first process."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from bouts.adapters.sandboxes import layout, wire
from bouts.adapters.sandboxes.cgroups import Group
from bouts.adapters.sandboxes.decoys import DecoySet
from bouts.adapters.sandboxes.launch import Started
from bouts.adapters.sandboxes.running import Ends, Rules, SandboxRunning
from bouts.errors import SandboxFault
from bouts.hosts.crowded import Crowd
from bouts.hosts.deadlines import MOST, Deadline, readable
from bouts.model.sandbox import Command, Ended, SandboxPlan, SandboxReport

_KILL_SECONDS = 10.0
_TRANSFER_SECONDS = 10.0
_ATTEMPT_SECONDS = 1.0
_RETRY_SECONDS = 0.005


@dataclass(slots=True)
class Parts:
    """What a sandbox is made of on the host's side."""

    started: Started
    group: Group | None
    decoys: DecoySet | None
    release: Callable[[], None]
    """Gives the decoys and the user back."""


class BubblewrapSandbox:
    """One isolated place. Safe to use from several threads."""

    def __init__(self, plan: SandboxPlan, python: layout.Python, parts: Parts, *, root: bool) -> None:
        self.workspace_by = ""
        """How the workspace was made: `overlay`, `copy` or `empty`."""
        self._plan = plan
        self._python = python
        self._parts = parts
        self._root = root
        self._runnings: list[SandboxRunning] = []
        self._environment = layout.command_environment(plan, python)
        self._lock = threading.RLock()
        self._count = self._renewed = 0
        self._killed = False
        self._report: SandboxReport | None = None
        self.waited = Crowd(parts.started.process.pid).waited

    # Files

    def put(self, path: str, data: bytes) -> None:
        """Write a file as the sandbox's user, following no link. A relative path is below the workspace.

        Raises OSError when what happened inside does not let it be written (disk full, something in the way), and
        SandboxFault when the sandbox does not answer.
        """
        handle = os.memfd_create("data", os.MFD_CLOEXEC)
        try:
            wire.write_all(handle, data)
            os.lseek(handle, 0, os.SEEK_SET)
            if self._transfer("put", path, handle) != 0:
                raise OSError(f"{path}: the file could not be written inside the sandbox")
        finally:
            os.close(handle)

    def get(self, path: str, limit: int) -> bytes | None:
        """At most `limit` bytes from the start of a file; None when there is no such regular file."""
        reading, writing = os.pipe2(os.O_CLOEXEC)
        collected = bytearray()

        def collect() -> None:
            while len(collected) < limit and (block := os.read(reading, min(1 << 16, limit - len(collected)))):
                collected.extend(block)
            os.close(reading)

        collector = threading.Thread(target=collect, daemon=True)
        collector.start()
        status = self._transfer("get", path, writing, own=True)
        collector.join(_TRANSFER_SECONDS)
        return bytes(collected) if status == 0 or len(collected) == limit > 0 else None

    def _transfer(self, operation: str, path: str, handle: int, *, own: bool = False) -> int:
        where = path if path.startswith("/") else f"{self._plan.look.workspace}/{path}"
        layout.check_path(where)
        status_r, status_w = os.pipe2(os.O_CLOEXEC)
        try:
            try:
                self._send({"op": operation, "path": where}, [handle, status_w])
            finally:
                os.close(status_w)
                if own:
                    os.close(handle)
            if not readable(status_r, _TRANSFER_SECONDS, self.waited):
                raise SandboxFault("copying a file took too long", where=path)
            words = os.read(status_r, 100).split()
            return int(words[1]) if words[:1] == [b"exit"] else -1
        finally:
            os.close(status_r)

    # Commands

    def start(
        self, command: Command, *, channel: bool = False, stdin: bytes = b"", terminal_fd: int | None = None
    ) -> SandboxRunning:
        """Start a command. With `terminal_fd`, that descriptor of a terminal is its input, output and error."""
        with self._lock:
            self._count += 1
            number = self._count
        theirs: list[int] = []
        near: socket.socket | None = None
        status_r, status_w = os.pipe2(os.O_CLOEXEC)
        theirs.append(status_w)
        if terminal_fd is None:
            in_r, in_w = os.pipe2(os.O_CLOEXEC)
            out_r, out_w = os.pipe2(os.O_CLOEXEC)
            err_r, err_w = os.pipe2(os.O_CLOEXEC)
            theirs += [in_r, out_w, err_w]
            for end in (in_w, out_r, err_r):
                os.set_blocking(end, False)
            ends = Ends(status_r, in_w, out_r, err_r)
        else:
            theirs += [os.dup(terminal_fd) for _ in range(3)]
            ends = Ends(status_r)
        if channel:
            near, far = socket.socketpair()
            theirs.append(far.detach())
        first, *others = command.argv
        message: dict[str, object] = {
            "op": "start",
            "id": number,
            "argv": [self._python.inside if first == "python" else first, *others],
            "cwd": command.cwd or self._plan.look.workspace,
            "env": {**self._environment, **command.variables},
            "terminal": terminal_fd is not None,
            "forked": command.forked,
        }
        group = self._parts.group
        ooms = group.ooms() if group else 0
        if group:
            group.rearm()
        # A sandbox that is gone closes the status pipe, which the pump reports as the command's end.
        with contextlib.suppress(OSError):
            self._send(message, theirs)
        for end in theirs:
            os.close(end)
        rules = Rules(
            seconds=command.seconds,
            output_bytes=self._plan.limits.output_bytes,
            kill=lambda: self._send_quietly({"op": "kill", "id": number}),
            terminate=lambda: self._send_quietly({"op": "terminate", "id": number}),
            kill_sandbox=self.kill,
            ran_out_of_memory=lambda: group is not None and group.ooms() > ooms,
            alarm=group.alarm if group else -1,
            silence_is_ours=lambda: self._root and not self._killed,
            waited=self.waited,
        )
        running = SandboxRunning(ends, rules, stdin, near)
        with self._lock:
            self._runnings = [known for known in self._runnings if known.wait(0) is None] + [running]
        return running

    def exec(self, command: Command, *, stdin: bytes = b"") -> Ended:
        """Run a command to its end."""
        running = self.start(command, stdin=stdin)
        ended = running.wait(MOST * command.seconds + 30)
        if ended is None:
            self.kill()
            return Ended(kind="sandbox_error", seconds=command.seconds, detail="the command's end was never reported")
        return ended

    def connect(self, port: int, seconds: float) -> socket.socket:
        """A connection to 127.0.0.1:port inside, tried again until `seconds` are over.

        Raises TimeoutError when nobody accepts, ConnectionError when the sandbox is gone.
        """
        deadline = Deadline(seconds, self.waited)
        while True:
            found = self._connect_once(port, deadline.left())
            if found is not None:
                return found
            deadline.look()
            if not deadline.left():
                raise TimeoutError(f"nothing accepts connections on port {port} inside the sandbox")
            if self._killed:
                raise ConnectionError("the sandbox was killed")
            time.sleep(_RETRY_SECONDS)

    def _connect_once(self, port: int, left: float) -> socket.socket | None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            with theirs:
                try:
                    self._send({"op": "connect", "port": port}, [theirs.fileno()])
                except OSError as error:
                    raise ConnectionError("the sandbox is gone") from error
            ours.settimeout(max(0.001, min(_TRANSFER_SECONDS, left)))
            handles: list[int] = []
            with contextlib.suppress(OSError):
                _, handles, _, _ = socket.recv_fds(ours, 16, 1)
        return wire.connected(handles[0], min(_ATTEMPT_SECONDS, left)) if handles else None

    # The end

    def renew(self) -> bool:
        """Kill every process inside. True when nothing that outlives processes was left or touched by them: the sandbox
        is then as good as new. False when it is not, or when that cannot be known; only `destroy` makes sense then."""
        with self._lock:
            if self._killed or self._report is not None:
                return False
            runnings, self._renewed = self._runnings, self._count
            answer_r, answer_w = os.pipe2(os.O_CLOEXEC)
            try:
                try:
                    self._send({"op": "renew"}, [answer_w])
                finally:
                    os.close(answer_w)
                clean = readable(answer_r, _TRANSFER_SECONDS, self.waited) and os.read(answer_r, 16) == b"clean"
            except OSError:
                return False
            finally:
                os.close(answer_r)
        for running in runnings:
            running.wait(_KILL_SECONDS)
        return clean and not (self._parts.group and self._parts.group.ran_out())

    def kill(self) -> None:
        """Kill every process inside at once and wait until they are gone."""
        with self._lock:
            if self._report is not None:
                return
            self._killed = True
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._parts.started.first, signal.SIGKILL)
            # Process 1 ends only after all others of its namespace; bubblewrap, which collects it, ends with it.
            if not readable(self._parts.started.first, _KILL_SECONDS, self.waited):
                self._parts.started.process.kill()
            self._parts.started.process.wait()

    def destroy(self) -> SandboxReport:
        """Kill, collect what the watchers saw, and give everything back. A second call returns the same report."""
        if self._count > self._renewed and self._report is None:
            self.renew()  # tells of processes that were left
        with self._lock:
            self.kill()
            runnings = self._runnings
        # Their threads look at the control group for the last time; it must still be there.
        for running in runnings:
            running.wait(_KILL_SECONDS)
        with self._lock:
            self._report = self._report or self._collect()
            return self._report

    def _collect(self) -> SandboxReport:
        parts = self._parts
        attempts, deaf, strays = wire.said(parts.started.control)
        watch = parts.decoys.watch if parts.decoys else None
        group = parts.group
        peak = group.peak() if group else None
        report = SandboxReport(
            network=tuple(attempts),
            network_level="none" if deaf else "complete",
            decoy_reads=watch.seen() if watch else (),
            decoy_level="complete" if watch else "none",
            memory_peak_bytes=peak,
            memory_level="complete" if group and peak is not None else "partial",
            oom=bool(group and group.ran_out()),
            processes_denied=bool(group and group.denials()),
            processes_left=strays,
        )
        if group:
            group.remove()
        os.close(parts.started.first)
        os.close(parts.started.complaints)
        parts.started.control.close()
        parts.release()
        return report

    def _send_quietly(self, message: dict[str, object]) -> None:
        with contextlib.suppress(OSError):
            self._send(message, [])

    def _send(self, message: dict[str, object], handles: list[int]) -> None:
        wire.send(self._parts.started.control, message, handles)
