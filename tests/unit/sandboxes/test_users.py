"""Which users sandboxes can run as."""

from __future__ import annotations

from pathlib import Path

import pytest

from bouts.adapters.sandboxes import users

HIGH = range(0x7B000000, 0x7B000000 + (1 << 23))


@pytest.mark.parametrize(
    ("text", "numbers", "real"),
    [
        ("         0          0 4294967295\n", HIGH, True),
        ("0 100000 65536\n", range(32768, 65536), False),
        ("0 1000 1\n1 100000 65536\n", range(32769, 65537), False),
        ("0 1000 1\n", range(0), False),
        ("", range(0), False),
    ],
)
def test_numbers_come_from_what_is_mapped(tmp_path: Path, text: str, numbers: range, real: bool) -> None:
    (tmp_path / "map").write_text(text, encoding="ascii")
    assert users.usable_numbers(tmp_path / "map") == numbers
    assert users.is_real_root(tmp_path / "map") == real


def test_without_a_map_nobody_else_can_be_become(tmp_path: Path) -> None:
    assert users.usable_numbers(tmp_path / "absent") == range(0)
    assert users.is_real_root(tmp_path / "absent")
