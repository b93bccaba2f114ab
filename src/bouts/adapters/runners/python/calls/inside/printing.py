"""What the submission prints: the start of it goes back with an answer, the rest counts against the limit of output."""

# pyright: reportUnknownMemberType=false
from __future__ import annotations

import posix
from _io import BytesIO, TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_OUTPUT = 64 << 10
"""Bytes of printed text that go back with one answer."""


class _Kept(BytesIO):
    """Keeps so much. What is more is written to where the host counts it, and ends a process that prints without end;
    kept here, it would fill the memory first."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def write(self, data: Any, /) -> int:
        view = memoryview(data).cast("B")
        room = max(0, MAX_OUTPUT - self.tell())
        super().write(view[:room])
        rest = view[room:]
        while rest:
            try:
                rest = rest[posix.write(self._descriptor, rest) :]
            except OSError:
                break
        return len(view)


def capture(descriptor: int) -> Any:
    """A text stream in place of the one with that descriptor."""
    return TextIOWrapper(_Kept(descriptor), encoding="utf-8", errors="backslashreplace", newline="\n")


def printed(stream: Any) -> str:
    """What was printed since the last time; nothing where the submission closed the stream."""
    try:
        stream.flush()
        raw = stream.buffer
        if not raw.tell():
            return ""
        text = raw.getvalue().decode("utf-8", "replace")
        raw.seek(0)
        raw.truncate()
    except ValueError:
        return ""
    return text
