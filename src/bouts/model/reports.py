"""What a test report says: data of unknown truth, as plain facts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.evidence import TestOutcome

ReportFormat = Literal["junit", "tap", "ctrf", "jest", "go", "log"]
ReportedOutcome = Literal["passed", "skipped", "other", "failed", "error"]
"""`other` is a state that the format knows and that is neither a pass nor a failure."""


class ReportedTest(Fact):
    """One test, as the report tells it. Texts are escaped."""

    id: str
    """As the report names it, suites and classes first."""
    outcome: ReportedOutcome
    """Where the test is told several times, the worst."""
    times: Annotated[int, Field(ge=1)] = 1
    """How often it is told. More than once, and a report is no proof of anything about it."""
    seconds: Annotated[float, Field(ge=0)] | None = None
    message: str = ""
    """What the report says of a test that did not pass, at most 2,000 characters."""


class Reported(Fact):
    """A report, read."""

    format: ReportFormat
    tests: tuple[ReportedTest, ...]
    """In the order of the report; each id once."""
    discrepancies: tuple[str, ...] = ()
    """Where the report contradicts itself or lacks something, the first twenty."""


class Differing(Fact):
    """A test that a report tells otherwise than it was measured."""

    id: str
    told: ReportedOutcome
    measured: TestOutcome


class Held(Fact):
    """A report against what was measured of the visible tests."""

    agree: int
    """Visible tests that passed by both, or by neither."""
    differ: tuple[Differing, ...]
    untold: tuple[str, ...]
    """Visible tests that the report does not name, or not so that it is clear which is meant."""
    unknown: tuple[str, ...]
    """Tests of the report that are no visible test."""
