"""A card as rows and sentences, with no colour and no markup."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TypeVar, cast

from bouts.model.card import Card, Line
from bouts.model.evidence import Proof
from bouts.model.text import clean
from bouts.render import numbers

T = TypeVar("T")

BAR_CELLS = 16
TEXT_CHARACTERS = 10_000
"""Longest text that is shown of a card; Bouts' own are far shorter."""

STATE_WORDS = {
    "measured": "",
    "neutral": "neutral",
    "not_judged": "not judged",
    "not_applicable": "does not apply",
}


@dataclass(frozen=True)
class Row:
    """One line of the sum, ready to be shown."""

    key: str
    depth: int
    label: str
    state: str
    score: str
    weight: str
    points: str
    fraction: float | None
    """Score as a share of 100, for a bar; `None` where there is nothing to draw."""
    because: str
    formula: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Excerpt:
    """Lines of a file or a transcript, to be shown as they are."""

    place: str
    text: str


@dataclass(frozen=True)
class ProofView:
    """What a violation rests on: a sentence, and the excerpts to compare, what was handed in last."""

    detail: str
    excerpts: tuple[Excerpt, ...]


@dataclass(frozen=True)
class CardView:
    """Everything that a reader of a card sees, in reading order."""

    title: str
    subtitle: str
    final: str
    status: str
    status_because: str
    reach: str
    rows: tuple[Row, ...]
    breakdown: str
    flags: tuple[tuple[str, str, bool], ...]
    violations: tuple[tuple[str, str, str, tuple[ProofView, ...]], ...]
    bonuses: tuple[tuple[str, str, str], ...]
    audit: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, str], ...]
    environment: tuple[tuple[str, str], ...]


def view(card: Card) -> CardView:
    """The view of a card. A card may come from anybody, so every text is made safe to show."""
    return _shown(_view(card))


def _shown(value: T) -> T:
    """The same with every text in it free of what steers a terminal, turns a line around or hides."""
    made: object = value
    if isinstance(value, str):
        made = clean(value, TEXT_CHARACTERS)
    elif isinstance(value, tuple):
        made = tuple(_shown(part) for part in cast("tuple[object, ...]", value))
    elif isinstance(value, Row | CardView | ProofView | Excerpt):
        made = replace(value, **{f.name: _shown(getattr(value, f.name)) for f in fields(value)})
    return cast("T", made)


def _view(card: Card) -> CardView:
    return CardView(
        title=f"{card.challenge.title}",
        subtitle=f"{card.challenge.id} {card.challenge.version} · {card.challenge.format} · tier {card.challenge.tier}"
        f" · agent {card.submission.agent or 'unnamed'} · policy {card.policy.name} {card.policy.version}",
        final=numbers.score(card.final),
        status=card.status,
        status_because=card.because,
        reach=_reach(card),
        rows=tuple(row for line in card.lines for row in _rows(line, 0)),
        breakdown=breakdown(card),
        flags=tuple((f.kind.replace("_", " "), f.why, f.holds) for f in card.flags),
        violations=tuple(
            (v.kind.replace("_", " "), numbers.signed(v.points), v.because, tuple(_proof(p) for p in v.evidence))
            for v in card.violations
        ),
        bonuses=tuple((b.kind.replace("_", " "), numbers.signed(b.points), b.because) for b in card.bonuses),
        audit=tuple((name, level) for name, level in card.audit.items()),
        tests=_tests(card),
        environment=_environment(card),
    )


def breakdown(card: Card) -> str:
    """The sum in one line: `51.2 (objective) + 12.1 (process) − 20.0 (integrity) = 43.3`.

    With as many decimals, up to 6, as it takes for the rounded parts to add up to the rounded whole.
    """
    if card.final is None:
        return "no score"
    points = [(line.key, line.points) for line in card.lines if line.points is not None]
    places = next((n for n in range(1, 6) if _adds_up([p for _, p in points], card.final, n)), 6)
    parts: list[str] = []
    for key, value in points:
        sign = "−" if value < 0 else "+"
        amount = f"{abs(numbers.rounded(value, places))} ({key})"
        parts.append(f"{sign} {amount}" if parts or sign == "−" else amount)
    return f"{' '.join(parts) or '0.0'} = {numbers.rounded(card.final, places)}"


def _adds_up(points: list[float], final: float, places: int) -> bool:
    return sum(numbers.rounded(p, places) for p in points) == numbers.rounded(final, places)


def _rows(line: Line, depth: int) -> list[Row]:
    modifier = line.weight is None and line.points is not None
    row = Row(
        key=line.key,
        depth=depth,
        label=line.label,
        state=STATE_WORDS[line.state],
        score=numbers.signed(line.score) if modifier else numbers.score(line.score),
        weight=numbers.weight(line.weight),
        points=numbers.signed(line.points) if modifier else numbers.score(line.points),
        fraction=None if modifier or line.score is None or line.score < 0 else min(1.0, line.score / 100),
        because=line.because,
        formula=line.formula,
        evidence=line.evidence,
    )
    if line.state == "not_judged":
        return [row]  # its parts were not judged either; the reason is the same
    return [row, *(r for child in line.children for r in _rows(child, depth + 1))]


def _reach(card: Card) -> str:
    if card.final is None or not card.attainable:
        return ""
    share = 100 * card.final / card.attainable
    return (
        f"{numbers.score(share)} % of the {numbers.score(card.attainable)} that this card could reach, "
        "with every line that applies at its best and no bonus"
    )


def _tests(card: Card) -> tuple[tuple[str, str], ...]:
    t = card.tests
    rows = [
        ("visible tests", f"{t.static_passed} of {t.static_total}"),
        ("hidden tests", f"{t.adversarial_passed} of {t.adversarial_total}"),
    ]
    if t.static_total and t.adversarial_total:
        gap = 100 * (t.static_passed / t.static_total - t.adversarial_passed / t.adversarial_total)
        rows.append(("gap", f"{numbers.signed(gap)} points between the visible and the hidden pass rate"))
    rows += [(f"hidden, {g.group}", f"{g.passed} of {g.total}") for g in (*t.by_severity, *t.by_pattern)]
    return tuple(rows)


def _environment(card: Card) -> tuple[tuple[str, str], ...]:
    e = card.environment
    return (
        ("sandbox", e.sandbox),
        ("python", e.python),
        ("kernel", f"{e.kernel} on {e.machine}"),
        ("processor", e.cpu),
        ("tools", ", ".join(f"{name} {version}" for name, version in sorted(e.tools.items()))),
        ("challenge", card.challenge.digest),
        ("submission", card.submission.digest),
        ("policy", card.policy.digest),
        ("rubric", e.rubric_digest),
        ("evidence", card.evidence.digest),
    )


def _proof(proof: Proof) -> ProofView:
    place = _place(proof.path, proof.line)
    if proof.event is not None:
        place = f"{place} event {proof.event}".strip()
    other = proof.other
    excerpts: list[Excerpt] = []
    if other is not None and (other.excerpt or other.path):
        where = _place(other.path, other.line)
        excerpts.append(Excerpt(f"{other.says}: {where}" if where else other.says, other.excerpt))
    if proof.excerpt:
        excerpts.append(Excerpt(f"what was handed in: {place}" if excerpts and place else place, proof.excerpt))
    detail = f"{place}: {proof.detail}" if place and proof.detail else proof.detail or place
    return ProofView(detail, tuple(excerpts))


def _place(path: str | None, line: int | None) -> str:
    return (path or "") + ("" if line is None else f":{line}")
