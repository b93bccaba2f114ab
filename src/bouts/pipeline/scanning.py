"""What the scanner is asked to read."""

from __future__ import annotations

from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree
from bouts.challenges.submissions import Submission
from bouts.model.constraints import Constraint, OnlyFiles
from bouts.model.scanning import ScanJob
from bouts.pipeline.world import World

VISIBLE = "tests/static/"
SUPPORT = "tests/support/"


def deletes(submission: Submission) -> bool:
    """Whether what was not handed in is deleted."""
    return submission.source == "patch" or submission.manifest.complete


def scan_job(package: Package, submission: Submission, staged: StagedTree, world: World) -> ScanJob:
    """Everything that reading the code takes."""
    tests = {
        path: package.read(source) for path, source in package.given.items() if path.startswith((VISIBLE, SUPPORT))
    }
    handed_in = {path: data for path, data in staged.handed_in.items() if path.startswith((VISIBLE, SUPPORT))}
    reference = package.root / "reference"
    return ScanJob(
        given=str(package.codebase),
        staged=str(staged.root),
        changed=(*staged.changed, *staged.deleted),
        package_tests=tests,
        handed_in_tests={**{p: d for p, d in tests.items() if p not in submission.deleted}, **handed_in},
        deletions_count=deletes(submission),
        reference=str(reference) if reference.is_dir() else "",
        constraints=_constraints(package),
        added_dependencies=tuple(
            name for name in staged.facts.added_dependencies or () if name not in package.manifest.dependencies
        ),
        allowed_packages=_allowed(package, world),
    )


def _constraints(package: Package) -> tuple[Constraint, ...]:
    """The declared constraints; a deliverable may be written whatever files are to be left alone."""
    written = tuple(part.path for part in package.manifest.deliverables)
    return tuple(
        one.model_copy(update={"files": (*one.files, *written)}) if isinstance(one, OnlyFiles) else one
        for one in package.manifest.constraints
    )


def _allowed(package: Package, world: World) -> tuple[str, ...]:
    """Packages that may be used, and modules that the challenge's environment holds."""
    if not any(one.kind == "no_new_dependency" for one in package.manifest.constraints):
        return ()
    folder = world.environment_of(package)
    modules = sorted(path.name.removesuffix(".py") for path in folder.iterdir()) if folder else []
    return (*package.manifest.dependencies, *modules)
