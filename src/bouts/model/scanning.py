"""What a scanner is asked to read and what it reports back."""

from __future__ import annotations

from bouts.model.base import Fact
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
    expected_values: bool = True
    """Whether to look for literals that equal expected values of visible tests."""


class HardcodedCandidate(Fact):
    """A literal of the submission that equals an expected value of a visible test. It proves nothing by itself:
    only value-swapped cases that then fail make it a violation."""

    path: str
    line: int
    excerpt: str
    test: str
    """The visible test that expects the value, `path::name`."""
    test_line: int
    test_excerpt: str


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
    faults: tuple[Fault, ...] = ()
    tools: dict[str, str] = {}
    """Version by tool."""
