"""The shapes that `bouts similarity` prints with `--json`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact


class SimilarityEntry(Fact):
    """A submission in the index, or with `agent` null a known solution."""

    number: int | None
    """Place in the index; `null` for code that is not in it."""
    agent: str | None
    label: str


class SimilarityRange(Fact):
    """A range of lines that is like another one; lines from 1, both included."""

    path: str
    first: int
    last: int
    excerpt: str
    other_path: str
    other_first: int
    other_last: int
    other_excerpt: str


class SimilarityPair(Fact):
    """Two entries that are alike. `entry` is the later one."""

    entry: SimilarityEntry
    other: SimilarityEntry
    similarity: float
    """0–1."""
    percentile: float
    """0–100: share of honest pairs of the task that are less alike, estimated."""
    contained: Annotated[float, Field(ge=0, le=1)]
    """Share of the smaller one's weight that the other has too."""
    reaches: bool
    """Whether both thresholds of the policy are reached."""
    ranges: tuple[SimilarityRange, ...] = ()


class SimilarityAddedItem(Fact):
    """One submission that was added."""

    entry: SimilarityEntry
    new: bool
    """False where it was there already."""
    files: int
    unread: tuple[str, ...] = ()
    """`path: why` of files that could not be read whole."""


class SimilarityAddedOutput(Fact):
    """`bouts similarity add`."""

    schema_: Literal["bouts.similarity-added/1"] = Field(alias="schema")
    task: str
    added: tuple[SimilarityAddedItem, ...]


class SimilarityComparedOutput(Fact):
    """`bouts similarity compare`."""

    schema_: Literal["bouts.similarity-compared/1"] = Field(alias="schema")
    task: str
    nearest: tuple[SimilarityPair, ...]


class SimilarityReportOutput(Fact):
    """`bouts similarity report`."""

    schema_: Literal["bouts.similarity-report/1"] = Field(alias="schema")
    tasks: dict[str, int]
    """Entries by task."""
    pairs: tuple[SimilarityPair, ...]
