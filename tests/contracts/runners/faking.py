"""Sandboxes that isolate nothing and fail when they are told to: how faults of ours are told from the submission's."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

from bouts.adapters.runners.python.host import run_suite
from bouts.errors import SandboxFault
from bouts.model.sandbox import Ended, Probe, SandboxReport

WORKER = "import sys; from bouts.adapters.runners.python.calls.inside import worker; worker.main(sys.argv[1:])"
HELLO = 'import os, sys; os.write(int(sys.argv[1]), len(b\'{"hello":1}\').to_bytes(4, "big") + b\'{"hello":1}\')'
UNBORN = "import sys; sys.exit('no module named os')"
MUTE = "import time; time.sleep(60)"
_LOCK = threading.Lock()


class Running:
    def __init__(self, process, channel, *, lost):
        self.channel = channel
        self._process = process
        self._lost = lost

    def wait(self, seconds):
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        kind = "sandbox_error" if self._lost else "exit"
        return Ended(kind=kind, status=status, seconds=0.0, detail="the sandbox is gone" if self._lost else "")

    def terminate(self):
        self._process.terminate()

    def kill(self):
        self._process.kill()


class Sandbox:
    def __init__(self, backend, plan):
        self._backend = backend
        self._plan = plan
        self._runnings = []

    def start(self, command, *, channel=False, stdin=b"", terminal_fd=None):
        near, far = socket.socketpair()
        trouble = self._backend.trouble(self._plan, ("unborn", "lost", "mute"))
        program = {"unborn": UNBORN, "lost": HELLO, "mute": MUTE}.get(trouble, WORKER)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with far:
            process = subprocess.Popen(
                [sys.executable, "-c", program, str(far.fileno()), self._plan.workspace],
                pass_fds=(far.fileno(),),
                cwd=self._plan.workspace,
                env=environment,
            )
        self._runnings.append(Running(process, near, lost=trouble == "lost"))
        return self._runnings[-1]

    def kill(self):
        for running in self._runnings:
            running.kill()
            running.wait(10)

    def waited(self):
        return 0.0

    def renew(self):
        self.kill()
        return True

    def destroy(self):
        self.kill()
        return SandboxReport(network_level="complete", decoy_level="complete", memory_level="complete")


class FakeSandboxes:
    """`orders.json` in the folder: in which workspaces (a word in a file), what goes wrong, and how often."""

    def __init__(self, folder):
        self._folder = folder

    def probe(self):
        return Probe(backend="fake", usable=True, items=())

    def create(self, plan):
        if self.trouble(plan, ("create",)):
            raise SandboxFault("no sandbox could be made")
        return Sandbox(self, plan)

    def reap_orphans(self):
        return ()

    def trouble(self, plan, kinds):
        """What goes wrong now, if anything."""
        with _LOCK:
            path = self._folder / "orders.json"
            orders = json.loads(path.read_text())
            if orders["what"] not in kinds or not orders["times"] or not _holds(plan.workspace, orders["word"]):
                return None
            orders["times"] -= 1
            path.write_text(json.dumps(orders))
            return orders["what"]


def _holds(workspace, word):
    for path in Path(workspace).rglob("*.py"):
        with contextlib.suppress(OSError):
            if word in path.read_text():
                return True
    return False


def suite_host(payload, line):
    return run_suite(payload, line, FakeSandboxes(Path(os.environ["BOUTS_TEST_FAKE"])))
