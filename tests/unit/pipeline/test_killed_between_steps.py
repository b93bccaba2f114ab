"""Killed at any boundary and begun again, a batch comes to the same end, and no finished step is done twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from stepping import matrix


@pytest.mark.parametrize(("start", "fresh"), [(1, False), (3, True)])
def test_killed_at_every_fifth_boundary(tmp_path: Path, start: int, fresh: bool) -> None:
    assert matrix(tmp_path, step=5, start=start, fresh=fresh) > 5
