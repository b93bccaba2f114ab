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


def interpreter(tmp_path: Path) -> str:
    """A Python of the same version that another user can run."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (f"{sys.base_prefix}/bin/{name}", f"/usr/bin/{name}", f"/usr/local/bin/{name}"):
        try:
            found = as_nobody([candidate, "-c", "import bouts.model.sandbox, pytest"], tmp_path)
        except OSError:
            continue
        if found.returncode == 0:
            return candidate
    pytest.skip(f"no {name} that another user can run")


CONTAINER = """
import ctypes, os, sys
ready, go = os.pipe(), os.pipe()
child = os.fork()
if child == 0:
    assert ctypes.CDLL(None).unshare(0x10020000) == 0
    os.write(ready[1], b"x"); os.read(go[0], 1)
    os.setgroups([]); os.setresgid(0, 0, 0); os.setresuid(0, 0, 0)
    os.execv(sys.executable, [sys.executable, "-c", sys.argv[1]])
os.read(ready[0], 1)
for name in ("uid_map", "gid_map"):
    with open(f"/proc/{child}/{name}", "w") as handle: handle.write("0 100000 65536")
os.write(go[1], b"x")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
PROBE = """
import tempfile
from pathlib import Path
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
with tempfile.TemporaryDirectory() as folder:
    probe = Bubblewrap(Path(folder)).probe()
print(probe.usable, [(item.name, item.detail) for item in probe.items])
"""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="these tests already run without privileges"
)
def test_the_contracts_hold_without_privileges() -> None:
    # The folders that pytest gives are closed to other users.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chown(folder, NOBODY, NOBODY)
        check_contracts(Path(folder))


def check_contracts(tmp_path: Path) -> None:
    candidate = interpreter(tmp_path)
    argv = [candidate, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-rs", f"--basetemp={tmp_path / 'inner'}"]
    argv += ["--rootdir", str(HERE.parents[2]), "-c", str(HERE.parents[2] / "pyproject.toml")]
    done = as_nobody([*argv, *(str(HERE / file) for file in FILES)], tmp_path)
    if "no sandbox here" in done.stdout:
        pytest.skip(done.stdout[-300:])
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="making such a container needs root")
def test_root_of_a_container_drops_to_a_user_that_the_container_has() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        python = interpreter(Path(folder))
    environment = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    argv = [python, "-c", CONTAINER, PROBE]
    done = subprocess.run(argv, env=environment, cwd="/", capture_output=True, text=True, timeout=60, check=False)
    if "AssertionError" in done.stderr:
        pytest.skip("no user namespaces here")
    assert done.stdout.startswith("True"), done.stdout + done.stderr
    assert "root, dropped inside" in done.stdout
    assert "copy-on-write by overlay" in done.stdout
