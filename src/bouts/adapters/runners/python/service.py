"""A service of the submission, running in a sandbox of its own."""

from __future__ import annotations

import socket
import threading
import time
from http import HTTPStatus

from bouts.adapters.runners.python.load_wire import WireConnection, WireError
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


class ServiceFailed(Exception):
    """The service did not get ready, or ended: a failure of the submission."""


class Service:
    """Starts, watches and stops the service's command. Thread-safe.

    A `SandboxFault` of the sandbox passes through every method: it is ours, never the submission's failure.
    """

    def __init__(self, sandbox: Sandbox, interface: HttpInterface, seconds: float) -> None:
        """`seconds`: how long the service may run at most, beside the time it takes to get ready."""
        self._sandbox = sandbox
        self._interface = interface
        self._seconds = seconds
        self._lock = threading.RLock()
        self._running: Running | None = None
        self._past: list[Ended] = []
        self.died: list[Ended] = []
        """How the service ended each time that it did so by itself."""

    @property
    def running(self) -> bool:
        """Whether the service was started and has neither been stopped nor ended by itself."""
        return self._running is not None and self.ended(0) is None

    def start(self) -> None:
        """Start the service and wait until its health path answers below 400.

        Raises `ServiceFailed` when it ends before that or is not ready in time; does nothing when it runs already.
        """
        with self._lock:
            if self.running:
                return
            ready = self._interface.ready_seconds
            command = Command(argv=self._interface.command, seconds=self._seconds + ready)
            deadline = time.monotonic() + ready
            self._running = self._sandbox.start(command)
            try:
                self._await_health(deadline)
            except ServiceFailed:
                self.stop(0)
                raise

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
            self._running = None
            if ended is not None:
                self._past.append(ended)

    def restart(self) -> None:
        """Stop the service and start it again in the same workspace: what it wrote to files is still there."""
        with self._lock:
            self.stop()
            self.start()

    def connect(self, seconds: float) -> socket.socket:
        """A new TCP connection to the service's port. Raises `OSError` when nobody listens."""
        if self._running is None:
            raise ConnectionRefusedError("the service does not run")
        return self._sandbox.connect(self._interface.port, seconds)

    def ended(self, seconds: float) -> Ended | None:
        """How the service ended by itself since it was last started, waiting up to `seconds` for that."""
        with self._lock:
            if self._running is None:
                return None
            ended = self._running.wait(seconds)
            if ended is not None:
                self._running = None
                self._past.append(ended)
                self.died.append(ended)
            return ended

    def read(self, path: str) -> bytes | None:
        """The content of a file of the workspace, or `None` where there is none."""
        return self._sandbox.get(path, MAX_READ)

    def write(self, path: str, data: bytes) -> None:
        """Put a file into the workspace."""
        self._sandbox.put(path, data)

    def output(self) -> str:
        """What the service has written to standard output and error, escaped; known once it has ended or was stopped."""
        with self._lock:
            return "".join(shown(one.stdout) + shown(one.stderr) for one in self._past)

    def _await_health(self, deadline: float) -> None:
        pause, last = _POLL_FIRST, "nobody listened on its port"
        while True:
            # Asked for before the health check: a service that answered and then ended is noticed by the next caller.
            ended = self.ended(0)
            if ended is not None:
                raise ServiceFailed(f"the service ended before it was ready: {ending(ended)}{self._said(ended)}")
            left = deadline - time.monotonic()
            if left <= 0:
                self.stop(0)
                where = f"GET {self._interface.health} on port {self._interface.port}"
                limit = f"{self._interface.ready_seconds:g} s"
                raise ServiceFailed(f"the service was not ready within {limit} ({where}): {last}{self._said(None)}")
            reason = self._health(left)
            if reason is None:
                return
            last = reason
            time.sleep(min(pause, max(left, 0)))
            pause = min(pause * 1.5, _POLL_LAST)

    def _health(self, seconds: float) -> str | None:
        """Why the service is not ready, or `None` when it is."""
        try:
            sock = self._sandbox.connect(self._interface.port, seconds)
        except OSError:
            return "nobody listened on its port"
        wire = WireConnection(sock)
        try:
            request = f"GET {self._interface.health} HTTP/1.1\r\nHost: service\r\nConnection: close\r\n\r\n"
            status, _ = wire.ask(request.encode("utf-8"), seconds)
        except WireError as error:
            return str(error)
        finally:
            wire.close()
        return None if status < HTTPStatus.BAD_REQUEST else f"it answered {status}"

    def _said(self, ended: Ended | None) -> str:
        last = ended if ended is not None else (self._past[-1] if self._past else None)
        text = "" if last is None else shown((last.stdout + b"\n" + last.stderr).strip()[-_TAIL:])
        return f"\nlast output:\n{text}" if text else "\nit wrote no output"


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
