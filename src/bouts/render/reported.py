"""A test report in lines: what it tells, where it contradicts itself, and how it compares with what was measured."""

from __future__ import annotations

from collections import Counter

from bouts.model.reports import Held, Reported
from bouts.render.columns import listed
from bouts.render.terminal import Span, Styled

MOST = 20
"""Tests that are named of each sort."""
_STYLES = {"failed": "bad", "error": "bad", "other": "warn"}


def lines(report: Reported, held: Held | None, *, most: int | None = MOST) -> list[Styled]:
    """The report, of each sort at most `most` tests."""
    counts = Counter(test.outcome for test in report.tests)
    told = ", ".join(
        f"{counts[kind]} {kind}" for kind in ("passed", "failed", "error", "skipped", "other") if counts[kind]
    )
    found: list[Styled] = [(Span(f"{len(report.tests)} tests told as {report.format}: ", "title"), Span(told))]
    found += [(Span(f"  note: {what}", "warn"),) for what in report.discrepancies]
    bad = [test for test in report.tests if test.outcome in _STYLES]
    for test in bad[:most]:
        found.append((Span(f"  {test.outcome:<7}", _STYLES[test.outcome]), Span(test.id)))
        first = test.message.partition("\n")[0]
        found += [(Span(f"          {first[:200]}", "dim"),)] if first else []
    found += _more(len(bad), most)
    return found + ([] if held is None else _held(held, most))


def _held(held: Held, most: int | None) -> list[Styled]:
    known = held.agree + len(held.differ)
    found: list[Styled] = [
        (
            Span("against what was measured: ", "title"),
            Span(f"{held.agree} of {known} visible tests that it names agree"),
        )
    ]
    for one in held.differ[:most]:
        found.append((Span("  differs ", "bad"), Span(f"{one.id}: told {one.told}, measured {one.measured}")))
    found += _more(len(held.differ), most)
    for what, names in (
        ("visible tests that it does not name", held.untold),
        ("its tests that are no visible test", held.unknown),
    ):
        if names:
            found.append((Span(f"  {len(names)} {what}: {listed(names, 3)}", "dim"),))
    return found


def _more(count: int, most: int | None) -> list[Styled]:
    left = 0 if most is None else count - most
    return [(Span(f"  … and {left} more (--all)", "dim"),)] if left > 0 else []
