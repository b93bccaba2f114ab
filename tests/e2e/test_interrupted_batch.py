"""An interrupt ends a batch at once, and a closed output is no crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
TALLY = ROOT / "tests" / "fixtures" / "word-tally"


def test_an_interrupt_does_not_wait_for_what_runs(tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.mkdir()
    for source in (TALLY / "reference").rglob("*.py"):
        target = slow / source.relative_to(TALLY / "reference")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("import time\ntime.sleep(600)\n" + source.read_text())
    home = tmp_path / "home"
    started = subprocess.Popen(
        [sys.executable, "-m", "bouts", "score", str(TALLY), str(slow), str(slow), str(slow), "--jobs", "2",
         "--out", str(tmp_path / "out"), "--fresh"],
        env={**os.environ, "BOUTS_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # Tests may run where interrupts are ignored, as behind `&` of a script.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    time.sleep(6)
    assert started.poll() is None, started.communicate()[0]
    started.send_signal(signal.SIGINT)
    said, _ = started.communicate(timeout=60)
    assert started.returncode == 130
    assert said.decode().rstrip().endswith("interrupted")
    assert "Traceback" not in said.decode()


def test_a_closed_output_is_no_crash() -> None:
    command = f"exec {sys.executable} -m bouts challenges >&-"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 0
