"""`submission.yaml`: what an agent, or whoever ran it, may say about a submission beside the code."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bouts.model.base import Fact
from bouts.model.challenge import Identifier, RelativePath


class Iteration(Fact):
    """One time that the agent handed its work in and got feedback."""

    seconds: Annotated[float, Field(ge=0)]
    """When it was handed in: wall-clock time since the session began, in seconds."""
    note: Annotated[str, StringConstraints(max_length=500)] = ""
    """Anything worth knowing about it."""


class SubmissionManifest(Fact):
    """What is said about a submission. Nothing in it can raise a score; it is read as data and never staged."""

    schema_: Annotated[Literal["bouts.submission/1"], Field(alias="schema")] = "bouts.submission/1"
    agent: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")] | None = None
    """Name of the agent as standings show it."""
    complete: bool = False
    """Whether the folder is the whole workspace: files of the codebase that it lacks then count as deleted."""
    iterations: Annotated[tuple[Iteration, ...], Field(max_length=100)] = ()
    """Every time the work was handed in, in order of time."""
    cost_usd: Annotated[float, Field(ge=0)] | None = None
    """What the run cost in US dollars; absent where it is not known."""
    deliverables: dict[Identifier, RelativePath] = {}
    """Where a written part lies, by the deliverable's id, where that is not the path that the challenge names."""
