"""A small challenge of several kinds of task, and a world to try submissions to it in."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from several_tasks import MANIFEST, REFERENCE, STUBS, VISIBLE

from bouts import assemble
from bouts.challenges.reading import Package, read_challenge
from bouts.challenges.staging import StagedTree, stage
from bouts.challenges.submissions import open_submission
from bouts.errors import BoutsError
from bouts.model.evidence import Observation
from bouts.model.scanning import ScanJob
from bouts.pipeline.hardcoding import Confirmed, confirm
from bouts.pipeline.objective import Subject
from bouts.pipeline.scripts import ScriptsRun, run_scripts
from bouts.pipeline.world import World


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    patch = pytest.MonkeyPatch()
    for name in ("BOUTS_HOME", "BOUTS_SCRATCH"):
        patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
    with contextlib.ExitStack() as end:
        try:
            made = end.enter_context(assemble.world())
        except BoutsError as error:
            pytest.skip(f"no sandbox works here: {error}")
        yield made
    patch.undo()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("several") / "several-tasks"
    for path, text in {
        "challenge.yaml": MANIFEST,
        "codebase/work.py": STUBS,
        "reference/work.py": REFERENCE,
        "tests/static/unit/test_work.py": VISIBLE,
        "tests/adversarial/input/test_more.py": "def test_nothing():\n    pass\n",
    }.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def package(folder: Path) -> Package:
    return read_challenge(folder)


@contextlib.contextmanager
def staged_submission(package: Package, world: World, text: str, place: Path) -> Iterator[tuple[Subject, StagedTree]]:
    """A submission with one file, staged."""
    handed = place / "submission"
    handed.mkdir()
    (handed / "work.py").write_text(text, encoding="utf-8")
    with world.scratch.place() as room:
        staged = stage(package, open_submission(handed, package), room / "work")
        yield Subject(package, staged.root, staged.digest, None, "submission"), staged
    shutil.rmtree(handed)


def confirmed(package: Package, world: World, text: str, tests: str, place: Path) -> Confirmed:
    """What comes of the literals that a submission shares with the visible tests."""
    with staged_submission(package, world, text, place) as (subject, staged):
        shown: Mapping[str, bytes] = {"tests/static/unit/test_work.py": tests.encode()}
        job = ScanJob(
            given=str(package.codebase),
            staged=str(staged.root),
            changed=("work.py",),
            package_tests=dict(shown),
            handed_in_tests=dict(shown),
            reference=str(package.root / "reference"),
        )
        return confirm(subject, world.scanner.scan(job).candidates, world)


@pytest.fixture
def convict(package: Package, world: World, tmp_path: Path) -> Callable[[str], tuple[Observation, ...]]:
    def run(text: str) -> tuple[Observation, ...]:
        found = confirmed(package, world, text, VISIBLE, tmp_path)
        assert found.notices == ()
        return found.observations

    return run


@pytest.fixture
def confirm_with(folder: Path, world: World, tmp_path: Path) -> Callable[..., Confirmed]:
    def run(text: str, *, reference: str, tests: str, manifest: str = MANIFEST) -> Confirmed:
        """The same in a challenge with another reference and other visible tests."""
        root = tmp_path / "several-tasks"
        shutil.copytree(folder, root)
        (root / "challenge.yaml").write_text(manifest, encoding="utf-8")
        (root / "reference" / "work.py").write_text(reference, encoding="utf-8")
        (root / "tests" / "static" / "unit" / "test_work.py").write_text(tests, encoding="utf-8")
        return confirmed(read_challenge(root), world, text, tests, tmp_path)

    return run


@pytest.fixture
def run_script(folder: Path, world: World, tmp_path: Path) -> Callable[[str, str], ScriptsRun]:
    def run(program: str, text: str) -> ScriptsRun:
        """Run a program of the author's over a submission."""
        root = tmp_path / "several-tasks"
        shutil.copytree(folder, root)
        (root / "constraints").mkdir()
        (root / "constraints" / "rule.py").write_text(program, encoding="utf-8")
        rule = "constraints: [{kind: script, says: no prints, path: constraints/rule.py, seconds: 3}]\n"
        (root / "challenge.yaml").write_text(MANIFEST + rule, encoding="utf-8")
        with staged_submission(read_challenge(root), world, text, tmp_path) as (subject, staged):
            return run_scripts(subject, staged, world)

    return run
