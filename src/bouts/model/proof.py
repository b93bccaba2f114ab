"""What a claim rests on."""

from __future__ import annotations

from bouts.model.base import Fact


class Counterpart(Fact):
    """What a proof is to be compared with, shown beside it."""

    says: str
    """What it is, such as `the package has` or `the visible test expects`."""
    path: str | None = None
    line: int | None = None
    excerpt: str = ""
    """Escaped; its lines are kept."""


class Proof(Fact):
    """What a reviewer looks at. At least one of path, event and detail is given."""

    path: str | None = None
    line: int | None = None
    event: int | None = None
    """Sequence number in the transcript."""
    excerpt: str = ""
    """What stands at that place. Escaped; its lines are kept."""
    detail: str = ""
    """What is to be seen there, in one sentence."""
    other: Counterpart | None = None
    """What to compare the excerpt with."""
