"""The result of a test run, read from what its runner printed."""

from __future__ import annotations

import re

from bouts.adapters.transcripts.runners import MOST_NAMES, SHAPES, Result

__all__ = ["LONGEST_LINE", "LOOKED_AT", "Result", "read"]

LOOKED_AT = 400_000
"""Characters of an output that are looked at: its end, where runners print their totals."""
LONGEST_LINE = 2000
"""Characters of a line that are looked at."""
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read(output: str, runs: int = 1) -> Result | None:
    """What the tests' output says, `runs` being how many test commands it is the output of: so many of the last totals
    are added up. `None` where no total is found, as in an output that was cut."""
    text = output[-LOOKED_AT:]
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LONGEST_LINE:
        # Patterns then take time in proportion to the output, whatever its lines are like.
        text = "\n".join(line[:LONGEST_LINE] for line in text.split("\n"))
    for shape in SHAPES:
        if any(hint in text for hint in shape.hints):
            found = shape.read(text)[-max(1, runs) :]
            if found:
                return found[0] if len(found) == 1 else _together(found)
    return None


def _together(found: list[Result]) -> Result:
    names = tuple(dict.fromkeys(name for result in found for name in result.names))
    return Result(
        found[0].runner,
        sum(result.passed for result in found),
        sum(result.failed for result in found),
        sum(result.skipped for result in found),
        names[:MOST_NAMES],
        all(result.complete for result in found),
    )
