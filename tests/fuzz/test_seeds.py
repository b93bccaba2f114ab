"""Every seed, and so everything that fuzzing ever found, through its target once."""

from pathlib import Path

import pytest
from targets import PREFIXES, TARGETS

SEEDS = Path(__file__).resolve().parent / "seeds"


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_every_seed_is_read_or_refused_as_promised(name):
    files = sorted((SEEDS / name).iterdir())
    assert files and name in PREFIXES
    target = TARGETS[name]()
    target(b"")
    for file in files:
        data = file.read_bytes()
        for cut in (data, data[: len(data) // 2], data[1:], data + data):
            target(cut)
