"""What a worker tells of files is written below the folder that both sides share, and nowhere else."""

import base64

import pytest

from bouts.adapters.runners.python.calls.inside.files import Full
from bouts.adapters.runners.python.calls.sharing import SharedFolder


def told(text):
    return base64.b64encode(text.encode()).decode()


@pytest.fixture
def outside(tmp_path):
    place = tmp_path / "outside"
    place.mkdir()
    (place / "kept.txt").write_text("kept")
    return place


@pytest.fixture
def folder(tmp_path, outside):
    place = tmp_path / "case"
    place.mkdir()
    (place / "link").symlink_to(outside)
    return place


@pytest.mark.parametrize("content", [told("x"), None, 0])
@pytest.mark.parametrize("path", ["link/new.txt", "link/kept.txt", "link/below/new.txt"])
def test_nothing_goes_through_a_link_that_a_test_made(folder, outside, path, content):
    with pytest.raises(Full, match="through a link"):
        SharedFolder(str(folder)).take({"fine.txt": told("fine"), path: content})
    assert [one.name for one in outside.iterdir()] == ["kept.txt"] and (outside / "kept.txt").read_text() == "kept"
    assert not (folder / "fine.txt").exists()


def test_a_link_itself_is_replaced_and_not_followed(folder, outside):
    shared = SharedFolder(str(folder))
    shared.take({"deep/er/a.txt": told("a"), "link": None})
    assert (folder / "deep" / "er" / "a.txt").read_text() == "a"
    assert (outside / "kept.txt").read_text() == "kept"
