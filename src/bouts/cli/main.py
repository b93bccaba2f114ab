"""The entry point. The first page of help and the version are printed without loading anything.

`help.txt` is what the parser itself would print; `scripts/generate --check` holds it to that.
"""

from __future__ import annotations

import gc
import os
import sys

COLLECT_AFTER = 20_000
"""Objects made before the garbage collector looks for circles. What is loaded lives to the end, and helper processes
end after one submission: looking as often as Python's 700 costs some percent of a run and finds nothing."""


def main() -> None:
    """Run the command line and exit with its status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - for the whole process
    if len(sys.argv) == 2 and sys.argv[1] in {"--help", "-h"}:
        with open(__file__.removesuffix("main.py") + "help.txt", encoding="utf-8") as file:  # noqa: PTH123 - one import less
            sys.stdout.write(file.read())
        return
    gc.set_threshold(COLLECT_AFTER)
    from bouts.cli.app import run

    run()
