"""Nothing stays behind: not after many sandboxes, not after the host process was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bouts.adapters.sandboxes import cgroups, decoys, find, runs
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.errors import NotFound, SandboxFault, StoreFault
from bouts.model.sandbox import Command, Look, Mount, SandboxPlan

from .conftest import python

HOST = """
import sys
from pathlib import Path
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.model.sandbox import Command, SandboxPlan

backend = Bubblewrap(Path(sys.argv[1]))
kept = []
for _ in range(2):
    sandbox = backend.create(SandboxPlan(workspace=None, decoys=sys.argv[2]))
    code = "import os, time\\nfor _ in range(3): os.fork()\\n"
    code += "if os.getpid() != os.getsid(0): os.setsid()\\ntime.sleep(600)"
    kept.append((sandbox, sandbox.start(Command(argv=("python", "-c", code), seconds=600))))
print("ready", flush=True)
sys.stdin.read()
"""


def descendants(process: int) -> set[int]:
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1])
    found: set[int] = set()
    added = {process}
    while added:
        added = {child for child, parent in parents.items() if parent in added} - found
        found |= added
    return found


def until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return true()


def groups() -> set[Path]:
    places = cgroups.find()
    return {path for folder in (places.folders if places else ()) for path in folder.glob("run-*")}


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_host_leaves_nothing_after_the_next_start(tmp_path: Path, number: int) -> None:
    scratch = tmp_path / "scratch"
    decoys.write(tmp_path / "decoys")
    argv = [sys.executable, "-c", HOST, str(scratch), str(tmp_path / "decoys")]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"ready\n"
        assert until(lambda: len(descendants(host.pid)) >= 2 * (2 + 8))
        everyone = descendants(host.pid)
        running = Bubblewrap(scratch)
        assert not [name for name in running.reap_orphans() if name.startswith(str(scratch))]
        host.send_signal(number)
        host.wait(20)
    assert until(lambda: not [pid for pid in everyone if Path(f"/proc/{pid}").exists()])
    removed = running.reap_orphans()
    assert any(name.startswith(str(scratch)) for name in removed)
    assert sorted(path.name for path in scratch.iterdir()) == ["lock"]
    assert not [path for path in groups() if path.name.startswith(f"run-{host.pid}-")]
    assert not [name for name in running.reap_orphans() if name.startswith(str(scratch))]


@pytest.mark.skipif(cgroups.find() is None, reason="no control groups can be made here")
def test_groups_of_a_dead_run_go_even_when_its_folder_is_gone(tmp_path: Path) -> None:
    places = cgroups.find()
    assert places is not None
    dead = places.pids / "run-4194304-1-abcdef" / "t1"
    other = places.pids / "run-something-else"
    alive = places.pids / f"run-{os.getpid()}-{runs.started(os.getpid())}-abcdef"
    for folder in (dead, other, alive):
        folder.mkdir(parents=True)
    try:
        assert str(dead.parent) in Bubblewrap(tmp_path / "absent").reap_orphans()
        assert not dead.parent.exists()
        assert other.exists()
        assert alive.exists()
    finally:
        other.rmdir()
        alive.rmdir()


ELSEWHERE = """
import sys
from pathlib import Path
from bouts.adapters.sandboxes import cgroups, runs
run = runs.Run(Path(sys.argv[1]), cgroups.find())
print(run.name, flush=True)
sys.stdin.read()
run.close()
"""


@pytest.mark.skipif(
    cgroups.find() is None or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root and control groups"
)
def test_a_run_whose_process_ids_mean_something_else_keeps_its_groups_while_it_lives(tmp_path: Path) -> None:
    # As in a container: process 2 there is somebody else here, and between two commands its groups are empty.
    binary = find.working(None, root=True)
    assert binary is not None
    argv = [str(binary), "--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc", "--die-with-parent", "--"]
    argv += [sys.executable, "-c", ELSEWHERE, str(tmp_path / "there")]
    here = Bubblewrap(tmp_path / "here")
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        name = host.stdout.readline().strip()
        assert name.startswith("run-")
        assert not name.startswith(f"run-{host.pid}-")
        assert not [removed for removed in here.reap_orphans() if removed.endswith(name)]
        assert {group.name for group in groups()} >= {name}
        host.kill()
        host.wait(20)

    def gone() -> bool:
        here.reap_orphans()
        return name not in {group.name for group in groups()}

    assert until(gone)


@pytest.mark.skipif(cgroups.find() is None, reason="no control groups can be made here")
def test_a_group_that_was_taken_away_is_our_fault_and_not_the_commands(tmp_path: Path) -> None:
    backend = Bubblewrap(tmp_path / "scratch")
    sandbox = backend.create(SandboxPlan(workspace=None))
    for group in groups():
        if group.name == backend_run(tmp_path):
            (group / "t1").rmdir()
    ended = sandbox.exec(python("print('never')"))
    assert ended.kind == "sandbox_error"
    assert ended.stdout == b""
    assert "No such device" in ended.detail
    sandbox.destroy()
    backend.close()


def test_fifty_in_a_row_leave_nothing(tmp_path: Path) -> None:
    backend = Bubblewrap(tmp_path / "scratch")
    decoys.write(tmp_path / "decoys")
    (tmp_path / "given").mkdir()
    plan = SandboxPlan(workspace=str(tmp_path / "given"), decoys=str(tmp_path / "decoys"))

    def once() -> None:
        sandbox = backend.create(plan)
        running = sandbox.start(Command(argv=("sleep", "60"), seconds=60))
        assert sandbox.exec(Command(argv=("true",))).status == 0
        assert running.wait(0) is None
        sandbox.destroy()

    once()
    handles, children = set(os.listdir("/proc/self/fd")), descendants(os.getpid())
    folders = {path for path in (tmp_path / "scratch").rglob("*") if path.is_dir()}
    for _ in range(50):
        once()
    assert set(os.listdir("/proc/self/fd")) == handles
    assert descendants(os.getpid()) <= children
    assert threading.active_count() < 20
    assert {path for path in (tmp_path / "scratch").rglob("*") if path.is_dir()} == folders
    mine = [group for group in groups() if group.name == backend_run(tmp_path)]
    assert not [child for group in mine for child in group.iterdir() if child.is_dir()]
    backend.close()
    assert sorted(path.name for path in (tmp_path / "scratch").iterdir()) == ["lock"]


def test_a_sandbox_that_could_not_be_made_leaves_nothing(tmp_path: Path) -> None:
    backend = Bubblewrap(tmp_path / "scratch")
    backend.create(SandboxPlan(workspace=None)).destroy()
    handles, children = set(os.listdir("/proc/self/fd")), descendants(os.getpid())
    absent = SandboxPlan(workspace=None, mounts=(Mount(source=str(tmp_path / "absent"), target="/opt/x"),))
    # Bubblewrap gives up on the first, the agent on the second.
    clash = SandboxPlan(workspace=None, mounts=(Mount(source="/etc/hostname", target="/usr/bin/new/file"),))
    late = SandboxPlan(workspace=None, look=Look(workspace="/usr/bin/new"))
    for plan, error in ((absent, NotFound), (clash, SandboxFault), (late, SandboxFault)):
        with pytest.raises(error):
            backend.create(plan)
    assert set(os.listdir("/proc/self/fd")) == handles
    assert until(lambda: descendants(os.getpid()) <= children)
    mine = [group for group in groups() if group.name.startswith(backend_run(tmp_path))]
    assert not [child for group in mine for child in group.iterdir() if child.is_dir()]
    backend.close()


def test_a_scratch_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreFault) as raised:
        Bubblewrap(tmp_path / "file" / "scratch").create(SandboxPlan(workspace=None))
    assert raised.value.where == str(tmp_path / "file" / "scratch")
    assert "BOUTS_SCRATCH" in (raised.value.hint or "")


def backend_run(tmp_path: Path) -> str:
    (folder,) = (tmp_path / "scratch").glob("run-*")
    return folder.name


def test_sandboxes_live_longer_than_the_thread_that_made_them(tmp_path: Path) -> None:
    backend = Bubblewrap(tmp_path / "scratch")
    with ThreadPoolExecutor(1) as pool:
        sandbox = pool.submit(backend.create, SandboxPlan(workspace=None)).result()
        running = pool.submit(sandbox.start, python("import time; time.sleep(0.3); print('done')")).result()
    ended = running.wait(20)
    assert ended is not None
    assert ended.stdout == b"done\n"
    sandbox.destroy()
    backend.close()


def test_many_at_once(tmp_path: Path) -> None:
    backend = Bubblewrap(tmp_path / "scratch")

    def one(number: int) -> bytes:
        sandbox = backend.create(SandboxPlan(workspace=None))
        try:
            return sandbox.exec(python(f"open('f', 'w').write('{number}'); print(open('f').read())", seconds=60)).stdout
        finally:
            sandbox.destroy()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(one, range(18)))
    assert answers == [f"{number}\n".encode() for number in range(18)]
    backend.close()


def test_a_forked_process_gets_a_run_of_its_own(tmp_path: Path) -> None:
    backend = Bubblewrap(tmp_path / "scratch")
    backend.create(SandboxPlan(workspace=None)).destroy()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            sandbox = backend.create(SandboxPlan(workspace=None))
            status = sandbox.exec(Command(argv=("true",))).status or 0
            sandbox.destroy()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert backend.create(SandboxPlan(workspace=None)).exec(Command(argv=("true",))).status == 0
    assert len(backend.reap_orphans()) >= 1
    backend.close()
    assert sorted(path.name for path in (tmp_path / "scratch").iterdir()) == ["lock"]
