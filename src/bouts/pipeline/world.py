"""Everything that the pipeline reaches the world through, picked by `assemble`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bouts.challenges.python import too_old
from bouts.challenges.reading import Package
from bouts.errors import WorldError
from bouts.model.evidence import EnvironmentFacts
from bouts.model.session import Session
from bouts.pipeline.cache import Cache
from bouts.pipeline.dependencies import install
from bouts.pipeline.scratch import Scratch
from bouts.ports import Runner, Sandboxes, Scanner
from bouts.settings import Settings

NEWER = "run Bouts with a newer Python; where the challenge does not need it, lower `environment.python`"


@dataclass(frozen=True)
class World:
    """The ports of this run."""

    settings: Settings
    sandboxes: Sandboxes
    runner: Runner
    scanner: Scanner
    read_transcript: Callable[[Path], Session]
    machine: EnvironmentFacts
    """What is known of this machine; the challenge's part is filled in for each evidence."""
    cache: Cache
    scratch: Scratch
    decoys: Path | None
    transcript_files: Callable[[Path], tuple[Path, ...]] = lambda path: (path,)
    """The files that a transcript may be read from: itself, and what lies beside it."""
    transcript_format: Callable[[Path], tuple[str, int] | None] = lambda path: None
    """The format of a file by its content, and how sure that is from 0 to 100; `None` where it is no transcript."""

    @property
    def grader(self) -> str:
        """Digest of Bouts' own code: what another grader measured is measured again."""
        return _grader()

    def environment_of(self, package: Package) -> Path | None:
        """The installed dependencies of a challenge, installed now if need be.

        Raises `WorldError` where this machine's Python is too old for the challenge, and as `install` does.
        """
        old = too_old(package.manifest.environment)
        if old is not None:
            raise WorldError(old, where=str(package.root), hint=NEWER)
        lock = package.manifest.environment.lock
        return install(package.root / lock, self.settings.environments) if lock else None

    def facts(self, package: Package) -> EnvironmentFacts:
        """Where evidence about this challenge is gathered."""
        return self.machine.model_copy(
            update={"dependencies_digest": package.dependencies_digest, "rubric_digest": package.rubric_digest}
        )


@cache
def _grader() -> str:
    root = Path(__file__).resolve().parent.parent
    whole = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        if relative.parts[0] not in ("cli", "web", "render", "_challenges"):
            whole.update(f"{relative}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
