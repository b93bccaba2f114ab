"""Tables that several commands print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bouts.render import numbers
from bouts.render.terminal import Span, Styled, table

if TYPE_CHECKING:
    from bouts.model.card import Line
    from bouts.pipeline.batch import Result


def comparison(results: list[Result]) -> list[Styled]:
    """One row a submission: final, judges, tests, outcome, status."""
    head = ["submission", "final", "objective", "process", "integrity", "visible", "hidden", "outcome", "status"]
    rows: list[list[str]] = []
    notes: list[Styled] = []
    for result in results:
        if result.scored is None:
            rows.append([result.name, "–", "–", "–", "–", "–", "–", "invalid", "not scored"])
            if result.error is not None:
                notes.append((Span(f"{result.name}: {result.error}", "bad"),))
            continue
        card = result.scored.card
        lines = {line.key: line for line in card.lines}
        tests = card.tests
        rows.append(
            [
                result.name,
                numbers.score(card.final),
                _score(lines.get("objective")),
                _score(lines.get("process")),
                numbers.signed(lines["integrity"].points if "integrity" in lines else None),
                f"{tests.static_passed}/{tests.static_total}",
                f"{tests.adversarial_passed}/{tests.adversarial_total}",
                card.outcome,
                card.status,
            ]
        )
    return [*table(head, rows, right=frozenset({1, 2, 3, 4, 5, 6})), *notes]


def _score(line: Line | None) -> str:
    return numbers.score(line.score if line else None)
