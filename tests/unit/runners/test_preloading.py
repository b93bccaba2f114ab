"""Which modules are loaded ahead of a submission."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bouts.adapters.runners.python.calls.preloading import ALWAYS, HARMLESS, used_modules


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import json\n", {"json"}),
        ("import json, decimal as d\n", {"json", "decimal"}),
        ("from collections.abc import Mapping\n", {"collections"}),
        ("def f():\n    import heapq\n", {"heapq"}),
        ("import os.path, random, socket\n", set()),
        ("import jsonx\nfrom . import json\n", set()),
        ("\x00\xff import", set()),
    ],
)
def test_harmless_imports_are_found(tmp_path, source, expected):
    (tmp_path / "a.py").write_text(source, encoding="latin-1")
    assert set(used_modules([tmp_path])) == expected | set(ALWAYS)


def test_odd_folders_do_no_harm(tmp_path):
    (tmp_path / "b.py").mkdir()
    (tmp_path / "c.py").symlink_to(tmp_path / "nowhere")
    assert used_modules([tmp_path, tmp_path / "missing"]) == ALWAYS


def test_harmless_modules_draw_no_random_state():
    names = ",".join(sorted(HARMLESS))
    code = f"import {names}, sys, threading; print('random' in sys.modules, threading.active_count())"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False 1\n"
