"""The same contracts for a user without privileges, when the tests themselves run as root."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NOBODY = 65534
FILES = ("test_commands.py", "test_isolation.py", "test_limits.py", "test_network.py")


def as_nobody(argv: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path and Path(path).is_dir()),
    }
    return subprocess.run(
        argv,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="these tests already run without privileges"
)
def test_the_contracts_hold_without_privileges() -> None:
    # The folders that pytest gives are closed to other users.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chown(folder, NOBODY, NOBODY)
        check_contracts(Path(folder))


def check_contracts(tmp_path: Path) -> None:
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (f"{sys.base_prefix}/bin/{name}", f"/usr/bin/{name}", f"/usr/local/bin/{name}"):
        try:
            found = as_nobody([candidate, "-c", "import bouts.model.sandbox, pytest"], tmp_path)
        except OSError:
            continue
        if found.returncode == 0:
            break
    else:
        pytest.skip(f"no {name} that another user can run")
    argv = [candidate, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-rs", f"--basetemp={tmp_path / 'inner'}"]
    argv += ["--rootdir", str(HERE.parents[2]), "-c", str(HERE.parents[2] / "pyproject.toml")]
    done = as_nobody([*argv, *(str(HERE / file) for file in FILES)], tmp_path)
    if "no sandbox here" in done.stdout:
        pytest.skip(done.stdout[-300:])
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
