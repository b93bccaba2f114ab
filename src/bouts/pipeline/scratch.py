"""Where submissions are staged: one folder a run, locked while the run lives, cleared by a later run when it died."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

from bouts.errors import StoreFault
from bouts.pipeline.files import locked

_PREFIX = "stage-"
_LOCK = ".lock"


class Scratch:
    """The scratch folder of this process."""

    def __init__(self, root: Path) -> None:
        self.root = root
        with locked(root / ".stages"):
            try:
                self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root))
                self._lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as error:
                raise StoreFault(f"no room for staging: {error.strerror}", where=str(root)) from error
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    @contextlib.contextmanager
    def place(self) -> Generator[Path]:
        """A fresh folder, removed in the end."""
        try:
            folder = Path(tempfile.mkdtemp(dir=self.folder))
        except OSError as error:
            raise StoreFault(f"no room for staging: {error.strerror}", where=str(self.folder)) from error
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Remove the run's folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def reap(root: Path) -> tuple[str, ...]:
    """Remove the folders of runs that died. Returns what was removed."""
    if not root.is_dir():
        return ()
    removed: list[str] = []
    with locked(root / ".stages"):
        for folder in sorted(root.glob(_PREFIX + "*")):
            with contextlib.suppress(OSError):
                lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    continue
                finally:
                    os.close(lock)
                shutil.rmtree(folder, ignore_errors=True)
                removed.append(str(folder))
    return tuple(removed)
