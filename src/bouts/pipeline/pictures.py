"""Pictures and badges as files: SVG as it is, PNG by the extra `png`. Files of others are never replaced."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from bouts.errors import BadUsage, WorldError
from bouts.pipeline.files import refuse_foreign, write_whole

ENDINGS = (".svg", ".png")
PNG_ZOOM = 2.0
"""Pixels of a PNG for each pixel of the picture."""
_HEAD = b"\x89PNG\r\n\x1a\n"
_OURS = b"Software\x00Bouts"
_MARK = b"<!-- made by Bouts -->"
_PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><text y="13" font-size="13">{}</text></svg>'


def refuse_place(path: Path) -> None:
    """Say before anything is worked out that a picture cannot go there. Raises `BadUsage`."""
    if path.suffix.lower() not in ENDINGS:
        raise BadUsage("a picture is an .svg or a .png file", where=str(path), hint="name it something.svg")
    _refuse_folder(path)
    refuse_foreign(path, _is_ours, "picture of Bouts")


def write_picture(path: Path, svg: str) -> None:
    """Write a picture. Raises `BadUsage` for a place or an ending that cannot be, or where the extra `png` is lacking;
    `StoreFault` where the file cannot be written; `WorldError` where this machine has no font to write with."""
    refuse_place(path)
    data = png(svg) if path.suffix.lower() == ".png" else _MARK + b"\n" + svg.encode()
    write_whole(path, data)


def refuse_badge(path: Path) -> None:
    """Say before anything is worked out that a badge cannot go there. Raises `BadUsage`."""
    if path.suffix.lower() not in (".svg", ".json"):
        raise BadUsage("a badge is an .svg or a .json file", where=str(path), hint="name it something.svg")
    _refuse_folder(path)
    refuse_foreign(path, _is_ours_or_endpoint, "badge of Bouts")


def write_badge(path: Path, svg: str, endpoint: str) -> None:
    """Write a badge, as its file's ending wants it. Raises as `write_picture` does."""
    refuse_badge(path)
    write_whole(path, endpoint.encode() if path.suffix.lower() == ".json" else _MARK + b"\n" + svg.encode())


def png(svg: str) -> bytes:
    """The picture as PNG. Raises as `write_picture` does."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise BadUsage(
            "PNG needs the extra `png`",
            hint="pip install 'bouts[png]', or name an .svg file: browsers show it as it is",
        ) from error
    if svg_to_bytes(svg_string=_PROBE.format("M")) == svg_to_bytes(svg_string=_PROBE.format("")):
        raise WorldError(
            "this machine has no font, so a PNG would be without text",
            hint="install one (fonts-dejavu-core, say), or name an .svg file",
        )
    made = svg_to_bytes(svg_string=svg, zoom=PNG_ZOOM)
    end = len(_HEAD) + 25  # behind the first chunk, which must stay the first
    return made[:end] + _chunk(b"tEXt", _OURS) + made[end:]


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _is_ours(start: bytes) -> bool:
    return start.startswith(_MARK) or (start.startswith(_HEAD) and _OURS in start)


def _is_ours_or_endpoint(start: bytes) -> bool:
    return start.startswith((_MARK, b'{"schemaVersion": 1, "label": '))


def _refuse_folder(path: Path) -> None:
    folder = path.absolute().parent
    if not folder.is_dir():
        raise BadUsage("there is no such folder", where=str(folder), hint="make it, or name another one")
