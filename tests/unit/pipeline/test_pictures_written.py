from __future__ import annotations

import builtins
import struct
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

import pytest

from bouts.errors import BadUsage, WorldError
from bouts.pipeline import pictures
from bouts.pipeline.pictures import write_picture

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="14">Ü</text></svg>\n'


def test_an_svg_is_written_and_may_be_replaced(tmp_path: Path) -> None:
    place = tmp_path / "a.svg"
    write_picture(place, SVG)
    write_picture(place, SVG)
    assert ET.parse(place).getroot().get("width") == "40"


def test_a_png_has_twice_the_pixels_and_may_be_replaced(tmp_path: Path) -> None:
    place = tmp_path / "a.PNG"
    write_picture(place, SVG)
    write_picture(place, SVG)
    data = place.read_bytes()
    at, kinds = 8, []
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        (crc,) = struct.unpack(">I", data[at + 8 + size : at + 12 + size])
        assert crc == zlib.crc32(kind + body)
        kinds.append(kind)
        at += 12 + size
    assert kinds[:2] == [b"IHDR", b"tEXt"]
    assert kinds[-1] == b"IEND"
    assert struct.unpack(">II", data[16:24]) == (80, 40)


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_files_of_others_are_kept(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    place.write_bytes(b"<svg/>" if name.endswith("svg") else pictures._HEAD + b"x" * 100)
    before = place.read_bytes()
    with pytest.raises(BadUsage, match="no picture of Bouts"):
        write_picture(place, SVG)
    assert place.read_bytes() == before


@pytest.mark.parametrize("name", ["a.jpg", "a", "no/such/a.svg"])
def test_places_that_cannot_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadUsage) as caught:
        pictures.refuse_place(tmp_path / name)
    assert caught.value.hint


def test_without_the_extra_the_message_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def lacking(name: str, *rest: object, **more: object) -> object:
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(BadUsage) as caught:
        write_picture(tmp_path / "a.png", SVG)
    assert "bouts[png]" in str(caught.value)
    assert not (tmp_path / "a.png").exists()


def test_without_a_font_there_is_no_png_without_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_PROBE", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    with pytest.raises(WorldError, match="no font"):
        pictures.png(SVG)
