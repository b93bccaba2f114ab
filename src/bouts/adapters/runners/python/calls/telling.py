"""What a worker tells of the code besides answers: exceptions that nobody received, and warnings. Hostile data."""

from __future__ import annotations

from typing import Any

from bouts.adapters.runners.python.calls.inside.plain import Malformed, row, text, whole
from bouts.adapters.runners.python.heard import MAX_WARNINGS, warned
from bouts.adapters.runners.python.text import escape
from bouts.model.running import Escape, Warned

MAX_ESCAPES = 50


class Told:
    """All of one test, bounded."""

    def __init__(self) -> None:
        self.test = ""
        self.escapes: list[Escape] = []
        self.warnings: list[Warned] = []

    def escaped(self, told: Any) -> None:
        """Exceptions that no test received, as the worker tells them."""
        for item in row(told):
            kind, detail = row(item, 2)
            if kind not in ("thread", "task", "exit"):
                raise Malformed("kind of escape expected")
            if len(self.escapes) < MAX_ESCAPES:
                self.escapes.append(Escape(test=self.test, kind=kind, detail=escape(text(detail), 500)))

    def warned(self, told: Any) -> None:
        """Warnings of the code, as the worker tells them."""
        for item in row(told):
            path, line, kind, said = row(item, 4)
            if len(self.warnings) < MAX_WARNINGS:
                self.warnings.append(warned(text(path), whole(line, 0), text(kind), text(said)))
