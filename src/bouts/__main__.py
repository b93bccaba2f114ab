"""`python -m bouts`."""

import sys

if not sys.flags.safe_path:
    # The current folder, which may be the very submission: nothing is imported from there.
    del sys.path[0]

from bouts.cli.main import main

main()
