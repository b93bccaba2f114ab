"""The profile of a session, trait by trait."""

from __future__ import annotations

import pytest
from facts import Tape
from hypothesis import given
from hypothesis import strategies as st

from bouts.integrity.claims import claims_in
from bouts.model.session import Session, SessionEvent
from bouts.scoring.process.profile import Trait, profile

KEYS = (
    *("coherence", "repetition", "longest_loop", "backtracking", "unread_edits", "tested_after_last_edit"),
    *("claims_against_evidence", "waste"),
)


def traits(tape: Tape) -> dict[str, Trait]:
    return {trait.key: trait for trait in profile(tape.session(), claims_in)}


def say(tape: Tape, text: str, speaker: str = "agent") -> Tape:
    return tape.add("message", output=text, speaker=speaker)


def test_what_the_transcript_cannot_tell_is_null() -> None:
    found = traits(Tape())
    assert tuple(found) == KEYS
    assert {trait.value for trait in found.values()} == {None}
    assert all(trait.because and not trait.events for trait in found.values())


def test_coherence_counts_steps_back_without_a_check() -> None:
    tape = Tape().add("read", "a.py").add("edit", "a.py").add("read", "b.py").add("edit", "b.py").test(10)
    found = traits(tape)["coherence"]
    assert (found.value, found.events) == (0.75, (3,))
    whole = Tape().add("read", "a.py").add("edit", "a.py").test(3).add("read", "a.py").add("edit", "a.py").test(10)
    assert traits(whole)["coherence"].value == 1


def test_repetition_is_the_same_call_with_no_edit_between() -> None:
    tape = Tape().add("run", "make").add("run", "make").add("edit", "a.py").add("run", "make").add("run", "ls -R")
    found = traits(tape)["repetition"]
    assert (found.value, found.events) == (0.25, (2,))


def test_two_parts_of_one_file_are_two_reads() -> None:
    tape = Tape().add("read", "a.py", output="first").add("read", "a.py", output="second")
    assert traits(tape)["repetition"].value == 0
    again = Tape().add("read", "a.py", output="first").add("read", "a.py", output="first")
    assert traits(again)["repetition"].events == (2,)
    silent = Tape().add("read", "a.py").add("read", "a.py")
    assert traits(silent)["repetition"].value is None


def test_the_longest_loop() -> None:
    tape = Tape().add("run", "make")
    for _ in range(3):
        tape.add("run", "a").add("run", "b")
    found = traits(tape.add("run", "make"))["longest_loop"]
    assert (found.value, found.events) == (6, (2, 3, 4, 5, 6, 7))
    assert "a block of 2 actions comes 3 times" in found.because
    twice = Tape().add("run", "a").add("run", "b").add("run", "a").add("run", "b")
    assert traits(twice)["longest_loop"].value == 0


def test_edits_whose_change_is_unknown_are_no_loop_and_failing_ones_are() -> None:
    tape, failing = Tape().add("run", "make"), Tape()
    for _ in range(5):
        tape.add("edit", "a.py", output="edited")
        failing.add("edit", "a.py", output="no match", status="error")
    assert traits(tape)["longest_loop"].value == 0
    assert traits(failing)["longest_loop"].value == 5


def test_backtracking_counts_returns_after_a_check_and_reverts() -> None:
    tape = Tape().add("edit", "a.py").test(3).add("edit", "a.py").test(4).add("read", "a.py").add("edit", "a.py")
    tape.add("run", "git checkout -- a.py")
    found = traits(tape)["backtracking"]
    assert (found.value, found.events) == (3, (3, 5, 7))
    assert traits(Tape().add("read", "a.py").add("edit", "a.py"))["backtracking"].value is None


def test_unread_edits() -> None:
    tape = Tape().add("read", "a.py").add("edit", "a.py").add("edit", "b.py").add("create", "c.py")
    found = traits(tape)["unread_edits"]
    assert (found.value, found.events) == (1, (3,))


def test_tested_after_the_last_edit() -> None:
    tape = Tape().add("edit", "a.py").test(10)
    assert (traits(tape)["tested_after_last_edit"].value, traits(tape)["tested_after_last_edit"].events) == (
        True,
        (1, 2),
    )
    late = traits(Tape().test(10).add("edit", "a.py").add("run", "make"))["tested_after_last_edit"]
    assert (late.value, late.events) == (False, (2, 3))


def test_removing_scratch_files_after_the_tests_takes_nothing_back() -> None:
    tape = Tape().add("create", "reproduce.py").add("edit", "a.py").test(10)
    tape.add("edit", "reproduce.py", command="rm reproduce.py")
    assert traits(tape)["tested_after_last_edit"].value is True


def test_claims_against_evidence() -> None:
    tape = say(Tape(), "All tests pass.")
    tape.test(10)
    say(tape, "All tests pass now.")
    tape.add("edit", "a.py")
    say(tape, "I changed a name. All tests pass.")
    tape.test(9)
    say(tape, "All tests are passing!")
    say(tape, "All tests pass.", speaker="user")
    say(tape, "Once all tests pass I will stop.")
    found = traits(tape)["claims_against_evidence"]
    assert (found.value, found.events) == (0.25, (1, 5, 7))
    assert "Of 4 messages saying that all tests pass 1 came after" in found.because


def test_a_run_without_counts_speaks_by_its_status() -> None:
    good = say(Tape().add("test", "pytest", status="ok"), "All tests pass.")
    assert traits(good)["claims_against_evidence"].value == 1
    bad = say(Tape().add("test", "pytest", status="error"), "All tests pass.")
    assert "came after a failing one (event 2)" in traits(bad)["claims_against_evidence"].because


def test_waste() -> None:
    tape = Tape().add("edit", "a.py", ranges=[(1, 5)]).add("edit", "a.py", ranges=[(1, 9)])
    found = traits(tape)["waste"]
    assert (found.value, found.events) == (0.5, (1,))


operations = st.sampled_from(["read", "edit", "create", "search", "run", "test", "message", "other"])
events = st.lists(
    st.tuples(
        operations,
        st.none() | st.sampled_from(["a.py", "b.py", "make", "git reset --hard"]),
        st.none() | st.sampled_from(["All tests pass.", "x"]),
        st.sampled_from(["ok", "error", "unknown"]),
    ),
    max_size=40,
)


@given(events)
def test_any_session_has_a_profile(rows: list[tuple[str, str | None, str | None, str]]) -> None:
    made = tuple(
        SessionEvent.model_validate({"sequence": n, "operation": o, "target": t, "output": x, "status": s})
        for n, (o, t, x, s) in enumerate(rows, 1)
    )
    found = profile(Session(format="native", events=made), claims_in)
    assert tuple(trait.key for trait in found) == KEYS
    for trait in found:
        assert set(trait.events) <= {event.sequence for event in made}
        assert list(trait.events) == sorted(set(trait.events))
        if trait.value is not None and trait.unit == "share":
            assert 0 <= trait.value <= 1


@pytest.mark.parametrize("length", [200])
def test_a_long_loop_is_found_whole(length: int) -> None:
    tape = Tape()
    for _ in range(length):
        tape.add("run", "make")
    found = traits(tape)["longest_loop"]
    assert found.value == length
    assert len(found.events) == 50
