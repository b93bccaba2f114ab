"""Nothing that somebody else has put there is replaced: devices, folders, files that are none of ours."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from bouts.errors import BadUsage, StoreFault
from bouts.pipeline.cards import refuse_foreign_card
from bouts.pipeline.files import write_page, write_whole

PAGE = '<!doctype html>\n<meta name="generator" content="Bouts">\n<title>x</title>\n'


def test_a_device_takes_the_data_and_stays_a_device() -> None:
    write_whole(Path("/dev/null"), b"data")
    write_page(Path("/dev/null"), PAGE)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_device_that_takes_nothing_is_the_worlds_fault_and_stays() -> None:
    with pytest.raises(StoreFault):
        write_whole(Path("/dev/full"), b"data")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(BadUsage):
            write_whole(path, b"data")
        assert path.exists()
    with pytest.raises(BadUsage):
        refuse_foreign_card(Path("/dev/null"))


def test_a_page_replaces_a_page_and_nothing_else(tmp_path: Path) -> None:
    page, text, empty = tmp_path / "page.html", tmp_path / "notes.txt", tmp_path / "empty"
    write_page(page, PAGE)
    write_page(page, PAGE + "again")
    assert page.read_text().endswith("again")
    text.write_text("mine")
    with pytest.raises(BadUsage, match="no page"):
        write_page(text, PAGE)
    assert text.read_text() == "mine"
    empty.touch()
    write_page(empty, PAGE)


def test_a_card_replaces_a_card_and_nothing_else(tmp_path: Path) -> None:
    card, text = tmp_path / "card.json", tmp_path / "notes.txt"
    card.write_text('{"schema":"bouts.card/1"}')
    text.write_text("mine")
    refuse_foreign_card(card)
    refuse_foreign_card(tmp_path)
    refuse_foreign_card(tmp_path / "new.json")
    with pytest.raises(BadUsage, match="no card"):
        refuse_foreign_card(text)
