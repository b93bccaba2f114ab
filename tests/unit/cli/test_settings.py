"""The folders that Bouts writes to, and the Python that a challenge needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bouts.challenges.python import too_old
from bouts.errors import BadUsage
from bouts.model.challenge import Environment
from bouts.settings import Settings, must_be_folders, unwritable


def test_a_folder_that_is_not_there_yet_can_be_written(tmp_path: Path) -> None:
    assert unwritable(tmp_path / "not" / "yet") is None
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert "a file is there" in str(unwritable(tmp_path / "file"))
    assert "a file is there" in str(unwritable(tmp_path / "file" / "below"))
    assert unwritable(Path("/proc/nothing/below")) is not None


@pytest.mark.parametrize(("name", "variable"), [("home", "BOUTS_HOME"), ("scratch", "BOUTS_SCRATCH")])
def test_a_file_in_the_place_of_a_folder_is_the_users_mistake(tmp_path: Path, name: str, variable: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    places = {"home": tmp_path / "h", "scratch": tmp_path / "s", name: tmp_path / "file" / "below"}
    with pytest.raises(BadUsage, match="file is there") as told:
        must_be_folders(Settings(home=places["home"], scratch=places["scratch"], challenges=()))
    assert variable in str(told.value.hint)
    must_be_folders(Settings(home=tmp_path / "h", scratch=tmp_path / "s", challenges=()))


@pytest.mark.parametrize(
    ("wanted", "running", "old"),
    [
        ("3", (3, 11), False),
        ("3.11", (3, 11), False),
        ("3.9", (3, 11), False),
        ("3.12", (3, 11), True),
        ("3.99", (3, 13), True),
    ],
)
def test_pythons_are_compared_as_numbers(wanted: str, running: tuple[int, int], old: bool) -> None:
    said = too_old(Environment(python=wanted), running)
    assert (said is not None) == old
    assert said is None or wanted in said
