"""What test runners print, by shape: how many tests passed and failed, and which failed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

MOST_NAMES = 200
"""Names of failing tests that are kept."""


@dataclass(slots=True, frozen=True)
class Result:
    """The outcome of a test run. `total` is passed plus failed: skipped tests are no part of it."""

    runner: str
    passed: int
    failed: int
    skipped: int = 0
    names: tuple[str, ...] = ()
    """Tests that failed, as the runner names them; fewer than `failed` where it does not name all."""
    complete: bool = True
    """Whether passed and failed are counts of tests; else only whether it passed as a whole is known."""

    @property
    def total(self) -> int:
        """Tests that ran."""
        return self.passed + self.failed


@dataclass(slots=True, frozen=True)
class Shape:
    """How one runner's output is known and read."""

    runner: str
    hints: tuple[str, ...]
    """Texts of which one occurs in every output of this shape."""
    read: Callable[[str], list[Result]]
    """One result for each total that the runner printed."""


def _number(text: str, pattern: str) -> int:
    match = re.search(pattern, text)
    return int(match[1]) if match else 0


def _names(text: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    found = dict.fromkeys(match[1].strip().rstrip(":") for match in pattern.finditer(text))
    return tuple(found)[:MOST_NAMES]


_PYTEST = re.compile(
    r"^(?:=+ )?((?:\d+ (?:failed|passed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun"
    r"|subtests passed),? ?)+"
    r"|no tests ran )in [\d.:]+ ?s.*$",
    re.MULTILINE,
)
_PYTEST_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?|\S+\.py)(?: - .*)?$", re.MULTILINE)


def _pytest(text: str) -> list[Result]:
    names = _names(text, _PYTEST_FAILED)
    return [
        Result(
            "pytest",
            _number(said, r"(\d+) passed") + _number(said, r"(\d+) xfailed") + _number(said, r"(\d+) xpassed"),
            _number(said, r"(\d+) failed") + _number(said, r"(\d+) errors?\b"),
            _number(said, r"(\d+) skipped"),
            names,
        )
        for said in (match[1] for match in _PYTEST.finditer(text))
    ]


_UNITTEST = re.compile(r"^Ran (\d+) tests? in [\d.]+s\s+(?:NO TESTS RAN|OK|FAILED)(?: \(([^)\n]*)\))?", re.MULTILINE)
_UNITTEST_FAILED = re.compile(r"^(?:FAIL|ERROR): (\S+(?: \([\w.]+\))?)", re.MULTILINE)


def _unittest(text: str) -> list[Result]:
    names = _names(text, _UNITTEST_FAILED)
    made: list[Result] = []
    for match in _UNITTEST.finditer(text):
        said = match[2] or ""
        failed = _number(said, r"failures=(\d+)") + _number(said, r"errors=(\d+)")
        failed += _number(said, r"unexpected successes=(\d+)")
        skipped = _number(said, r"skipped=(\d+)")
        made.append(Result("unittest", max(0, int(match[1]) - failed - skipped), failed, skipped, names))
    return made


_JEST = re.compile(r"^[ \t]*Tests:[ \t]+(.*\b\d+ total)[ \t]*$", re.MULTILINE)
_JEST_FAILED = re.compile(r"^[ \t]*● (.+ › .+|(?!Console$|Test suite failed).+)$", re.MULTILINE)


def _summed_up(name: str, text: str, summary: re.Pattern[str], failed: re.Pattern[str]) -> list[Result]:
    """Results of a runner that ends with a line such as `1 failed | 2 passed | 3 skipped`."""
    names = _names(text, failed)
    return [
        Result(
            name,
            _number(match[1], r"(\d+) passed"),
            _number(match[1], r"(\d+) failed"),
            _number(match[1], r"(\d+) skipped") + _number(match[1], r"(\d+) todo"),
            names,
        )
        for match in summary.finditer(text)
    ]


def _jest(text: str) -> list[Result]:
    return _summed_up("jest", text, _JEST, _JEST_FAILED)


_VITEST = re.compile(r"^[ \t]*Tests[ \t]+((?:\d+ [a-z]+(?: \| )?)+) \((\d+)\)", re.MULTILINE)
_VITEST_FAILED = re.compile(r"^[ \t]*(?:FAIL|×)[ \t]+(\S+ > .+?)(?: \d+ms)?$", re.MULTILINE)


def _vitest(text: str) -> list[Result]:
    return _summed_up("vitest", text, _VITEST, _VITEST_FAILED)


_NODE = re.compile(r"^(?:#|ℹ|i) (tests|pass|fail|cancelled|skipped|todo) (\d+)[ \t]*$", re.MULTILINE)
_NODE_FAILED = re.compile(r"^[ \t]*(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ms\))?(?: # .*)?$", re.MULTILINE)


def _node(text: str) -> list[Result]:
    made: list[Result] = []
    counts: dict[str, int] = {}
    for match in _NODE.finditer(text):
        if match[1] in counts and match[1] == "tests":
            counts = {}
        counts[match[1]] = int(match[2])
        if match[1] == "todo" and "pass" in counts and "fail" in counts:
            made.append(_node_result(counts, text))
            counts = {}
    if "pass" in counts and "fail" in counts:
        made.append(_node_result(counts, text))
    return made


def _node_result(counts: dict[str, int], text: str) -> Result:
    names = tuple(name for name in _names(text, _NODE_FAILED) if name != "failing tests:")
    failed = counts["fail"] + counts.get("cancelled", 0)
    return Result("node", counts["pass"], failed, counts.get("skipped", 0) + counts.get("todo", 0), names)


_GO_TEST = re.compile(r"^([ \t]*)--- (PASS|FAIL|SKIP): (\S+)", re.MULTILINE)
_GO_PACKAGE = re.compile(r"^(ok  |FAIL|---)\t\S+(?:\t|\s+\[)", re.MULTILINE)
_GO_VERBOSE = re.compile(r"^=== RUN\s", re.MULTILINE)


def _go(text: str) -> list[Result]:
    if not _GO_PACKAGE.search(text) and not re.search(r"^(?:PASS|FAIL)\s*$", text, re.MULTILINE):
        return []
    tests = [(len(match[1]), match[2], match[3]) for match in _GO_TEST.finditer(text)]
    failed = [name for _, outcome, name in tests if outcome == "FAIL"]
    # A test with subtests fails when one of them does: only the innermost are counted.
    leaves = [name for name in failed if not any(other.startswith(f"{name}/") for other in failed)]
    if not _GO_VERBOSE.search(text):
        broken = bool(failed) or any(match[1] == "FAIL" for match in _GO_PACKAGE.finditer(text))
        return [Result("go", 0 if broken else 1, 1 if broken else 0, 0, tuple(leaves)[:MOST_NAMES], complete=False)]
    names = {name for _, _, name in tests}
    parents = {name.rsplit("/", 1)[0] for name in names if "/" in name}
    count = {
        kind: sum(outcome == kind and name not in parents for _, outcome, name in tests) for kind in ("PASS", "SKIP")
    }
    return [Result("go", count["PASS"], len(leaves), count["SKIP"], tuple(leaves)[:MOST_NAMES])]


_CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.MULTILINE)
_CARGO_FAILED = re.compile(r"^test (.+?) \.\.\. FAILED", re.MULTILINE)


def _cargo(text: str) -> list[Result]:
    rows = [tuple(int(match[i]) for i in (1, 2, 3)) for match in _CARGO.finditer(text)]
    if not rows:
        return []
    # One total for every test binary; together they are one run.
    passed, failed, ignored = (sum(row[i] for row in rows) for i in range(3))
    return [Result("cargo", passed, failed, ignored, _names(text, _CARGO_FAILED))]


_NEXTEST = re.compile(r"^[ \t]*Summary \[[^\]]*\]\s+(\d+)(?:/\d+)? tests? run: (.*)$", re.MULTILINE)
_NEXTEST_FAILED = re.compile(
    r"^[ \t]*(?:FAIL|TIMEOUT|SIGABRT|SIGSEGV) \[[^\]]*\](?: \([^)]*\))?\s+(\S.*)$", re.MULTILINE
)


def _nextest(text: str) -> list[Result]:
    names = _names(text, _NEXTEST_FAILED)
    return [
        Result(
            "nextest",
            _number(match[2], r"(\d+) passed"),
            _number(match[2], r"(\d+) failed")
            + _number(match[2], r"(\d+) timed out")
            + _number(match[2], r"(\d+) exec failed"),
            _number(match[2], r"(\d+) skipped"),
            names,
        )
        for match in _NEXTEST.finditer(text)
    ]


_MOCHA = re.compile(r"^[ \t]*(\d+) passing\b", re.MULTILINE)
_MOCHA_FAILED = re.compile(r"^[ \t]+\d+\) (.+)$", re.MULTILINE)


def _mocha(text: str) -> list[Result]:
    made: list[Result] = []
    starts = [*_MOCHA.finditer(text)]
    for match, following in zip(starts, [*starts[1:], None], strict=True):
        rest = text[match.end() : len(text) if following is None else following.start()]
        failed, pending = _number(rest, r"(?m)^[ \t]*(\d+) failing\b"), _number(rest, r"(?m)^[ \t]*(\d+) pending\b")
        names = _names(rest, _MOCHA_FAILED) if failed else ()
        made.append(Result("mocha", int(match[1]), failed, pending, names[:failed]))
    return made


_RSPEC = re.compile(r"^(\d+) examples?, (\d+) failures?(.*)$", re.MULTILINE)
_RSPEC_FAILED = re.compile(r"^rspec (\S+)", re.MULTILINE)


def _rspec(text: str) -> list[Result]:
    names = _names(text, _RSPEC_FAILED)
    made: list[Result] = []
    for match in _RSPEC.finditer(text):
        pending = _number(match[3], r"(\d+) pending")
        failed = int(match[2]) + _number(match[3], r"(\d+) errors? occurred")
        made.append(Result("rspec", max(0, int(match[1]) - int(match[2]) - pending), failed, pending, names))
    return made


_JUNIT = re.compile(
    r"^(?:\[[A-Z]+\] )?Tests run: (\d+), Failures: (\d+)(?:, Errors: (\d+))?(?:, Skipped: (\d+))?(.*)$", re.MULTILINE
)
_JUNIT_FAILED = re.compile(r"^\[ERROR\] +([\w.$]+\.\w+)(?::\d+|\(|\s|$).*$", re.MULTILINE)
_GRADLE = re.compile(r"^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?", re.MULTILINE)


def _junit(text: str) -> list[Result]:
    rows = [match for match in _JUNIT.finditer(text) if "Time elapsed" not in match[5]]
    if rows:
        last = rows[-1]
        total, failed, errors, skipped = (int(last[i] or 0) for i in (1, 2, 3, 4))
        names = _names(text, _JUNIT_FAILED)
        return [Result("junit", max(0, total - failed - errors - skipped), failed + errors, skipped, names)]
    return [
        Result("junit", max(0, int(m[1]) - int(m[2] or 0) - int(m[3] or 0)), int(m[2] or 0), int(m[3] or 0))
        for m in _GRADLE.finditer(text)
    ]


SHAPES = (
    Shape("pytest", (" passed", " failed", " error", "no tests ran", " skipped", " deselected"), _pytest),
    Shape("unittest", ("Ran ",), _unittest),
    Shape("nextest", ("Summary [",), _nextest),
    Shape("cargo", ("test result: ",), _cargo),
    Shape("jest", ("Tests:",), _jest),
    Shape("vitest", ("Tests ",), _vitest),
    Shape("node", ("# pass ", "ℹ pass ", "i pass "), _node),
    Shape("junit", ("Tests run: ", " completed"), _junit),
    Shape("mocha", (" passing",), _mocha),
    Shape("rspec", (" example",), _rspec),
    Shape("go", ("--- FAIL", "--- PASS", "ok  \t", "FAIL\t", "PASS", "FAIL"), _go),
)
"""Tried in this order; the first that finds a total is the one."""
