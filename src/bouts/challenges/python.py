"""Whether this machine's Python is the one that a challenge is meant for."""

from __future__ import annotations

import sys

from bouts.model.challenge import Environment


def too_old(environment: Environment, running: tuple[int, int] = sys.version_info[:2]) -> str | None:
    """Why the challenge cannot be run by the Python that is `running`; `None` where it can.

    Submitted code is run by the Python that runs Bouts.
    """
    wanted = tuple(int(part) for part in environment.python.split("."))
    if running[: len(wanted)] >= wanted:
        return None
    return f"the challenge needs Python {environment.python}, and this is {running[0]}.{running[1]}"
