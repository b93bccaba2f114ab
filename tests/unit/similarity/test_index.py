"""The index: one file, appended to by several processes, and who is named for what."""

from __future__ import annotations

import ast
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bouts.adapters.similarity import store
from bouts.adapters.similarity.index import Index, open_index
from bouts.errors import BadFile, BadUsage, NotFound

TASK = "ledger"
NAMES = ("alpha", "beta", "gamma", "delta", "omega", "sigma")
LIBRARY = [Path(os.__file__).with_name(name + ".py") for name in (
    "bisect", "heapq", "textwrap", "shlex", "fnmatch", "colorsys", "statistics", "fractions", "graphlib", "sched",
    "csv", "quopri", "netrc", "gettext", "getopt", "stat", "linecache", "copy", "queue", "string", "calendar",
)]  # fmt: skip


def renamed(text: str) -> str:
    tree = ast.parse(text)
    chance = random.Random(3)
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    new = {name: f"{chance.choice(NAMES)}_{n}" for n, name in enumerate(sorted(names))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
    return ast.unparse(tree)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.similarity"


def fill(index: Index, task: str = TASK, least: int = 0) -> None:
    for number, source in enumerate(LIBRARY[least:], least):
        index.add(task, {"code.py": source.read_bytes()}, agent=f"agent {number}", label=source.name)


def judged(index: Index, number: int, task: str = TASK):
    return index.judge(task, number, similarity=0.85, percentile=99.9)


def test_a_disguised_copy_is_found_with_both_excerpts(path: Path) -> None:
    text = LIBRARY[0].read_text(encoding="utf-8")
    with open_index(path, create=True) as index:
        fill(index)
        copy = index.add(TASK, {"mine.py": renamed(text).encode()}, agent="copier", label="copy")
        seen, near = judged(index, copy.named.number)
        assert near[0].named.agent == "agent 0"
        assert seen is not None
        assert seen.kind == "plagiarism"
        assert "agent 0" in seen.because
        assert all(p.path == "mine.py" and p.line and p.excerpt for p in seen.proofs)
        assert all(p.other and p.other.path == "code.py" and p.other.line and p.other.excerpt for p in seen.proofs)
        first = seen.proofs[0]
        assert first.excerpt.splitlines()[0].strip() in renamed(text)
        assert first.other is not None
        assert first.other.excerpt.splitlines()[0].strip() in text
        # The earlier one of the two is never named.
        assert judged(index, 1)[0] is None


def test_honest_modules_are_not_named(path: Path) -> None:
    with open_index(path, create=True) as index:
        fill(index)
        assert [judged(index, n)[0] for n in range(1, len(LIBRARY) + 1)] == [None] * len(LIBRARY)
        assert index.pairs(TASK, at_least=0.85) == ()


def test_one_agents_runs_are_never_compared(path: Path) -> None:
    text = LIBRARY[0].read_text(encoding="utf-8")
    with open_index(path, create=True) as index:
        fill(index)
        again = index.add(TASK, {"code.py": renamed(text).encode()}, agent="agent 0", label="second run")
        assert again.new
        seen, near = judged(index, again.named.number)
        assert seen is None
        assert all(n.named.agent != "agent 0" for n in near)
        assert all({p.later.agent, p.other.agent} != {"agent 0"} for p in index.pairs(TASK, at_least=0))


def test_a_known_solution_is_never_named_and_counts_whenever_it_came(path: Path) -> None:
    text = LIBRARY[0].read_text(encoding="utf-8")
    with open_index(path, create=True) as index:
        fill(index)
        known = index.add(TASK, {"k.py": renamed(text).encode()}, agent=None, label="public repository")
        seen, _ = judged(index, 1)
        assert seen is not None
        assert "public repository" in seen.because
        assert judged(index, known.named.number) == (None, ())
        (pair,) = index.pairs(TASK, at_least=0.85)
        assert (pair.later.number, pair.other.number) == (1, known.named.number)


def test_given_code_is_no_likeness(path: Path) -> None:
    shared = LIBRARY[0].read_bytes()
    with open_index(path, create=True) as index:
        for number, source in enumerate(LIBRARY[1:], 1):
            files = {"given.py": shared, "own.py": source.read_bytes()}
            index.add(TASK, files, agent=f"a{number}", label="x", given={"given.py": shared})
        assert index.pairs(TASK, at_least=0.85) == ()


def test_the_same_submission_is_kept_once_and_tasks_apart(path: Path) -> None:
    files = {"code.py": LIBRARY[0].read_bytes()}
    with open_index(path, create=True) as index:
        one = index.add(TASK, files, agent="a", label="first")
        two = index.add(TASK, files, agent="a", label="again")
        assert (one.new, two.new) == (True, False)
        assert one.named == two.named
        assert index.add(TASK, files, agent="b", label="other").new
        assert index.add("elsewhere", files, agent="a", label="first").new
        assert index.add(TASK, files, agent=None, label="known").new
        assert not index.add(TASK, files, agent=None, label="known").new
        assert index.tasks() == {TASK: 3, "elsewhere": 1}


def test_looking_keeps_nothing(path: Path) -> None:
    text = LIBRARY[0].read_text(encoding="utf-8")
    with open_index(path, create=True) as index:
        fill(index)
        before = index.tasks()
        near, found, texts = index.look(TASK, {"m.py": renamed(text).encode()}, agent="z", label="m", most=3)
        assert len(near) == 3
        assert near[0].named.agent == "agent 0"
        assert found[0].other_path in texts
        assert index.tasks() == before


def test_adding_appends_and_changes_no_row(path: Path) -> None:
    def rows() -> list[tuple[object, ...]]:
        with sqlite3.connect(path) as db:
            return db.execute("SELECT * FROM submission ORDER BY id").fetchall()

    with open_index(path, create=True) as index:
        fill(index, least=len(LIBRARY) - 4)
        before = rows()
        index.add(TASK, {"code.py": LIBRARY[0].read_bytes()}, agent="new", label="new")
        assert rows()[: len(before)] == before
        assert len(rows()) == len(before) + 1


def test_what_is_no_index_is_told(tmp_path: Path, path: Path) -> None:
    with pytest.raises(NotFound), open_index(path):
        pass
    text = tmp_path / "text"
    text.write_text("no database" * 100)
    with pytest.raises(BadFile), open_index(text):
        pass
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE t (a)")
    with pytest.raises(BadFile, match="no similarity index"), open_index(other, create=True):
        pass
    with open_index(path, create=True):
        pass
    for other_format in (store.FORMAT + 1, store.FORMAT - 1):
        with sqlite3.connect(path) as db:
            db.execute(f"PRAGMA user_version = {other_format}")
        with pytest.raises(BadFile, match="format"), open_index(path):
            pass
    with pytest.raises(BadFile), open_index(tmp_path):
        pass


def test_damaged_rows_are_told(path: Path) -> None:
    with open_index(path, create=True) as index:
        fill(index, least=len(LIBRARY) - 3)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE submission SET bag = x'00' WHERE id = 2")
    with open_index(path) as index, pytest.raises(BadFile, match="damaged"):
        index.pairs(TASK, at_least=0)


def test_nothing_to_compare_and_unknown_entries(path: Path) -> None:
    with open_index(path, create=True) as index:
        with pytest.raises(BadUsage):
            index.add(TASK, {"README.md": b"x"}, agent="a", label="x")
        with pytest.raises(NotFound):
            index.nearest("nothing", 1)
        fill(index, least=len(LIBRARY) - 2)
        with pytest.raises(NotFound):
            index.nearest(TASK, 99)


WRITER = """
import sys, pathlib
from bouts.adapters.similarity.index import open_index
who, path = sys.argv[1], pathlib.Path(sys.argv[2])
with open_index(path, create=True) as index:
    print("ready", flush=True)
    for n in range(int(sys.argv[3])):
        code = f"def f(a):\\n    b = a * {n}\\n    return [b, '{who}-{n}']\\n"
        index.add("t", {"a.py": code.encode()}, agent=who, label=str(n))
"""


def test_several_writers_lose_nothing(path: Path) -> None:
    call = [sys.executable, "-c", WRITER]
    running = [subprocess.Popen([*call, f"w{n}", path, "15"], stdout=subprocess.DEVNULL) for n in range(3)]
    assert [r.wait(120) for r in running] == [0, 0, 0]
    with open_index(path) as index:
        assert index.tasks() == {"t": 45}
        assert len(index.nearest("t", 1)) == 10


def test_a_killed_writer_leaves_a_whole_index(path: Path) -> None:
    for pause in (0.0, 0.03, 0.1):
        running = subprocess.Popen([sys.executable, "-c", WRITER, f"k{pause}", path, "100000"], stdout=subprocess.PIPE)
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"
        time.sleep(pause)
        running.send_signal(signal.SIGKILL)
        running.wait()
        running.stdout.close()
    with open_index(path) as index:
        counts = index.tasks()
        index.add("t", {"a.py": b"def f(a):\n    return a\n"}, agent="after", label="x")
        assert index.tasks()["t"] == counts.get("t", 0) + 1
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        files, entries = (db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("file", "submission"))
        assert files == entries
