"""A test report held against what was measured. What differs is worth knowing and proves nothing: the report may be of
other code, or made up."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from bouts.model.evidence import TestFacts
from bouts.model.reports import Differing, Held, Reported, ReportedTest

_MARKS = re.compile(r"::| > |/|\.")
_ENDING = re.compile(r"\.(?:py|pyi|mjs|cjs|[jt]sx?|go|rs)(?=::|\Z)", re.ASCII)

Parts = tuple[str, ...]


def held(report: Reported, tests: Sequence[TestFacts]) -> Held:
    """The report against the visible tests of the evidence; others are not looked at.

    A report names `tests.unit.test_a.TestB::test_c[1]` what is `unit/test_a.py::TestB::test_c[1]` here: two names are
    of one test where the parts of one end in those of the other, and only one test of each side fits.
    """
    visible = {test.id: test for test in tests if test.suite == "static"}
    pairs = _pairs(report.tests, list(visible))
    differ = [
        Differing(id=name, told=told.outcome, measured=visible[name].outcome)
        for name, told in pairs.items()
        if (told.outcome == "passed") != (visible[name].outcome == "passed")
    ]
    known = {told.id for told in pairs.values()}
    return Held(
        agree=len(pairs) - len(differ),
        differ=tuple(differ),
        untold=tuple(name for name in visible if name not in pairs),
        unknown=tuple(told.id for told in report.tests if told.id not in known),
    )


def _pairs(told: Sequence[ReportedTest], ids: Sequence[str]) -> dict[str, ReportedTest]:
    by_last: dict[str, list[tuple[Parts, ReportedTest]]] = defaultdict(list)
    for test in told:
        parts = _parts(test.id)
        by_last[parts[-1]].append((parts, test))
    found: dict[str, ReportedTest] = {}
    taken: dict[str, int] = defaultdict(int)
    for name in ids:
        mine = _parts(name)
        fits = [test for parts, test in by_last[mine[-1]] if _one_ends_in_other(mine, parts)]
        if len(fits) == 1:
            found[name] = fits[0]
            taken[fits[0].id] += 1
    return {name: test for name, test in found.items() if taken[test.id] == 1}


def _parts(name: str) -> Parts:
    """Folders, file without its ending, classes and function; what a case is called stays whole."""
    plain, bracket, case = name.partition("[")
    parts = [part for part in _MARKS.split(_ENDING.sub("", plain)) if part]
    return (*parts[:-1], (parts[-1] if parts else "") + bracket + case)


def _one_ends_in_other(one: Parts, other: Parts) -> bool:
    size = min(len(one), len(other))
    return one[-size:] == other[-size:]
