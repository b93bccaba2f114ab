"""A sandbox that is renewed, and commands that are forked from its own interpreter."""

from __future__ import annotations

import importlib.util
import json
import marshal
import time
from pathlib import Path

import pytest

from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.adapters.sandboxes.inside import rooms
from bouts.model.sandbox import Command, Mount, SandboxPlan

PROBE = """
import json, os, sys
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
print(json.dumps({
    "argv": sys.argv, "name": __name__, "env": dict(os.environ), "uid": os.getuid(), "gid": os.getgid(),
    "groups": os.getgroups(), "cwd": os.getcwd(), "fds": sorted(os.listdir("/proc/self/fd")),
    "caps": [status[k] for k in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")], "seccomp": status["Seccomp"],
    "no_new_privs": status["NoNewPrivs"], "flags": str(sys.flags), "ours": [m for m in sys.modules if "inside" in m],
    "session": os.getsid(0) == os.getpid(), "child_env": os.popen("env").read().splitlines(),
}))
"""


def compiled(path: Path, source: str) -> None:
    path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(source, path.name, "exec")))
    path.chmod(0o644)


@pytest.fixture
def sandbox(tmp_path):
    work, code = tmp_path / "work", tmp_path / "code"
    for folder in (work, code):
        folder.mkdir()
        folder.chmod(0o755)
    (work / "given.txt").write_text("given")
    compiled(code / "probe.pyc", PROBE)
    compiled(code / "preload.pyc", "import fractions\n")
    compiled(code / "loaded.pyc", "import sys\nprint('fractions' in sys.modules)\n")
    backend = Bubblewrap(tmp_path / "scratch")
    plan = SandboxPlan(
        workspace=str(work), mounts=(Mount(source=str(code), target="/opt/code"),), preload="/opt/code/preload.pyc"
    )
    made = backend.create(plan)
    yield made
    made.destroy()
    backend.close()


def run(sandbox, source: str):
    return sandbox.exec(Command(argv=("python", "-I", "-S", "-B", "-c", source)))


def test_what_ran_is_gone_and_the_sandbox_serves_again(sandbox):
    running = sandbox.start(Command(argv=("python", "-c", "import time; time.sleep(60)"), seconds=60))
    assert sandbox.renew()
    ended = running.wait(5)
    assert ended is not None and ended.status == -9
    assert run(sandbox, "print('again')").stdout == b"again\n"


def test_daemons_and_forkers_do_not_survive(sandbox):
    source = (
        "import os, time\n"
        "for _ in range(8):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0:\n"
        "            while True:\n"
        "                if os.fork(): os._exit(0)\n"
        "        os._exit(0)\n"
        "print('left', flush=True)\n"
    )
    run(sandbox, source)
    time.sleep(0.2)
    assert sandbox.renew()
    left = run(sandbox, "import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit()))")
    assert len(json.loads(left.stdout)) == 1  # the command itself; the agent is not shown


@pytest.mark.parametrize("renewed", [True, False])
def test_processes_that_outlived_their_command_are_told_of(sandbox, renewed):
    started = "import subprocess; subprocess.Popen(['sleep', '60'])"
    assert run(sandbox, started).status == 0
    if renewed:
        assert sandbox.renew()
    assert sandbox.destroy().processes_left


def test_a_running_command_and_its_children_were_not_left(sandbox):
    source = "import subprocess, time; subprocess.Popen(['sleep', '60']); print('up', flush=True); time.sleep(60)"
    running = sandbox.start(Command(argv=("python", "-c", source), seconds=60))
    assert running.wait(1.0) is None
    assert not sandbox.destroy().processes_left


@pytest.mark.parametrize(
    "deed",
    [
        "open('/tmp/x', 'w')",
        "open('/dev/shm/x', 'w')",
        "import os; open(os.path.expanduser('~/x'), 'w')",
        "open('new.txt', 'w')",
        "open('given.txt', 'a').write('more')",
        "import os; os.remove('given.txt')",
        "import os; os.chmod('given.txt', 0o600)",
        "import os; os.mkdir('/tmp/x'); os.rmdir('/tmp/x')",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "import socket; socket.socket(socket.AF_INET6)",
        "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
        "import ctypes as c; l = c.CDLL(None); l.shmctl(l.shmget(0, 4096, 0o1600), 0, None)",
        "import ctypes as c; l = c.CDLL(None); l.msgctl(l.msgget(0, 0o1600), 0, None)",
        "import ctypes as c; l = c.CDLL(None); l.semctl(l.semget(0, 1, 0o1600), 0, 0)",
        "import os; os.utime('/tmp') if os.access('/tmp', os.W_OK) else None; open('/tmp/y', 'w')",
    ],
)
def test_what_was_left_or_touched_is_noticed(sandbox, deed):
    ended = run(sandbox, deed)
    assert ended.status == 0, ended.stderr
    assert not sandbox.renew()


def test_shared_memory_of_the_old_kind_is_noticed(sandbox):
    ended = run(
        sandbox,
        "import ctypes; libc = ctypes.CDLL(None); print(libc.shmget(42, 4096, 0o1600))",
    )
    left = int(ended.stdout) >= 0
    assert sandbox.renew() == (not left)


TIMES = "import os; print([os.stat(p) for p in ('/tmp', '/dev/shm', '.', 'given.txt', os.environ['HOME'])])"


def test_reading_leaves_nothing(sandbox):
    before = run(sandbox, TIMES).stdout
    source = "import os; [os.listdir(p) for p in ('.', '/tmp', '/dev/shm', '/opt/code')]; open('given.txt').read()"
    assert run(sandbox, source).status == 0
    assert sandbox.renew()
    assert run(sandbox, TIMES).stdout == before


@pytest.mark.parametrize("name", ["null", "zero", "full", "random", "urandom", "tty"])
def test_the_times_of_devices_belong_to_nobody(sandbox, name):
    before = Path(f"/dev/{name}").stat()
    ended = run(sandbox, f"import os; os.utime('/dev/{name}')")
    assert ended.status == 1 and b"Read-only file system" in ended.stderr
    assert Path(f"/dev/{name}").stat().st_mtime_ns == before.st_mtime_ns
    assert (
        run(sandbox, "open('/dev/null', 'w').write('x'); print(len(open('/dev/zero', 'rb').read(9)))").stdout == b"9\n"
    )


def test_options_that_leave_something_behind_are_not_there(sandbox):
    label = "socket.inet_pton(10, '::1') + bytes.fromhex('00012345 00ff0100 3c007800 00000000')"
    for deed in ("setsockopt(41, 32, " + label + ")", "getsockopt(1, 57, 8)"):
        ended = run(sandbox, f"import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).{deed}")
        assert ended.status == 1 and b"Errno 92" in ended.stderr


def test_a_killed_sandbox_cannot_be_renewed(sandbox):
    sandbox.kill()
    assert not sandbox.renew()


def test_a_forked_command_is_what_a_fresh_interpreter_would_be(sandbox):
    forked = sandbox.exec(Command(argv=("python", "/opt/code/probe.pyc", "a"), forked=True, variables={"MORE": "1"}))
    fresh = sandbox.exec(
        Command(argv=("python", "-I", "-S", "-E", "-B", "/opt/code/probe.pyc", "a"), variables={"MORE": "1"})
    )
    one, other = json.loads(forked.stdout), json.loads(fresh.stdout)
    assert forked.status == fresh.status == 0
    for key in (
        "argv",
        "name",
        "env",
        "uid",
        "gid",
        "groups",
        "cwd",
        "caps",
        "seccomp",
        "no_new_privs",
        "flags",
        "session",
    ):
        assert one[key] == other[key], key
    assert one["ours"] == []
    assert sorted(one["child_env"]) == sorted(other["child_env"])
    assert set(one["fds"]) <= set(other["fds"]) | {"3", "4"}


def test_forked_commands_find_what_was_preloaded_and_others_do_not(sandbox):
    loaded = ("python", "/opt/code/loaded.pyc")
    assert sandbox.exec(Command(argv=loaded, forked=True)).stdout == b"True\n"
    fresh = ("python", "-I", "-S", "-E", "-B", "/opt/code/loaded.pyc")
    assert sandbox.exec(Command(argv=fresh)).stdout == b"False\n"


def test_a_forked_command_ends_like_any_other(sandbox):
    for source, status in (("raise SystemExit(7)", 7), ("import os; os.abort()", -6), ("1/0", 1)):
        ended = sandbox.exec(Command(argv=("python", "-c", source)))
        assert ended.status == status
    missing = sandbox.exec(Command(argv=("python", "/opt/code/none.pyc"), forked=True))
    assert missing.kind == "exit" and missing.status == 1


TALKS = """
import socket
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
near = socket.create_connection(server.getsockname())
far, _ = server.accept()
far.close()
"""
FORKS = """
import os
for _ in range(200):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.parametrize("source", [TALKS, "import socket\nsocket.socket(2, 2).sendto(b'x', ('127.0.0.1', 9))"])
def test_what_the_network_counted_spoils_a_sandbox(sandbox, source):
    assert run(sandbox, source).status == 0
    assert not sandbox.renew()


class Counted:
    """Files of the kernel as they stand at one moment."""

    def __init__(self, sockets: int) -> None:
        self.sockets = sockets

    def read(self, path: str) -> bytes:
        if path.endswith("sockstat"):
            return b"sockets: used %d\nTCP: inuse 0 orphan 0 tw 0 alloc 9 mem 9\n" % self.sockets
        return b"0.1 0.2 0.3 1/9 7\n" if path.endswith("loadavg") else b"same\n"


def test_a_socket_that_bubblewrap_closed_and_the_kernel_freed_later_spoils_no_sandbox(monkeypatch):
    kernel = Counted(1)
    monkeypatch.setattr(rooms, "_read", kernel.read)
    setup = {"stamps": [], "numbers": -1, "spoiled": False}
    rooms.remember_counts(setup)
    assert rooms.untouched(setup)
    kernel.sockets = 0
    assert rooms.untouched(setup)
    kernel.sockets = 1  # this one is a command's
    assert not rooms.untouched(setup)


def test_process_numbers_tell_nothing_of_what_ran_before(sandbox):
    first = run(sandbox, "import os; print(os.getpid())").stdout
    assert sandbox.renew()
    assert run(sandbox, FORKS).status == 0
    assert not sandbox.renew() or run(sandbox, "import os; print(os.getpid())").stdout == first


def test_the_counters_of_the_agent_are_not_shown(sandbox):
    assert run(sandbox, "open('/proc/1/stat')").status == 1
