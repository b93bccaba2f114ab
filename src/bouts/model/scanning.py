"""What a scanner is asked to read and what it reports back."""

from __future__ import annotations

from bouts.model.base import Fact
from bouts.model.constraints import Constraint
from bouts.model.evidence import BuildFacts, Fault, Finding, Notice, Observation


class ScanJob(Fact):
    """Read one submission. Paths of files are relative and use `/`."""

    given: str
    """Host folder with the codebase as given."""
    staged: str
    """Host folder with the codebase and the submission laid over it."""
    changed: tuple[str, ...]
    """Files that the submission added, changed or deleted. Each is compared with the given one of that path."""
    package_tests: dict[str, bytes] = {}
    """The visible tests as the package has them, by path in the workspace."""
    handed_in_tests: dict[str, bytes] = {}
    """What the submission handed in at those paths."""
    deletions_count: bool = False
    """Whether a test that was not handed in was deleted: in a patch, and in a folder that says `complete: true`."""
    reference: str = ""
    """Host folder with the reference's changed files; empty where there is none."""
    constraints: tuple[Constraint, ...] = ()
    added_dependencies: tuple[str, ...] = ()
    """Packages that the submission's manifest names, the given one does not, and the challenge does not ask for."""
    allowed_packages: tuple[str, ...] = ()
    """Packages that the given manifest, the lock or the challenge names."""


class Literal(Fact):
    """A literal expression in a file of the submission."""

    start: int
    end: int
    """Its place, in bytes of the file."""
    value: str
    """Its value as Python writes it, the same for equal values."""


class HardcodedCandidate(Fact):
    """Literals of the submission that equal what a visible test passes in or expects. They prove nothing by
    themselves: only a test with other values, which the reference passes and the submission fails until its literals
    are swapped alike, makes them a violation."""

    path: str
    line: int
    excerpt: str
    weight: int
    """How unlikely it is that the literals meet by chance: more for long texts, large numbers, whole collections."""
    literals: tuple[Literal, ...] = ()
    """Every literal of the statement that the test has, too; a collection stands before its members."""
    test: str
    """The visible test, `path::name`."""
    test_line: int
    test_excerpt: str


class HollowFunction(Fact):
    """A function that was a stub as given, has content in the reference, and is a constant in the submission."""

    path: str
    line: int
    name: str
    what: str
    """What it does, such as `returns 0`."""
    excerpt: str
    last: int
    """The function's last line."""
    given_line: int
    given_excerpt: str


class BrokenConstraint(Fact):
    """A place where the submission does not keep to a declared constraint."""

    constraint: int
    """Position among the challenge's constraints, from 0."""
    path: str | None
    line: int | None
    excerpt: str = ""
    detail: str
    given_line: int | None = None
    given_excerpt: str = ""


class SwapJob(Fact):
    """Make visible tests anew with other values."""

    suite_folder: str
    """Host folder of the visible tests, which are trusted."""
    tests: tuple[str, ...]
    """Functions, `path::name` or `path::Class.name`, relative to that folder."""
    vocabulary: tuple[str, ...]
    """Host folders of code whose literals mean something in the challenge; they keep their value."""
    literals: tuple[str, ...] = ()
    """Values of literals for which the swapped ones are wanted."""


class SwappedTests(Fact):
    """Visible tests with one choice of values. Each records what it sees, or holds that against what was recorded."""

    way: str
    """How values are swapped; `as given` where they are not."""
    round: int
    files: dict[str, str]
    """Text of each test file that was made, by path relative to the suite's folder; `ANSWERS` in it stands for what
    was recorded, as JSON, or `null`."""
    origins: dict[str, str]
    """The file that it was made from, by the same path."""
    values: dict[str, str] = {}
    """The swapped value of each literal asked for, where it changes."""


ANSWERS = "'%bouts-answers%'"
"""Where a made test file holds what was recorded."""
RECORDED = "bouts-recorded "
"""Begins what a recording test fails with; base64 of deflated JSON follows, up to the next space."""


class ScanReport(Fact):
    """What was found by reading. No submitted code was executed."""

    build: tuple[BuildFacts, ...]
    """The checks `compiles` and `lint`. `lint` is missing where the linter could not be run; a fault then says so."""
    findings: tuple[Finding, ...] = ()
    """New against the codebase as given; the most severe first."""
    observations: tuple[Observation, ...] = ()
    """Disabled tests, stubbed functions and introduced vulnerabilities."""
    notices: tuple[Notice, ...] = ()
    candidates: tuple[HardcodedCandidate, ...] = ()
    hollow: tuple[HollowFunction, ...] = ()
    broken: tuple[BrokenConstraint, ...] = ()
    faults: tuple[Fault, ...] = ()
    tools: dict[str, str] = {}
    """Version by tool."""
