"""The child that reads one submission: `bouts.adapters.scanners.reading:scan` is a zygote's target.

Everything that parses foreign text happens here, under limits, in a process that may be lost. Before each step on a
file the child says which, so that the main process knows what it died of.
"""

from __future__ import annotations

import contextlib
import resource
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from bouts.adapters.scanners import bandit, compiles, ruff
from bouts.adapters.scanners.integrity.constraints import broken
from bouts.adapters.scanners.integrity.directed import judge_manipulation
from bouts.adapters.scanners.integrity.disabled_tests import disabled_tests
from bouts.adapters.scanners.integrity.hardcoded import candidates
from bouts.adapters.scanners.integrity.stubs import hollow, stubbed
from bouts.adapters.scanners.rows import Row, new_rows
from bouts.adapters.scanners.sources import (
    ANALYSED,
    COMPILED,
    EVERYTHING,
    USUAL_ENCODINGS,
    Source,
    imported,
    is_python,
    is_test,
    parse,
    read,
    source,
    sources_below,
)
from bouts.adapters.scanners.weaknesses import confirmed, findings
from bouts.hosts.line import Line
from bouts.model.evidence import BuildFacts, Fault, Notice
from bouts.model.scanning import ScanJob, ScanReport
from bouts.model.text import clean_line

MEMORY = 1 << 30
"""Bytes of address space of the child and of each program that it starts."""
ROWS = 2_000
"""Rows of one tool and file that are looked at; what is beyond counts, but is not shown."""
_PLACES = 20

T = TypeVar("T")


class Reading:
    """One submission while it is read."""

    def __init__(self, job: ScanJob, lint: Sequence[str], crashed: Mapping[str, str], line: Line) -> None:
        self.job, self.lint, self._crashed, self._line = job, tuple(lint), crashed, line
        self._given_root, self._staged_root = Path(job.given), Path(job.staged)
        self.notices: list[Notice] = []
        self.faults: list[Fault] = []
        self.given: dict[str, Source] = {}
        self.staged: dict[str, Source] = {}
        self.tests: set[str] = set()
        self._load()

    def step(self, name: str, path: str) -> bool:
        """Announce work on a file. False where an earlier child died at it."""
        if name != "compiles" and EVERYTHING in self._crashed:
            return False
        if f"{name}:{path}" in self._crashed or f"compiles:{path}" in self._crashed:
            return False
        self._line.send({"step": name, "path": path})
        return True

    def attempt(self, name: str, look: Callable[[], T]) -> T | None:
        """Make one look at all files; none, and a notice, where it breaks off, as it does on code nested too deep."""
        if self.step(name, ""):
            with contextlib.suppress(RecursionError):
                return look()
        self.unread("changed files", f"the look at their {name} broke off")
        return None

    def unread(self, path: str, why: str) -> None:
        """Note that a file could not be analysed in full."""
        self.notices.append(Notice(kind="not_analysed", why=clean_line(f"{path}: {why}", 300)))

    def _load(self) -> None:
        for path in sorted(set(self.job.changed)):
            for root, known in ((self._given_root, self.given), (self._staged_root, self.staged)):
                data = read(root, path, COMPILED)
                if data is not None and is_python(path, data[:64]):
                    known[path] = source(path, data) if len(data) <= ANALYSED else Source(path, data, None, "", ())

    def compiles(self, broken: Sequence[str]) -> BuildFacts:
        """Whether every changed file compiles; `broken` are the places of untouched files that do not."""
        places = [place for path, file in self.staged.items() if (place := self.compile(path, file.data))]
        places += broken
        detail = f"{len(places)} file(s) do not compile" if places else "every Python file compiles"
        return BuildFacts(check="compiles", ok=not places, detail=detail, places=tuple(places[:_PLACES]))

    def compile(self, path: str, data: bytes) -> str:
        """Where and why the file does not compile; empty where it does."""
        if not self.step("compiles", path):
            return clean_line(f"{path}:0: {self._crashed['compiles:' + path]}", 300)
        found = compiles.problem(data, path)
        return clean_line(f"{path}:{found[0]}: {found[1]}", 300) if found is not None else ""

    def analysed(self) -> tuple[dict[str, Source], dict[str, Source]]:
        """The files that differ and can be analysed, as given and as staged."""
        staged: dict[str, Source] = {}
        for path, file in self.staged.items():
            if path in self.given and self.given[path].data == file.data:
                continue
            if len(file.data) > ANALYSED:
                self.unread(path, f"larger than {ANALYSED >> 10} KiB, so neither linted nor scanned")
            elif f"compiles:{path}" in self._crashed:
                self.unread(path, "it broke the compiler, so it was neither linted nor scanned")
            else:
                if file.text is not None and file.encoding not in USUAL_ENCODINGS:
                    self.unread(path, f"unusual source encoding {file.encoding}")
                staged[path] = file
        same = {path for path in self.staged if path not in staged}
        given = {path: file for path, file in self.given.items() if len(file.data) <= ANALYSED and path not in same}
        return given, staged

    def leave_out_tests(self, staged: Mapping[str, Source]) -> None:
        """Tests are not scanned for weaknesses; what other code imports is none, whatever its name."""
        names = {path for path in (*self.given, *self.staged) if is_test(path)}
        trees = (parse(file.data) for path, file in staged.items() if path not in names) if names else ()
        used = {name for tree in trees if tree is not None for name in imported(tree)}
        self.tests = {path for path in names if not {_module(path), _module(path).rpartition(".")[2]} & used}

    def ruff(self, root: Path, files: Mapping[str, Source]) -> ruff.RuffRun:
        """Lint and security rows of one tree."""
        if not files:
            return ruff.RuffRun([], {}, False)
        if not self.step("ruff", str(root)):
            return ruff.RuffRun([], dict.fromkeys(files, "it broke the linter"), False)
        return ruff.run(ruff.binary(), root, tuple(files.values()), self.lint)

    def bandit(self, scanner: bandit.Bandit, root: Path, files: Mapping[str, Source], *, tell: bool) -> list[Row]:
        """Security rows of one tree."""
        rows: list[Row] = []
        for path in files:
            if path in self.tests:
                continue
            if not self.step("bandit", path):
                self.unread(path, "it broke the security scanner")
                continue
            found, why = scanner.read(root, path)
            rows += found[:ROWS]
            if why and tell:
                self.unread(path, f"the security scanner could not read it ({why})")
        return rows


def scan(payload: dict[str, Any], line: Line) -> dict[str, Any]:
    """Read one submission; the answer is a `ScanReport` as JSON.

    Keys of the payload: `job` (without its tests), `package_tests` and `handed_in_tests` (as Latin-1), `lint`,
    `broken` (places of untouched files that do not compile), `crashed` (why, by `step:path` of earlier children),
    `cpu_seconds`.
    """
    limit(payload["cpu_seconds"])
    tests = {name: _bytes(payload[name]) for name in ("package_tests", "handed_in_tests")}
    job = ScanJob.model_validate({**payload["job"], **tests})
    reading = Reading(job, payload["lint"], payload["crashed"], line)
    build = [reading.compiles(payload["broken"])]
    given, staged = reading.analysed()
    reading.leave_out_tests(staged)
    rows: list[Row] = []
    try:
        after = reading.ruff(Path(job.staged), staged)
        # What was given is read only where there is something to compare it with.
        before = reading.ruff(Path(job.given), given if after.rows or after.unread else {})
    except OSError as error:
        reading.faults.append(Fault(part="ruff", message=clean_line(f"ruff could not be run: {error}", 300)))
        before = ruff.RuffRun([], {}, False)
    else:
        build.append(_lint(reading, before, after, given, staged))
        rows += _security(after.rows, reading.tests)
    scanner = _scanner()
    rows += reading.bandit(scanner, Path(job.staged), staged, tell=True)
    known: list[Row] = []
    if rows:
        known = _security(before.rows, reading.tests) + reading.bandit(scanner, Path(job.given), given, tell=False)
    fresh = confirmed(new_rows(known, rows, given, staged)[:ROWS], staged)
    report = _integrity(reading, given, staged)
    whole = report.model_copy(
        update={
            "build": tuple(build),
            "findings": findings(fresh, staged),
            "notices": tuple(reading.notices),
            "faults": tuple(reading.faults),
        }
    )
    return {"report": whole.model_dump_json()}


def warm() -> None:
    """Do once in the zygote what every child would do first."""
    for model in (ScanJob, ScanReport, BuildFacts):
        model.model_rebuild()
    with contextlib.suppress(FileNotFoundError):
        ruff.binary()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "warm.py").write_text("import os\n\nos.system('true')\n", encoding="utf-8")
        _scanner().read(Path(folder), "warm.py")


@cache
def _scanner() -> bandit.Bandit:
    return bandit.Bandit()


def check(payload: dict[str, Any], line: Line) -> dict[str, Any]:
    """Compile every file of `paths` below `root`; the answer has the place of each problem, by path."""
    limit(payload["cpu_seconds"])
    root, paths = payload["root"], payload["paths"]
    reading = Reading(ScanJob(given=root, staged=root, changed=()), (), payload["crashed"], line)
    problems = {path: reading.compile(path, read(Path(root), path, COMPILED) or b"") for path in paths}
    return {"problems": {path: place for path, place in problems.items() if place}}


def _bytes(texts: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode("latin-1") for path, text in texts.items()}


def limit(cpu_seconds: int) -> None:
    """Bound what this process, and each that it starts, may use."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, bound))


def _lint(
    reading: Reading,
    before: ruff.RuffRun,
    after: ruff.RuffRun,
    given: Mapping[str, Source],
    staged: Mapping[str, Source],
) -> BuildFacts:
    fresh = new_rows(_style(before.rows), _style(after.rows)[:ROWS], given, staged)
    places = [clean_line(f"{row.path}:{row.line}: {row.rule} {row.message}", 300) for row in fresh]
    for path, why in sorted(after.unread.items()):
        reading.unread(path, f"the linter could not read all of it ({why})")
    # A file that the linter could not read, and could as given, is no clean file.
    spoiled = sorted(
        path for path in reading.staged if _unlinted(path, reading, after, staged) and path not in before.unread
    )
    places += [clean_line(f"{path}:0: could not be linted", 300) for path in spoiled]
    if after.cut:
        places.append("more violations than are read")
    detail = f"{len(places)} new violation(s) of {', '.join(reading.lint)}" if places else "no new violation"
    return BuildFacts(check="lint", ok=not places, detail=detail, places=tuple(places[:_PLACES]))


def _unlinted(path: str, reading: Reading, after: ruff.RuffRun, staged: Mapping[str, Source]) -> bool:
    changed = path not in reading.given or reading.given[path].data != reading.staged[path].data
    return changed and (path not in staged or path in after.unread)


def _style(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if not row.rule.startswith(ruff.SECURITY)]


def _security(rows: Sequence[Row], tests: Collection[str]) -> list[Row]:
    return [row for row in rows if row.rule.startswith(ruff.SECURITY) and row.path not in tests]


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def _integrity(reading: Reading, given: Mapping[str, Source], staged: Mapping[str, Source]) -> ScanReport:
    """What the integrity checks found; the rest of the report is left empty."""
    job = reading.job
    reference = sources_below(Path(job.reference)) if job.reference else {}
    own = {path: item.data for path, item in reference.items()}
    compared = reading.attempt(
        "tests", lambda: disabled_tests(job.package_tests, job.handed_in_tests, job.deletions_count)
    )
    stubs = reading.attempt("stubs", lambda: stubbed(given, staged, reference)) or ()
    directed = reading.attempt("comments", lambda: judge_manipulation(given, staged)) or ()
    reading.notices += compared.notices if compared else ()
    return ScanReport(
        build=(),
        observations=(*(compared.observations if compared else ()), *stubs, *directed),
        hollow=reading.attempt("hollow", lambda: hollow(given, staged, reference)) or (),
        candidates=reading.attempt("literals", lambda: candidates(job.package_tests, given, staged, own)) or (),
        broken=reading.attempt("constraints", lambda: broken(job, given, staged)) or (),
    )
