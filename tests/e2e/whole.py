"""What the tests of the whole share: running Bouts, reading what it prints, seeing what it leaves behind."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
TALLY = FIXTURES / "word-tally"
SUBMISSIONS = TALLY / "samples"
REFERENCE = TALLY / "reference"


@dataclass(frozen=True)
class Ran:
    """One finished run of the command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


@dataclass(frozen=True)
class Scored:
    """A stored card, its page, and the run that made them."""

    card: Path
    page: Path
    ran: Ran

    @property
    def evidence(self) -> Path:
        return evidence_of(self.card)


@dataclass(frozen=True)
class Bouts:
    """The command line with a home and a scratch folder."""

    home: Path
    scratch: Path

    def environment(self, **changes: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "BOUTS_CHALLENGES")}
        return {**kept, "BOUTS_HOME": str(self.home), "BOUTS_SCRATCH": str(self.scratch), "COLUMNS": "100", **changes}

    def command(self, *words: object) -> list[str]:
        return [sys.executable, "-m", "bouts", *map(str, words)]

    def __call__(self, *words: object, cwd: Path | None = None, **variables: str) -> Ran:
        done = subprocess.run(
            self.command(*words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self.environment(**variables),
            cwd=cwd,
            timeout=300,
            check=False,
        )
        ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ran.out + ran.err, ran
        return ran

    def start(self, *words: object) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.environment(),
            # Tests may run where interrupts are ignored, which a child would inherit.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    # ------------------------------------------------------------------ what is left

    def processes(self) -> list[str]:
        """Processes of this home: ours inherit the scratch folder's name, those in sandboxes have mounts from it."""
        mark = f"BOUTS_SCRATCH={self.scratch}".encode()
        found: list[str] = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                words = (entry / "cmdline").read_bytes()
                if mark in (entry / "environ").read_bytes() or str(self.scratch) in (entry / "mountinfo").read_text():
                    found.append(f"{entry.name}: {words.decode(errors='replace')}")
            except OSError:
                continue
        return found

    def gone(self) -> list[str]:
        """Processes that are still there after they had time to go; a killed one takes a moment to be collected."""
        for _ in range(200):
            if not self.processes():
                return []
            time.sleep(0.05)
        return self.processes()

    def left(self) -> list[str]:
        """Folders of runs in scratch, and mounts there."""
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
        found = [line for line in mounts.splitlines() if str(self.scratch) in line]
        if self.scratch.is_dir():
            found += [str(p) for p in self.scratch.iterdir() if p.is_dir()]
        return found


def descendants(process: int) -> dict[str, str]:
    """All processes below one, with when each started and what it runs."""
    parents: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                head, _, rest = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
            except OSError:
                continue
            parents.setdefault(rest.split()[1], []).append(entry.name)
            names[entry.name] = f"{rest.split()[19]} {head.partition('(')[2]}"
    found: dict[str, str] = {}
    waiting = [str(process)]
    while waiting:
        for child in parents.get(waiting.pop(), ()):
            found[child] = names[child]
            waiting.append(child)
    return found


def still_there(processes: dict[str, str]) -> dict[str, str]:
    """Those that are alive after they had time to go."""
    alive = processes
    for _ in range(200):
        alive = {p: name for p, name in alive.items() if _started(p) == name.split()[0]}
        if not alive:
            break
        time.sleep(0.05)
    return alive


def dead_groups() -> set[Path]:
    """Control groups of runs of Bouts that are over; a run's name has its process and when that started."""
    found: set[Path] = set()
    for top, folders, _ in os.walk("/sys/fs/cgroup"):
        for name in folders:
            run = re.fullmatch(r"run-(\d+)-(\d+)-[0-9a-f]{6}", name)
            if run and _started(run[1]) != run[2]:
                found.add(Path(top, name))
    return found


def _started(process: str) -> str | None:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except OSError:
        return None


def evidence_of(card: Path) -> Path:
    return card.with_name(json.loads(card.read_text(encoding="utf-8"))["evidence"]["path"])


def records(path: Path) -> dict[str, Any]:
    return json.loads(gzip.decompress(path.read_bytes()))


def fits(value: dict[str, Any], name: str) -> None:
    """Hold JSON against the published schema."""
    schema = json.loads((ROOT / "docs" / "reference" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(value)


def objective(card: dict[str, Any]) -> float:
    return next(line["score"] for line in card["lines"] if line["key"] == "objective")


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every number in a JSON value."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from numbers(child, (*path, key))
    elif isinstance(value, list):
        for number, child in enumerate(value):
            yield from numbers(child, (*path, number))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def changed(value: Any, path: tuple[Any, ...]) -> Any:
    """A copy with the number at that place changed a little."""
    copy = json.loads(json.dumps(value))
    here = copy
    for step in path[:-1]:
        here = here[step]
    old = here[path[-1]]
    here[path[-1]] = old + 1 if isinstance(old, int) else round(old + 0.000001, 6)
    return copy
