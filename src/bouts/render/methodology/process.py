"""What is particular to the process judge: each dimension so that its score can be worked out from the events."""

from __future__ import annotations

from bouts.model.session import Session, SessionEvent
from bouts.policy.four_judge import FourJudge
from bouts.policy.process import ErrorRecoveryNumbers, ProcessTable, ScopeNumbers, TrajectoryNumbers
from bouts.render.methodology import examples
from bouts.render.methodology.markdown import bullets, section, table, text
from bouts.scoring.exact import ZERO, exact, show
from bouts.scoring.process.trace import Trace
from bouts.scoring.process.trajectory import trajectory

_RUNS = (((3, 5, 5, 8, 9, 10), True), ((3, 7, 4, 8, 6, 10), True), ((3, 3, 3, 3, 10, 10), False))
_SHARES_OF_TIME = (1, 4)
"""Seconds between runs, and how many times the runs' time a session takes in which converging is early."""


def body(policy: FourJudge) -> list[str]:
    """The sections of the second judge."""
    numbers = policy.process
    formula, _ = examples.mean(
        numbers.weights.model_dump(),
        {"tool_use": 90, "error_recovery": 80, "trajectory": 88, "efficiency": 78, "scope": 90},
    )
    return [
        *text(
            "Five dimensions are measured from the events of the session. A dimension for which the transcript holds "
            "nothing has no score, and its weight goes to the others.",
            f"*Example*: {formula}.",
            "Where a model is configured that reads the session, its mark is a dimension's score, and the measured one "
            "stands below it with no weight; a dimension that the model left out keeps what was measured. A model that "
            f"failed, or a transcript that the platform lost, gives the whole judge {show(policy.neutral)}.",
        ),
        *section("What the events are", bullets(_EVENTS), level=3),
        *section("Tool use", _tool_use(numbers), level=3),
        *section("Error recovery", _recovery(numbers.error_recovery), level=3),
        *section("Trajectory", *_trajectory(numbers.trajectory), level=3),
        *section("Efficiency", _EFFICIENCY, level=3),
        *section("Calls for each test gained", examples.anchors(numbers.efficiency.calls_per_test), level=3),
        *section("Scope", _scope(numbers.scope), level=3),
    ]


_EVENTS = (
    "Messages are left out. A *change* is an edit or a creation of a named file. A file that the session touched first "
    "by creating it is *new*.",
    "An *error* is a command, a test run or a change that ended in an error, or a test run with failing tests. A read "
    "that failed is none.",
    "The files that an error *names* are those in its output and in the names and messages of its failing tests, by "
    "the last part of their paths, and the file that it was about. Where the transcript holds no text of it, it names "
    "none and is left out of what asks for them.",
    "An event *answers* an error where it is about a file that the error names, or runs again what failed: a test run "
    "after a test run or a command, or the same command once more.",
)
_EFFICIENCY = [
    *text("The mean of the three that the transcript tells:"),
    *bullets(
        (
            "100·(1 − wasted changes / changes). A change is wasted where later ones replaced all of its lines, by "
            "the line numbers in the transcript, where the file was created anew, or where a command took it back. "
            "Edits whose lines are not told are left out; where no edit tells them, the part has no score.",
            "100·(1 − time of the first run that passed every test / time limit of the challenge), not below 0; 0 "
            "where no run did. Only runs of the largest number of tests count. It has no score where the time of that "
            "run is not told, or where a run without counts may have passed.",
            "Tool calls for each test gained, on the scale below: the calls of the session but its test runs, what "
            "one call did counted once, over the tests that passed in the last run less those in the first, both of "
            "the largest number of tests. 0 where none was gained; no score without such a run, or where the first "
            "passed all.",
        )
    ),
]


def _tool_use(numbers: ProcessTable) -> list[str]:
    t = numbers.tool_use
    rows = (
        ("files changed that are not new", "read before their first change", show(t.read_before_edit)),
        (
            "changes",
            "followed by a test run before the next change of the same file, or before the end",
            show(t.test_after_edit),
        ),
        ("new files", "created after a search, anywhere before", show(t.search_before_create)),
        ("errors whose text is told", "answered before, or by, the next error or the end", show(t.errors_followed_up)),
    )
    return [
        *text(
            "The mean over the habits that have a case: the share of the cases in which it was kept, over the target; "
            "full marks from the target on, in proportion below it."
        ),
        *table(("cases", "kept where", "target"), rows),
    ]


def _recovery(numbers: ErrorRecoveryNumbers) -> list[str]:
    rows = (
        (
            "thrashing",
            f"−{show(numbers.thrash)}",
            f"each file changed {numbers.thrash_edits} times or more between two test runs, or before the first, or "
            "after the last",
        ),
        (
            "repeated failure",
            f"−{show(numbers.repeated_failure)}",
            f"each run by which a test has failed in {numbers.repeat_runs} runs in a row or more, for each such test. "
            "A run with failures that names none ends every row; a run smaller than the largest tells nothing of "
            "the tests that it does not name",
        ),
        (
            "ignored error",
            f"−{show(numbers.ignored_error)}",
            "each error that names a file other than a test, after which the very next event is a change of a file "
            "that it does not name",
        ),
        (
            "narrow fix",
            f"+{show(numbers.targeted_recovery)}",
            f"each edit of at most {numbers.targeted_lines} lines that did not fail, is the first thing done after an "
            "error but for reading and searching, and after which the next test run has fewer failures than the one "
            "before it, of no fewer tests",
        ),
    )
    return [
        *text(f"From {show(numbers.start)}, kept between 0 and 100. Where nothing failed there is no score."),
        *table(("what", "points", "for"), rows),
    ]


def _trajectory(numbers: TrajectoryNumbers) -> tuple[list[str], list[str]]:
    rows: list[tuple[str, str, str]] = []
    for passed, early in _RUNS:
        part = trajectory(1, numbers, _trace(passed, early))
        when = "early" if early else "late"
        rows.append((f"{', '.join(map(str, passed))} ({when})", part.formula, f"**{show(part.score or ZERO)}**"))
    rate, share = show(exact(numbers.early_pass_rate) * 100), show(exact(numbers.early_session_share) * 100)
    return (
        text(
            f"Only runs of the largest number of tests count. From {show(numbers.start)}: {show(numbers.early)} more "
            f"where {rate} % passed within the first {share} % of the session's time; {show(numbers.strict_progress)} "
            "more where every run up to the first full pass passed more than the one before, or the first passed all; "
            f"else {show(numbers.steady_progress)} where none fell and none stagnated. A single run that fails, or a "
            f"fall at any time, earns nothing for progress. {show(numbers.fall)} less for each fall; "
            f"{show(numbers.stagnation)} less for each run, up to the first full pass, beyond "
            f"{numbers.stagnation_runs} in a row with the same count. Kept between 0 and 100; no score without runs, "
            "or without times where the rate was reached.",
            "Passed tests by run, of ten:",
        ),
        table(("passed by run", "formula", "score"), rows),
    )


def _trace(passed: tuple[int, ...], early: bool) -> Trace:
    """Runs at equal distances in a session that is long enough for the pass rate to be early, or too short."""
    step, longer = _SHARES_OF_TIME
    events = tuple(
        SessionEvent(
            sequence=number,
            seconds=float(step * number),
            operation="test",
            passed=count,
            failed=max(passed) - count,
            total=max(passed),
        )
        for number, count in enumerate(passed, 1)
    )
    duration = float(step * len(passed) * (longer if early else 1))
    return Trace(Session(format="native", events=events, duration_seconds=duration))


def _scope(numbers: ScopeNumbers) -> list[str]:
    return text(
        f"From {show(numbers.start)}, kept between 0 and 100: {show(numbers.file_outside)} less for each changed file "
        f"outside the challenge's editable scope, taken or refused; {show(numbers.dependency)} less for each "
        "dependency that was added and that the challenge does not ask for; one less for each full "
        f"{numbers.lines_per_point} lines of changes made while the latest run of the largest number of tests had "
        "passed them all, new files and deliverables left out."
    )
