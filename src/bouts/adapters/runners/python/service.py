"""A service of the submission, running in a sandbox of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http import HTTPStatus

from bouts.adapters.runners.python.heard import Heard
from bouts.adapters.runners.python.load_wire import WireConnection, WireError, WireTimeout
from bouts.errors import SandboxFault
from bouts.hosts.deadlines import Deadline
from bouts.hosts.stopped import stood_still
from bouts.model.challenge import HttpInterface
from bouts.model.sandbox import Command, Ended
from bouts.model.text import clean
from bouts.ports import Running, Sandbox

MAX_READ = 8 << 20
"""Bytes of a file that a test may read from the workspace."""

_TAIL = 2000
_STOP_SECONDS = 1.0
_KILL_SECONDS = 10.0
_POLL_FIRST, _POLL_LAST = 0.003, 0.05
_CONNECT_SLICE = 0.1
"""How long to try to connect before asking whether the service still runs, in seconds."""
_SILENT = "nobody answered"
_BY_ITSELF = frozenset({"exit", "oom", "output_limit"})


class ServiceFailed(Exception):
    """The service did not get ready, or ended before it was: a failure of the submission."""

    def __init__(self, message: str, ended: Ended | None = None) -> None:
        super().__init__(message)
        self.ended = ended
        """How it ended, where it did so by itself."""


class Service:
    """Starts, watches and stops the service's command. Thread-safe.

    A `SandboxFault` of the sandbox passes through every method: it is ours, never the submission's failure.
    """

    def __init__(
        self, sandbox: Sandbox, interface: HttpInterface, seconds: float, *, heard: Heard | None = None
    ) -> None:
        """`seconds`: how long the service may run at most, beside the time it takes to get ready; `heard` takes its
        warnings, where the sandbox lets programs tell them."""
        self._sandbox = sandbox
        self._interface = interface
        self._seconds = seconds
        self.waited = sandbox.waited
        """For how long others kept the service from its processors, so far."""
        self.heard = heard
        self._lock = threading.RLock()
        self._running: Running | None = None
        self._ready = False
        self._past: list[Ended] = []
        self.died: list[Ended] = []
        """How the service ended each time that it did so by itself."""
        self.dead = False
        """Whether it ended by itself and was not launched again since."""

    @property
    def running(self) -> bool:
        """Whether the service was launched and has neither been stopped nor ended by itself."""
        return self._running is not None and self.ended(0) is None

    def launch(self) -> None:
        """Start the command, if it was not, and do not wait for it."""
        with self._lock:
            if self._running is None:
                self._ready = self.dead = False
                seconds = self._seconds + self._interface.ready_seconds
                command = Command(argv=self._interface.command, seconds=seconds)
                self._running = self._sandbox.start(command, channel=self.heard is not None)

    def start(self, seconds: float | None = None) -> None:
        """Launch the service, if it does not run, and wait until its health path answers below 400.

        Raises `ServiceFailed` when it ends before that or is not ready within `ready_seconds`, or `seconds` if less.
        """
        with self._lock:
            if self._ready:
                self.ended(0)
            self.launch()
            if not self._ready:
                ready = self._interface.ready_seconds
                self._await_health(ready if seconds is None else min(ready, seconds))
                self._ready = True

    def stop(self, grace: float = _STOP_SECONDS) -> None:
        """Ask the service to end (SIGTERM), and kill it when it has not within `grace` seconds."""
        with self._lock:
            running = self._running
            if running is None or self.ended(0) is not None:
                return
            ended = None
            if grace > 0:
                running.terminate()
                ended = running.wait(grace)
            if ended is None:
                running.kill()
                ended = running.wait(_KILL_SECONDS)
            self.hear()
            self._running, self._ready = None, False
            if ended is not None:
                self._past.append(ended)

    def connect(self, seconds: float | None) -> socket.socket:
        """A new TCP connection to the service's port, within `seconds` (`None`: as long as the service runs).

        Raises `ConnectionRefusedError` when the service does not run, `TimeoutError` when it does but nobody listens.
        """
        deadline = None if seconds is None else Deadline(seconds, self.waited)
        while self.running:
            if deadline is not None and not deadline.left():
                raise TimeoutError(f"nobody listens on port {self._interface.port}")
            began = time.monotonic()
            with suppress(TimeoutError):
                left = _CONNECT_SLICE if deadline is None else min(deadline.left(), _CONNECT_SLICE)
                sock = self._sandbox.connect(self._interface.port, left)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return sock
            if deadline is not None:
                deadline.look(stood_still(began, _CONNECT_SLICE))
        raise ConnectionRefusedError("the service does not run")

    def ended(self, seconds: float) -> Ended | None:
        """How the service ended since it was last launched, if not through `stop`; waits up to `seconds` for that."""
        with self._lock:
            if self._running is None:
                return None
            ended = self._running.wait(seconds)
            if ended is None:
                return None
            self.hear()
            self._running, self._ready = None, False
            self._past.append(ended)
            if ended.kind == "sandbox_error":
                raise SandboxFault(ended.detail or "the sandbox broke while the service ran in it")
            if ended.kind in _BY_ITSELF:
                self.died.append(ended)
                self.dead = True
            return ended

    def hear(self) -> None:
        """Take the warnings that the service has told; it is listened to no more after that."""
        with self._lock:
            if self.heard is not None and self._running is not None:
                self.heard.take(self._running.channel)

    def read(self, path: str) -> bytes | None:
        """The content of a file of the workspace, or `None` where there is none."""
        return self._sandbox.get(path, MAX_READ)

    def write(self, path: str, data: bytes) -> None:
        """Put a file into the workspace."""
        self._sandbox.put(path, data)

    def output(self) -> str:
        """What the service wrote to standard output and error, escaped; known once it has ended or was stopped."""
        with self._lock:
            return "".join(shown(one.stdout) + shown(one.stderr) for one in self._past)

    def _await_health(self, seconds: float) -> None:
        deadline = Deadline(seconds, self.waited)
        pause, reason = _POLL_FIRST, _SILENT
        while left := deadline.left():
            began = time.monotonic()
            ended = self.ended(0)
            if ended is not None:
                raise ServiceFailed(f"the service ended before it was ready: {ending(ended)}{said(ended)}", ended)
            now, asked = self._health(left)
            if now is None:
                return
            # What it last answered tells more than that the last attempt was cut short.
            reason = reason if now == _SILENT else now
            time.sleep(min(pause, left))
            # However slow it answers, that time is its own.
            deadline.look(stood_still(began + asked, _CONNECT_SLICE + pause))
            pause = min(pause * 1.5, _POLL_LAST)
        self.stop(0)
        where = f"GET {self._interface.health} on port {self._interface.port}"
        last = said(self._past[-1]) if self._past else ""
        raise ServiceFailed(f"the service was not ready within {seconds:g} s ({where}): {reason}{last}")

    def _health(self, seconds: float) -> tuple[str | None, float]:
        """Why the service is not ready, or `None` when it is, and for how long it was waited for."""
        try:
            wire = WireConnection(self._sandbox.connect(self._interface.port, min(seconds, _CONNECT_SLICE)))
        except OSError:
            return _SILENT, 0.0
        began = time.monotonic()
        try:
            request = f"GET {self._interface.health} HTTP/1.1\r\nHost: service\r\nConnection: close\r\n\r\n"
            status, _ = wire.ask(request.encode("utf-8"), seconds)
            reason = None if status < HTTPStatus.BAD_REQUEST else f"it answered {status}"
        except WireTimeout:
            reason = _SILENT
        except WireError as error:
            reason = str(error)
        finally:
            wire.close()
        return reason, time.monotonic() - began


def said(ended: Ended) -> str:
    """The end of a process's output, escaped, to put after a message."""
    text = shown((ended.stdout + b"\n" + ended.stderr).strip()[-_TAIL:])
    return f"\nlast output:\n{text}" if text else "\nit wrote no output"


@contextmanager
def failures_of_files(*, ran: bool = True) -> Generator[None]:
    """Fail the test where a file of the workspace cannot be read or written.

    Once submitted code has run (`ran`), even a sandbox that does not answer is its doing, as it can stop the process
    that copies; before that it is a fault of ours and passes through.
    """
    import pytest

    try:
        yield
    except OSError as error:
        pytest.fail(f"a file of the workspace cannot be reached: {error}", pytrace=False)
    except SandboxFault as error:
        if not ran:
            raise
        pytest.fail(f"a file of the workspace cannot be reached: {error.message}", pytrace=False)


def ending(ended: Ended) -> str:
    """How a process ended, in words."""
    if ended.kind == "exit":
        if ended.status is not None and ended.status < 0:
            return f"killed by signal {-ended.status}"
        return f"exit status {ended.status}"
    words = {
        "timeout": "ran into its time limit",
        "oom": "ran out of memory",
        "output_limit": "wrote more than allowed",
    }
    return words.get(ended.kind, ended.kind) + (f" ({ended.detail})" if ended.detail else "")


def shown(data: bytes, limit: int = 100_000) -> str:
    """Bytes of the submission as text that is safe to show."""
    return clean(data.decode("utf-8", "replace"), limit)
