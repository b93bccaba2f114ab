"""The zygote itself: `python -m bouts.hosts.child FD MODULE[:FUNCTION]…` loads the modules and calls the functions,
then forks a child for each job."""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import select
import signal
import socket
import sys
from typing import Any

from bouts.hosts.line import Line, LineClosed

_PR_SET_PDEATHSIG = 1


def serve(control: socket.socket) -> None:
    """Fork a child for each job that arrives; end, with all children, when the line to the main process closes."""
    children: set[int] = set()
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _wake)
    while True:
        ready, _, _ = select.select([control, wake_read], [], [])
        if wake_read in ready:
            os.read(wake_read, 4096)
            _reap(children)
        if control in ready:
            data, fds, _, _ = socket.recv_fds(control, 1, 1)
            if not data:
                break
            pid = _fork(socket.socket(fileno=fds[0]), control, (wake_read, wake_write))
            children.add(pid)
    for pid in children:
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    # Who waits for this process may then clear what they left: a process that is still dying holds its locks.
    for pid in children:
        try:
            os.waitpid(pid, 0)
        except ChildProcessError:
            continue


def _wake(_number: int, _frame: object) -> None:
    """Does nothing: that a handler exists is what makes the wake-up descriptor fire."""


def _reap(children: set[int]) -> None:
    while children:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        children.discard(pid)


def _fork(end: socket.socket, control: socket.socket, wake: tuple[int, int]) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid:
        end.close()
        return pid
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        control.close()
        for fd in wake:
            os.close(fd)
        _work(Line(end))
        status = 0
    except LineClosed:
        pass
    finally:
        os._exit(status)
    return 0  # pragma: no cover - the child never comes here


def _work(line: Line) -> None:
    line.send({"pid": os.getpid()})
    job = line.receive(None)
    assert job is not None
    try:
        module, _, name = str(job["target"]).partition(":")
        function = getattr(importlib.import_module(module), name)
        answer: dict[str, Any] = {"result": function(job["payload"], line)}
    except LineClosed:
        raise
    except BaseException as error:
        # Whatever went wrong in the child is told to the main process, which decides what it means.
        import traceback

        answer = {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()[-4000:]}
    line.send(answer)


def main(argv: list[str]) -> None:
    """Entry point of the zygote."""
    control = socket.socket(fileno=int(argv[0]))
    os.set_inheritable(control.fileno(), False)
    for name in argv[1:]:
        module, _, function = name.partition(":")
        loaded = importlib.import_module(module)
        if function:
            getattr(loaded, function)()
    gc.freeze()  # keeps the collector from touching, and so copying, pages shared with the children
    serve(control)


if __name__ == "__main__":
    main(sys.argv[1:])
