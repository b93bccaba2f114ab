"""The host of a suite with the real sandbox, as `bouts.assemble` wires it."""

import os
from pathlib import Path

from bouts.adapters.runners.python.host import run_suite
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap


def suite_host(payload, line):
    return run_suite(payload, line, Bubblewrap(Path(os.environ["BOUTS_TEST_SCRATCH"])))
