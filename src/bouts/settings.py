"""Paths and limits of this installation. Nothing here can move a score.

| variable | meaning | default |
| --- | --- | --- |
| `BOUTS_HOME` | cards, evidence and cached measurements | `$XDG_DATA_HOME/bouts`, else `~/.local/share/bouts` |
| `BOUTS_SCRATCH` | staged submissions while they are tested | a private folder under the system's temporary folder |
| `BOUTS_LEDGER` | the ledger: a file, or a URL of PostgreSQL | `ledger.db` in the home |
| `BOUTS_EVIDENCE` | folder or URL for evidence, where a ledger does not say it itself | beside the ledger's file |
| `BOUTS_CHALLENGES` | folders with challenges, separated by `:` | the examples that ship with Bouts |
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bouts.errors import BadUsage, StoreFault

HOME_HINT = "make room, mend the permissions, or set BOUTS_HOME to another folder; `bouts doctor` says what works"
_TRIED_BYTES = 1 << 12


@dataclass(frozen=True)
class Settings:
    """Where things are kept."""

    home: Path
    scratch: Path
    challenges: tuple[Path, ...]
    ledger_place: str = ""
    """As the environment names it."""
    evidence_place: str = ""

    @property
    def ledger(self) -> str:
        """The ledger that is meant where none is named: a file or URL."""
        return self.ledger_place or str(self.home / "ledger.db")

    @property
    def cache(self) -> Path:
        """Measurements, by what they were made from."""
        return self.home / "cache"

    @property
    def environments(self) -> Path:
        """Installed dependencies of challenges, by the digest of their lock."""
        return self.home / "environments"

    @property
    def batches(self) -> Path:
        """How far each batch is."""
        return self.home / "batches"

    @property
    def cards(self) -> Path:
        """Score cards with their evidence."""
        return self.home / "cards"


def load() -> Settings:
    """Read the settings from the environment."""
    return Settings(
        home=_home(),
        scratch=_scratch(),
        challenges=_challenges(),
        ledger_place=os.environ.get("BOUTS_LEDGER", ""),
        evidence_place=os.environ.get("BOUTS_EVIDENCE", ""),
    )


def _home() -> Path:
    given = os.environ.get("BOUTS_HOME")
    if given:
        return Path(os.path.realpath(given))
    data = os.environ.get("XDG_DATA_HOME")
    try:
        return (Path(data) if data else Path.home() / ".local" / "share") / "bouts"
    except RuntimeError as error:
        raise StoreFault("no home folder for this user", hint="set BOUTS_HOME to a folder") from error


def _scratch() -> Path:
    given = os.environ.get("BOUTS_SCRATCH")
    if given:
        return Path(os.path.realpath(given))
    # A neutral name: submitted code can see it in its mount table.
    return Path(tempfile.gettempdir()) / f"workspaces-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def _challenges() -> tuple[Path, ...]:
    given = os.environ.get("BOUTS_CHALLENGES")
    if given:
        return tuple(Path(os.path.realpath(p)) for p in given.split(os.pathsep) if p)
    package = Path(__file__).resolve().parent
    installed = package / "_challenges"
    return (installed if installed.is_dir() else package.parent.parent / "challenges",)


def must_be_folders(settings: Settings) -> None:
    """Raise `BadUsage` where a file stands in the place of the home or the scratch folder, or above it."""
    for name, path in (("BOUTS_HOME", settings.home), ("BOUTS_SCRATCH", settings.scratch)):
        there = _nearest(path)
        if there is not None and not there.is_dir():
            raise BadUsage("a file is there, and a folder is needed", where=str(there), hint=f"set {name} to a folder")


def unwritable(path: Path) -> str | None:
    """Why nothing can be written into the folder, or into the one that it would be made in; `None` where it can be.

    A small file is written there and is gone again.
    """
    there = _nearest(path)
    if there is None or not there.is_dir():
        return "a file is there, and a folder is needed" if there else "there is no such folder, and none can be made"
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(bytes(_TRIED_BYTES))
    except OSError as error:
        return str(error.strerror)
    return None


def _nearest(path: Path) -> Path | None:
    """The path, or else the nearest above it that exists."""
    return next((p for p in (path, *path.parents) if os.path.lexists(p)), None)


def private_folder(path: Path) -> Path:
    """Make `path` a folder that only this user can enter. Raises `StoreFault` where another user owns it."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = path.lstat()
    except OSError as error:
        raise StoreFault(f"the folder cannot be made: {error.strerror}", where=str(path)) from error
    if path.is_symlink() or (hasattr(os, "getuid") and info.st_uid != os.getuid()):
        raise StoreFault(
            "the folder belongs to another user", where=str(path), hint="remove it, or set BOUTS_SCRATCH to another one"
        )
    return path
