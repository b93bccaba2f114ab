"""The worker's files as one folder of bytecode, made once and mounted read-only into every sandbox."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import shutil
import tempfile
from pathlib import Path

TARGET = "/opt/calls"
"""Where the folder is seen inside."""
START = f"{TARGET}/start.pyc"
PRELOAD = f"{TARGET}/preload.pyc"

_SOURCES = Path(__file__).parent / "inside"
_START = f"""
import sys
sys.path.insert(0, {TARGET!r})
from _calls import worker
del sys.path[0]
worker.main(sys.argv[1:])
"""
_PRELOAD = f"""
import sys
sys.path.insert(0, {TARGET!r})
import fcntl
from _calls import worker
del sys.path[0]
"""


def worker_folder(cache: Path) -> Path:
    """The folder, written into `cache` if it is not there yet. Safe with other processes doing the same."""
    sources = {f"_calls/{path.name}": path.read_bytes() for path in sorted(_SOURCES.glob("*.py"))}
    sources["start.py"] = _START.encode()
    sources["preload.py"] = _PRELOAD.encode()
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    for name, data in sources.items():
        digest.update(f"{name} {len(data)}\n".encode() + data)
    folder = cache / f"calls-{digest.hexdigest()[:16]}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="calls-", dir=cache))
    for name, data in sources.items():
        path = made / f"{name}c"
        path.parent.mkdir(exist_ok=True)
        code = compile(data, name, "exec", dont_inherit=True)
        path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
        path.chmod(0o644)
        path.parent.chmod(0o755)
    made.chmod(0o755)
    try:
        made.rename(folder)
    except OSError:
        # Another process was faster; what it wrote has the same digest.
        shutil.rmtree(made, ignore_errors=True)
        if not folder.is_dir():
            raise
    return folder


def default_cache() -> Path:
    """Where the folder goes when nobody says."""
    return Path(tempfile.gettempdir()) / f"bouts-{os.getuid()}"
