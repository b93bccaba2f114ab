"""One run of an agent at a task, as standings count it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact

RunStatus = Literal["completed", "failed", "timeout", "infrastructure"]


class Run(Fact):
    """A run that ended. Only `infrastructure`, a fault of the platform, keeps it out of every cohort: an agent's own
    failure or time-out is a completed run without success."""

    task: str
    """The task that was tried; attempts at the same task share it."""
    ended: float
    """When it ended, in seconds since any fixed moment: it orders the runs of an agent."""
    status: RunStatus
    """How it ended: `failed` and `timeout` are the agent's own."""
    success: bool | None = None
    """Whether the task was solved; `null` where the outcome is not known. Only a completed run can have succeeded."""
    latency_ms: Annotated[float, Field(ge=0)] | None = None
    """Wall-clock time of the run in milliseconds."""
    cost_usd: Annotated[float, Field(ge=0)] | None = None
    """What the run cost in US dollars."""
    steps: Annotated[int, Field(ge=0)] | None = None
    """Steps that the agent took."""
