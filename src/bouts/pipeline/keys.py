"""What the steps of a submission are made from: the content keys under which their results are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree
from bouts.challenges.submissions import Submission
from bouts.errors import BadFile
from bouts.model.records import digest
from bouts.pipeline.scanning import deletes
from bouts.pipeline.steps import MadeFrom
from bouts.pipeline.world import World


def code(world: World, package: Package, submission: str) -> MadeFrom:
    """What running code is made from: the digest of what was staged, the challenge, and where it is run."""
    return {
        "challenge": package.digest,
        "submission": submission,
        "environment": world.facts(package).model_dump(mode="json"),
    }


def environment(world: World, package: Package) -> str:
    """Digest of all that is known of where a challenge is run."""
    return digest(world.facts(package).model_dump(mode="json"))


def read_code(world: World, package: Package, submission: Submission, staged: StagedTree) -> MadeFrom:
    """What reading code is made from; what was handed in and not staged counts as well."""
    return {
        **code(world, package, staged.digest),
        "handed_in": staged.handed_in_digest,
        "deletions": deletes(submission),
    }


def session(files: Iterable[Path]) -> MadeFrom:
    """What a session is made from: the files that its transcript consists of. Raises `BadFile`."""
    return {"files": [[path.name, _digest(path)] for path in files]}


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadFile(f"the transcript cannot be read: {error.strerror}", where=str(path)) from error
