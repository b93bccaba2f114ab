"""The process judge's metrics."""

from __future__ import annotations

import facts
import pytest
from facts import Tape

from bouts.model.evidence import FileChange, Refusal
from bouts.scoring.find import find


def dimension(name, tape, duration=None, **changes):
    return find(facts.card(facts.evidence(session=tape.session(duration), **changes)), f"process.{name}")


# Trajectory


def runs(*passed, early, total=10):
    """Test runs, the one that reaches 80 % either early or late in the session."""
    tape = Tape()
    for number, count in enumerate(passed):
        tape.test(count, total, seconds=(10.0 if early else 80.0) + number)
    return tape


@pytest.mark.parametrize(
    ("passed", "early", "score"),
    [
        ((3, 5, 5, 8, 9, 10), True, 80),
        ((3, 7, 4, 8, 6, 10), True, 50),
        ((3, 3, 3, 3, 10, 10), False, 35),
        ((3, 5, 8, 10), True, 100),
        ((10,), True, 100),
        ((10,), False, 70),
        ((10, 10, 10, 10, 10), False, 70),
        ((4,), False, 40),
        ((4, 4), False, 50),
        ((4, 4, 4, 4, 4), False, 30),
        ((5, 10, 9, 10), True, 60),
        ((9, 8, 7, 6, 5, 4, 3, 2, 1, 0), False, 0),
    ],
)
def test_trajectory(passed, early, score):
    assert dimension("trajectory", runs(*passed, early=early), duration=100.0).score == score


def test_only_runs_of_the_largest_total_count():
    tape = Tape().test(3, 10).test(1, 1).test(6, 10).test(2, 2).test(10, 10)
    found = dimension("trajectory", tape, duration=100.0)
    assert found.because.startswith("Passed in 3 runs of 10 tests: 3, 6, 10.")
    assert found.score == 100


def test_no_test_run_no_trajectory():
    assert dimension("trajectory", Tape().add("read", "app/a.py")).score is None


def test_without_times_there_is_no_trajectory():
    assert dimension("trajectory", Tape().test(9, 10, seconds=None), duration=100.0).score is None


# Tool use


def test_reading_before_the_first_edit():
    tape = Tape().add("read", "app/a.py").add("edit", "app/a.py").add("edit", "./app/b.py").add("test")
    found = dimension("tool_use", tape)
    # 1 of 2 files read (target 0.9), 2 of 2 edits tested (0.7)
    assert found.score == pytest.approx((100 * (0.5 / 0.9) + 100) / 2, abs=1e-6)
    assert "event 3" in found.because
    assert found.evidence == ("event:3",)


def test_an_absolute_path_is_the_same_file():
    tape = Tape().add("read", "~/work/app/a.py").add("edit", "app/a.py").add("test")
    assert dimension("tool_use", tape).score == 100


def test_a_file_that_the_session_created_needs_no_reading_but_a_search():
    tape = Tape().add("create", "app/new.py").add("edit", "app/new.py").add("test")
    # 1 of 2 edits tested before the next edit of the file (0.7), no search before the new file (0.5)
    assert dimension("tool_use", tape).score == pytest.approx((100 * 0.5 / 0.7 + 0) / 2, abs=1e-6)
    searched = Tape().add("search", "def").add("create", "app/new.py").add("test")
    assert dimension("tool_use", searched).score == 100


def test_edits_of_other_files_do_not_stand_between_an_edit_and_its_test():
    tape = Tape().add("read", "a.py").add("read", "b.py").add("edit", "a.py").add("edit", "b.py").add("test")
    assert dimension("tool_use", tape).score == 100


@pytest.mark.parametrize(
    ("operation", "target", "kept"),
    [
        ("read", "app/db.py", True),
        ("edit", "app/db.py", True),
        ("test", None, True),
        ("run", "python -m app", True),
        ("run", "ls", False),
        ("read", "app/other.py", False),
    ],
)
def test_following_up_an_error(operation, target, kept):
    tape = Tape().add("run", "python -m app", status="error", output='File "app/db.py", line 3')
    tape.add(operation, target)
    found = dimension("tool_use", tape)
    assert f"{int(kept)} of 1 errors were followed up" in found.because


def test_an_error_whose_text_is_unknown_is_left_out():
    tape = Tape().add("read", "a.py").add("edit", "a.py").test(3)
    assert "errors" not in dimension("tool_use", tape).because


def test_nothing_to_measure_is_not_0():
    assert dimension("tool_use", Tape().add("search", "x")).score is None


# Error recovery


def test_nothing_failed_nothing_to_recover_from():
    assert dimension("error_recovery", Tape().test(10)).score is None


def test_thrashing_counts_each_file_and_stretch():
    tape = Tape().test(3)
    for _ in range(4):
        tape.add("edit", "app/a.py")
    for _ in range(2):
        tape.add("edit", "app/b.py")
    tape.test(3)
    for _ in range(3):
        tape.add("edit", "app/b.py")
    assert dimension("error_recovery", tape).score == 100 - 15 - 15


@pytest.mark.parametrize(("length", "score"), [(1, 100), (2, 100), (3, 90), (4, 80), (5, 70)])
def test_the_same_failure_again_and_again(length, score):
    tape = Tape()
    for _ in range(length):
        tape.test(9, failures=["test_hold"])
    assert dimension("error_recovery", tape).score == score


def test_a_run_without_the_failure_ends_the_row_and_a_small_run_does_not():
    broken = Tape().test(9, failures=["t"]).test(9, failures=["t"]).test(10).test(9, failures=["t"])
    assert dimension("error_recovery", broken).score == 100
    small = Tape().test(9, failures=["t"]).test(9, failures=["t"]).test(2, total=2).test(9, failures=["t"])
    assert dimension("error_recovery", small).score == 90


def test_runs_that_name_no_test_cannot_be_compared():
    found = dimension("error_recovery", Tape().test(9).test(9).test(9))
    assert found.score == 100
    assert "do not name their failing tests" in found.because


@pytest.mark.parametrize(
    ("operation", "target", "score"),
    [("edit", "app/other.py", 90), ("edit", "app/db.py", 100), ("read", "app/other.py", 100), ("search", "x", 100)],
)
def test_ignoring_an_error(operation, target, score):
    tape = Tape().add("run", "python -m app", status="error", output="app/db.py:3: wrong")
    assert dimension("error_recovery", tape.add(operation, target)).score == score


def test_an_error_at_the_very_end_was_not_ignored():
    tape = Tape().add("run", "python -m app", status="error", output="app/db.py:3: wrong")
    assert dimension("error_recovery", tape).score == 100


def test_trying_a_failed_edit_again_is_no_ignoring():
    tape = Tape().add("edit", "app/a.py", status="error", output="no such text, see app/b.py").add("edit", "app/a.py")
    assert dimension("error_recovery", tape).score == 100


def test_an_error_that_names_only_tests_does_not_tell_where_to_look():
    tape = Tape().test(9, failures=["tests/test_a.py::test_hold"]).add("edit", "app/holds.py")
    assert dimension("error_recovery", tape).score == 100


@pytest.mark.parametrize("progress", ["..F.", ".F", "F..E", ".s.xF [100%]"])
def test_the_signs_of_a_runners_progress_are_no_file(progress):
    tape = Tape().add("run", "pytest -q", status="error", output=f"{progress}\nFAILED tests/test_a.py::test_hold")
    assert dimension("error_recovery", tape.add("edit", "app/holds.py")).score == 100


@pytest.mark.parametrize(("lines", "after", "gain"), [(5, 9, 5), (6, 9, 0), (5, 7, 0), (None, 9, 0)])
def test_a_narrow_fix_that_helps_earns_back(lines, after, gain):
    tape = Tape().test(7)
    for _ in range(3):
        tape.add("edit", "app/a.py", lines_changed=20)
    tape.test(7).add("read", "app/a.py").add("edit", "app/a.py", lines_changed=lines).test(after)
    assert dimension("error_recovery", tape).score == 85 + gain


# Efficiency


def efficiency(tape, limit=1000.0, duration=None):
    return dimension("efficiency", tape, duration, challenge=facts.challenge(time_limit_seconds=limit))


def test_time_of_the_first_full_pass_over_the_time_limit():
    found = efficiency(Tape().test(10, seconds=250.0), limit=1000.0, duration=300.0)
    # no edits; the first run passed all, so no tests gained: the time alone
    assert found.score == 75


def test_never_passing_is_0_and_so_is_gaining_nothing():
    assert efficiency(Tape().test(5).test(5)).score == 0


def test_never_having_tested_is_told_as_such():
    found = efficiency(Tape().add("read", "app/a.py"))
    assert found.score == 0
    assert "the session ran no tests, so none passed (0)" in found.because.lower()
    assert "no run passed every test (0)" in efficiency(Tape().test(5)).because.lower()


@pytest.mark.parametrize(("status", "score"), [("ok", None), ("unknown", None), ("error", 0)])
def test_whether_a_run_without_counts_passed_everything_is_not_guessed(status, score):
    found = efficiency(Tape().add("test", "pytest -q | tail -1", status=status))
    assert found.score == score


def test_tool_calls_for_each_test_gained():
    tape = Tape().test(0, seconds=0.0)
    for _ in range(30):
        tape.add("read", "a.py", seconds=0.0)
    tape.test(3, seconds=0.0)
    # 30 calls for 3 tests: 50; never full: 0
    assert efficiency(tape).score == 25


def test_an_edit_is_wasted_when_all_its_lines_are_replaced_later():
    tape = (
        Tape()
        .add("edit", "a.py", ranges=[(1, 5)])
        .add("edit", "a.py", ranges=[(3, 9)])
        .add("edit", "a.py", ranges=[(1, 2)])
        .add("edit", "b.py", ranges=[(1, 9)])
        .test(10, seconds=0.0)
    )
    # the first one is: 1–2 and 3–9 came later; time 100
    found = efficiency(tape)
    assert found.score == (75 + 100) / 2
    assert "event:1" in found.evidence


@pytest.mark.parametrize(
    ("command", "wasted"),
    [
        ("git checkout -- a.py", 1),
        ("git restore a.py", 1),
        ("git reset --hard HEAD", 2),
        ("git checkout .", 2),
        ("git checkout main", 0),
        ("git status", 0),
    ],
)
def test_reverts_waste_what_they_take_back(command, wasted):
    tape = Tape().add("edit", "a.py", ranges=[(1, 5)]).add("edit", "b.py", ranges=[(1, 5)])
    tape.add("run", command).test(10, seconds=0.0)
    assert efficiency(tape).because.startswith(f"{wasted} of 2 edits")


def test_edits_without_ranges_leave_waste_out():
    tape = Tape().add("edit", "a.py").add("edit", "a.py").test(10, seconds=0.0)
    assert "edits" not in efficiency(tape).because


# Scope


def test_scope():
    changes = (
        FileChange(path="app/a.py", status="modified", added=1, removed=1, in_scope=True),
        FileChange(path="ci.yml", status="modified", added=1, removed=1, in_scope=False),
    )
    refusals = (
        Refusal(path="ci.yml", kind="out_of_scope"),
        Refusal(path="deploy.sh", kind="out_of_scope"),
        Refusal(path="README.md", kind="out_of_scope", changed=False),
    )
    given = facts.submission(changes=changes, refusals=refusals, added_dependencies=("left-pad", "httpx"))
    tape = Tape().add("read", "app/a.py")
    found = dimension("scope", tape, submission=given, challenge=facts.challenge(dependencies=("httpx",)))
    assert found.score == 100 - 10 * 2 - 15
    assert "ci.yml, deploy.sh" in found.because
    assert "left-pad" in found.because


@pytest.mark.parametrize(("lines", "score"), [(9, 100), (10, 99), (35, 97)])
def test_lines_changed_after_everything_had_passed(lines, score):
    tape = Tape().add("edit", "app/a.py", lines_changed=500).test(10).add("edit", "app/a.py", lines_changed=lines)
    assert dimension("scope", tape).score == score


def test_new_files_and_edits_while_something_fails_are_no_late_changes():
    tape = Tape().test(10).add("create", "app/new.py", lines_changed=90).test(9)
    tape.add("edit", "app/a.py", lines_changed=90)
    assert dimension("scope", tape).score == 100


# The judge


def test_unmeasurable_dimensions_leave_their_weight_to_the_others():
    card = facts.card(facts.evidence(session=Tape().add("search", "x").session()))
    assert find(card, "process.scope").weight == pytest.approx(0.5)
    assert find(card, "process.efficiency").score == 0
    assert find(card, "process").because.startswith("Metrics only, no model.")


def test_messages_are_no_actions():
    tape = Tape().add("run", "x", status="error", output="app/db.py").add("message").add("edit", "app/db.py")
    assert "1 of 1 errors were followed up" in dimension("tool_use", tape).because


def test_the_published_example_can_be_scored():
    tape = Tape().add("read", "src/auth/middleware.ts", seconds=0.0)
    tape.add("edit", "src/auth/middleware.ts", lines_changed=12, seconds=5.0).test(8, seconds=20.0)
    tape.add("read", "test/auth.test.ts", seconds=60.0)
    card = facts.card(facts.evidence(session=tape.session()))
    assert find(card, "process.tool_use").score == 100
    assert find(card, "process.trajectory").score == 70
    assert find(card, "process.error_recovery").score == 100
