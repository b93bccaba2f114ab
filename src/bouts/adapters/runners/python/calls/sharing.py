"""The folder that a test and its worker both see, from the test's side."""

from __future__ import annotations

import errno
import os
from typing import Any

from bouts.adapters.runners.python.calls.inside.files import Full, Mirror, check
from bouts.errors import SandboxFault

_OUR_DISK = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.ENFILE, errno.EMFILE))


class SharedFolder:
    """Exists on both sides under the same path."""

    def __init__(self, root: str) -> None:
        self._mirror = Mirror(root)
        self._root = root
        self._cwd: str | None = None
        self._given: set[str] = set()
        """Paths that the test wrote, and not the submission."""

    def covers(self, path: str) -> bool:
        """Whether a path, relative to the current folder if need be, lies inside."""
        full = path if path.startswith("/") else f"{os.getcwd()}/{path}"  # noqa: PTH109
        return self._below(full) and ".." not in full.split("/")

    def changes(self) -> dict[str, Any]:
        """What the worker must know before it does anything else."""
        changed = self._mirror.changes()
        self._given |= {path for path, content in changed.items() if content is not None}
        self._given -= {path for path, content in changed.items() if content is None}
        told: dict[str, Any] = {"root": self._root, "changed": changed}
        cwd = os.getcwd()  # noqa: PTH109
        if cwd != self._cwd and self._below(cwd):
            told["cwd"] = self._cwd = cwd
        return told

    def take(self, told: Any, *, withhold: bool = False) -> bool:
        """Make the worker's changes here. Says whether there are any of what the test itself had written; with
        `withhold` those are not made. Raises `ValueError` for what no worker tells, `Full`, and `SandboxFault`."""
        changed = check(told)
        touched = self._given & changed.keys()
        if withhold:
            changed = {path: content for path, content in changed.items() if path not in touched}
        try:
            self._mirror.apply(changed)
        except OverflowError as trouble:
            raise Full(str(trouble)) from None
        except OSError as trouble:
            if trouble.errno in _OUR_DISK:
                raise SandboxFault(f"the temporary folder of a test cannot be written: {trouble.strerror}") from None
            raise
        return bool(touched)

    def _below(self, full: str) -> bool:
        return full == self._root or full.startswith(self._root + "/")
