"""What a claim rests on."""

from __future__ import annotations

from bouts.model.base import Fact


class Proof(Fact):
    """What a reviewer looks at. At least one of path, event and detail is given."""

    path: str | None = None
    line: int | None = None
    event: int | None = None
    """Sequence number in the transcript."""
    excerpt: str = ""
    detail: str = ""
