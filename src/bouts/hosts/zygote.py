"""The main process's side of a zygote."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from bouts.errors import HostFault
from bouts.hosts.line import Line, LineClosed


class Job:
    """One forked child at work. Used by one thread."""

    def __init__(self, line: Line, pid: int) -> None:
        self._line = line
        self.pid = pid

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to the child; lost silently when it is gone, as `receive` will tell."""
        try:
            self._line.send(message)
        except LineClosed:
            return

    def receive(self, seconds: float | None) -> dict[str, Any] | None:
        """The next message of the child, or `None` when none came in time.

        The last message has the key `result` or `error`. Raises `HostFault` when the child died without one.
        """
        try:
            return self._line.receive(seconds)
        except LineClosed as error:
            raise HostFault(f"a helper process ended without an answer ({error})") from error

    def kill(self) -> None:
        """End the child and all that it started. Safe to call twice."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._line.close()

    def close(self) -> None:
        """Let go of a child that has answered."""
        self._line.close()


class Zygote:
    """A process that has modules loaded and forks a child for each job, so that a job does not pay for the loading.

    `preload` names modules, and functions as `module:function` that are called once to have done what every job needs.

    Thread-safe. The zygote and all its children end when this process does, however it ends.
    """

    def __init__(self, *preload: str, forked: bool = False) -> None:
        """With `forked` the zygote is a fork of this process, made at once: what is loaded here is loaded there.

        Only for a process of ours that has no other threads yet; where it has, a fresh interpreter is started.
        """
        self._preload = preload
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | _Forked | None = None
        self._control: socket.socket | None = None
        self._closed = False
        if forked and threading.active_count() == 1:
            self._control, self._process = _fork(preload)

    def start(self, target: str, payload: dict[str, Any]) -> Job:
        """Run `target` (`module:function`) in a fresh fork as `function(payload, line)`.

        What it returns (a dict) arrives as the message `{"result": …}`, an exception as `{"error": …}`.
        Raises `HostFault` when the zygote cannot be started.
        """
        mine, theirs = socket.socketpair()
        try:
            with self._lock:
                control = self._ensure()
                socket.send_fds(control, [b"j"], [theirs.fileno()])
        except OSError as error:
            self._end()
            raise HostFault(f"a helper process cannot be started: {error}") from error
        finally:
            theirs.close()
        line = Line(mine)
        try:
            hello = line.receive(60)
        except LineClosed as error:
            raise HostFault("a helper process ended before it began") from error
        if hello is None:
            raise HostFault("a helper process did not answer within 60 s")
        line.send({"target": target, "payload": payload})
        return Job(line, int(hello["pid"]))

    def close(self) -> None:
        """End the zygote and its children, for good: who is still at work in another thread gets no new ones."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        with self._lock:
            if self._control is not None:
                self._control.close()
                self._control = None
            if self._process is not None:
                try:
                    self._process.wait(5)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
                self._process = None

    def _ensure(self) -> socket.socket:
        if self._closed:
            raise OSError("all is being ended")
        if self._process is not None and self._process.poll() is None and self._control is not None:
            return self._control
        ours, theirs = socket.socketpair()
        # -P: else modules would be found in the current folder first, which may be the very submission.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bouts.hosts.child", str(theirs.fileno()), *self._preload],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        theirs.close()
        self._control = ours
        return ours


class _Forked:
    """A forked zygote, with the part of `Popen` that is needed of it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._ended = False

    def poll(self) -> int | None:
        """0 when it has ended, else `None`."""
        if not self._ended:
            with contextlib.suppress(ChildProcessError):
                self._ended = os.waitpid(self._pid, os.WNOHANG)[0] != 0
        return 0 if self._ended else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises `TimeoutExpired`."""
        deadline = time.monotonic() + (timeout if timeout is not None else 3600.0)
        while self.poll() is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("zygote", timeout or 0.0)
            time.sleep(0.002)
        return 0

    def kill(self) -> None:
        """End it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)


def _fork(preload: tuple[str, ...]) -> tuple[socket.socket, _Forked]:
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid:
        theirs.close()
        return ours, _Forked(pid)
    status = 1
    try:
        os.setsid()
        keep = theirs.detach()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.closerange(3, keep)
        os.closerange(keep + 1, 65536)
        os.environ.update(PYTHONDONTWRITEBYTECODE="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        sys.dont_write_bytecode = True
        from bouts.hosts.child import main

        main([str(keep), *preload])
        status = 0
    finally:
        os._exit(status)
