"""Warnings of submitted code, as the processes inside tell them. Untrusted, but nobody gains by making one up."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterable
from pathlib import Path

from bouts.adapters.runners.python.calls.inside.listening import GREETING, SEPARATOR
from bouts.adapters.runners.python.calls.payload import STARTUP, STARTUP_TARGET
from bouts.adapters.runners.python.text import escape
from bouts.model.running import Warned
from bouts.model.sandbox import Mount, SandboxPlan

MAX_WARNINGS = 50
"""Warnings of one test."""
_MAX_BYTES = 256 << 10
_MAX_LINE = 10_000_000
_FIELDS = 4


def warned(path: str, line: int, kind: str, text: str) -> Warned:
    """A warning with its texts made safe to show."""
    return Warned(path=escape(path, 200), line=line, kind=escape(kind, 100), text=escape(text, 300))


def listening(plan: SandboxPlan, folder: str) -> SandboxPlan:
    """The plan with which Python programs in the sandbox tell their warnings; `folder` is the worker's."""
    given = plan.variables.get("PYTHONPATH")
    variables = {**plan.variables, "PYTHONPATH": f"{STARTUP_TARGET}:{given}" if given else STARTUP_TARGET}
    mount = Mount(source=str(Path(folder, STARTUP)), target=STARTUP_TARGET)
    return plan.model_copy(update={"variables": variables, "mounts": (*plan.mounts, mount)})


class Heard:
    """What the programs of one test told."""

    def __init__(self) -> None:
        self._listened = False
        self._warnings: dict[Warned, None] = {}

    def take(self, channel: socket.socket | None) -> None:
        """Take what a program has told so far, wait for nothing, and close its channel."""
        if channel is None:
            return
        data = bytearray()
        with channel, contextlib.suppress(OSError):
            channel.setblocking(False)
            while len(data) < _MAX_BYTES and (block := channel.recv(1 << 16)):
                data += block
        self._read(data.decode("utf-8", "replace").split("\n"))

    def warnings(self) -> tuple[Warned, ...] | None:
        """The warnings, or `None` where no program said that it listens."""
        return tuple(self._warnings) if self._listened else None

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            words = line.split(SEPARATOR)
            if words == [GREETING]:
                self._listened = True
            elif len(words) == _FIELDS and words[1].isdecimal() and len(self._warnings) < MAX_WARNINGS:
                path, number, kind, text = words
                self._warnings[warned(path, min(int(number[:9]), _MAX_LINE), kind, text)] = None
