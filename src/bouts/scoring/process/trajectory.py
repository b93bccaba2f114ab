"""Trajectory: do the test runs converge?"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from bouts.policy.process import TrajectoryNumbers
from bouts.scoring.exact import HUNDRED, ZERO, clamp, exact, less, product, ratio_of, show, sum_of
from bouts.scoring.parts import Part
from bouts.scoring.process.trace import Run, Trace


def trajectory(share: float, numbers: TrajectoryNumbers, trace: Trace) -> Part:
    """Rewards for converging early and for progress, deductions for falls and stagnation.

    Only runs of the largest total count, and after the first full pass only falls do.
    """
    key, label, runs = "process.trajectory", "Iteration trajectory", trace.runs
    if not runs:
        because = "The transcript holds no test run with counts."
        return Part(key, label, exact(share), None, because, "not_applicable")
    in_time = early(runs, numbers, trace.duration)
    if in_time is None:
        because = "The transcript holds no times, so early and late cannot be told apart."
        return Part(key, label, exact(share), None, because, "not_applicable")
    falls = [now for last, now in pairwise(runs) if now.passed < last.passed]
    stuck = stagnating(runs, numbers.stagnation_runs)
    gain = progress(runs, numbers, bool(falls), bool(stuck))
    start = exact(numbers.early) if in_time else ZERO
    total = sum_of(
        (numbers.start, 1), (start, 1), (gain, 1), (numbers.fall, -len(falls)), (numbers.stagnation, -len(stuck))
    )
    score = clamp(total, ZERO, HUNDRED)
    formula = (
        f"clamp({show(numbers.start)} + {show(start)} early + {show(gain)} progress"
        f" − {show(numbers.fall)}·{len(falls)} falls − {show(numbers.stagnation)}·{len(stuck)} stagnating, 0, 100)"
        f" = {show(score)}"
    )
    return Part(
        key,
        label,
        exact(share),
        score,
        _because(runs, in_time, falls, stuck),
        "measured",
        formula,
        [f"event:{number}" for number in dict.fromkeys([run.sequence for run in (*falls, *stuck, *runs)])],
    )


def early(runs: list[Run], numbers: TrajectoryNumbers, duration: Fraction | None) -> bool | None:
    """Whether the pass rate was reached early in the session; `None` where the times are unknown."""
    top, bottom = ratio_of(exact(numbers.early_pass_rate))
    reached = next((run for run in runs if run.passed * bottom >= top * run.total), None)
    if reached is None:
        return False
    if reached.seconds is None or duration is None:
        return None
    return not less(product(exact(numbers.early_session_share), duration), exact(reached.seconds))


def stagnating(runs: list[Run], free: int) -> list[Run]:
    """Runs beyond the `free`-th in a row with the same result, up to the first full pass."""
    found: list[Run] = []
    row, last = 0, -1
    for run in runs:
        if run.full:
            break
        row = row + 1 if run.passed == last else 1
        last = run.passed
        if row > free:
            found.append(run)
    return found


def progress(runs: list[Run], numbers: TrajectoryNumbers, fell: bool, stuck: bool) -> Fraction:
    """Reward for getting better. A single run that fails earns none; a fall, at any time, earns none."""
    if runs[0].full:
        return ZERO if fell else exact(numbers.strict_progress)
    if fell or len(runs) == 1:
        return ZERO
    if all(now.passed > last.passed for last, now in pairwise(runs[: _until_full(runs)])):
        return exact(numbers.strict_progress)
    return ZERO if stuck else exact(numbers.steady_progress)


def _until_full(runs: list[Run]) -> int:
    return next((i + 1 for i, run in enumerate(runs) if run.full), len(runs))


def _because(runs: list[Run], in_time: bool, falls: list[Run], stuck: list[Run]) -> str:
    shown = runs if len(runs) <= 8 else [*runs[:4], *runs[-4:]]
    counts = [str(run.passed) for run in shown]
    if len(runs) > 8:
        counts.insert(4, "…")
    said = f"Passed in {len(runs)} run{'s' if len(runs) > 1 else ''} of {runs[0].total} tests: {', '.join(counts)}."
    more = [
        *([f"{len(falls)} fell (first: event {falls[0].sequence})"] if falls else []),
        *([f"{len(stuck)} stagnated (first: event {stuck[0].sequence})"] if stuck else []),
        "it converged early" if in_time else "it did not converge early",
    ]
    text = "; ".join(more)
    return f"{said} {text[:1].upper()}{text[1:]}."
