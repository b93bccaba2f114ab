"""What people write about runs that Bouts did not score itself: one line of JSON a run."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from bouts.model.base import Fact
from bouts.model.card import Outcome
from bouts.model.ledger import MOST, Name, TaskName
from bouts.model.run import RunStatus

Amount = Annotated[float, Field(ge=0, le=MOST)]
Count = Annotated[int, Field(ge=0, le=int(MOST))]


class RunInput(Fact):
    """One run of an agent at a task."""

    agent: Name
    task: TaskName | None = None
    """The task, by any name that all its runs share. Not needed where `challenge` is given."""
    challenge: Annotated[str, StringConstraints(min_length=1)] | None = None
    """Name or folder of a challenge package: task, family, format, language and budgets come from it."""
    run: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    """What tells the run from every other, such as a job's number; given again, it is the same run. Without it the
    line's content does that: the same line in another file, or the same file again, is the same run, and lines of one
    file that are alike are several runs."""
    ended: Annotated[str, StringConstraints(max_length=40)] | Annotated[float, Field(ge=-MOST, le=MOST)] | None = None
    """When it ended: ISO 8601 (UTC where no zone is said), or seconds since 1970; now, where it is not said."""
    status: RunStatus = "completed"
    """`failed` and `timeout` are the agent's own; `infrastructure` is a fault of the platform and never a zero."""
    success: bool | None = None
    """Whether the task was solved; `null` where it is not known."""
    outcome: Outcome | None = None
    latency_ms: Amount | None = None
    """Wall-clock time of the run in milliseconds."""
    cost_usd: Amount | None = None
    """What the run cost in US dollars."""
    steps: Count | None = None
    tokens: Count | None = None
    """Tokens in and out together."""
    turns: Count | None = None
    iterations: Count | None = None
    """How often the work was handed in."""
    seconds: Amount | None = None
    """Time to the final submission, in seconds."""
    inside: bool = True
    """False where the run did not keep to the task's budgets; those of a known challenge are looked at anyway."""
    family: Name | None = None
    """Of the task, for filters; such as the name of the benchmark."""
    format: Name | None = None
    language: Name | None = None

    @model_validator(mode="after")
    def _possible(self) -> RunInput:
        if (self.task is None) == (self.challenge is None):
            raise ValueError("give `task` or `challenge`, one of the two")
        if self.challenge is not None and (self.family or self.format or self.language):
            raise ValueError("family, format and language come from the challenge")
        if self.success and self.status != "completed":
            raise ValueError(f"a run of status {self.status} cannot have succeeded")
        return self
