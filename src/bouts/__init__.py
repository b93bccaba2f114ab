"""Bouts measures how well AI coding agents do engineering.

Public names are imported on first use, so that `import bouts` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which would have to be loaded for it
if TYPE_CHECKING:
    from typing import Any

    from bouts.api import evaluate, read_challenge, read_transcript, rescore
    from bouts.scoring.article import score_submission

__version__ = "0.1.0"
__all__ = ["__version__", "evaluate", "read_challenge", "read_transcript", "rescore", "score_submission"]

_PUBLIC = {
    "evaluate": "bouts.api",
    "read_challenge": "bouts.api",
    "read_transcript": "bouts.api",
    "rescore": "bouts.api",
    "score_submission": "bouts.scoring.article",
}
"""Where each public name lives."""


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_PUBLIC[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
