"""On a machine that is busy with other things honest code keeps its time, and a loop still comes to its end."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bouts.hosts.crowded import tells

pytestmark = pytest.mark.skipif(not tells(), reason="this kernel does not tell how long threads wait")
OTHERS = 4
"""Programs a processor that want all of it."""


@pytest.fixture
def busy() -> Iterator[None]:
    count = OTHERS * len(os.sched_getaffinity(0))
    # Each in a session of its own, as sandboxes are: the kernel may share processors out by session.
    others = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(count)
    ]
    yield
    for other in others:
        other.kill()
        other.wait()


def test_work_that_fits_its_limit_fits_it_among_others(suites, busy):
    # It needs more seconds on the clock than it has, as it gets a fifth of a processor.
    suites.write(
        "import time\ndef work():\n    while time.process_time() < 0.7: pass\n    return 1\n",
        "import sol\ndef test_work(): assert sol.work() == 1\n",
    )
    report, outcomes = suites.run("test_work", test_seconds=1.5)
    assert outcomes == {"test_work": "passed"}, suites.messages
    assert report.put_off > 0


def test_a_loop_ends_and_threads_gain_nothing(suites, busy):
    suites.write(
        "import threading\ndef loop():\n    while True: pass\n"
        "def many():\n    for _ in range(40): threading.Thread(target=loop, daemon=True).start()\n    loop()\n",
        "import sol\ndef test_loop(): sol.loop()\ndef test_many(): sol.many()\n",
    )
    _, outcomes = suites.run("test_loop", "test_many", test_seconds=0.5)
    assert outcomes == {"test_loop": "timeout", "test_many": "timeout"}
