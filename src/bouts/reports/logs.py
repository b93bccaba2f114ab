"""Console output of test runners, where it names each test on a line of its own."""

from __future__ import annotations

import re
from collections.abc import Callable

from bouts.model.reports import ReportedOutcome
from bouts.reports.collecting import Collector, lines_of, text_of

LINE = 2_000
"""Longer lines name no test."""
_SGR = re.compile(r"\x1b\[[\d;]{0,20}m", re.ASCII)
_STATE = re.compile(r" (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?=\Z|[ \t\[])")
_SUMMARY = re.compile(r"(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S+\.py::\S.*)")
_CARGO = re.compile(r"test (\S.{0,1000}?) \.\.\. (ok|FAILED|ignored)\b.*")
_GO = re.compile(r"[ \t]*--- (PASS|FAIL|SKIP): (\S+) \(([\d.]{1,20})s\)")
_UNITTEST = re.compile(r"(\w+ \([\w.]+\)) \.\.\. (ok|FAIL|ERROR|skipped|expected failure)\b.*")
_WORDS: dict[str, ReportedOutcome] = {
    **dict.fromkeys(("PASSED", "XPASS", "ok", "PASS"), "passed"),
    **dict.fromkeys(("FAILED", "FAIL"), "failed"),
    **dict.fromkeys(("SKIPPED", "XFAIL", "ignored", "SKIP", "skipped", "expected failure"), "skipped"),
    "ERROR": "error",
}

Told = tuple[str, ReportedOutcome, str | None]


def looks(data: bytes) -> bool:
    """Whether some line near the beginning names a test and how it went."""
    return any(_told(line) for line in text_of(data[:256_000]).splitlines())


def read(data: bytes, into: Collector) -> None:
    """Gather the lines that name a test. A test that is named on several lines of one outcome is told once, as runners
    repeat themselves in summaries. Raises `Unreadable`."""
    seen: dict[str, ReportedOutcome] = {}
    for line in lines_of(data):
        told = _told(line)
        if told is not None and seen.get(told[0]) != told[1]:
            seen[told[0]] = told[1]
            into.test(*told)


def _told(line: str) -> Told | None:
    line = _SGR.sub("", line[: LINE + 1]).rstrip()
    if len(line) > LINE:
        return None
    return next((told for shape in _SHAPES if (told := shape(line)) is not None), None)


def _pytest(line: str) -> Told | None:
    if ".py::" not in line:
        return None
    state = _STATE.search(line)
    if state and ".py::" in line[: state.start()].partition(" ")[0]:
        return line[: state.start()].strip(), _WORDS[state[1]], None
    summed = _SUMMARY.fullmatch(line)
    return (summed[2].partition(" - ")[0].strip(), _WORDS[summed[1]], None) if summed else None


def _cargo(line: str) -> Told | None:
    found = _CARGO.fullmatch(line) if line.startswith("test ") else None
    return (found[1], _WORDS[found[2]], None) if found else None


def _go(line: str) -> Told | None:
    found = _GO.fullmatch(line) if "--- " in line else None
    return (found[2], _WORDS[found[1]], found[3]) if found else None


def _unittest(line: str) -> Told | None:
    found = _UNITTEST.fullmatch(line) if ") ... " in line else None
    return (found[1], _WORDS[found[2]], None) if found else None


_SHAPES: tuple[Callable[[str], Told | None], ...] = (_pytest, _cargo, _go, _unittest)
