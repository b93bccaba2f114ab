"""Efficiency: little waste, an early full pass, few calls for each test gained."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from fractions import Fraction

from bouts.policy.process import EfficiencyNumbers
from bouts.scoring import interpolate
from bouts.scoring.exact import ZERO, at_least, exact, mean, ratio_of, rational, show
from bouts.scoring.parts import Part
from bouts.scoring.process.trace import Trace

_REVERT = re.compile(r"\bgit\s+(?:checkout|restore)\b(?P<rest>[^;&|]*)|\bgit\s+(?:reset\s+--hard|stash)\b")


def efficiency(share: float, numbers: EfficiencyNumbers, limit: Fraction, trace: Trace) -> Part:
    """Mean of the parts that the transcript allows to measure."""
    key, label = "process.efficiency", "Efficiency"
    values, said, evidence = list[Fraction](), list[str](), list[str]()
    wasted = wasted_edits(trace)
    if wasted is not None:
        lost, edits = wasted
        values.append(rational(100 * (edits - len(lost)), edits))
        said.append(f"{len(lost)} of {edits} edits were replaced later ({show(values[-1], 1)})")
        evidence += [trace.record(i) for i in lost or trace.writes[-1:]]
    timed = first_pass(trace, limit)
    if timed is not None:
        values.append(timed)
        full = trace.first_full
        said.append(f"{_when(trace)} ({show(timed, 1)})")
        evidence += [] if full is None else [f"event:{full.sequence}"]
    gained = calls_per_test(trace, numbers)
    if gained is not None:
        score, calls, tests = gained
        values.append(score)
        said.append(f"{calls} tool calls for {tests} tests gained ({show(score, 1)})")
        evidence += [f"event:{trace.runs[0].sequence}", f"event:{trace.runs[-1].sequence}"]
    total = mean(values)
    if total is None:
        return Part(key, label, exact(share), None, "The transcript has nothing to measure it by.", "not_applicable")
    text = "; ".join(said)
    formula = f"mean of {', '.join(show(value) for value in values)} = {show(total)}"
    because = f"{text[:1].upper()}{text[1:]}."
    return Part(key, label, exact(share), total, because, "measured", formula, list(dict.fromkeys(evidence)))


def wasted_edits(trace: Trace) -> tuple[list[int], int] | None:
    """Edits all of whose lines were replaced later, and how many edits can be told; `None` where none can.

    Line numbers are compared as the transcript gives them: edits above that shift lines are not followed.
    """
    edits = [i for i in trace.writes if trace.operations[i] == "edit"]
    if edits and all(trace.events[i].ranges is None for i in edits):
        return None
    told = [i for i in trace.writes if trace.operations[i] == "create" or trace.events[i].ranges is not None]
    if not told:
        return None
    undone = reverts(trace)
    lost, whole, covered = list[int](), set[str](), dict[str, _Lines]()
    for i in reversed(told):
        while undone and undone[-1][0] > i:
            whole |= undone.pop()[1]
        event, path = trace.events[i], trace.paths[i] or ""
        later = covered.setdefault(path, _Lines())
        ranges = event.ranges
        gone = path in whole or (bool(ranges) and all(later.holds(r.start, r.end) for r in ranges or ()))
        if gone:
            lost.append(i)
        if event.operation == "create":
            whole.add(path)
        for r in ranges or ():
            later.add(r.start, r.end)
    return lost[::-1], len(told)


def reverts(trace: Trace) -> list[tuple[int, set[str]]]:
    """Commands that take edits back: index, and the files that they name (all edited ones where they name none)."""
    commands = [i for i, what in enumerate(trace.operations) if what == "run"]
    written = {trace.paths[i] or "" for i in trace.writes}
    found: list[tuple[int, set[str]]] = []
    for i in commands:
        for match in _REVERT.finditer(trace.events[i].target or ""):
            words = set((match["rest"] or "").split())
            named = {path for path in written if path in words or f"./{path}" in words}
            everything = match["rest"] is None or "." in words
            if everything or named:
                found.append((i, set(written) if everything else named))
    return found


class _Lines:
    """A set of lines, kept as sorted ranges that neither touch nor overlap."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        low = bisect_left(self._ends, start - 1)
        high = bisect_right(self._starts, end + 1)
        if low < high:
            start, end = min(start, self._starts[low]), max(end, self._ends[high - 1])
        self._starts[low:high] = [start]
        self._ends[low:high] = [end]

    def holds(self, start: int, end: int) -> bool:
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and self._ends[at] >= end


def _when(trace: Trace) -> str:
    if trace.first_full is not None:
        return f"every test passed first at event {trace.first_full.sequence}"
    tested = any(event.operation == "test" for event in trace.events)
    return "no run passed every test" if tested else "the session ran no tests, so none passed"


def first_pass(trace: Trace, limit: Fraction) -> Fraction | None:
    """100·(1 − time of the first full pass / time limit), not below 0; 0 where there was none; `None` where the
    transcript does not tell when, or whether, there was one."""
    full = trace.first_full
    if full is None:
        # A run without counts may have passed every test, unless it failed.
        unknown = any(e.operation == "test" and e.total is None and e.status != "error" for e in trace.events)
        return None if unknown else ZERO
    whole = limit or trace.duration
    if full.seconds is None or not whole:
        return None
    (a, b), (c, d) = ratio_of(exact(full.seconds)), ratio_of(whole)
    return at_least(rational(100 * (b * c - a * d), b * c), ZERO)


def calls_per_test(trace: Trace, numbers: EfficiencyNumbers) -> tuple[Fraction, int, int] | None:
    """Score, tool calls, and tests gained from the first run to the last; `None` with no runs or a full first run."""
    runs = trace.runs
    if not runs or runs[0].full:
        return None
    # What one call did beside its weightiest act is no call of its own.
    calls = len([e for e in trace.events if e.within is None and e.operation != "test"])
    gained = runs[-1].passed - runs[0].passed
    score = interpolate.score(numbers.calls_per_test, rational(calls, gained)) if gained > 0 else ZERO
    return score, calls, gained
