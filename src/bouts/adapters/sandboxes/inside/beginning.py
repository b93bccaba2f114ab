"""What the agent does with its descriptors and with files of ours before it serves."""

from __future__ import annotations

import marshal
import posix


def tidy_descriptors(control: int) -> int:
    """Leave 0 to 3 taken, so that nothing received later has such a number, and the control socket above them."""
    while control <= 3:
        control = posix.dup(control)
    null = posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
    if null != 3:
        posix.dup2(null, 3, inheritable=False)
    posix.closerange(4, control)
    posix.closerange(control + 1, 4096)
    posix.set_inheritable(control, False)
    return control


def preload(path: str) -> None:
    """Run a file of ours, for what it imports."""
    handle = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    size = posix.fstat(handle).st_size
    code = marshal.loads(posix.read(handle, size)[16:])  # noqa: S302 - mounted by the host
    posix.close(handle)
    exec(code, {"__name__": "preload"})  # noqa: S102
