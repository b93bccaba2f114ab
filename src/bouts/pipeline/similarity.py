"""What of a submission is compared with others: the source files that it adds or changes, as they are staged."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.staging import stage
from bouts.challenges.submissions import open_submission

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


def compared(package: Package, path: Path, agent: str | None = None) -> Compared:
    """Read a submission as scoring would stage it. `agent` wins over the submission's own manifest. Raises as
    `open_submission` and `stage` do."""
    submission = open_submission(path, package)
    with tempfile.TemporaryDirectory(prefix="compared-") as folder:
        staged = stage(package, submission, Path(folder) / "work")
        files = {name: (staged.root / name).read_bytes() for name in staged.changed}
    return Compared(
        package.manifest.id, files, given(package), agent or submission.manifest.agent, path.name or str(path)
    )


def given(package: Package) -> dict[str, bytes]:
    """What everybody was given, by path."""
    return {path: package.read(source) for path, source in package.given.items()}


def reference(package: Package) -> Mapping[str, bytes] | None:
    """The reference's own files, which are a known solution; `None` where the package has none."""
    folder = package.root / "reference"
    return compared(package, folder).files if folder.is_dir() else None
