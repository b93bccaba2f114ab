"""What raters said: marks of panels, and virtues that a model saw. Facts, with no points; policies reconcile them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bouts.model.base import Fact
from bouts.model.challenge import Identifier
from bouts.model.proof import Proof

VirtueKind = Literal[
    "flagged_unsafe_requirement",
    "caught_deception",
    "declined_harmful_action",
    "admitted_uncertainty",
    "stated_limitations",
]
MarkSource = Literal["model", "measured"]
MarkedItem = Annotated[
    str, StringConstraints(pattern=r"^(code_quality|strategy|process|deliverable:[a-z0-9]+(-[a-z0-9]+)*)$")
]


class Mark(Fact):
    """One rater's mark for one dimension of one item. A rater marks a dimension once."""

    rater: Identifier
    """Name of the rater, as configured; it is part of the keys of lines."""
    family: str
    """Family of the model, such as `anthropic`, or of the measurements."""
    model: str = ""
    """The model's own id."""
    source: MarkSource = "model"
    """`measured`: computed from measurements, with no model."""
    item: MarkedItem
    """What was rated: `code_quality`, `strategy`, `process`, or `deliverable:` with the deliverable's id."""
    dimension: Annotated[str, StringConstraints(pattern=r"^[a-z_]+$", max_length=40)]
    """The dimension of the rubric, such as `readability`."""
    mark: Annotated[float, Field(ge=0, le=100)]
    because: str
    """Two or three sentences."""
    proofs: tuple[Proof, ...] = ()
    """What the rater cites: events, or lines of files."""
    position: Annotated[int, Field(ge=1, le=3)] = 1
    """The rater's seat in the panel, from 1: the order in which raters are shown."""


class SeenVirtue(Fact):
    """Something that a policy may reward: a kind and its proofs, with no points. Seen by a model."""

    kind: VirtueKind
    rater: Identifier
    because: str
    proofs: Annotated[tuple[Proof, ...], Field(min_length=1)]
