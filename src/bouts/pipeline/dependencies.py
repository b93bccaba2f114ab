"""A challenge's dependencies: installed once from its lock, before any submission is seen, then only read."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

from bouts.errors import BadChallenge, WorldError
from bouts.pipeline.files import locked

INSTALL_SECONDS = 600
"""Wall-clock limit of one installation."""


def requirements(lock: Path) -> list[str]:
    """The requirement lines of a lock, without comments, blank lines and continuation marks."""
    text = lock.read_text(encoding="utf-8", errors="replace")
    lines = [line.split(" #")[0].strip().rstrip("\\").strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith(("#", "--hash"))]


def install(lock: Path, environments: Path) -> Path | None:
    """The folder with the packages that `lock` pins, or `None` where it pins nothing.

    Installs them when they are not there yet; two processes that want the same at once install it once.
    Raises `BadChallenge` where the lock has no hashes or is refused, `WorldError` where nothing can be installed here.
    """
    if not lock.is_file():
        raise BadChallenge(
            "the locked requirements are missing",
            where=str(lock),
            hint="make them with `uv pip compile --generate-hashes`, or say `lock: null` where nothing is needed",
        )
    if not requirements(lock):
        return None
    data = lock.read_bytes()
    if b"--hash=" not in data:
        raise BadChallenge("requirements without hashes", where=str(lock), hint="pin them with `--generate-hashes`")
    key = hashlib.sha256(data + f"|{sys.version_info[:2]}|{platform.machine()}".encode()).hexdigest()[:24]
    target = environments / key
    if target.is_dir():
        return target
    with locked(environments / f".{key}.lock"):
        if not target.is_dir():
            _install(lock, target)
    return target


def _install(lock: Path, target: Path) -> None:
    building = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        done = subprocess.run(
            [*_installer(), "--require-hashes", "--target", str(building), "-r", str(lock)],
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
        )
        if done.returncode != 0:
            last = [line for line in done.stderr.splitlines() if line.strip()][-3:]
            raise WorldError(
                "the challenge's dependencies cannot be installed: " + " ".join(last),
                where=str(lock),
                hint="check the network or set PIP_INDEX_URL to a mirror, then run again",
            )
        for folder, names, files in os.walk(building):
            for name in (*names, *files):
                path = Path(folder, name)
                if not path.is_symlink():
                    path.chmod(0o755 if path.is_dir() else 0o644)
        building.chmod(0o755)
        building.replace(target)
    except subprocess.TimeoutExpired as error:
        raise WorldError(f"installing dependencies took more than {INSTALL_SECONDS} s", where=str(lock)) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _installer() -> list[str]:
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", sys.executable]
    raise WorldError(
        "neither pip nor uv is here to install the challenge's dependencies",
        hint="install pip into Bouts' environment (python -m ensurepip), or install uv",
    )
