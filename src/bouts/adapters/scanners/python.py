"""The scanner for Python: ruff and bandit over one submission, in a child that may be lost."""

from __future__ import annotations

import functools
import platform
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bouts.adapters.scanners.sources import ANALYSED, EVERYTHING, is_test, python_files, read
from bouts.errors import HostFault
from bouts.hosts.zygote import Zygote
from bouts.integrity.observed import one_cause, vulnerabilities
from bouts.model.evidence import BuildFacts, Fault, Notice
from bouts.model.scanning import ScanJob, ScanReport, SwapJob, SwappedTests
from bouts.model.text import clean_line

CPU_SECONDS, BYTES_PER_SECOND, MOST_SECONDS = 20, 20_000, 300
"""Processor time of a child, and again of each program that it starts: so much, a second more for so many bytes of
source (ten times what honest code takes), and at most so much."""
WALL_FACTOR = 4
"""Wall-clock limit of a child, in its processor time; only an overloaded machine comes near it."""
BATCH = 200
"""Files of a codebase as given that one child compiles."""
ATTEMPTS = 6
"""Children that one submission may cost. The last one does the compile check alone."""
TESTS_BYTES = 16 << 20
"""Bytes of test files that are compared, all together."""
_REMEMBERED = 64
_READING = "bouts.adapters.scanners.reading"


class PythonScanner:
    """Reads Python submissions. Thread-safe; `close` ends its helper process."""

    def __init__(self, lint: Sequence[str], zygote: Zygote | None = None) -> None:
        """`lint` lists the rules that the policy names, such as `("E4", "E7", "E9", "F")`."""
        self._lint = tuple(lint)
        self._zygote = zygote or Zygote(_READING)
        self._lock = threading.Lock()
        self._broken: dict[object, dict[str, str]] = {}

    def scan(self, job: ScanJob) -> ScanReport:
        """Compile check, lint, security and integrity of one submission.

        A file at which the child died twice is a fact about the submission and is named in the report; a fault is one
        of ours. Raises `HostFault` when no helper process can be started.
        """
        given, staged = Path(job.given).resolve(), Path(job.staged).resolve()
        changed = set(job.changed)
        broken = [place for path, place in sorted(self._untouched(given).items()) if path not in changed]
        tests, notices = _comparable(job)
        payload = {
            "job": {
                **job.model_dump(exclude={"package_tests", "handed_in_tests"}),
                "given": str(given),
                "staged": str(staged),
            },
            "lint": list(self._lint),
            "cpu_seconds": _cpu_seconds(staged / path for path in job.changed),
            "broken": broken,
            **tests,
        }
        answer, trouble = self._attempts("scan", payload)
        report = ScanReport.model_validate_json(answer["report"]) if answer else _given_up(trouble)
        observations = one_cause((*report.observations, *vulnerabilities(report.findings)))
        more = {"observations": observations, "notices": (*report.notices, *notices), "tools": self.environment()}
        return report.model_copy(update=more)

    def swapped(self, job: SwapJob) -> tuple[SwappedTests, ...]:
        """Visible tests as given, and with other values. The author's files alone are read, in this process."""
        from bouts.adapters.scanners.integrity.swapping import swapped

        wanted: dict[str, set[str]] = {}
        for test in job.tests:
            path, _, name = test.partition("::")
            wanted.setdefault(path, set()).add(name)
        suite = Path(job.suite_folder)
        own = [
            data
            for folder in map(Path, job.vocabulary)
            for path in python_files(folder)
            if not is_test(path) and (data := read(folder, path, ANALYSED)) is not None
        ]
        tests = {path: read(suite, path, ANALYSED) or b"" for path in wanted}
        return swapped(tests, wanted, frozenset(own), frozenset(job.literals))

    def environment(self) -> dict[str, str]:
        """Versions of what is read with."""
        return dict(_versions())

    def close(self) -> None:
        """End the helper process."""
        self._zygote.close()

    def _untouched(self, given: Path) -> dict[str, str]:
        """Places of the codebase that do not compile as given, by path. Found once for a codebase."""
        paths = python_files(given)
        stats = [(given / path).stat() for path in paths]
        key = (given, tuple(zip(paths, ((item.st_size, item.st_mtime_ns) for item in stats), strict=True)))
        with self._lock:
            if key not in self._broken:
                while len(self._broken) >= _REMEMBERED:
                    del self._broken[next(iter(self._broken))]
                batches = (paths[start : start + BATCH] for start in range(0, len(paths), BATCH))
                self._broken[key] = {path: why for batch in batches for path, why in self._check(given, batch).items()}
            return self._broken[key]

    def _check(self, given: Path, paths: list[str]) -> dict[str, str]:
        seconds = _cpu_seconds(given / path for path in paths)
        answer, trouble = self._attempts("check", {"root": str(given), "paths": paths, "cpu_seconds": seconds})
        if answer is None:
            raise HostFault(f"the codebase as given cannot be compiled here: {trouble}")
        return answer["problems"]

    def _attempts(self, name: str, payload: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
        """The child's answer, or none and why. A step at which a child died is left out by the next ones: after two
        deaths, as the first might be the machine's doing, or after one where a file has already been found guilty."""
        crashed: dict[str, str] = {}
        deaths: dict[str, int] = {}
        late = False
        for number in range(ATTEMPTS):
            if number == ATTEMPTS - 1:
                crashed[EVERYTHING] = ""
            answer, last, late = self._attempt(name, {**payload, "crashed": crashed})
            if answer is not None and "failed" in answer:
                raise HostFault(f"the scanner failed: {answer['failed']}")
            if answer is not None:
                return answer, ""
            if late and deaths.get(last):
                break
            deaths[last] = deaths.get(last, 0) + 1
            if deaths[last] > 1 or crashed:
                step = last.partition(":")[0]
                crashed[last] = f"breaks the process that reads it (step {step})"
        return None, "out of time" if late else "too many files break the process that reads them"

    def _attempt(self, name: str, payload: dict[str, Any]) -> tuple[dict[str, Any] | None, str, bool]:
        """The answer if there is one, the last step that was announced, and whether time ran out."""
        job = self._zygote.start(f"{_READING}:{name}", payload)
        last, deadline = "", time.monotonic() + WALL_FACTOR * payload["cpu_seconds"]
        try:
            while True:
                message = job.receive(max(0.0, deadline - time.monotonic()))
                if message is None:
                    return None, last, True
                if "step" in message:
                    last = f"{message['step']}:{message['path']}"
                elif "result" in message:
                    return message["result"], last, False
                elif str(message["error"]).startswith(("MemoryError", "RecursionError")):
                    return None, last, False
                else:
                    return {"failed": clean_line(str(message["error"]), 500)}, last, False
        except HostFault:
            if not last:
                raise
            return None, last, False
        finally:
            job.kill()


@functools.cache
def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {"python": platform.python_version(), "ruff": version("ruff"), "bandit": version("bandit")}


def _cpu_seconds(files: Iterable[Path]) -> int:
    """The limit on processor time for reading these files, in seconds."""
    size = sum(min(file.stat().st_size, ANALYSED) for file in files if file.is_file())
    return min(CPU_SECONDS + size // BYTES_PER_SECOND, MOST_SECONDS)


def _comparable(job: ScanJob) -> tuple[dict[str, dict[str, str]], tuple[Notice, ...]]:
    """The test files as texts for the child; those that are too large to compare become notices."""
    handed_in = job.handed_in_tests
    large = {path for path, data in handed_in.items() if len(data) > ANALYSED}
    if sum(len(data) for path, data in handed_in.items() if path not in large) > TESTS_BYTES:
        large = set(handed_in)
    texts = {
        "package_tests": {
            path: data.decode("latin-1") for path, data in job.package_tests.items() if path not in large
        },
        "handed_in_tests": {path: data.decode("latin-1") for path, data in handed_in.items() if path not in large},
    }
    why = "too large to be compared with the package's"
    return texts, tuple(Notice(kind="not_analysed", why=clean_line(f"{path}: {why}", 300)) for path in sorted(large))


def _given_up(trouble: str) -> ScanReport:
    """What is known of a submission that cannot be read. Running out of time counts as the machine's doing."""
    if trouble == "out of time":
        return ScanReport(build=(), faults=(Fault(part="scanner", message=f"reading the submission ran {trouble}"),))
    build = tuple(BuildFacts(check=check, ok=False, detail=trouble) for check in ("compiles", "lint"))
    return ScanReport(build=build, notices=(Notice(kind="not_analysed", why=trouble),))
