"""The review queue and one case for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from bouts.model.card import Card
from bouts.model.tallied import CardRow, Queued, ReviewRow
from bouts.render import numbers
from bouts.render.card import view
from bouts.render.columns import Column, fitted, name, wrapped
from bouts.render.differences import card_diff
from bouts.render.standings import words
from bouts.render.terminal import Span, Styled, card_lines, grade
from bouts.scoring.differences import CardDiff


def queue(rows: Sequence[tuple[str, Queued]], width: int) -> list[Styled]:
    """What waits, by agent's title and card; the longest waiting first."""
    if not rows:
        return [(Span("nothing waits for a reviewer", "dim"),)]
    width = max(60, min(width, 140))
    titles = words.tasks(item.card.task for _, item in rows)
    columns = (
        Column("card"),
        Column("since (UTC)"),
        Column("agent", least=10),
        Column("task", least=12),
        Column("score", right=True, style=grade),
        Column("why", least=12),
    )
    cells = [
        [
            words.short(item.card.card),
            item.since[:16].replace("T", " "),
            name(agent),
            name(titles[item.card.task]),
            numbers.score(item.card.final),
            ", ".join(name(reason).replace("_", " ") for reason in item.why),
        ]
        for agent, item in rows
    ]
    return [*fitted(columns, cells, width), (), (Span("one whole: bouts review show CARD", "dim"),)]


def case(
    agent: str,
    row: CardRow,
    card: Card,
    reviews: Sequence[ReviewRow],
    difference: CardDiff | None,
    width: int,
    *,
    detail: bool = False,
) -> list[Styled]:
    """A case: where it stands, what was said, the card, and the second card beside it."""
    made: list[Styled] = [
        (Span(f"card {words.short(row.card)}", "title"), Span(f"  {name(agent)} · {name(row.task)}", "dim")),
        (Span(f"counts as {row.state}"), Span(f"  final {numbers.score(row.final)}", grade(numbers.score(row.final)))),
    ]
    if row.appealed:
        made.append((Span("an appeal waits for an answer", "warn"),))
    if row.replaced_by is not None:
        made.append((Span(f"a second card counts instead: {words.short(row.replaced_by)}", "warn"),))
    holds = [flag for flag in card.flags if flag.holds]
    for flag in holds:
        made += wrapped(f"held for {flag.kind.replace('_', ' ')}: {flag.why}", width, "bad", 4)
    made += _said(reviews, width)
    made += [(), *card_lines(view(card), width, detail=detail)]
    if difference is not None and row.replaced_by is not None:
        names = (words.short(row.card), words.short(row.replaced_by))
        made += [(), (Span("the second card beside the first", "strong"),), *card_diff(difference, names, width)]
    return made


def _said(reviews: Sequence[ReviewRow], width: int) -> list[Styled]:
    if not reviews:
        return [(Span("no review yet", "dim"),)]
    made: list[Styled] = [(Span("what was said", "strong"),)]
    for review in reviews:
        what = review.action
        if review.final is not None:
            what += f" to {numbers.score(review.final)}"
        if review.second is not None:
            what += f" by card {words.short(review.second)}"
        reason = f": {name(review.reason, 2_000)}" if review.reason else ""
        text = f"{review.time[:16].replace('T', ' ')} {name(review.by)}, {what}{reason}"
        made += wrapped(text, width, "warn" if review.action == "appeal" else "", 4, first=2)
    return made
