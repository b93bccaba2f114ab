"""Ends before it listens."""

import sys

print("no such table: users", file=sys.stderr)
sys.exit(1)
