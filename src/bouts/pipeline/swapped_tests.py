"""Visible tests with other values, run on the reference and on a submission: what proof of hardcoding is made of."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

from bouts.model.base import Fact
from bouts.model.challenge import Boundary, Suite
from bouts.model.records import digest
from bouts.model.running import SuiteJob, SuiteReport, Target
from bouts.model.scanning import ANSWERS, RECORDED, SwappedTests
from bouts.pipeline.looks import FIRST
from bouts.pipeline.world import World

CASES = 5
"""Parametrised cases of one visible test that are tried."""
_INFLATED = 1 << 20

Answers = Sequence[str]
Case = tuple[str, str]
"""A test file, relative to the suite's folder, and a test in it."""


class Choice(NamedTuple):
    """One way of swapping that the reference can follow in a case: what it answers as given and in each round."""

    way: str
    given: Answers
    rounds: tuple[Answers, ...]


@dataclass
class Trial:
    """One submission that is tried."""

    world: World
    target: Target
    made: tuple[SwappedTests, ...]
    folder: Path
    """Holds the made tests."""
    staged: Path
    room: Path
    boundary: Boundary
    answers: dict[str, dict[str, Answers]] = field(default_factory=dict[str, dict[str, Answers]])
    """What the reference showed, by made file and test."""
    spoiled: bool = False
    """Whether faults of ours kept something from being seen."""

    @property
    def ways(self) -> dict[str, list[SwappedTests]]:
        """The rounds of each way, in order; what is as given stands first, with one round."""
        found: dict[str, list[SwappedTests]] = {}
        for one in self.made:
            found.setdefault(one.way, []).append(one)
        return found


class _Kept(Fact):
    """What the reference showed, kept for the next submission: nothing of it depends on who is tried."""

    choices: tuple[tuple[str, str, str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]
    """File, test, way, what the reference shows as given, and in each round."""
    answers: dict[str, dict[str, tuple[str, ...]]]


def choose(trial: Trial, reference: Path, made_from: Mapping[str, object]) -> dict[Case, Choice]:
    """For each case the first way of swapping that the reference can follow, as it was found for an earlier submission
    where that is known; the made tests are then ready to be run. `made_from` is what package and reference are told by.
    """
    target = trial.target.model_copy(update={"workspace": "", "decoys": None})
    key = digest(
        {
            "step": "other values of visible tests",
            "from": made_from,
            "tests": [[one.way, one.round, one.files, one.origins] for one in trial.made],
            "target": target.model_dump(mode="json"),
            "boundary": trial.boundary.value,
            "grader": trial.world.grader,
        }
    )
    known = trial.world.cache.get(key)
    if known is not None:
        kept = _Kept.model_validate(known)
        trial.answers.update({file: dict(tests) for file, tests in kept.answers.items()})
        _write(trial, trial.made, trial.answers)
        return {(file, test): Choice(way, given, rounds) for file, test, way, given, rounds in kept.choices}
    found = _choose(trial, reference)
    if not trial.spoiled:
        rows = tuple((*case, one.way, tuple(one.given), tuple(map(tuple, one.rounds))) for case, one in found.items())
        answers = {file: {test: tuple(seen) for test, seen in tests.items()} for file, tests in trial.answers.items()}
        trial.world.cache.put(key, _Kept(choices=rows, answers=answers).model_dump(mode="json"))
    return found


def _choose(trial: Trial, reference: Path) -> dict[Case, Choice]:
    """For each case the first way of swapping that the reference can follow, and that tells something: it answers as
    before, or in each round something else, so that it follows a rule that holds for more values than those."""
    (given,), *ways = trial.ways.values()
    _write(trial, (given,), None)
    job = _job(trial, reference, ())
    ids = _ran(trial, job.model_copy(update={"collect": True})).collected
    _write(trial, trial.made, None)
    listed: dict[str, list[str]] = {}
    for test in _few(ids):
        file, _, name = test.partition("::")
        listed.setdefault(file, []).append(name)
    cases = {(origin, test): (name, test) for name, origin in given.origins.items() for test in listed.get(name, ())}
    _record(trial, reference, list(cases.values()))
    found: dict[Case, Choice] = {}
    for rounds in ways:
        open_ = [case for case, made in cases.items() if case not in found and _answer(trial, *made) is not None]
        made = {case: [(_name(one, case), case[1]) for one in rounds] for case in open_}
        _record(trial, reference, [pair for pairs in made.values() for pair in pairs])
        for case, pairs in made.items():
            before, after = _answer(trial, *cases[case]), [_answer(trial, *pair) for pair in pairs]
            if before is not None and _follows(before, after):
                found[case] = Choice(rounds[0].way, before, tuple(one for one in after if one is not None))
    _write(trial, trial.made, trial.answers)
    wanted = [pair for case, choice in found.items() for pair in made_for(trial, case, choice.way)]
    again = outcomes_of(trial, reference, wanted)
    return {
        case: choice
        for case, choice in found.items()
        if all(again.get(pair) == "passed" for pair in made_for(trial, case, choice.way))
    }


def _record(trial: Trial, reference: Path, tests: Sequence[Case]) -> None:
    """Run made tests on the reference and keep what they show; a test that shows nothing has failed in it."""
    if not tests:
        return
    ids = tuple(f"{file}::{test}" for file, test in tests)
    for report in _ran(trial, _job(trial, reference, ids)).tests:
        answers = _recorded(report.message) if report.outcome == "failed" else None
        if answers is not None:
            file, _, test = report.id.partition("::")
            trial.answers.setdefault(file, {})[test] = answers


def _answer(trial: Trial, file: str, test: str) -> Answers | None:
    return trial.answers.get(file, {}).get(test)


def _name(one: SwappedTests, case: Case) -> str:
    return next((name for name, origin in one.origins.items() if origin == case[0]), "")


def _few(ids: Iterable[str]) -> Iterator[str]:
    """The first cases of each test function."""
    seen: dict[str, int] = {}
    for test in ids:
        function = test.partition("[")[0]
        seen[function] = seen.get(function, 0) + 1
        if seen[function] <= CASES:
            yield test


def _recorded(message: str) -> Answers | None:
    _, mark, rest = message.partition(RECORDED)
    if not mark:
        return None
    try:
        text = zlib.decompressobj().decompress(base64.b64decode(rest.partition(" ")[0], validate=True), _INFLATED)
        answers = json.loads(text)
    except (ValueError, zlib.error):
        return None
    return cast("list[str]", answers) if isinstance(answers, list) else None


def _follows(before: Answers, rounds: Sequence[Answers | None]) -> bool:
    seen = [one for one in rounds if one is not None and len(one) == len(before)]
    if len(seen) < len(rounds):
        return False
    return all(len(set(values)) in (1, len(values)) for values in zip(before, *seen, strict=True))


def made_for(trial: Trial, case: Case, way: str) -> list[Case]:
    """The made tests of a case: as given, then each round."""
    (given,), *_ = trial.ways.values()
    return [(_name(one, case), case[1]) for one in (given, *trial.ways[way])]


def _write(trial: Trial, made: Iterable[SwappedTests], answers: Mapping[str, Mapping[str, Answers]] | None) -> None:
    for one in made:
        for name, text in one.files.items():
            known: Any = None if answers is None else answers.get(name, {})
            path = trial.folder / "static" / name
            path.write_text(text.replace(ANSWERS, repr(json.dumps(known))), encoding="utf-8")


def outcomes_of(trial: Trial, code: Path, tests: Sequence[Case]) -> dict[Case, str]:
    """How made tests end on some code."""
    if not tests:
        return {}
    ids = tuple(dict.fromkeys(f"{file}::{test}" for file, test in tests))
    report = _ran(trial, _job(trial, code, ids))
    pairs = ((one.id.partition("::"), one.outcome) for one in report.tests)
    return {(file, test): outcome for (file, _, test), outcome in pairs}


def _ran(trial: Trial, job: SuiteJob) -> SuiteReport:
    report = trial.world.runner.run(job, lambda _: None)
    trial.spoiled = trial.spoiled or bool(report.faults) or any(t.outcome == "infrastructure" for t in report.tests)
    return report


def _job(trial: Trial, code: Path, tests: tuple[str, ...]) -> SuiteJob:
    return SuiteJob(
        target=trial.target.model_copy(update={"workspace": str(code), "decoys": None}),
        tests_folder=str(trial.folder),
        suite=Suite.STATIC,
        boundary=trial.boundary,
        tests=tests,
        look=FIRST,
    )
