"""Two cards compared, and two policies compared, as styled lines for a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from bouts.policy.fields import FieldChange
from bouts.render import numbers
from bouts.render.policy import text
from bouts.render.terminal import Span, Styled
from bouts.scoring.differences import CardDiff, FieldDifference, LineChange, moved

RECORDS_SHOWN = 40
_TINY = 0.005
"""Points below which a part of a movement is not worth a word."""


def card_diff(diff: CardDiff, names: tuple[str, str], width: int) -> list[Styled]:
    """The whole comparison."""
    width = max(60, min(width, 120))
    out = _head(diff, names, width)
    if not diff.lines:
        out.append((Span("  no line of the sum differs", "dim"),))
    for row in _shown(diff.lines):
        out += _line(row, width)
    if diff.lines:
        out += [(Span("  " + "─" * (width - 2), "dim"),), *_wrap(_sum(diff), width, 2, "strong")]
    out += _noted(diff, width) + _tests(diff) + _policy(diff, width) + _records(diff, width)
    return out


def fields(
    rows: Sequence[FieldChange] | Sequence[FieldDifference], width: int, *, one_sided: bool = False
) -> list[Styled]:
    """One line for each field that differs, with its meaning below. Fields that only one of the two has are counted by
    the part of the policy that they are in, unless each is wanted."""
    out: list[Styled] = []
    width = max(60, min(width, 120))
    for row in rows:
        if row.change != "changed" and not one_sided:
            continue
        before = "(absent)" if row.change == "added" else text(row.before)
        after = "(absent)" if row.change == "removed" else text(row.after)
        if len(row.path) + len(before) + len(after) + 7 <= width:
            out.append((Span(f"  {row.path}  "), Span(before, "bad"), Span(" → "), Span(after, "good")))
        else:
            out += [(Span(f"  {row.path}"),), *_wrap(before, width, 4, "bad"), *_wrap(f"→ {after}", width, 4, "good")]
        if row.meaning:
            out += _wrap(row.meaning, width, 6, "dim")
    return out if one_sided else [*out, *_parts_of(rows, width)]


def _parts_of(rows: Sequence[FieldChange] | Sequence[FieldDifference], width: int) -> list[Styled]:
    out: list[Styled] = []
    for change, said in (("removed", "only in the first"), ("added", "only in the second")):
        parts = Counter(row.path.partition(".")[0] for row in rows if row.change == change)
        if parts:
            listed = ", ".join(f"{name} ({many})" if many > 1 else name for name, many in parts.items())
            out += _wrap(f"{said}: {listed}", width, 2, "dim")
    return out


def _head(diff: CardDiff, names: tuple[str, str], width: int) -> list[Styled]:
    change = "" if diff.difference is None else f"  ({numbers.signed(diff.difference)})"
    out: list[Styled] = [
        (
            Span(f"final {numbers.score(diff.final_before)} → {numbers.score(diff.final_after)}", "title"),
            Span(change, _tone(diff.difference or 0)),
        )
    ]
    out += _wrap(f"{names[0]} → {names[1]}", width, 2, "dim")
    for what, before, after in (
        ("status", diff.status_before, diff.status_after),
        ("outcome", diff.outcome_before, diff.outcome_after),
        ("policy", _ref(diff, 0), _ref(diff, 1)),
    ):
        if before != after:
            out += _wrap(f"{what}: {before} → {after}", width, 2, "")
    if not diff.same_challenge:
        out += _wrap("the cards are of different challenges, or versions of one", width, 2, "warn")
    same = "the same submission" if diff.same_submission else "another submission"
    rest = "the same evidence" if diff.same_evidence else "other evidence"
    return [*out, *_wrap(f"{same}, {rest}", width, 2, "dim"), ()]


def _ref(diff: CardDiff, side: int) -> str:
    ref = (diff.policy_before, diff.policy_after)[side]
    return f"{ref.name} {ref.version}"


def _shown(rows: Sequence[LineChange]) -> Iterator[LineChange]:
    """Of what only one card has, the topmost line stands for all below it."""
    whole: list[str] = []
    for row in rows:
        if any(row.key.startswith(f"{key}.") for key in whole):
            continue
        if row.change != "changed":
            whole.append(row.key)
        yield row


def _line(row: LineChange, width: int) -> list[Styled]:
    indent = "  " * (row.depth + 1)
    sum_text = f"{numbers.score(row.score_before):>6} → {numbers.score(row.score_after):<6}"
    if row.score_before is None and row.score_after is None:
        sum_text = " " * len(sum_text)
    label = f"{indent}{row.label}"
    room = width - len(sum_text) - 16
    label = label if len(label) <= room else label[: room - 1] + "…"
    out: list[Styled] = [
        (
            Span(label.ljust(room), "strong" if row.depth == 0 else ""),
            Span(sum_text),
            Span(f"{_signed(row.points):>9} points", _tone(row.points)),
        )
    ]
    out += _wrap(f"{row.key}: {row.why}{_parts(row)}", width, len(indent) + 2, "dim")
    if row.score_before != row.score_after or row.change != "changed":
        for word, formula, because in (
            ("before", row.formula_before, row.because_before),
            ("after ", row.formula_after, row.because_after),
        ):
            text = " — ".join(part for part in (formula, because) if part)
            if text:
                out += _wrap(f"{word} {text}", width, len(indent) + 4, "dim")
    return out


def _parts(row: LineChange) -> str:
    """How much of the movement the score and the weight have, where both have some."""
    if row.by_score is None or row.by_weight is None or min(abs(row.by_score), abs(row.by_weight)) < _TINY:
        return ""
    return f" (score {_signed(row.by_score)}, weight {_signed(row.by_weight)})"


def _sum(diff: CardDiff) -> str:
    rows = moved(diff)
    if diff.difference is None:
        return "a void card has no score, so there is no difference"
    places = next((n for n in range(2, 6) if _adds_up([p for _, p in rows], diff.difference, n)), 6)
    text = ""
    for key, points in rows:
        sign = "−" if points < 0 else "+"
        amount = f"{abs(numbers.rounded(points, places))} ({key})"
        text += f" {sign} {amount}" if text or sign == "−" else amount
    total = numbers.rounded(diff.difference, places)
    return f"{text.strip() or 'nothing moved'} = {'−' if total < 0 else ''}{abs(total)}"


def _adds_up(points: list[float], total: float, places: int) -> bool:
    return sum(numbers.rounded(p, places) for p in points) == numbers.rounded(total, places)


def _noted(diff: CardDiff, width: int) -> list[Styled]:
    out: list[Styled] = []
    for row in diff.noted:
        style = "good" if (row.change == "added") == (row.what == "bonus") else "bad" if row.what != "flag" else "warn"
        points = f" ({numbers.signed(row.points)})" if row.points is not None else ""
        sign = "+" if row.change == "added" else "−"
        out += _wrap(f"{sign} {row.what} {row.kind.replace('_', ' ')}{points}: {row.because}", width, 2, style)
    return [(), *out] if out else []


def _tests(diff: CardDiff) -> list[Styled]:
    if not diff.counts:
        return []
    rows: list[Styled] = [
        (Span(f"  {c.group}: {c.passed_before} of {c.total_before} → {c.passed_after} of {c.total_after} passed"),)
        for c in diff.counts
    ]
    return [(), (Span("Tests", "strong"),), *rows]


def _policy(diff: CardDiff, width: int) -> list[Styled]:
    if diff.policy_note:
        return [(), *_wrap(f"policy: {diff.policy_note}", width, 0, "warn")]
    if not diff.policy:
        return []
    head = (Span(f"Policy: {len(diff.policy)} fields differ", "strong"),)
    return [(), head, *fields(diff.policy, width)]


def _records(diff: CardDiff, width: int) -> list[Styled]:
    if diff.same_evidence:
        return []
    if not diff.evidence_at_hand:
        text = "the evidence of both cards is not at hand, so tests are compared by their counts only"
        return [(), *_wrap(text, width, 2, "dim")]
    out: list[Styled] = [(), (Span(f"Evidence: {len(diff.records)} records differ (times aside)", "strong"),)]
    signs = {"added": "+", "removed": "−", "changed": "≠"}
    for row in diff.records[:RECORDS_SHOWN]:
        out += _wrap(f"{signs[row.change]} {row.id}: {row.what}", width, 2, "")
    if len(diff.records) > RECORDS_SHOWN:
        out.append((Span(f"  … and {len(diff.records) - RECORDS_SHOWN} more (--json has all)", "dim"),))
    return out


def _signed(points: float) -> str:
    """Points to two places: what moves a score is often small."""
    number = numbers.rounded(points, 2)
    return f"{number:+}" if number else "0.00"


def _tone(points: float) -> str:
    return "good" if points > 0 else "bad" if points < 0 else "dim"


def _wrap(text: str, width: int, indent: int, style: str) -> list[Styled]:
    pad = " " * indent
    made = textwrap.wrap(
        text, width, initial_indent=pad, subsequent_indent=f"{pad}  ", break_on_hyphens=False, break_long_words=True
    )
    return [(Span(line, style),) for line in made]
