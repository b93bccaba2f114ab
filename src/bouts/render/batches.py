"""Batches for people: what scoring would do, how far it is, and what became of a verdict that was given before."""

from __future__ import annotations

from collections.abc import Sequence

from bouts.model.batch import BatchState, ItemState, Planned, Verdict
from bouts.render import numbers
from bouts.render.terminal import Span, Styled, table

_STYLE = {"reuse": "good", "regrade": "warn", "run": "", "invalid": "bad"}


def moved(before: Verdict, after: Verdict) -> tuple[str, ...]:
    """What is not the same in two verdicts on one submission, the terms of the sum first."""
    keys = dict.fromkeys((*after.points, *before.points))
    found = [
        f"{key.replace('_', ' ')} {numbers.signed((after.points.get(key) or 0) - (before.points.get(key) or 0))}"
        for key in keys
        if numbers.rounded((after.points.get(key) or 0) - (before.points.get(key) or 0), 1)
    ]
    for what, old, new in (("visible", before.visible, after.visible), ("hidden", before.hidden, after.hidden)):
        if old != new:
            found.append(f"{what} tests {old[0]}/{old[1]} → {new[0]}/{new[1]}")
    found += [f"no longer {kind.replace('_', ' ')}" for kind in before.violations if kind not in after.violations]
    found += [f"now {kind.replace('_', ' ')}" for kind in after.violations if kind not in before.violations]
    if before.status != after.status:
        found.append(f"{before.status} → {after.status}")
    if before.policy != after.policy:
        found.append(f"policy {before.policy} → {after.policy}")
    return tuple(found)


def verdict(one: Verdict | None) -> str:
    """A verdict in short, such as `solved 83.6`."""
    return "–" if one is None else f"{one.outcome} {numbers.score(one.final)}"


def plan_lines(items: Sequence[Planned], canaries: Planned, jobs: int) -> list[Styled]:
    """What each item would do, why, and what all of it would cost."""
    rows = [
        [one.name, one.intent, verdict(one.before), _time(one), _money(one.cost_usd), one.why]
        for one in (*([canaries] if canaries.intent != "reuse" else []), *items)
    ]
    lines = table(["submission", "plan", "before", "time", "cost", "why"], rows, right=frozenset({3, 4}))
    times = [one.seconds for one in (canaries, *items)]
    total, known = sum(time or 0.0 for time in times), None not in times
    counts = ", ".join(f"{count} {name}" for name in _STYLE if (count := sum(one.intent == name for one in items)))
    least = "" if known else "at least "
    wall = f", {least}{numbers.seconds(total / jobs)} with {jobs} jobs" if jobs > 1 else ""
    cost = _money(sum(one.cost_usd for one in items))
    lines.append(
        (Span(f"{counts}; {least}{numbers.seconds(total)} of work{wall}; {cost}: no model is asked", "strong"),)
    )
    if not known:
        lines.append((Span("How long a step takes is known once it was done at this challenge.", "dim"),))
    return lines


def regraded_lines(rows: Sequence[tuple[str, Verdict | None, Verdict | None, str]]) -> list[Styled]:
    """Old and new verdicts: name, before, after, and the error where there is none."""
    body: list[list[str]] = []
    for name, old, new, error in rows:
        if new is None:
            body.append([name, verdict(old), "–", "–", error])
        elif old is None:
            body.append([name, "–", verdict(new), "–", "not scored before"])
        else:
            change = None if old.final is None or new.final is None else new.final - old.final
            what = "; ".join(moved(old, new)) or "nothing moved"
            body.append([name, verdict(old), verdict(new), numbers.signed(change), what])
    lines = table(["submission", "before", "after", "change", "what moved"], body, right=frozenset({3}))
    both = [(old, new) for _, old, new, _ in rows if old is not None and new is not None]
    other = sum(old.outcome != new.outcome for old, new in both)
    final = sum(old.final != new.final for old, new in both)
    lines.append((Span(f"{len(both)} compared: {other} with another outcome, {final} with another final", "strong"),))
    return lines


def batch_lines(states: Sequence[tuple[BatchState, bool]]) -> list[Styled]:
    """One row a batch; with each whether a process works on it."""
    rows = [
        [
            state.head.name,
            f"{state.head.challenge_id} {state.head.challenge_version}",
            str(len(state.items)),
            *(str(state.count(what)) for what in ("done", "failed")),
            str(state.count("left") + state.count("started")),
            "running" if busy else "over" if state.ended else "interrupted",
        ]
        for state, busy in states
    ]
    return table(
        ["batch", "challenge", "items", "done", "failed", "left", "state"], rows, right=frozenset({2, 3, 4, 5})
    )


def items_lines(state: BatchState) -> list[Styled]:
    """One row an item of a batch."""
    rows = [[one.item.name, one.state, verdict(one.verdict), _told(one)] for one in state.items]
    return [*table(["item", "state", "verdict", "card"], rows), (Span(state.summary, "strong"),)]


def _told(one: ItemState) -> str:
    if one.error is not None:
        return one.error.get("message") or ""
    return "" if one.verdict is None else one.verdict.card or ""


def _time(one: Planned) -> str:
    return "not known" if one.seconds is None else numbers.seconds(one.seconds) if one.seconds else "0 s"


def _money(dollars: float) -> str:
    return f"${numbers.rounded(dollars, 2)}"
