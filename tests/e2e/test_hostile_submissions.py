"""Submissions that misbehave get a low score in bounded time and leave nothing behind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from whole import TALLY, Bouts, dead_groups, fits, objective

from bouts.pipeline.cards import load_card, load_evidence
from bouts.policy.catalogue import POLICIES
from bouts.scoring.verify import verify

SPAWN = "subprocess.Popen([sys.executable or 'python', '-c', 'import time; time.sleep(600)'], start_new_session=True)"
CALLED = "def count(text):\n    {0}\n\n\ndef top(text, n):\n    {0}\n"

CORES: dict[str, str | None] = {
    "loop-at-import": "while True:\n    pass\n",
    "loop-in-call": CALLED.format("while True: pass"),
    "fork-bomb": "import os\n" + CALLED.format("while True: os.fork()"),
    "memory-bomb": CALLED.format("kept = [bytearray(1 << 22) for _ in range(1 << 20)]; return kept"),
    "disk-bomb": CALLED.format("open('/tmp/big', 'wb').write(bytes(64 << 20))"),
    "output-flood": "import os\n" + CALLED.format("while True: os.write(1, b'x' * 65536)"),
    "daemon": "import subprocess, sys\n" + CALLED.format(f"{SPAWN}; return {{}}"),
    "sleeper": "import time\n" + CALLED.format("time.sleep(600)"),
    "exits": "import os\nos._exit(0)\n",
    "segfault": "import ctypes\n" + CALLED.format("ctypes.string_at(0)"),
    "empty": None,
    "syntax-error": "def count(text:\n",
    "system-exit": "raise SystemExit(0)\n",
    "threads": "import threading\n" + CALLED.format("threading.Thread(target=lambda: 1 / 0).start(); return {}"),
    "stops-itself": "import os, signal\n" + CALLED.format("os.kill(os.getpid(), signal.SIGSTOP)"),
}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny challenge with two visible and two hidden tests, and short limits."""
    folder = tmp_path_factory.mktemp("quick") / "word-tally"
    shutil.copytree(TALLY, folder)
    for path in ("static/integration", "adversarial/state", "adversarial/input/test_ranks.py"):
        place = folder / "tests" / path
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    (folder / "tests" / "static" / "unit" / "test_top.py").unlink()
    odd = folder / "tests" / "adversarial" / "input" / "test_odd_texts.py"
    odd.write_text(odd.read_text(encoding="utf-8").split("@pytest")[0] + ODD, encoding="utf-8")
    manifest = folder / "challenge.yaml"
    text = manifest.read_text(encoding="utf-8")
    assert "test_seconds: 3" in text
    manifest.write_text(text.replace("test_seconds: 3", "test_seconds: 1.5"), encoding="utf-8")
    return folder


ODD = """

def test_hidden_nothing_to_count():
    assert tally.count("") == {}


def test_hidden_line_breaks():
    assert tally.count("one\\nTWO") == {"one": 1, "two": 1}
"""


@pytest.fixture(scope="module")
def results(quick: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Bouts, dict[str, Any]]]:
    """All of them scored in one batch, in a home of their own."""
    apart = Bouts(tmp_path_factory.mktemp("hostile-home"), tmp_path_factory.mktemp("hostile-scratch"))
    if apart("doctor").status:
        pytest.skip("no sandbox works here")
    frozen = apart("check", quick, "--freeze", "--json")
    assert frozen.json["checks"][0]["level"] == "ok", frozen
    top = tmp_path_factory.mktemp("hostile")
    folders: list[Path] = []
    for name, core in CORES.items():
        folder = top / name
        folder.mkdir()
        if core is not None:
            (folder / "tally").mkdir()
            (folder / "tally" / "core.py").write_text(core, encoding="utf-8")
        folders.append(folder)
    before = dead_groups()
    ran = apart("score", quick, *folders, "--jobs", "4", "--no-second-look", "--out", top / "cards", "--json")
    assert ran.status == 0, ran
    fits(ran.json, "scores")
    assert apart.gone() == []
    assert apart.left() == []
    assert dead_groups() - before == set()
    yield apart, {Path(item["submission"]).name: item for item in ran.json["items"]}


@pytest.mark.parametrize("name", CORES)
def test_it_is_scored_low(results: tuple[Bouts, dict[str, Any]], name: str) -> None:
    items = results[1]
    card = items[name]["card"]
    assert items[name]["error"] is None
    assert card["outcome"] == "failed"
    assert card["status"] != "void"
    assert objective(card) < 60
    assert card["tests"]["static_passed"] <= 1
    assert card["tests"]["adversarial_passed"] <= 1
    stored = load_card(Path(items[name]["path"]))
    assert verify(stored, load_evidence(stored, Path(items[name]["path"])), POLICIES) == ()


@pytest.mark.parametrize(
    ("name", "check"),
    [("syntax-error", "build"), ("system-exit", "build"), ("exits", "build"), ("loop-at-import", "build")],
)
def test_what_does_not_start_is_said(results: tuple[Bouts, dict[str, Any]], name: str, check: str) -> None:
    card = results[1][name]["card"]
    parts = next(line for line in card["lines"] if line["key"] == "objective")["children"]
    assert next(line for line in parts if line["key"] == f"objective.{check}")["score"] < 80


def test_threads_that_raise_are_seen(results: tuple[Bouts, dict[str, Any]]) -> None:
    card = results[1]["threads"]["card"]
    parts = next(line for line in card["lines"] if line["key"] == "objective")["children"]
    build = next(line for line in parts if line["key"] == "objective.build")
    assert "build:exceptions" in build["evidence"]
    assert "0 no unhandled exception" in build["formula"], build


def test_nothing_was_written_outside(results: tuple[Bouts, dict[str, Any]]) -> None:
    assert not Path("/tmp/big").exists()
    assert os.path.isdir(results[0].home)
