"""What every command prints through: JSON or people's text, colours that respect NO_COLOR, errors in one shape."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from bouts.errors import BoutsError
    from bouts.render.terminal import Styled

ANSI = {
    "title": "1",
    "strong": "1",
    "dim": "2",
    "good": "32",
    "warn": "33",
    "bad": "31",
}


def wants_json() -> bool:
    """Whether this call was made with `--json`; errors then are JSON, too."""
    return "--json" in sys.argv


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON document."""
    _write(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False))


def print_error(error: BoutsError) -> None:
    """Print what is wrong, where, and what to do: on standard error, or as JSON on standard output."""
    if wants_json():
        print_json({"schema": "bouts.error/1", "error": error.as_dict()})
        return
    lines = [f"error: {error.where}: {error.message}" if error.where else f"error: {error.message}"]
    if error.hint:
        lines.append(f"hint: {error.hint}")
    sys.stderr.write(printable(_safe("\n".join(lines))) + "\n")


def print_lines(lines: Iterable[Styled]) -> None:
    """Print styled lines, with colour where standard output is a terminal that wants it."""
    colour = wants_colour()
    made: list[str] = []
    for line in lines:
        if colour:
            text = "".join(_paint(_safe(s.text), s.style) for s in line)
        else:
            text = _safe("".join([s.text for s in line]))
        made.append(text.rstrip())
    if made:
        _write("\n".join(made))


def writable(path: Path, option: str) -> Path:
    """A place that is written to. One folder may have to be made for it; more than that is a slip of the pen.

    Raises `BadUsage`, and `StoreFault` where the disk is full.
    """
    from bouts.errors import BadUsage, StoreFault
    from bouts.settings import unwritable

    above = path.absolute().parent
    if not (above.is_dir() or above.parent.is_dir()):
        there = next((str(folder) for folder in above.parents if folder.is_dir()), "/")
        hint = f"of it only {there} is there; one new folder is made, no more"
        raise BadUsage("cannot write there: there is no such folder", where=f"{option} {path}", hint=hint)
    why = unwritable(path if path.is_dir() else above)
    if why is not None:
        kind = StoreFault if why in map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EIO)) else BadUsage
        raise kind(f"cannot write there: {why}", where=f"{option} {path}")
    return path


def say(text: str) -> None:
    """Print a line of text."""
    _write(_safe(text))


def note(text: str) -> None:
    """Print a line beside the result: on standard error."""
    sys.stderr.write(printable(_safe(text)) + "\n")


def width() -> int:
    """Columns of the terminal."""
    return shutil.get_terminal_size((100, 40)).columns


def wants_colour() -> bool:
    """Whether to colour standard output: a terminal, NO_COLOR unset or empty, TERM not dumb; FORCE_COLOR overrides."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _safe(text: str) -> str:
    """`text` with nothing in it that steers a terminal: names of files, agents and tests come from strangers."""
    from bouts.model.text import clean

    return text if text.isascii() and text.isprintable() else clean(text, len(text) * 10)


def printable(text: str) -> str:
    """`text` as this terminal's encoding can show it."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def flush() -> None:
    """Hand over what was printed. A reader that has gone away, such as `head`, changes no exit status."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop()


def _write(text: str) -> None:
    try:
        sys.stdout.write(printable(text) + "\n")
    except BrokenPipeError:
        _drop()


def _drop() -> None:
    """Nobody reads any more: what is still to be printed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _paint(text: str, style: str) -> str:
    code = ANSI.get(style)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text
