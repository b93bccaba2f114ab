"""How to read and reproduce a card by hand: one complete card, made when the page is generated."""

from __future__ import annotations

from collections.abc import Iterator

from bouts.model.card import Card, EvidenceRef, Line
from bouts.model.challenge import Suite
from bouts.model.evidence import Evidence
from bouts.model.records import root_digest, to_records
from bouts.model.session import SessionEvent
from bouts.policy.catalogue import DEFAULT, POLICIES, CardPolicy, card_policy
from bouts.policy.headline import Headline
from bouts.render.card import breakdown, view
from bouts.render.methodology.example import evidence
from bouts.render.methodology.markdown import bullets, code, section, table, text
from bouts.render.terminal import card_lines
from bouts.scoring.card import score
from bouts.scoring.exact import PLACES, show
from bouts.scoring.explain import derive
from bouts.scoring.formulas import formula_of

_WIDTH = 100


def page() -> str:
    """The page as Markdown."""
    facts = evidence()
    policy = card_policy(DEFAULT)
    card = _card(facts, policy)
    lines = [
        "# Reading a card, and reproducing it by hand",
        "",
        *text(
            "A card is a sum that shows its working. This page gives the facts of one submission, the card that "
            "they make, and every "
            "step between, so that you can do it with pen and paper. The page is generated: the card is made by the "
            "functions that "
            "make every card, from the table of "
            f"[{policy.name} {policy.version}](../reference/policies/{policy.name}.md).",
            "On a card of your own, `bouts explain CARD KEY` prints these steps, and `bouts verify CARD` does all "
            "of them again and "
            "compares.",
        ),
        *section("The parts of a card", _parts()),
        *section("The facts", _facts(facts)),
        *section("The card", code(*_shown(card))),
        *section("Step by step", _steps(card, policy)),
        *section("The sum", _sum(card)),
        *section("The same facts by other policies", _others(facts)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _card(facts: Evidence, policy: CardPolicy) -> Card:
    return score(facts, policy, EvidenceRef(digest=root_digest(to_records(facts))))


def _shown(card: Card) -> Iterator[str]:
    for line in card_lines(view(card), _WIDTH, detail=False):
        yield "".join(span.text for span in line).rstrip()


def _parts() -> list[str]:
    return bullets(
        [
            "**Key** such as `objective.static`: lines form a tree; what is below a dot is part of what is before it.",
            "**Score**, 0–100: how good this part is by itself.",
            "**Weight**: the share of the line above. Where a part has no score, its weight went to the parts "
            "beside it in "
            "proportion, so the weight on the card can be larger than the policy's; `explain` shows both.",
            "**Points** = weight · weight of the line above · … · score: what the line adds to the final. The "
            "points of the parts add "
            "up to the points of the line above, and those of the top lines to the final.",
            "**Could reach**: the final with every line that applies at its best, and no bonus. It is below the full "
            "score where weights leave room for bonuses, or a part is fixed; a part that was not judged takes nothing "
            "from it.",
            "**Because**: the reason in words; **formula**: the same with numbers.",
            "Lines without a weight (the integrity modifier, a cap, a clamp) are added as they are.",
            "`not judged` and `does not apply` are no zeros: such a line is left out of the sum. `neutral` is a "
            "stand-in score, always "
            "with its reason.",
            f"Scores and points are stored to {PLACES} decimals; what you see is rounded half up, so the last digit "
            "of a sum of rounded "
            "numbers may differ by one.",
        ]
    )


def _facts(facts: Evidence) -> list[str]:
    visible = [(t.id.rpartition("::")[2], show(t.points), t.outcome) for t in facts.tests if t.suite is Suite.STATIC]
    hidden = [
        (t.severity.value if t.severity else "", t.pattern.value if t.pattern else "", t.outcome)
        for t in facts.tests
        if t.suite is Suite.ADVERSARIAL
    ]
    build = [(b.check, "yes" if b.ok else "no", b.detail) for b in facts.build]
    other = [
        *(f"{m.metric}: {show(m.value)} (median of {len(m.values)} measurements)" for m in facts.metrics),
        *(f"{f.severity.value} finding {f.cwe} at {f.path}:{f.line}" for f in facts.findings),
        *(f"violation {o.kind.replace('_', ' ')}: {o.because}" for o in facts.observations),
        *(f"virtue {v.kind.replace('_', ' ')}: {v.because}" for v in facts.virtues),
        f"time limit of the challenge: {show(facts.challenge.time_limit_seconds)} s; format "
        f"{facts.challenge.format.value}",
    ]
    return [
        *text("*Visible tests*"),
        *table(("test", "points", "outcome"), visible),
        *text("*Hidden tests*: a card has their counts only; the author's evidence has everything."),
        *table(("severity", "pattern", "outcome"), hidden),
        *text("*Build checks*"),
        *table(("check", "holds", "detail"), build),
        *text("*The session*"),
        *table(("event", "at", "what", "result"), _events(facts)),
        *text("*Marks of the three raters*"),
        *_marks(facts),
        *text("*Everything else*"),
        *bullets(other),
    ]


def _events(facts: Evidence) -> list[tuple[str, str, str, str]]:
    assert facts.session is not None
    return [
        (
            str(e.sequence),
            f"{show(e.seconds or 0)} s",
            f"{e.operation} {e.target or ''}".strip(),
            _result(e),
        )
        for e in facts.session.events
    ]


def _result(event: SessionEvent) -> str:
    if event.total:
        failing = ", ".join(failure.test for failure in event.failures or ())
        return f"{event.passed} of {event.total} passed; failing: {failing}"
    spans = ", ".join(f"{r.start}–{r.end}" for r in event.ranges or ())
    return f"{event.lines_changed} lines changed ({spans})" if event.lines_changed else ""


def _marks(facts: Evidence) -> list[str]:
    rows: dict[tuple[str, str], list[str]] = {}
    for mark in facts.marks:
        rows.setdefault((mark.item, mark.dimension), []).append(show(mark.mark))
    return table(("rated", "dimension", "marks"), [(item, name, ", ".join(m)) for (item, name), m in rows.items()])


def _steps(card: Card, policy: CardPolicy) -> list[str]:
    out = text(
        "From the leaves to the top: each line with its formula as the policy states it, and with the numbers "
        "filled in."
    )
    for top in card.lines:
        rows = [_row(card, line, policy) for line in _upwards(top) if line.formula]
        out += section(top.label, [*table(("key", "formula", "with numbers", "score"), rows)], level=3)
    return out


def _upwards(line: Line) -> Iterator[Line]:
    """What is below a line, then the line."""
    for child in line.children:
        yield from _upwards(child)
    yield line


def _row(card: Card, line: Line, policy: CardPolicy) -> tuple[str, str, str, str]:
    general = formula_of(policy, card.challenge.format, line.key)
    value = "–" if line.score is None else f"**{show(line.score, 4)}**"
    return f"`{line.key}`", general, line.formula, value


def _sum(card: Card) -> list[str]:
    rows = [
        (
            f"`{line.key}`",
            show(line.score or 0, 4),
            "" if line.weight is None else show(line.weight, 4),
            show(line.points or 0, 4),
        )
        for line in card.lines
        if line.score is not None
    ]
    return [
        *table(("line", "score", "weight", "points"), rows),
        *code(derive(card).filled),
        *text(
            f"Shown as **{view(card).final}**, headline **{card.headline}**; stored as "
            f"{show(card.final or 0, PLACES)}.",
            f"The card's status is *{card.status}*: {card.because} A status never changes the number; it says "
            "whether the number "
            "counts on a leaderboard yet.",
        ),
    ]


def _others(facts: Evidence) -> list[str]:
    rows: list[tuple[str, str, str]] = []
    for policy in POLICIES.values():
        if isinstance(policy, Headline):
            continue
        card = _card(facts, policy)
        rows.append(
            (
                f"[{policy.name}](../reference/policies/{policy.name}.md)",
                breakdown(card),
                f"**{show(card.final or 0, 4)}**",
            )
        )
    return [
        *text("`bouts rescore CARD --policy NAME` does this with any card; nothing is run again."),
        *table(("policy", "sum", "final"), rows),
        *text("*headline* is missing on purpose: it scores all runs of an agent together, never one card."),
    ]
