"""Transcript against submission: notices, and never a violation."""

from __future__ import annotations

import pytest
from facts import Tape
from hypothesis import given
from hypothesis import strategies as st

from bouts.integrity.crosscheck import crosscheck
from bouts.model import evidence
from bouts.model.challenge import Suite
from bouts.model.evidence import FileChange, Notice, TestOutcome
from bouts.model.session import Session


def changes(*paths: str) -> list[FileChange]:
    return [FileChange(path=path, status="modified", added=1, removed=1, in_scope=True) for path in paths]


def case(name: str, outcome: TestOutcome) -> evidence.TestFacts:
    return evidence.TestFacts(suite=Suite.STATIC, id=name, outcome=outcome)


def told(
    session: Session, *paths: str, others: tuple[str, ...] = (), visible: list[evidence.TestFacts] | None = None
) -> dict[str, str]:
    return {n.kind: n.why for n in crosscheck(session, changes(*paths), others, visible or [])}


def test_without_a_session_nothing_is_said() -> None:
    assert crosscheck(None, changes("a.py"), (), ()) == ()


@pytest.mark.parametrize("path", ["app/a.py", "./app/a.py", "/srv/task/app/a.py", "~/task/app/a.py", "a.py"])
def test_a_file_that_was_edited_and_handed_in_is_as_it_should_be(path: str) -> None:
    assert told(Tape().add("edit", path).session(), "app/a.py") == {}


def test_a_change_that_no_event_made() -> None:
    found = told(Tape().add("edit", "app/a.py").session(), "app/a.py", "app/b.py", "app/other/a.py")
    assert found == {
        "transcript_lacks_changes": "2 files differ from the codebase, and no event of the transcript edits or names "
        "them: app/b.py, app/other/a.py."
    }


def test_a_file_that_a_command_names_may_come_from_it() -> None:
    tape = Tape().add("edit", "app/a.py").add("run", "python make_table.py > app/table.py")
    assert told(tape.session(), "app/a.py", "app/table.py") == {}
    found = told(Tape().add("run", "make tables").session(), "app/table.py")
    assert found["transcript_lacks_changes"].endswith(
        "edits or names it: app/table.py (a command may have written them)."
    )


def test_an_edit_that_was_not_handed_in() -> None:
    found = told(Tape().add("edit", "app/a.py").add("edit", "stall/till.py").session(), "app/a.py")
    assert found == {
        "transcript_edits_missing": "The transcript edits a file that is not among what was changed: "
        "stall/till.py (event 2)."
    }


def test_files_that_were_refused_count_as_handed_in() -> None:
    assert told(Tape().add("edit", "tests/test_a.py").session(), others=("tests/test_a.py",)) == {}


def test_work_that_was_undone_removed_or_failed_is_not_missing() -> None:
    tape = Tape().add("create", "reproduce.py").add("edit", "b.py").add("edit", "c.py", status="error")
    tape.add("edit", "reproduce.py", command="rm reproduce.py").add("run", "git checkout -- b.py")
    assert told(tape.session()) == {}
    assert (
        "b.py" in told(Tape().add("edit", "b.py").add("run", "git checkout main").session())["transcript_edits_missing"]
    )
    assert told(Tape().add("edit", "b.py").add("run", "git reset --hard").session()) == {}


@pytest.mark.parametrize("path", ["/tmp/x.py", "a/.venv/x.py", "a.py.bak", "patch.txt", "node_modules/x/i.js"])
def test_what_no_submission_holds_is_not_missing(path: str) -> None:
    assert told(Tape().add("create", path).session()) == {}


def test_what_lies_outside_the_folder_is_not_missing() -> None:
    session = Tape().add("edit", "/home/someone/notes.md").session().model_copy(update={"folder": "/srv/task"})
    assert told(session) == {}


def test_other_results_than_measured() -> None:
    visible = [case(f"t{n}", outcome="passed" if n < 8 else "failed") for n in range(10)]
    tape = Tape().test(3, 10).test(10, 10).test(1, 2).add("edit", "a.py")
    found = told(tape.session(), "a.py", visible=visible)
    assert found == {
        "transcript_tests_differ": "The last test run of the transcript over 10 tests (event 2) counts 10 passed; "
        "of the 10 visible tests 8 passed here. Event 4 edits a file after it."
    }
    assert told(Tape().test(8, 10).session(), visible=visible) == {}
    assert told(Tape().test(5, 5).session(), visible=visible) == {}
    ours = [*visible[:9], case("t9", outcome="infrastructure")]
    assert told(Tape().test(10, 10).session(), visible=ours) == {}


def test_a_session_whose_end_was_left_out_lacks_nothing() -> None:
    session = Tape().add("edit", "b.py").session()
    assert crosscheck(session, changes("a.py"), (), ())
    assert crosscheck(session.model_copy(update={"left_out": 1}), changes("a.py"), (), ()) == ()


plain = st.sampled_from(["a.py", "x/a.py", "/r/x/a.py", "b.py", "~/b.py"])
names = plain | st.text(max_size=12)


@given(st.lists(st.tuples(st.sampled_from(["edit", "create", "run", "read"]), names)), st.lists(plain))
def test_any_session_and_submission_can_be_compared(rows: list[tuple[str, str]], paths: list[str]) -> None:
    tape = Tape()
    for operation, target in rows:
        tape.add(operation, target)
    found = crosscheck(tape.session(), changes(*paths), (), ())
    assert all(isinstance(notice, Notice) and len(notice.why) <= 500 for notice in found)
    edited = {target for operation, target in rows if operation != "run" and operation != "read"}
    if set(paths) <= edited:
        assert "transcript_lacks_changes" not in {notice.kind for notice in found}
