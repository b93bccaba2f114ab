"""The probe tries what is needed and says what to do."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from bouts.adapters.sandboxes import find
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.errors import SandboxUnavailable
from bouts.model.sandbox import SandboxPlan

from .conftest import python, text

MASKED = """
import sys
sys.path[:0] = sys.argv[2].split(":")
from pathlib import Path
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.model.sandbox import Command, SandboxPlan
sandbox = Bubblewrap(Path(sys.argv[1]), mode="user").create(SandboxPlan(workspace=None))
code = "import os, socket; socket.socket(2, 2).connect_ex(('192.0.2.9', 9)); print(os.path.exists('/proc/self'))"
print(sandbox.exec(Command(argv=("python", "-I", "-S", "-c", code))).stdout, sandbox.destroy().network)
"""


def test_the_probe_names_what_it_tried(backend: Bubblewrap) -> None:
    probe = backend.probe()
    assert probe.usable
    names = [item.name for item in probe.items]
    assert names == [
        *("bubblewrap", "privileges", "trial sandbox", "workspace", "/proc", "network log", "decoys"),
        *("control groups", "processors"),
    ]
    assert all(item.remedy for item in probe.items if not item.ok)
    assert all(item.ok for item in probe.items if item.name not in ("control groups", "processors"))


def test_a_bubblewrap_that_does_not_work_is_told_with_a_remedy(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2; exit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    backend = Bubblewrap(tmp_path / "scratch", binary=broken)
    probe = backend.probe()
    assert not probe.usable
    assert "uid map" in probe.items[0].detail
    assert probe.items[0].remedy
    with pytest.raises(SandboxUnavailable) as raised:
        backend.create(SandboxPlan(workspace=None))
    assert raised.value.hint


def test_an_absent_bubblewrap_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "candidates", lambda: ())
    probe = Bubblewrap(tmp_path).probe()
    assert not probe.usable
    assert "install" in probe.items[0].remedy


def test_apparmor_gets_a_profile_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "flag").write_text("1\n", encoding="ascii")
    monkeypatch.setattr(find, "_RESTRICTION", tmp_path / "flag")
    assert "userns," in find.remedy(Path("/opt/x/bwrap"))
    assert "profile bouts-bwrap /opt/x/bwrap" in find.remedy(Path("/opt/x/bwrap"))


def test_the_next_bubblewrap_is_taken_where_the_first_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for path, status in ((first, 1), (second, 0)):
        path.write_text(f"#!/bin/sh\nexit {status}\n", encoding="utf-8")
        path.chmod(0o755)
    monkeypatch.setattr(find, "candidates", lambda: (first, second))
    assert find.working(None, root=True) == second


def test_elsewhere_the_module_loads_and_says_what_still_works() -> None:
    code = (
        "import os, platform, sys\n"
        "sys.modules['fcntl'] = None\n"
        "platform.system = lambda: 'Windows'\n"
        "del os.geteuid\n"
        "from pathlib import Path\n"
        "from bouts.adapters.sandboxes.bubblewrap import Bubblewrap\n"
        "probe = Bubblewrap(Path('nowhere')).probe()\n"
        "assert not probe.usable and 'Linux' in probe.items[0].remedy, probe\n"
        "from bouts.errors import SandboxUnavailable\n"
        "from bouts.model.sandbox import SandboxPlan\n"
        "try: Bubblewrap(Path('nowhere')).create(SandboxPlan(workspace=None))\n"
        "except SandboxUnavailable: print('told')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "told\n", done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="masking /proc needs root")
def test_a_container_that_masks_proc_gets_sandboxes_without_it(tmp_path: Path) -> None:
    # As container engines do: a new user namespace over a /proc of which parts are covered.
    binary = find.working(None, root=True)
    argv = [str(binary), "--unshare-user", "--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc"]
    argv += ["--ro-bind", "/dev/null", "/proc/interrupts", "--cap-add", "ALL", "--"]
    argv += [sys.executable, "-I", "-c", MASKED, str(tmp_path / "scratch"), ":".join(path for path in sys.path if path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=600)
    assert "b'False\\n'" in done.stdout, done.stdout + done.stderr
    assert "192.0.2.9:9" in done.stdout


def test_the_kernel_and_machine_are_known() -> None:
    assert platform.machine() in {"x86_64", "aarch64"}


def test_the_tests_python_is_the_sandboxs_python(backend: Bubblewrap) -> None:
    sandbox = backend.create(SandboxPlan(workspace=None))
    try:
        assert text(sandbox.exec(python("import sys; print(sys.version)"))).strip() == sys.version
    finally:
        sandbox.destroy()
