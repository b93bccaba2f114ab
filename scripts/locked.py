"""Environments of tools that are too heavy for everybody's: made as a lock says, anew when it changes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path


def environment(folder: Path, lock: Path) -> Path:
    """The interpreter of the environment in `folder` with what is in `lock`."""
    python, stamp = folder / "bin" / "python", folder / ".lock"
    if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
        sys.stderr.write(f"{Path(sys.argv[0]).name}: installing {lock.name}\n")
        venv.create(folder, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
        shutil.copy(lock, stamp)
    return python
