"""Every seed, and so everything that fuzzing ever found, through its target once."""

import pytest
from targets import PREFIXES, TARGETS, seeds


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_every_seed_is_read_or_refused_as_promised(name):
    inputs = seeds(name)
    assert inputs and name in PREFIXES
    target = TARGETS[name]()
    target(b"")
    for data in inputs.values():
        for cut in (data, data[: len(data) // 2], data[1:], data + data):
            target(cut)
