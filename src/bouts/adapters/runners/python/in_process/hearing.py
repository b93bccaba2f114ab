"""What the process of an `in-process` suite says, read with bounds: lines of JSON, each with the secret of its run."""

from __future__ import annotations

import json
import socket
from typing import Any, cast

from bouts.adapters.runners.python.heard import MAX_WARNINGS, warned
from bouts.adapters.runners.python.text import escape
from bouts.hosts.deadlines import Deadline
from bouts.model.running import Warned

MESSAGE_LIMIT = 2000
"""Characters of a message."""
_MAX_LINE = 4 << 20


class Forged(Exception):
    """Something that the program inside never says."""


def read_line(channel: socket.socket, buffer: bytearray, deadline: Deadline) -> bytes | None:
    """The next line, or `None` at the end. Raises `TimeoutError` after the deadline."""
    while True:
        place = buffer.find(b"\n")
        if place >= 0:
            line = bytes(buffer[:place])
            del buffer[: place + 1]
            return line
        if len(buffer) > _MAX_LINE:
            raise Forged("a message without end")
        if not deadline.left() or not deadline.ready(channel.fileno()):
            raise TimeoutError
        try:
            data = channel.recv(1 << 16)
        except OSError:
            return None
        if not data:
            return None
        buffer += data


def parsed(line: bytes, nonce: str) -> dict[str, Any]:
    """The message of a line. Raises `Forged`."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Forged("a message that cannot be read") from error
    if type(message) is not dict or cast("dict[str, Any]", message).get("nonce") != nonce:
        raise Forged("a message without the secret of this run")
    return cast("dict[str, Any]", message)


def texts(data: Any) -> list[str]:
    """A list of texts. Raises `Forged`."""
    if type(data) is not list or not all(type(item) is str for item in cast("list[Any]", data)):
        raise Forged("a list of texts was expected")
    return cast("list[str]", data)


def warnings_of(data: Any) -> list[Warned]:
    """Warnings of the code. Raises `Forged`."""
    if type(data) is not list:
        raise Forged("a list of warnings was expected")
    found: list[Warned] = []
    for item in cast("list[Any]", data)[:MAX_WARNINGS]:
        if type(item) is not list or [type(part) for part in cast("list[Any]", item)] != [str, int, str, str]:
            raise Forged("a warning of the wrong shape")
        path, line, kind, text = cast("tuple[str, int, str, str]", item)
        found.append(warned(path, line, kind, text))
    return found


def said(data: Any) -> dict[str, str]:
    """A table of texts, escaped. Raises `Forged`."""
    if type(data) is not dict:
        raise Forged("a table of texts was expected")
    return {
        escape(str(key), 500): escape(str(said), MESSAGE_LIMIT) for key, said in cast("dict[Any, Any]", data).items()
    }
