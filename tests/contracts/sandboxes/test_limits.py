"""Every limit holds for the whole process tree, and how it was broken is told apart."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bouts.adapters.sandboxes import cgroups

from .conftest import Make, python, text
from .test_leftovers import descendants

grouped = pytest.mark.skipif(cgroups.find() is None, reason="no control groups can be made here")


STOPPED = """
import sys
from pathlib import Path
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.model.sandbox import Command, SandboxPlan
backend = Bubblewrap(Path(sys.argv[1]))
sandbox = backend.create(SandboxPlan(workspace=None))
code = "import time; [time.sleep(0.1) for _ in range(10)]; print('done')"
running = sandbox.start(Command(argv=("python", "-I", "-S", "-c", code), seconds=float(sys.argv[2])))
print("started", flush=True)
ended = running.wait(60)
print(ended.kind, ended.stdout, flush=True)
sandbox.destroy()
backend.close()
"""


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("everyone", [False, True])
def test_time_in_which_we_were_stopped_is_not_the_commands(tmp_path: Path, everyone: bool) -> None:
    # As by Ctrl-Z, or when a container is paused; the command itself needs a third of its time.
    argv = [sys.executable, "-c", STOPPED, str(tmp_path / "scratch"), "3"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "started\n"
        stopped = [host.pid, *(descendants(host.pid) if everyone else ())]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(5)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        assert host.stdout.readline() == "exit b'done\\n'\n"


@grouped
def test_memory_over_several_processes_is_bounded(make: Make) -> None:
    code = (
        "import os, time\n"
        "for _ in range(8):\n"
        "    if os.fork() == 0:\n"
        "        held = bytearray(24 << 20)\n"
        "        for at in range(0, len(held), 4096): held[at] = 1\n"
        "        time.sleep(100); os._exit(0)\n"
        "time.sleep(100)\n"
    )
    sandbox = make(memory_bytes=96 << 20)
    # Each process alone stays far below the limit, and those that the kernel spares would sleep on.
    ended = sandbox.exec(python(code, seconds=60))
    assert ended.seconds < 50
    report = sandbox.destroy()
    assert ended.kind == "oom"
    assert report.oom
    assert report.memory_level == "complete"
    assert report.memory_peak_bytes is not None
    assert report.memory_peak_bytes <= 96 << 20


@grouped
def test_a_memory_bomb_in_one_process(make: Make) -> None:
    sandbox = make(memory_bytes=64 << 20)
    assert sandbox.exec(python("held = bytearray(b'x') * (200 << 20)")).kind == "oom"
    assert sandbox.exec(python("print('still here')")).stdout == b"still here\n"


@grouped
def test_memory_files_count_as_memory(make: Make) -> None:
    code = "import os; f = os.memfd_create('x'); [os.write(f, b'x' * (1 << 20)) for _ in range(200)]"
    assert make(memory_bytes=64 << 20).exec(python(code)).kind == "oom"


@grouped
def test_the_peak_is_measured_by_the_kernel(make: Make) -> None:
    sandbox = make()
    assert sandbox.exec(python("held = bytearray(b'x') * (100 << 20)")).status == 0
    peak = sandbox.destroy().memory_peak_bytes
    assert peak is not None
    assert 100 << 20 <= peak < 160 << 20


def test_a_fork_bomb_is_bounded(make: Make) -> None:
    code = (
        "import os, time\n"
        "made = 0\n"
        "try:\n"
        "    while made < 500:\n"
        "        if os.fork() == 0: time.sleep(60); os._exit(0)\n"
        "        made += 1\n"
        "except OSError: pass\n"
        "print(made)\n"
    )
    sandbox = make(processes=20)
    assert int(text(sandbox.exec(python(code)))) == 19
    # The full house does not stop the agent, nor the host.
    assert sandbox.get("solution.py", 100) == b"VALUE = 1\n"
    report = sandbox.destroy()
    assert report.processes_denied or cgroups.find() is None


def test_threads_count_as_processes(make: Make) -> None:
    code = (
        "import threading, time\n"
        "made = 0\n"
        "try:\n"
        "    while made < 200: threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); made += 1\n"
        "except RuntimeError: pass\n"
        "print(made, flush=True)\n"
        "import os; os._exit(0)\n"
    )
    assert int(text(make(processes=20).exec(python(code)))) < 20


FILL = (
    "import os\n"
    "total = 0\n"
    "for folder in ('/work', '/tmp', '/home/agent', '/dev/shm'):\n"
    "    try:\n"
    "        with open(folder + '/fill', 'wb', buffering=0) as f:\n"
    "            while True: total += f.write(b'x' * 65536)\n"
    "    except OSError: pass\n"
    "print(total)\n"
)


def test_all_writable_places_share_one_bound(make: Make) -> None:
    total = int(text(make(disk_bytes=8 << 20).exec(python(FILL))))
    assert 6 << 20 < total <= 8 << 20


def test_inodes_are_bounded(make: Make) -> None:
    code = (
        "import os\n"
        "made = 0\n"
        "for folder in ('/work', '/tmp', '/home/agent', '/dev/shm'):\n"
        "    try:\n"
        "        while made < 5000: os.mkdir(f'{folder}/d{made}'); made += 1\n"
        "    except OSError: pass\n"
        "print(made)\n"
    )
    assert 400 < int(text(make(inodes=500).exec(python(code)))) <= 520


def test_an_output_flood_is_cut(make: Make) -> None:
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536); sys.stderr.write('y' * 65536)"
    ended = make(output_bytes=200_000).exec(python(code))
    assert ended.kind == "output_limit"
    assert len(ended.stdout) + len(ended.stderr) == 200_000


def test_output_a_little_over_the_limit_is_cut_too(make: Make) -> None:
    ended = make(output_bytes=1000).exec(python("print('x' * 1000)"))
    assert (ended.kind, len(ended.stdout)) == ("output_limit", 1000)


@pytest.mark.parametrize("code", ["while True: pass", "import time; time.sleep(100)", "import os; os.read(3, 1)"])
def test_what_does_not_end_is_timed_out(make: Make, code: str) -> None:
    running = make().start(python(code, seconds=0.5), channel=True)
    ended = running.wait(20)
    assert ended is not None
    assert (ended.kind, ended.status) == ("timeout", -9)
    assert ended.seconds >= 0.5
    if running.channel:
        running.channel.close()


def test_a_daemon_that_keeps_the_output_open_is_not_waited_for(make: Make) -> None:
    code = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0: time.sleep(600)\n"
        "    os._exit(0)\n"
        "os.wait(); print('done')\n"
    )
    sandbox = make()
    began = time.monotonic()
    ended = sandbox.exec(python(code, seconds=60))
    assert (ended.kind, ended.status, ended.stdout) == ("exit", 0, b"done\n")
    assert time.monotonic() - began < 50
    left = "import os; print([p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid())])"
    assert text(sandbox.exec(python(left))) != "[]\n"
    sandbox.destroy()


def test_a_timeout_takes_daemons_with_it(make: Make) -> None:
    code = "import os, time\nif os.fork() == 0: os.setsid()\ntime.sleep(600)"
    sandbox = make()
    assert sandbox.exec(python(code, seconds=0.5)).kind == "timeout"
    left = "import os; print([p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid())])"
    assert text(sandbox.exec(python(left))) == "[]\n"


def test_open_files_core_and_file_size_are_bounded(make: Make) -> None:
    code = (
        "import resource as r\n"
        "print(r.getrlimit(r.RLIMIT_NOFILE)[1], r.getrlimit(r.RLIMIT_CORE)[1], r.getrlimit(r.RLIMIT_FSIZE)[1])\n"
    )
    assert text(make(open_files=99, disk_bytes=1 << 20).exec(python(code))) == f"99 1 {1 << 20}\n"


def test_a_crash_leaves_no_dump(make: Make) -> None:
    sandbox = make()
    assert sandbox.exec(python("import os; os.abort()")).status == -6
    assert text(sandbox.exec(python("import os; print([n for n in os.listdir('.') if 'core' in n])"))) == "[]\n"


def test_cpu_seconds_are_bounded(make: Make) -> None:
    ended = make(cpu_seconds=1).exec(python("while True: pass"))
    assert (ended.kind, ended.status) == ("exit", -24)


def test_without_control_groups_each_process_is_bounded(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
    from bouts.model.sandbox import SandboxLimits, SandboxPlan

    monkeypatch.setattr(cgroups, "find", lambda: None)
    backend = Bubblewrap(tmp_path / "scratch")
    sandbox = backend.create(SandboxPlan(workspace=str(workspace), limits=SandboxLimits(memory_bytes=200 << 20)))
    ended = sandbox.exec(python("held = bytearray(b'x') * (300 << 20)"))
    report = sandbox.destroy()
    backend.close()
    assert (ended.kind, ended.status) == ("exit", 1)
    assert b"MemoryError" in ended.stderr
    assert (report.memory_level, report.memory_peak_bytes, report.oom) == ("partial", None, False)
