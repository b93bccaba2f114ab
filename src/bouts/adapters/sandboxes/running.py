"""A command that runs: its output is read, its time and its limits are watched, from outside."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from bouts.hosts.deadlines import Deadline
from bouts.hosts.stopped import stood_still
from bouts.model.sandbox import Ended, EndKind

_BLOCK = 1 << 16
_GRACE_SECONDS = 2.0
"""How long a killed command may take to be reported before the whole sandbox is killed."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The host's ends of a command's pipes; -1 where there is none. The pump closes them."""

    status: int
    stdin: int = -1
    stdout: int = -1
    stderr: int = -1


@dataclass(frozen=True, slots=True)
class Rules:
    """What bounds a command, and the ways to end it and to learn why it ended."""

    seconds: float
    output_bytes: int
    kill: Callable[[], None]
    terminate: Callable[[], None]
    kill_sandbox: Callable[[], None]
    ran_out_of_memory: Callable[[], bool]
    alarm: int
    """Descriptor that becomes readable when memory runs out, or -1. It is not closed here."""
    silence_is_ours: Callable[[], bool]
    """Whether an agent that fell silent is our fault; false when the sandbox was killed on purpose."""
    waited: Callable[[], float]
    """For how long others kept the command from its processors, so far."""


class SandboxRunning:
    """A command that runs in a sandbox."""

    def __init__(self, ends: Ends, rules: Rules, stdin: bytes, channel: socket.socket | None) -> None:
        self.channel = channel
        self._ends = ends
        self._rules = rules
        self._left = memoryview(stdin)
        self._output: dict[int, bytearray] = {ends.stdout: bytearray(), ends.stderr: bytearray()}
        self._total = 0
        self._reason: EndKind | None = None
        self._ended: Ended | None = None
        self._done = threading.Event()
        self._status = b""
        self._open = {end for end in (ends.status, ends.stdout, ends.stderr, ends.stdin) if end >= 0}
        self._poll = select.poll()
        self._began = time.monotonic()
        self._deadline = Deadline(rules.seconds, rules.waited)
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> Ended | None:
        """How the command ended, or None when it still runs after `seconds` in which it could work."""
        done = self._done.wait(0) or Deadline(seconds, self._rules.waited).wait(self._done.wait)
        return self._ended if done else None

    def terminate(self) -> None:
        """Ask the command to end: SIGTERM to its process group."""
        if not self._done.is_set():
            self._rules.terminate()

    def kill(self) -> None:
        """End the command and its process group; all of the sandbox's processes where no other command runs."""
        if not self._done.is_set():
            self._reason = self._reason or "killed"
            self._rules.kill()

    def _pump(self) -> None:
        ends = self._ends
        if ends.stdin >= 0 and not self._left:
            self._close(ends.stdin)
        for end in self._open:
            self._poll.register(end, select.POLLOUT if end == ends.stdin else select.POLLIN)
        if self._rules.alarm >= 0:
            self._poll.register(self._rules.alarm, select.POLLIN)
        try:
            while ends.status in self._open:
                if self._wait() or self._deadline.left():
                    continue
                if self._reason is not None:
                    self._rules.kill_sandbox()
                self._stop("timeout")
            took = time.monotonic() - self._began
            self._drain()
            self._ended = self._conclude(took)
        finally:
            for end in list(self._open):
                self._close(end)
            self._done.set()

    def _wait(self) -> bool:
        """Wait until something comes or the time is over; what came is looked at first."""
        before = time.monotonic()
        left = min(self._deadline.left(), self._deadline.slice)
        ready = self._poll.poll(left * 1000)
        self._deadline.look(stood_still(before, left))
        for end, _ in ready:
            self._serve(end)
        return bool(ready)

    def _serve(self, end: int) -> None:
        if end == self._ends.status:
            self._status = os.read(end, 4096)
            self._close(end)
        elif end == self._ends.stdin:
            self._feed()
        elif end == self._rules.alarm:
            self._poll.unregister(end)
            self._stop("oom")
        elif not self._take(end):
            self._poll.unregister(end)
            self._close(end)
        elif self._total > self._rules.output_bytes and self._reason is None:
            self._stop("output_limit")

    def _stop(self, reason: EndKind) -> None:
        """Kill the command for a reason; if it is not gone soon, the sandbox is killed."""
        self._reason = self._reason or reason
        self._deadline = Deadline(_GRACE_SECONDS, self._rules.waited)
        self._rules.kill()

    def _close(self, end: int) -> None:
        self._open.discard(end)
        os.close(end)

    def _feed(self) -> None:
        end = self._ends.stdin
        try:
            self._left = self._left[os.write(end, self._left[:_BLOCK]) :]
        except BlockingIOError:
            return
        except OSError:
            self._left = memoryview(b"")
        if not self._left:
            self._poll.unregister(end)
            self._close(end)

    def _take(self, end: int) -> bool:
        """Read once; false at the end. What is over the limit is thrown away."""
        try:
            block = os.read(end, _BLOCK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        room = max(0, self._rules.output_bytes - self._total)
        self._output[end] += block[:room]
        self._total += len(block)
        return bool(block)

    def _drain(self) -> None:
        """Take what the command had written before it ended; a daemon that holds the pipe is not waited for."""
        for end in (self._ends.stdout, self._ends.stderr):
            while end in self._open and self._total <= self._rules.output_bytes:
                before = self._total
                if not self._take(end) or self._total == before:
                    break

    def _conclude(self, seconds: float) -> Ended:
        word, _, rest = self._status.decode("utf-8", "replace").partition(" ")
        kind: EndKind = self._reason or "exit"
        code: int | None = None
        detail = ""
        if word == "exit":
            code = int(rest.split()[0])
        elif word == "fail":
            kind, code, detail = self._reason or "exit", 127, rest
        elif word == "fault":
            kind, detail = "sandbox_error", rest
        elif self._reason is None:
            kind = "sandbox_error" if self._rules.silence_is_ours() else "killed"
            detail = "the sandbox ended before the command did"
        if kind == "exit" and self._total > self._rules.output_bytes:
            kind = "output_limit"
        if kind != "sandbox_error" and self._rules.ran_out_of_memory():
            kind = "oom"
        stdout, stderr = (bytes(self._output[end]) for end in (self._ends.stdout, self._ends.stderr))
        return Ended(kind=kind, status=code, seconds=seconds, stdout=stdout, stderr=stderr, detail=detail)
