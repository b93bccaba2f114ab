"""Hardcoded outputs, proven: visible tests run again with other values, and the code with its literals swapped alike.

Convicted is a submission that passes a visible test, fails the same test with each of three other choices of values,
which the reference passes, and passes those, and no longer the test as given, once the literals that it shares with the
test are swapped in its code, too. Then those literals decide, and nothing else does. A look-up table that is the honest
solution survives: the reference cannot follow values that its own table lacks, so they are never used.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bouts.challenges.given import VISIBLE
from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree, stage
from bouts.challenges.submissions import open_submission
from bouts.integrity.proofs import bounded, counterpart, proof
from bouts.model.challenge import Boundary
from bouts.model.evidence import Notice, Observation, Proof
from bouts.model.scanning import HardcodedCandidate, Literal, SwapJob
from bouts.pipeline.limits import OutOfTime
from bouts.pipeline.objective import Subject, target_of
from bouts.pipeline.swapped_tests import Case, Choice, Trial, choose, made_for, outcomes_of
from bouts.pipeline.world import World

TESTS = 8
"""Visible tests that are tried, the most telling first."""
STATEMENTS = 6
"""Statements of the submission that are looked at, one by one, to name the one that decides."""

_Variant = Callable[[Mapping[str, str], Mapping[str, str]], dict[str, str]]


class Confirmed(NamedTuple):
    """What came of the candidates."""

    observations: tuple[Observation, ...] = ()
    notices: tuple[Notice, ...] = ()
    """Says that the experiment was not possible, where it was for none of the tests in question."""
    late: bool = False
    """Whether time was up before all was tried; what was proven by then is proven."""


def confirm(subject: Subject, candidates: Sequence[HardcodedCandidate], world: World) -> Confirmed:
    """Try the candidates. Nobody is convicted where nothing can be proven. Raises `WorldError` for faults of ours."""
    package = subject.package
    reference = package.root / "reference"
    boundary = package.manifest.suites.static.boundary
    if not candidates:
        return Confirmed()
    shared = boundary is Boundary.IN_PROCESS
    if shared or not reference.is_dir():
        why = "the visible tests share a process with the code" if shared else ""
        return _unmeasured(why or "there is no reference that could answer other values")
    tests = tuple(dict.fromkeys(one.test for one in candidates if one.test.startswith(VISIBLE)))[:TESTS]
    literals = {part.value for one in candidates for part in one.literals}
    with world.scratch.place() as room:
        room.chmod(0o755)
        named = tuple(test.removeprefix(VISIBLE) for test in tests)
        made = world.scanner.swapped(_swap_job(package, named, tuple(sorted(literals))))
        own = stage(package, open_submission(reference, package), room / "reference")
        trial = Trial(world, target_of(subject), made, _tests_in(room, package), subject.workspace, room, boundary)
        try:
            choices = choose(trial, own.root, _made_from(package, own))
            if not any(_varied(trial, case, choice, candidates) for case, choice in choices.items()):
                return _unmeasured(
                    f"{len(tests)} visible test{'s' if len(tests) > 1 else ''} looked at, and none can be run with "
                    "other values that the reference answers"
                )
            suspects = {case: choices[case] for case in _suspects(trial, choices)}
        except OutOfTime:
            return Confirmed(late=True)
        proven: dict[Case, _Variant] = {}
        late = False
        try:
            _prove(trial, suspects, candidates, proven)
        except OutOfTime:
            late = True
        deciding = _deciding(trial, proven, suspects, candidates)
    found = [_proof(case, suspects[case].way, deciding[case]) for case in sorted(deciding)]
    if not found:
        return Confirmed(late=late)
    count = len(found)
    because = (
        f"literals of the submission decide {count} visible test{'s' if count > 1 else ''}: with other values "
        "the code fails them, until its literals are swapped alike"
    )
    return Confirmed((Observation(kind="hardcoded_outputs", because=because, proofs=bounded(found)),), late=late)


def not_varied(package: Package, world: World) -> tuple[str, ...]:
    """Visible tests, as functions, none of whose cases can be run with other values that the reference answers: that an
    answer is hardcoded for them could not be proven. Empty where there is nothing to try. Raises `WorldError`."""
    reference, inventory = package.root / "reference", package.inventory
    boundary = package.manifest.suites.static.boundary
    if inventory is None or boundary is Boundary.IN_PROCESS or not reference.is_dir():
        return ()
    functions = dict.fromkeys(_function(*test.split("::", 1)) for test in inventory.static)
    varied: set[str] = set()
    names = list(functions)
    with world.scratch.place() as place:
        place.chmod(0o755)
        own = stage(package, open_submission(reference, package), place / "reference")
        target = target_of(Subject(package, own.root, own.digest, world.environment_of(package), "reference"))
        for first in range(0, len(names), TESTS):
            with world.scratch.place() as room:
                room.chmod(0o755)
                made = world.scanner.swapped(_swap_job(package, tuple(names[first : first + TESTS]), ()))
                trial = Trial(world, target, made, _tests_in(room, package), own.root, room, boundary)
                varied |= {_function(*case) for case in choose(trial, own.root, _made_from(package, own))}
    return tuple(name for name in names if name not in varied)


def _swap_job(package: Package, tests: tuple[str, ...], literals: tuple[str, ...]) -> SwapJob:
    return SwapJob(
        suite_folder=str(package.tests / "static"),
        tests=tests,
        vocabulary=(str(package.codebase), str(package.root / "reference")),
        literals=literals,
    )


def _tests_in(room: Path, package: Package) -> Path:
    folder = room / "tests"
    shutil.copytree(package.tests, folder, ignore=shutil.ignore_patterns("adversarial", "__pycache__"))
    return folder


def _made_from(package: Package, own: StagedTree) -> dict[str, object]:
    return {"challenge": package.digest, "reference": own.digest}


def _unmeasured(why: str) -> Confirmed:
    """Code has literals of the visible tests, which proves nothing, and what would prove something is not possible."""
    said = f"whether outputs are hardcoded was not measured, though code holds literals of visible tests: {why}"
    return Confirmed(notices=(Notice(kind="hardcoding_unmeasured", why=said),))


def _varied(trial: Trial, case: Case, choice: Choice, candidates: Sequence[HardcodedCandidate]) -> bool:
    """Whether any literal that the submission shares with the test gets another value in it."""
    values = trial.ways[choice.way][0].values
    return any(part.value in values for one in candidates if one.test == _origin(case) for part in one.literals)


def _suspects(trial: Trial, choices: Mapping[Case, Choice]) -> list[Case]:
    """Cases that the submission passes as given and fails in every round."""
    wanted = [pair for case, choice in choices.items() for pair in made_for(trial, case, choice.way)]
    outcomes = outcomes_of(trial, trial.staged, wanted)
    found: list[Case] = []
    for case, choice in choices.items():
        first, *rounds = (outcomes.get(pair) for pair in made_for(trial, case, choice.way))
        if first == "passed" and all(outcome in ("failed", "error") for outcome in rounds):
            found.append(case)
    return found


def _prove(
    trial: Trial,
    suspects: Mapping[Case, Choice],
    candidates: Sequence[HardcodedCandidate],
    proven: dict[Case, _Variant],
) -> None:
    """Add cases that pass in every round once the code's literals are swapped alike, and then fail as given; each with
    the way in which that was brought about."""
    for way in dict.fromkeys(choice.way for choice in suspects.values()):
        for variant in _VARIANTS:
            open_ = {c: choice for c, choice in suspects.items() if choice.way == way and c not in proven}
            for number in range(len(trial.ways[way])):
                outcomes = _with_swapped_code(trial, open_, candidates, variant, number)
                open_ = {c: o for c, o in open_.items() if _turned(made_for(trial, c, way), number, outcomes)}
            proven |= dict.fromkeys(open_, variant)


def _with_swapped_code(
    trial: Trial,
    cases: Mapping[Case, Choice],
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
    pairs = [made_for(trial, case, way) for case in cases]
    outcomes = outcomes_of(trial, code, [pair for made in pairs for pair in (made[0], made[number + 1])])
    shutil.rmtree(code, ignore_errors=True)
    return outcomes


def _deciding(
    trial: Trial,
    proven: Mapping[Case, _Variant],
    choices: Mapping[Case, Choice],
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
            try:
                outcomes = _with_swapped_code(trial, {case: choices[case]}, others, variant, 0)
            except OutOfTime:
                break
            if not _turned(made_for(trial, case, choices[case].way), 0, outcomes):
                found[case] = one
                break
    return found


def _origin(case: Case) -> str:
    return f"{VISIBLE}{_function(*case)}"


def _function(file: str, test: str) -> str:
    return f"{file}::{test.partition('[')[0].replace('::', '.')}"


def _turned(pairs: Sequence[Case], number: int, outcomes: Mapping[Case, str]) -> bool:
    first, *rounds = (outcomes.get(pair) for pair in pairs)
    return first in ("failed", "error") and rounds[number] == "passed"


def _changed_answers(choices: Mapping[Case, Choice], number: int) -> dict[str, str]:
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


def _swapped_code(trial: Trial, candidates: Sequence[HardcodedCandidate], values: Mapping[str, str]) -> Path:
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


def _proof(case: Case, way: str, one: HardcodedCandidate) -> Proof:
    detail = (
        f"passes {case[1]} as given and fails it with 3 other choices of {way}, which the reference passes; with the "
        "code's literals swapped alike it passes those and fails the test as given"
    )
    shown = counterpart("the visible test", one.test.partition("::")[0], one.test_line, one.test_excerpt)
    return proof(one.path, one.line, one.excerpt, detail, other=shown)
