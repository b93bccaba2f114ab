"""`python -m bouts`."""

from bouts.cli.main import main

main()
