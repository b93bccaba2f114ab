"""Bouts measures how well AI coding agents do engineering.

Public names are imported on first use, so that `import bouts` costs nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"
