"""The inner half of `scripts/mutation`: make the mutants with mutmut, then try each with the tests that reach it.

Runs in the environment of the mutation lock, in the copied tree: `mutants.py [--quick] [--again] JOBS [NAME ...]`.

mutmut's own runner starts pytest anew for each mutant. Here the tests are collected once, and each mutant gets a forked
child that runs them as they stand, the quick and narrow ones first, until one fails. Two more things make a run quick
and just: memories of our own functions (`lru_cache`) are off, so that no test is served what another computed; and
property tests draw few examples and do not shrink them, so a survivor is one that those few let live.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SURVIVED, KILLED, UNTESTED, TIMEOUT, QUICK = 0, 1, 33, 24, 40
"""As mutmut has them in its files; 40 is ours: alive after a quick look."""
EXAMPLES = 20
"""Examples that a property test draws at most."""
QUICK_TESTS = 40
"""Tests that a quick look gives a mutant: those that reach the fewest functions, as they look closest."""
WHOLE = "tests/unit/scoring/test_whole_cards.py"
"""A quick look runs those of its tests that reach the function as well: they compare whole cards."""
SLACK, TIMES = 3.0, 10.0
"""A test may take this many seconds of processor time, and this many times what it took without a mutant."""
MEMORY = 4 << 30
STORE_EVERY = 20.0


class Job(NamedTuple):
    """One mutant and the tests that reach its function."""

    meta: Path
    name: str
    tests: list[pytest.Item]


def forget() -> None:
    """Functions of ours remember nothing between calls, nor between tests."""
    for name in ("lru_cache", "cache"):
        setattr(functools, name, _without_memory(getattr(functools, name)))


def _without_memory(real: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if not sys._getframe(1).f_globals.get("__name__", "").startswith("bouts."):
            return real(*args, **kwargs)
        return args[0] if args and callable(args[0]) else lambda function: function

    return wrapped


def generate(jobs: int) -> None:
    """The mutants of every function that changed; results of the others are kept."""
    from mutmut import __main__ as mutmut

    Path("mutants").mkdir(exist_ok=True)
    mutmut.copy_src_dir()
    with mutmut.CatchOutput():
        mutmut.create_mutants(jobs)


class Mutants:
    """A pytest plugin that, in place of running the tests once, runs them for each mutant."""

    def __init__(self, names: list[str], jobs: int, quick: bool, again: bool) -> None:
        self.names, self.jobs, self.quick, self.again = names, jobs, quick, again
        self.codes: dict[Path, dict[str, Any]] = {}
        self.running: dict[int, Job] = {}
        self.changed: set[Path] = set()
        self.stored = self.told = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Property tests draw few examples from here on."""
        from hypothesis import Phase, settings

        few = settings(settings.default, max_examples=EXAMPLES, phases=(Phase.explicit, Phase.generate))
        settings.register_profile("mutants", few)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Try the mutants."""
        if session.testsfailed:  # while they were collected: pytest tells it
            return None
        items = [item for item in session.items if not (self.quick and item.nodeid.startswith("tests/laws"))]
        for item in items:
            _fewer(item)
        reach, cost = self._reached(items)
        # In an order of chance that is always the same: where a run is stopped, it has tried a sample of all.
        jobs = sorted(self._jobs(reach), key=lambda job: hashlib.sha256(job.name.encode()).digest())
        sys.stderr.write(f"mutation: {len(items)} tests, {len(jobs)} mutants to try\n")
        gc.collect()
        gc.freeze()
        try:
            for number, job in enumerate(jobs, 1):
                if not job.tests:
                    self._note(job, UNTESTED)
                    continue
                while len(self.running) >= self.jobs:
                    self._wait()
                self._start(job, cost)
                self._tell(number, len(jobs))
            while self.running:
                self._wait()
        finally:
            for pid in self.running:
                os.kill(pid, signal.SIGKILL)
            self._store()
        return True

    def _reached(self, items: list[pytest.Item]) -> tuple[dict[str, list[pytest.Item]], dict[str, float]]:
        """The tests that reach each function, and what each test takes, found out by running all once in a child."""
        rows = json.loads(_in_child(lambda: _observed(items)))
        if rows["failed"]:
            raise pytest.UsageError(f"these tests fail without any mutant: {', '.join(rows['failed'])}")
        known = {item.nodeid: item for item in items}
        cost: dict[str, float] = rows["cost"]
        reach: dict[str, list[pytest.Item]] = {}
        nodes = sorted(known, key=lambda node: cost[node] * len(rows["reached"][node]))
        for node in nodes:
            for function in rows["reached"][node]:
                chosen = reach.setdefault(function, [])
                if not self.quick or node.startswith(WHOLE) or len(chosen) < QUICK_TESTS:
                    chosen.append(known[node])
        return reach, cost

    def _jobs(self, reach: dict[str, list[pytest.Item]]) -> Iterator[Job]:
        for meta in sorted(Path("mutants/src").rglob("*.meta")):
            self.codes[meta] = json.loads(meta.read_text(encoding="utf-8"))
            for name, code in self.codes[meta]["exit_code_by_key"].items():
                wanted = not self.names or any(fnmatch(name, pattern) for pattern in self.names)
                known = code is not None and (self.quick or code != QUICK)
                if wanted and (not known or (self.again and code in (SURVIVED, UNTESTED, QUICK, TIMEOUT))):
                    yield Job(meta, name, reach.get(name.rpartition("__mutmut_")[0], []))

    def _start(self, job: Job, cost: dict[str, float]) -> None:
        pid = os.fork()
        if pid == 0:
            _try(job, cost)
        self.running[pid] = job

    def _wait(self) -> None:
        pid, status = os.wait()
        job = self.running.pop(pid, None)
        if job is None:
            return
        code = os.waitstatus_to_exitcode(status)
        alive = QUICK if self.quick else SURVIVED
        self._note(job, {0: alive, TIMEOUT: TIMEOUT, -signal.SIGXCPU: TIMEOUT}.get(code, KILLED))

    def _note(self, job: Job, code: int) -> None:
        self.codes[job.meta]["exit_code_by_key"][job.name] = code
        self.changed.add(job.meta)
        if time.monotonic() - self.stored > STORE_EVERY:
            self._store()

    def _store(self) -> None:
        for meta in self.changed:
            meta.write_text(json.dumps(self.codes[meta], indent=4), encoding="utf-8")
        self.changed.clear()
        self.stored = time.monotonic()

    def _tell(self, number: int, many: int) -> None:
        if time.monotonic() - self.told > STORE_EVERY:
            self.told = time.monotonic()
            sys.stderr.write(f"mutation: {number} of {many}\n")


def _fewer(item: pytest.Item) -> None:
    """A property test that states a number of examples of its own draws few as well."""
    from hypothesis import settings

    function = getattr(item, "obj", None)
    own = getattr(function, "_hypothesis_internal_use_settings", None)
    if own is not None and own.max_examples > EXAMPLES:
        few = settings(own, max_examples=EXAMPLES, phases=settings.default.phases)
        getattr(function, "__func__", function)._hypothesis_internal_use_settings = few


def _run(item: pytest.Item, after: pytest.Item | None) -> bool:
    """Whether the test passes."""
    from _pytest.runner import runtestprotocol

    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=after))


def _observed(items: list[pytest.Item]) -> str:
    from mutmut.state import state

    _select("stats")
    rows: dict[str, Any] = {"reached": {}, "cost": {}, "failed": []}
    for number, item in enumerate(items):
        state()._stats.clear()
        began = time.process_time()
        if not _run(item, items[number + 1] if number + 1 < len(items) else None):
            rows["failed"].append(item.nodeid)
        rows["cost"][item.nodeid] = time.process_time() - began
        rows["reached"][item.nodeid] = sorted(state()._stats)
    return json.dumps(rows)


def _try(job: Job, cost: dict[str, float]) -> None:
    """In a child: the tests with the mutant, until one fails. Does not return."""
    code = KILLED
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGPROF, lambda *_: os._exit(TIMEOUT))
        _select(job.name)
        for item, after in zip(job.tests, [*job.tests[1:], None], strict=True):
            limit = SLACK + TIMES * cost[item.nodeid]
            signal.setitimer(signal.ITIMER_PROF, limit)
            soft = int(time.process_time() + 2 * limit) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))
            if not _run(item, after):
                os._exit(KILLED)
        code = SURVIVED
    finally:
        os._exit(code)


def _select(name: str) -> None:
    """From here on this process runs that mutant."""
    from mutmut.mutation import trampoline

    trampoline.set_mutant_under_test(name)
    trampoline.get_mutant_under_test = lambda: name


def _in_child(work: Callable[[], str]) -> str:
    """What `work` returns, done in a child so that it leaves no trace here."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as pipe:
                pipe.write(work())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return said


def main(words: list[str]) -> int:
    """Entry point."""
    quick, again = "--quick" in words, "--again" in words
    jobs, *names = [word for word in words if not word.startswith("--")]
    generate(int(jobs))
    sys.path.insert(0, str(Path("mutants/src").resolve()))
    forget()
    from mutmut.configuration import config

    chosen: Iterable[str] = config().pytest_add_cli_args_test_selection
    plugin = Mutants(names, int(jobs), quick, again)
    return int(pytest.main(["-s", "-q", "-p", "no:cacheprovider", "--rootdir=.", *chosen], plugins=[plugin]))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(sys.argv[1:]))
