"""Phases of a session: the rule, and its agreement with the labelled events."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.model.session import SessionEvent
from bouts.scoring.process.phases import phases
from bouts.scoring.process.scratch import is_chore, own_files

ROOT = Path(__file__).parents[3]


def _script() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("agreement", str(ROOT / "scripts" / "agreement"))
    spec = importlib.util.spec_from_loader("agreement", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["agreement"] = module
    loader.exec_module(module)
    return module


agreement = _script()
ROWS = agreement.rows()


def event(sequence: int, operation: str, target: str | None = None, **more: object) -> SessionEvent:
    return SessionEvent.model_validate({"sequence": sequence, "operation": operation, "target": target, **more})


def told(*rows: tuple[str, str]) -> list[str | None]:
    made = phases([event(i, operation, target) for i, (operation, target) in enumerate(rows, 1)])
    return [made.get(i) for i in range(1, len(rows) + 1)]


def test_the_labelled_set_is_large_and_broad() -> None:
    assert len(ROWS) >= 300
    assert len({row.format for row in ROWS}) >= 5
    assert {row.phase for row in ROWS} == set(agreement.PHASES)


@pytest.mark.parametrize(("part", "least"), [("tuning half", 0.77), ("**held-out half**", 0.77), ("all", 0.77)])
def test_phases_agree_with_the_labels(part: str, least: float) -> None:
    pairs = [(row.phase, row.told) for row in agreement.parts(ROWS)[part]]
    assert len(pairs) > 300
    assert agreement.kappa(pairs) >= least


def test_phases_of_other_kinds_of_sessions_agree_as_far_as_the_page_says() -> None:
    pairs = [(row.phase, row.told) for row in agreement.parts(ROWS)["**later sessions**"]]
    assert len(pairs) > 300
    assert agreement.kappa(pairs) >= 0.65


@pytest.mark.parametrize("part", ["tuning half", "**held-out half**", "all"])
def test_test_runs_agree_with_the_labels(part: str) -> None:
    assert agreement.kappa([(row.test, row.told_test) for row in agreement.parts(ROWS)[part]]) >= 0.77


def test_a_file_that_was_there_before_is_none_of_the_agents_own() -> None:
    restored = (("read", "core.py"), ("edit", "core.py"), ("create", "core.py"), ("edit", "core.py"))
    assert told(*restored) == ["localise", "patch", "patch", "patch"]


def test_looking_again_at_a_file_after_a_script_has_changed_files_is_checking() -> None:
    rows = (("read", "core.py"), ("create", "fix_core.py"), ("run", "python fix_core.py"))
    assert told(*rows, ("read", "core.py")) == ["localise", "patch", "patch", "validate"]
    assert told(*rows, ("read", "other.py")) == ["localise", "patch", "patch", "localise"]


def test_the_page_is_up_to_date() -> None:
    assert agreement.PAGE.read_text(encoding="utf-8") == agreement.page(ROWS), "run scripts/agreement"


def test_kappa_of_a_known_table() -> None:
    # 20 yes-yes, 15 no-no, 5 and 10 apart: 35/50 seen, 1/2 by chance.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert agreement.kappa(pairs) == pytest.approx(0.4)


def test_a_script_that_shows_the_fault_localises_before_the_change_and_validates_after_it() -> None:
    assert told(
        ("create", "reproduce.py"),
        ("run", "python reproduce.py"),
        ("edit", "src/core.py"),
        ("run", "python reproduce.py"),
        ("create", "/work/test_edges.py"),
        ("test", "cd /work && python test_edges.py"),
        ("read", "src/core.py"),
    ) == ["localise", "localise", "patch", "validate", "validate", "validate", "localise"]


def test_a_script_that_changes_files_patches() -> None:
    assert told(("create", "fix_names.py"), ("run", "python fix_names.py"), ("run", "make")) == [
        *("patch", "patch", "validate")
    ]


def test_tests_that_stay_are_part_of_the_result() -> None:
    assert told(("create", "tests/test_core.py"), ("test", "pytest")) == ["patch", "validate"]


def test_what_was_changed_out_of_sight_and_is_looked_at_next_is_checked() -> None:
    line = "sed -i 's/a/b/' src/core.py"
    rows = [event(1, "edit", "src/core.py", command=line), event(2, "read", "src/core.py")]
    assert phases(rows) == {1: "patch", 2: "validate"}
    seen = [event(1, "edit", "src/core.py"), event(2, "read", "src/core.py")]
    assert phases(seen) == {1: "patch", 2: "localise"}


def test_housekeeping_belongs_to_no_phase() -> None:
    removal = event(3, "edit", "reproduce.py", command="rm -f reproduce.py")
    rows = [event(1, "create", "reproduce.py"), event(2, "run", "pip install -e ."), removal]
    assert phases(rows) == {1: "localise"}
    assert told(("edit", "a.py"), ("read", "git diff -- a.py > patch.txt"), ("read", "patch.txt")) == [
        *("patch", None, "validate")
    ]


def test_a_failed_edit_changes_nothing() -> None:
    rows = [event(1, "edit", "a.py", status="error"), event(2, "run", "python a.py")]
    assert phases(rows) == {1: "patch", 2: "localise"}


@pytest.mark.parametrize(
    "line",
    ["git add . && git commit -m 'a && b'", "cd x && npm install", "pip install -e .[dev]", "sleep 5 && echo done"],
)
def test_chores(line: str) -> None:
    assert is_chore(line)


@pytest.mark.parametrize("line", ["", "git diff", "npm run build", "pip install x && pytest", "python a.py", "gitadd"])
def test_no_chores(line: str) -> None:
    assert not is_chore(line)


def test_own_files() -> None:
    rows = [
        event(1, "create", "debug_it.py"),
        event(2, "run", "timeout 9 python debug_it.py | tail -3"),
        event(3, "create", "src/test_names.py"),
        event(4, "create", "core.py.bak"),
        event(5, "create", "decrypt.py"),
        event(6, "run", "python decrypt.py"),
        event(7, "create", "notes.md"),
        event(8, "edit", "notes.md", command="rm notes.md"),
    ]
    assert own_files(rows) == {"debug_it.py": "check", "core.py.bak": "aside", "notes.md": "check"}


operations = st.sampled_from(["read", "edit", "create", "search", "run", "test", "message", "other"])
targets = (
    st.none() | st.sampled_from(["a.py", "test_a.py", "python test_a.py", "rm a.py", "git diff", "fix.py"]) | st.text()
)


@given(st.lists(st.tuples(operations, targets, st.none() | st.text())))
def test_any_session_has_phases(rows: list[tuple[str, str | None, str | None]]) -> None:
    made = [event(i, operation, target, command=line) for i, (operation, target, line) in enumerate(rows, 1)]
    tags = phases(made)
    tests = {e.sequence for e in made if e.operation == "test"}
    silent = {e.sequence for e in made if e.operation in ("message", "other")}
    assert tests <= set(tags)
    assert not silent & set(tags)


def test_what_begins_a_project_and_folders_for_its_files_are_part_of_the_change() -> None:
    assert told(("run", "mkdir -p src/lib && cd src"), ("create", "src/lib/a.ts")) == ["patch", "patch"]
    assert told(("run", "mkdir -p out"), ("create", "src/a.ts")) == [None, "patch"]
    assert told(("run", "npx create-next-app@latest web"), ("run", "npm run build")) == ["patch", "validate"]


def test_a_file_of_its_own_that_is_read_and_not_changed_further_is_looked_over() -> None:
    made = ("create", "src/a.ts")
    assert told(made, ("create", "src/b.ts"), ("read", "src/a.ts"), ("run", "npm run build"))[2] == "validate"
    assert told(made, ("read", "src/a.ts"), ("edit", "src/a.ts"))[1] == "localise"
    assert told(("edit", "src/a.ts"), ("run", "x"), ("read", "src/a.ts"))[2] == "localise"


def test_a_script_that_is_started_by_its_path_may_change_files() -> None:
    assert told(("create", "fix.sh"), ("run", "chmod +x fix.sh && ./fix.sh"), ("read", "git diff")) == [
        *("patch", "patch", "validate")
    ]


def test_waiting_recording_and_what_shows_how_that_went_belong_to_no_phase() -> None:
    rows = [
        event(1, "edit", "a.py"),
        event(2, "run", "git add -A && git commit -m x && git status"),
        event(3, "read", "git log --oneline -3"),
        event(4, "run", "pgrep -f job; ps aux"),
        event(5, "search", "ls out", within=4),
        event(6, "read", "/tmp/claude-1/tasks/b1.output"),
        event(7, "create", "~/.agent/memory/note.md"),
    ]
    assert phases(rows) == {1: "patch"}


@pytest.mark.parametrize(
    "line", ["node --version", "cd x && npx tsc --help 2>&1 | head -5", "A=1 ~/bin/pnpm --version"]
)
def test_asking_a_program_about_itself_is_looking(line: str) -> None:
    assert told(("edit", "a.py"), ("run", line)) == ["patch", "localise"]


def test_a_commit_whose_message_was_cut_is_a_chore() -> None:
    assert is_chore("git commit -m \"feat: wraps it\n\nwith ('quotes') and more, so long that …")


def test_chores_take_time_in_proportion_to_the_line() -> None:
    assert not is_chore("rm -rf " + "cache" * 80 + "x y")
