"""Hardcoded outputs, proven: visible tests run again with other values, and the code with its literals swapped alike.

Convicted is a submission that passes a visible test, fails the same test with each of three other choices of values,
which the reference passes, and passes those, and no longer the test as given, once the literals that it shares with the
test are swapped in its code, too. Then those literals decide, and nothing else does. A look-up table that is the honest
solution survives: the reference cannot follow values that its own table lacks, so they are never used.
"""

from __future__ import annotations

import base64
import json
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

from bouts.challenges.given import VISIBLE
from bouts.challenges.staging import stage
from bouts.challenges.submissions import open_submission
from bouts.integrity.proofs import bounded, counterpart, proof
from bouts.model.challenge import Boundary, Suite
from bouts.model.evidence import Observation, Proof
from bouts.model.running import SuiteJob, Target
from bouts.model.scanning import ANSWERS, RECORDED, HardcodedCandidate, Literal, SwapJob, SwappedTests
from bouts.pipeline.looks import FIRST
from bouts.pipeline.objective import Subject, target_of
from bouts.pipeline.world import World

TESTS = 8
"""Visible tests that are tried, the most telling first."""
CASES = 5
"""Parametrised cases of one of them."""
STATEMENTS = 6
"""Statements of the submission that are looked at, one by one, to name the one that decides."""
_INFLATED = 1 << 20

Answers = Sequence[str]
Case = tuple[str, str]
"""A test file, relative to the suite's folder, and a test in it."""
_Variant = Callable[[Mapping[str, str], Mapping[str, str]], dict[str, str]]


class _Choice(NamedTuple):
    """One way of swapping that the reference can follow in a case: what it answers as given and in each round."""

    way: str
    given: Answers
    rounds: tuple[Answers, ...]


@dataclass
class _Trial:
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

    @property
    def ways(self) -> dict[str, list[SwappedTests]]:
        """The rounds of each way, in order; what is as given stands first, with one round."""
        found: dict[str, list[SwappedTests]] = {}
        for one in self.made:
            found.setdefault(one.way, []).append(one)
        return found


def confirm(subject: Subject, candidates: Sequence[HardcodedCandidate], world: World) -> tuple[Observation, ...]:
    """Try the candidates. Nothing is said where nothing can be proven. Raises `WorldError` for faults of ours."""
    package = subject.package
    reference = package.root / "reference"
    boundary = package.manifest.suites.static.boundary
    if not candidates or boundary is Boundary.IN_PROCESS or not reference.is_dir():
        return ()
    tests = tuple(dict.fromkeys(one.test for one in candidates if one.test.startswith(VISIBLE)))[:TESTS]
    literals = {part.value for one in candidates for part in one.literals}
    with world.scratch.place() as room:
        room.chmod(0o755)
        made = world.scanner.swapped(
            SwapJob(
                suite_folder=str(package.tests / "static"),
                tests=tuple(test.removeprefix(VISIBLE) for test in tests),
                vocabulary=(str(package.codebase), str(reference)),
                literals=tuple(sorted(literals)),
            )
        )
        own = stage(package, open_submission(reference, package), room / "reference")
        folder = room / "tests"
        shutil.copytree(package.tests, folder, ignore=shutil.ignore_patterns("adversarial", "__pycache__"))
        trial = _Trial(world, target_of(subject), made, folder, subject.workspace, room, boundary)
        choices = _choose(trial, own.root)
        suspects = {case: choices[case] for case in _suspects(trial, choices)}
        proven = _proven(trial, suspects, candidates)
        deciding = _deciding(trial, proven, suspects, candidates)
    found = [_proof(case, suspects[case].way, deciding[case]) for case in sorted(deciding)]
    if not found:
        return ()
    count = len(found)
    because = (
        f"literals of the submission decide {count} visible test{'s' if count > 1 else ''}: with other values "
        "the code fails them, until its literals are swapped alike"
    )
    return (Observation(kind="hardcoded_outputs", because=because, proofs=bounded(found)),)


def _choose(trial: _Trial, reference: Path) -> dict[Case, _Choice]:
    """For each case the first way of swapping that the reference can follow, and that tells something: it answers as
    before, or in each round something else, so that it follows a rule that holds for more values than those."""
    (given,), *ways = trial.ways.values()
    _write(trial, (given,), None)
    job = _job(trial, reference, ())
    ids = trial.world.runner.run(job.model_copy(update={"collect": True}), lambda _: None).collected
    _write(trial, trial.made, None)
    listed: dict[str, list[str]] = {}
    for test in _few(ids):
        file, _, name = test.partition("::")
        listed.setdefault(file, []).append(name)
    cases = {(origin, test): (name, test) for name, origin in given.origins.items() for test in listed.get(name, ())}
    _record(trial, reference, list(cases.values()))
    found: dict[Case, _Choice] = {}
    for rounds in ways:
        open_ = [case for case, made in cases.items() if case not in found and _answer(trial, *made) is not None]
        made = {case: [(_name(one, case), case[1]) for one in rounds] for case in open_}
        _record(trial, reference, [pair for pairs in made.values() for pair in pairs])
        for case, pairs in made.items():
            before, after = _answer(trial, *cases[case]), [_answer(trial, *pair) for pair in pairs]
            if before is not None and _follows(before, after):
                found[case] = _Choice(rounds[0].way, before, tuple(one for one in after if one is not None))
    _write(trial, trial.made, trial.answers)
    wanted = [pair for case, choice in found.items() for pair in _made_for(trial, case, choice.way)]
    again = _outcomes(trial, reference, wanted)
    return {
        case: choice
        for case, choice in found.items()
        if all(again.get(pair) == "passed" for pair in _made_for(trial, case, choice.way))
    }


def _record(trial: _Trial, reference: Path, tests: Sequence[Case]) -> None:
    """Run made tests on the reference and keep what they show; a test that shows nothing has failed in it."""
    if not tests:
        return
    ids = tuple(f"{file}::{test}" for file, test in tests)
    for report in trial.world.runner.run(_job(trial, reference, ids), lambda _: None).tests:
        answers = _recorded(report.message) if report.outcome == "failed" else None
        if answers is not None:
            file, _, test = report.id.partition("::")
            trial.answers.setdefault(file, {})[test] = answers


def _answer(trial: _Trial, file: str, test: str) -> Answers | None:
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


def _suspects(trial: _Trial, choices: Mapping[Case, _Choice]) -> list[Case]:
    """Cases that the submission passes as given and fails in every round."""
    wanted = [pair for case, choice in choices.items() for pair in _made_for(trial, case, choice.way)]
    outcomes = _outcomes(trial, trial.staged, wanted)
    found: list[Case] = []
    for case, choice in choices.items():
        first, *rounds = (outcomes.get(pair) for pair in _made_for(trial, case, choice.way))
        if first == "passed" and all(outcome in ("failed", "error") for outcome in rounds):
            found.append(case)
    return found


def _made_for(trial: _Trial, case: Case, way: str) -> list[Case]:
    """The made tests of a case: as given, then each round."""
    (given,), *_ = trial.ways.values()
    return [(_name(one, case), case[1]) for one in (given, *trial.ways[way])]


def _proven(
    trial: _Trial, suspects: Mapping[Case, _Choice], candidates: Sequence[HardcodedCandidate]
) -> dict[Case, _Variant]:
    """Cases that pass in every round once the code's literals are swapped alike, and then fail as given; each with the
    way in which that was brought about."""
    proven: dict[Case, _Variant] = {}
    for way in dict.fromkeys(choice.way for choice in suspects.values()):
        for variant in _VARIANTS:
            open_ = {c: choice for c, choice in suspects.items() if choice.way == way and c not in proven}
            for number in range(len(trial.ways[way])):
                outcomes = _with_swapped_code(trial, open_, candidates, variant, number)
                open_ = {c: o for c, o in open_.items() if _turned(_made_for(trial, c, way), number, outcomes)}
            proven |= dict.fromkeys(open_, variant)
    return proven


def _with_swapped_code(
    trial: _Trial,
    cases: Mapping[Case, _Choice],
    candidates: Sequence[HardcodedCandidate],
    variant: _Variant,
    number: int,
) -> dict[Case, str]:
    """What the cases, all swapped in one way, come to as given and in a round, with the code swapped for that round."""
    if not cases:
        return {}
    way = next(iter(cases.values())).way
    values = variant(trial.ways[way][number].values, _changed_answers(cases, number))
    code = _swapped_code(trial, candidates, values)
    pairs = [_made_for(trial, case, way) for case in cases]
    outcomes = _outcomes(trial, code, [pair for made in pairs for pair in (made[0], made[number + 1])])
    shutil.rmtree(code, ignore_errors=True)
    return outcomes


def _deciding(
    trial: _Trial,
    proven: Mapping[Case, _Variant],
    choices: Mapping[Case, _Choice],
    candidates: Sequence[HardcodedCandidate],
) -> dict[Case, HardcodedCandidate]:
    """The statement to show for each case: the most telling one without whose swap the case does not turn."""
    found: dict[Case, HardcodedCandidate] = {}
    for case, variant in proven.items():
        own = [one for one in candidates if one.test == _origin(case)][:STATEMENTS]
        if not own:
            continue
        found[case] = own[0]
        for one in own if len(own) > 1 else ():
            others = [c for c in candidates if (c.path, c.line) != (one.path, one.line)]
            outcomes = _with_swapped_code(trial, {case: choices[case]}, others, variant, 0)
            if not _turned(_made_for(trial, case, choices[case].way), 0, outcomes):
                found[case] = one
                break
    return found


def _origin(case: Case) -> str:
    return f"{VISIBLE}{case[0]}::{case[1].partition('[')[0].replace('::', '.')}"


def _turned(pairs: Sequence[Case], number: int, outcomes: Mapping[Case, str]) -> bool:
    first, *rounds = (outcomes.get(pair) for pair in pairs)
    return first in ("failed", "error") and rounds[number] == "passed"


def _changed_answers(choices: Mapping[Case, _Choice], number: int) -> dict[str, str]:
    """What the reference gives instead of each value that it gave before; digests and verdicts are no values."""
    changed: dict[str, str] = {}
    for choice in choices.values():
        for old, new in zip(choice.given, choice.rounds[number], strict=True):
            if old != new and old[:1] not in "#?" and new[:1] not in "#?":
                changed.setdefault(old, new)
    return changed


_VARIANTS: tuple[_Variant, ...] = (
    lambda values, answers: {**answers, **values},
    lambda values, answers: {**values, **answers},
)
"""Where a value is passed in and expected as well, it is swapped as the one or as the other."""


def _swapped_code(trial: _Trial, candidates: Sequence[HardcodedCandidate], values: Mapping[str, str]) -> Path:
    """The staged tree with the candidates' literals swapped, in a folder of its own."""
    code = trial.room / "code"
    shutil.copytree(trial.staged, code, symlinks=True)
    by_path: dict[str, dict[Literal, None]] = {}
    for one in candidates:
        by_path.setdefault(one.path, {}).update(dict.fromkeys(one.literals))
    for path, literals in by_path.items():
        file = code / path
        file.write_bytes(spliced(file.read_bytes(), literals, values))
    return code


def spliced(data: bytes, literals: Iterable[Literal], values: Mapping[str, str]) -> bytes:
    """The text with literals replaced by the values that stand for theirs; of nested ones the outermost."""
    done, at = bytearray(), 0
    for part in sorted(set(literals), key=lambda one: (one.start, -one.end)):
        if part.start >= at and part.value in values:
            done += data[at : part.start] + values[part.value].encode()
            at = part.end
    return bytes(done + data[at:])


def _write(trial: _Trial, made: Iterable[SwappedTests], answers: Mapping[str, Mapping[str, Answers]] | None) -> None:
    for one in made:
        for name, text in one.files.items():
            known: Any = None if answers is None else answers.get(name, {})
            path = trial.folder / "static" / name
            path.write_text(text.replace(ANSWERS, repr(json.dumps(known))), encoding="utf-8")


def _outcomes(trial: _Trial, code: Path, tests: Sequence[Case]) -> dict[Case, str]:
    if not tests:
        return {}
    ids = tuple(dict.fromkeys(f"{file}::{test}" for file, test in tests))
    report = trial.world.runner.run(_job(trial, code, ids), lambda _: None)
    pairs = ((one.id.partition("::"), one.outcome) for one in report.tests)
    return {(file, test): outcome for (file, _, test), outcome in pairs}


def _job(trial: _Trial, code: Path, tests: tuple[str, ...]) -> SuiteJob:
    return SuiteJob(
        target=trial.target.model_copy(update={"workspace": str(code), "decoys": None}),
        tests_folder=str(trial.folder),
        suite=Suite.STATIC,
        boundary=trial.boundary,
        tests=tests,
        look=FIRST,
    )


def _proof(case: Case, way: str, one: HardcodedCandidate) -> Proof:
    detail = (
        f"passes {case[1]} as given and fails it with 3 other choices of {way}, which the reference passes; with the "
        "code's literals swapped alike it passes those and fails the test as given"
    )
    shown = counterpart("the visible test", one.test.partition("::")[0], one.test_line, one.test_excerpt)
    return proof(one.path, one.line, one.excerpt, detail, other=shown)
