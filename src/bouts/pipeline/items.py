"""From a ledger to an analysis of its items: challenges by solved runs, tests by the evidence of cards."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from bouts.errors import BoutsError, NotFound
from bouts.model.evidence import TestFacts
from bouts.model.records import from_records
from bouts.model.tallied import CardRow, Where
from bouts.pipeline.cards import evidence_of
from bouts.ports.ledger import Ledger
from bouts.scoring.suites import passed
from bouts.standings.cells import Cell, rate_cells
from bouts.standings.itemised import Itemised
from bouts.standings.items import analyse

MOST_CARDS = 2_000
"""Cards whose evidence is read, the latest ones."""


def of_challenges(ledger: Ledger, *, season: str | None = None, inside: bool = True) -> Itemised:
    """Every task as an item, by success rates. Raises `NotFound` for an unknown season."""
    cells = rate_cells(ledger.tallies(Where(season=season, inside=inside)))
    return Itemised(kind="challenges", task=None, other_packages=0, cards=0, without_evidence=0, report=analyse(cells))


def of_tests(
    ledger: Ledger,
    challenge: str,
    *,
    policy: tuple[str, str] | None = None,
    season: str | None = None,
    inside: bool = True,
) -> Itemised:
    """The tests of a challenge as items. Raises `NotFound` where there are no cards of it."""
    name, version = policy or (None, None)
    question = Where(challenge=challenge, season=season, inside=inside, policy=name, policy_version=version)
    rows = [row for row in ledger.cards(question) if row.status != "void"]
    if not rows:
        known = sorted({row.challenge for row in ledger.tasks() if row.challenge is not None})
        hint = f"challenges: {', '.join(known[:8])}" if known else "`bouts score --agent NAME` records cards"
        raise NotFound(f"there are no cards of the challenge {challenge!r}", hint=hint)
    task = rows[-1].task
    # A run has a card of every policy, and its tests went the same on each.
    latest = list({row.run: row for row in rows if row.task == task}.values())[-MOST_CARDS:]
    found: dict[tuple[str, str], list[bool]] = {}
    lacking = 0
    for row in latest:
        tests = _tests(ledger, row)
        lacking += tests is None
        for test in tests or ():
            found.setdefault((row.agent, f"{test.suite}/{test.id}"), []).append(passed(test))
    return Itemised(
        kind="tests",
        task=task,
        other_packages=len({row.task for row in rows}) - 1,
        cards=len(latest) - lacking,
        without_evidence=lacking,
        report=analyse(_cells(found.items())),
    )


def _cells(found: Iterable[tuple[tuple[str, str], list[bool]]]) -> list[Cell]:
    return [Cell(agent, test, test, Fraction(sum(seen), len(seen)), len(seen)) for (agent, test), seen in found]


def _tests(ledger: Ledger, row: CardRow) -> tuple[TestFacts, ...] | None:
    """The tests of a card, without those that a fault of ours ended; `None` where its evidence is not at hand."""
    if row.evidence is None:
        return None
    try:
        file = evidence_of(ledger.evidence(row.evidence), Path(row.evidence))
        tests = from_records(file.records).tests
    except BoutsError:
        return None
    return tuple(test for test in tests if test.outcome != "infrastructure")
