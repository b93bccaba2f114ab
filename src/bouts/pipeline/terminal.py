"""This terminal, lent to a command in a sandbox through a pseudo-terminal of its own.

The command never gets this terminal itself: it could push characters into its input and so type into the caller's
shell.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import termios
import tty
from collections.abc import Callable

from bouts.model.sandbox import Ended
from bouts.ports import Running

_POLL_SECONDS = 0.2


def relay(start: Callable[[int], Running]) -> Ended:
    """Start a command on a fresh pseudo-terminal and copy both ways until it ends."""
    ours, theirs = pty.openpty()
    _copy_size(ours)
    before = termios.tcgetattr(0)
    handler = signal.signal(signal.SIGWINCH, lambda _number, _frame: _copy_size(ours))
    try:
        running = start(theirs)
        os.close(theirs)
        tty.setraw(0)
        return _pump(running, ours)
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
        signal.signal(signal.SIGWINCH, handler)
        os.close(ours)


def _pump(running: Running, ours: int) -> Ended:
    watched = [0, ours]
    while True:
        ready, _, _ = select.select(watched, [], [], _POLL_SECONDS)
        if ours in ready:
            data = _read(ours)
            if data:
                os.write(1, data)
            else:
                watched.remove(ours)
        if 0 in ready:
            data = os.read(0, 4096)
            if data:
                os.write(ours, data)
            else:
                watched.remove(0)
        ended = running.wait(0)
        if ended is not None and ours not in ready:
            return ended


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:
        # Linux says EIO once the last one on the other side has closed it.
        return b""


def _copy_size(to: int) -> None:
    size = fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8)
    fcntl.ioctl(to, termios.TIOCSWINSZ, size)
