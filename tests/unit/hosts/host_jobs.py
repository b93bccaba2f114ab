"""What the children of the tested zygotes run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time


def echo(payload, line):
    return {"got": payload, "pid": os.getpid()}


def talk(payload, line):
    for number in range(3):
        line.send({"number": number})
    return {"heard": line.receive(10)}


def raises(payload, line):
    raise ValueError("no good \u202e")


def leaves(payload, line):
    sys.exit(3)


def dies(payload, line):
    os.kill(os.getpid(), signal.SIGKILL)


def large(payload, line):
    return {"text": "x" * payload["size"]}


def sleeps(payload, line):
    below = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    line.send({"pid": os.getpid(), "below": below.pid})
    time.sleep(600)
