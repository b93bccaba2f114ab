"""Results for continuous integration: JUnit XML, and a Markdown summary such as GitHub shows below a run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from bouts.model.card import Card
from bouts.model.text import clean_line
from bouts.render import numbers

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&$@:])")
_CELL = 200


class Row(NamedTuple):
    """One submission and what came of it."""

    name: str
    challenge: str
    card: Card | None
    error: str = ""
    """Why there is no card."""
    seconds: float = 0.0
    """What scoring it took; 0 where that is not known."""
    before: str = ""
    """An earlier verdict, where one is compared."""


def junit(rows: Sequence[Row], fail_under: float | None) -> str:
    """JUnit XML: a test case a submission.

    A submission that is not solved, or where a threshold is given is below it, is a failure; what could not be scored,
    or is void, is an error.
    """
    cases = [_case(row, fail_under) for row in rows]
    failures = sum("<failure " in case for case in cases)
    errors = sum("<error " in case for case in cases)
    counts = f'tests="{len(rows)}" failures="{failures}" errors="{errors}" skipped="0"'
    time = f'time="{sum(row.seconds for row in rows):.3f}"'
    body = "".join(cases)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="bouts" {counts} {time}>\n'
        f'<testsuite name="bouts score" {counts} {time}>\n{body}</testsuite>\n</testsuites>\n'
    )


def missed(card: Card | None, fail_under: float | None) -> bool:
    """Whether a card is below a threshold; one without a final, or none at all, is."""
    return fail_under is not None and (card is None or card.final is None or card.final < fail_under)


def summary(rows: Sequence[Row], fail_under: float | None, title: str) -> str:
    """A Markdown table of the results, with a first line that says how it went."""
    solved = sum(row.card is not None and row.card.outcome == "solved" for row in rows)
    told = f"{solved} of {len(rows)} solved"
    if fail_under is not None:
        below = sum(missed(row.card, fail_under) for row in rows)
        told += f", {below} below {numbers.plain(fail_under)}"
    was = any(row.before for row in rows)
    head = ["submission", *(["before"] if was else []), "final", "outcome", "status", "visible", "hidden", "why"]
    lines = [f"## {_text(title)}", "", told, "", _line(head), _line(["---"] * len(head))]
    for row in rows:
        start = [_text(row.name), *([_text(row.before)] if was else [])]
        card = row.card
        if card is None:
            lines.append(_line([*start, "–", "invalid", "not scored", "–", "–", _text(row.error)]))
            continue
        tests = card.tests
        mark = " ✗" if missed(card, fail_under) else ""
        lines.append(
            _line(
                [
                    *start,
                    numbers.score(card.final) + mark,
                    _text(card.outcome),
                    card.status,
                    f"{tests.static_passed}/{tests.static_total}",
                    f"{tests.adversarial_passed}/{tests.adversarial_total}",
                    _text(_why(card)),
                ]
            )
        )
    return "\n".join(lines) + "\n\n"


def _case(row: Row, fail_under: float | None) -> str:
    what = f'<testcase classname={_attribute(row.challenge)} name={_attribute(row.name)} time="{row.seconds:.3f}">'
    card = row.card
    if card is None:
        return f'{what}<error type="invalid" message={_attribute(row.error)}></error></testcase>\n'
    why = _why(card)
    properties = {"final": numbers.score(card.final), "outcome": card.outcome, "status": card.status}
    inner = "".join(f"<property name={_attribute(k)} value={_attribute(v)}/>" for k, v in properties.items())
    inner = f"<properties>{inner}</properties>"
    if card.status == "void":
        inner += f'<error type="void" message={_attribute(card.because)}></error>'
    elif missed(card, fail_under):
        below = f"final {numbers.score(card.final)} is below {numbers.plain(fail_under or 0)}; {why}"
        inner += f'<failure type="below" message={_attribute(below)}></failure>'
    elif fail_under is None and card.outcome != "solved":
        inner += f"<failure type={_attribute(card.outcome)} message={_attribute(why)}></failure>"
    return f"{what}{inner}<system-out>{escape(_plain(_sum(card)))}</system-out></testcase>\n"


def _why(card: Card) -> str:
    tests = card.tests
    parts = [
        f"visible tests {tests.static_passed}/{tests.static_total}",
        f"hidden tests {tests.adversarial_passed}/{tests.adversarial_total}",
        *(v.kind.replace("_", " ") for v in card.violations),
    ]
    return ", ".join(parts)


def _sum(card: Card) -> str:
    terms = [f"{line.label}: {numbers.signed(line.points)} points. {line.because}" for line in card.lines]
    return "\n".join([f"{card.outcome}, {card.status}, final {numbers.score(card.final)}", card.because, *terms])


def _plain(text: str) -> str:
    return _NOT_XML.sub("�", text)


def _attribute(text: str) -> str:
    return quoteattr(_plain(clean_line(text, 1000)))


def _text(text: str) -> str:
    """Text in a cell of a table: on one line, with nothing in it that is markup."""
    return _MARKUP.sub(r"\\\1", clean_line(text, _CELL))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
