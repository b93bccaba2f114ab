"""Error recovery: what the agent did once something had failed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from bouts.model.session import SessionEvent
from bouts.policy.process import ErrorRecoveryNumbers
from bouts.scoring.exact import HUNDRED, ZERO, clamp, exact, show, sum_of
from bouts.scoring.parts import Part
from bouts.scoring.process.tool_use import answers
from bouts.scoring.process.trace import Trace, base, is_test_file

_LOOKING = frozenset({"read", "search"})
_WRITING = frozenset({"edit", "create"})


def error_recovery(share: float, numbers: ErrorRecoveryNumbers, trace: Trace) -> Part:
    """Deductions for thrashing, repeated failures and ignored errors; rewards for narrow fixes that helped."""
    key, label = "process.error_recovery", "Error recovery"
    if not trace.errors:
        return Part(
            key, label, exact(share), None, "Nothing failed, so there was nothing to recover from.", "not_applicable"
        )
    thrash = thrashing(trace, numbers.thrash_edits)
    repeats = repeated(trace, numbers.repeat_runs)
    ignored = ignored_errors(trace)
    targeted = targeted_fixes(trace, numbers.targeted_lines)
    total = sum_of(
        (numbers.start, 1),
        (numbers.thrash, -len(thrash)),
        (numbers.repeated_failure, -len(repeats)),
        (numbers.ignored_error, -len(ignored)),
        (numbers.targeted_recovery, len(targeted)),
    )
    score = clamp(total, ZERO, HUNDRED)
    said = [
        *[
            f"the file {trace.paths[i]} was edited {n} times with no test run between (up to {trace.cite(i)})"
            for i, n in thrash[:2]
        ],
        *[f"the test {test} failed in {n} runs in a row ({trace.cite(i)})" for i, test, n in _longest(repeats)[:2]],
        *[f"the error of {trace.cite(i)} was ignored" for i in ignored[:2]],
        *[f"a narrow fix helped ({trace.cite(i)})" for i in targeted[:1]],
    ]
    text = "; ".join(said) or "errors were met without thrashing"
    formula = (
        f"clamp({show(numbers.start)} − {show(numbers.thrash)}·{len(thrash)} thrashing"
        f" − {show(numbers.repeated_failure)}·{len(repeats)} repeated"
        f" − {show(numbers.ignored_error)}·{len(ignored)} ignored"
        f" + {show(numbers.targeted_recovery)}·{len(targeted)} narrow fixes, 0, 100) = {show(score)}"
    )
    cited = [*(i for i, _ in thrash), *(i for i, _, _ in repeats), *ignored, *targeted]
    return Part(
        key,
        label,
        exact(share),
        score,
        f"{text[:1].upper()}{text[1:]}.{_unnamed(trace)}",
        "measured",
        formula,
        [trace.record(i) for i in dict.fromkeys(cited)] or [trace.record(i) for i in trace.errors],
    )


def _unnamed(trace: Trace) -> str:
    if any(trace.events[i].failures is None and trace.events[i].failed for i in trace.tests):
        return " Runs that do not name their failing tests could not be compared test by test."
    return ""


def thrashing(trace: Trace, edits: int) -> list[tuple[int, int]]:
    """Files edited at least `edits` times between two test runs: index of the last of those edits, and how many."""
    groups: dict[tuple[int, str | None], list[int]] = {}
    for i in trace.writes:
        groups.setdefault((bisect_left(trace.tests, i), trace.paths[i]), []).append(i)
    return [(rows[-1], len(rows)) for rows in groups.values() if len(rows) >= edits]


def repeated(trace: Trace, runs: int) -> list[tuple[int, str, int]]:
    """Every run in which a test fails for the `runs`-th time in a row or more: index, test, length so far.

    A run that does not name its failing tests ends every row; one that is smaller than the largest run says nothing
    about tests that it does not name.
    """
    found: list[tuple[int, str, int]] = []
    rows: dict[str, int] = {}
    largest = max((trace.events[i].total or 0 for i in trace.tests), default=0)
    for i in trace.tests:
        event = trace.events[i]
        names = _failing(event)
        if names is None:
            rows = {}
            continue
        kept = rows if (event.total or 0) < largest else {}
        rows = {**kept, **{name: rows.get(name, 0) + 1 for name in names}}
        found += [(i, name, rows[name]) for name in names if rows[name] >= runs]
    return found


def _failing(event: SessionEvent) -> list[str] | None:
    if event.failures is not None:
        return list(dict.fromkeys(failure.test for failure in event.failures))
    return [] if event.failed == 0 else None


def _longest(repeats: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    best: dict[str, tuple[int, str, int]] = {}
    for row in repeats:
        if row[1] not in best or row[2] > best[row[1]][2]:
            best[row[1]] = row
    return sorted(best.values(), key=lambda row: (-row[2], row[1]))


def ignored_errors(trace: Trace) -> list[int]:
    """Errors whose next action is an edit of a file that they do not name.

    Only an error that names a file other than a test tells where to look; looking around is never ignoring.
    """
    found: list[int] = []
    for i in trace.errors:
        names = trace.names(i)
        if names is None or all(is_test_file(name) for name in names) or i + 1 >= len(trace.events):
            continue
        event, path = trace.events[i + 1], trace.paths[i + 1]
        if event.operation in _WRITING and path and base(path) not in names and not answers(trace, i, i + 1, names):
            found.append(i)
    return found


def targeted_fixes(trace: Trace, lines: int) -> list[int]:
    """Small edits that were the first act after an error (looking aside), before a run with fewer failures."""
    found: list[int] = []
    following = [_next_act(trace, i) for i in trace.errors]
    for i in dict.fromkeys(act for act in following if act is not None):
        event = trace.events[i]
        small = event.operation == "edit" and event.lines_changed is not None and event.lines_changed <= lines
        if small and event.status != "error" and _fewer_failures(trace, i):
            found.append(i)
    return found


def _next_act(trace: Trace, error: int) -> int | None:
    for i in range(error + 1, len(trace.events)):
        if trace.operations[i] not in _LOOKING:
            return i
    return None


def _fewer_failures(trace: Trace, edit: int) -> bool:
    at = bisect_right(trace.tests, edit)
    if at == 0 or at >= len(trace.tests):
        return False
    before, after = trace.events[trace.tests[at - 1]], trace.events[trace.tests[at]]
    if before.failed is None or after.failed is None or (before.total or 0) > (after.total or 0):
        return False
    return after.failed < before.failed
