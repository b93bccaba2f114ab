"""What of a submission is compared with others: the source files that it adds or changes, as they are staged."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree, stage
from bouts.challenges.submissions import open_submission
from bouts.model.evidence import Notice, Observation
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.ports import Similarities

REFERENCE = "the package's reference solution"


@dataclass(frozen=True)
class Compared:
    """One submission, ready for the index."""

    task: str
    files: Mapping[str, bytes]
    given: Mapping[str, bytes]
    """Codebase and visible tests: what everybody was given."""
    agent: str | None
    label: str


Seen = tuple[tuple[Observation, ...], tuple[Notice, ...]]
Compare = Callable[[Package, Compared], Seen]
"""Adds a submission to an index and says whether it is a copy."""


def compared(package: Package, path: Path, agent: str | None = None) -> Compared:
    """Read a submission as scoring would stage it. `agent` wins over the submission's own manifest. Raises as
    `open_submission` and `stage` do."""
    submission = open_submission(path, package)
    with tempfile.TemporaryDirectory(prefix="compared-") as folder:
        return of_staged(package, stage(package, submission, Path(folder) / "work"), path, agent)


def of_staged(package: Package, staged: StagedTree, path: Path, agent: str | None) -> Compared:
    """The same for a submission that is staged already."""
    files = {name: (staged.root / name).read_bytes() for name in staged.changed}
    return Compared(package.manifest.id, files, given(package), agent or staged.facts.agent, path.name or str(path))


def given(package: Package) -> dict[str, bytes]:
    """What everybody was given, by path."""
    return {path: package.read(source) for path, source in package.given.items()}


def reference(package: Package) -> Mapping[str, bytes] | None:
    """The reference's own files, which are a known solution; `None` where the package has none."""
    folder = package.root / "reference"
    return compared(package, folder).files if folder.is_dir() else None


def judged(index: Similarities, package: Package, item: Compared) -> Seen:
    """Add a submission to an index and compare it with what was there, by the thresholds of the four-judge policy.

    Where its agent is not known it is left out, as it could be compared with its own earlier runs.
    """
    if item.agent is None:
        return (), (_left_out("The submission names no agent, so it was compared with nobody's."),)
    if not any(index.reads(path) for path in item.files):
        return (), (_left_out("The submission changes no source code in a language that can be compared."),)
    ours = reference(package)
    if ours:
        index.add(item.task, ours, agent=None, label=REFERENCE, given=item.given)
    number = index.add(item.task, item.files, agent=item.agent, label=item.label, given=item.given).named.number
    table = FOUR_JUDGE_1.integrity
    seen, _ = index.judge(item.task, number, similarity=table.similarity, percentile=table.similarity_percentile)
    return (() if seen is None else (seen,)), ()


def _left_out(why: str) -> Notice:
    return Notice(kind="similarity_not_judged", why=why)
