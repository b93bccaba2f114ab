"""What runs beside submitted code, as one folder of bytecode that is made once and mounted read-only into sandboxes."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import marshal
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bouts.errors import StoreFault
from bouts.settings import HOME_HINT

TARGET = "/opt/calls"
"""Where the folder is seen inside."""
START = f"{TARGET}/start.pyc"
PRELOAD = f"{TARGET}/preload.pyc"
STARTUP = "startup"
"""Folder in it with what the interpreter of a service or command runs first."""
STARTUP_TARGET = "/opt/listen"
"""Where that one is seen inside."""

_SOURCES = Path(__file__).parent / "inside"
_START = f"""
import sys
sys.path.insert(0, {TARGET!r})
from _calls import worker
del sys.path[0]
worker.main(sys.argv[1:])
"""
# The first `compile` of a process makes a hundred classes of syntax trees: a fifth of what a test would cost.
_PRELOAD = f"""
compile("", "", "exec")
import sys
sys.path.insert(0, {TARGET!r})
import fcntl
from _calls import listening, worker
listening.EARS.install()
del sys.path[0]
"""
# Another one that the program has is not hidden by this one; where there is none, `site` expects to be told so.
_CUSTOMIZE = f"""
listen_in_program({STARTUP_TARGET!r})
del sys.modules["sitecustomize"]
import sitecustomize
"""


def worker_folder(cache: Path) -> Path:
    """The folder, written into `cache` if it is not there yet. Safe with other processes doing the same.

    Raises `StoreFault` where it cannot be written.
    """
    sources = {f"_calls/{path.name}": path.read_bytes() for path in sorted(_SOURCES.glob("*.py"))}
    sources["start.py"] = _START.encode()
    sources["preload.py"] = _PRELOAD.encode()
    sources[f"{STARTUP}/sitecustomize.py"] = sources["_calls/listening.py"] + _CUSTOMIZE.encode()
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    for name, data in sources.items():
        digest.update(f"{name} {len(data)}\n".encode() + data)
    folder = cache / f"calls-{digest.hexdigest()[:16]}"
    if folder.is_dir():
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        handle = os.open(cache, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if not folder.is_dir():
                _make(folder, sources)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreFault(
            f"the worker's folder cannot be made: {error.strerror}", where=str(folder), hint=HOME_HINT
        ) from error
    return folder


def _make(folder: Path, sources: Mapping[str, bytes]) -> None:
    unfinished = folder.with_name("calls-unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)  # of a process that was killed while it wrote
    try:
        for name, data in sources.items():
            path = unfinished / f"{name}c"
            path.parent.mkdir(parents=True, exist_ok=True)
            code = compile(data, name, "exec", dont_inherit=True)
            path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
            path.chmod(0o644)
            path.parent.chmod(0o755)
        unfinished.chmod(0o755)
        unfinished.rename(folder)
    except OSError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def default_cache() -> Path:
    """Where the folder goes when nobody says."""
    return Path(tempfile.gettempdir()) / f"bouts-{os.getuid()}"
