"""A line between two processes of ours: JSON messages, each behind its length."""

from __future__ import annotations

import json
import select
import socket
import struct
from typing import Any, cast

MAX_MESSAGE = 64 << 20
"""Bytes; our own processes never send more, so more means that something is broken."""

_HEAD = struct.Struct(">I")


class LineClosed(Exception):
    """The other side is gone."""


class Line:
    """One end of the line. Messages are JSON objects and arrive whole and in order."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._buffer = bytearray()

    def fileno(self) -> int:
        """The descriptor, for `select`."""
        return self._end.fileno()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message. Raises `LineClosed` when nobody listens any more."""
        body = json.dumps(message, separators=(",", ":"), ensure_ascii=True).encode()
        try:
            self._end.sendall(_HEAD.pack(len(body)) + body)
        except OSError as error:
            raise LineClosed(str(error)) from error

    def receive(self, seconds: float | None) -> dict[str, Any] | None:
        """The next message, or `None` when none came in time. Raises `LineClosed` at the end."""
        while True:
            message = self._take()
            if message is not None:
                return message
            ready, _, _ = select.select([self._end], [], [], seconds)
            if not ready:
                return None
            try:
                data = self._end.recv(1 << 16)
            except OSError as error:
                raise LineClosed(str(error)) from error
            if not data:
                raise LineClosed("end of the line")
            self._buffer += data

    def close(self) -> None:
        """Close this end."""
        self._end.close()

    def _take(self) -> dict[str, Any] | None:
        if len(self._buffer) < _HEAD.size:
            return None
        (size,) = _HEAD.unpack_from(self._buffer)
        if size > MAX_MESSAGE:
            raise LineClosed("message too large")
        if len(self._buffer) < _HEAD.size + size:
            return None
        body = bytes(self._buffer[_HEAD.size : _HEAD.size + size])
        del self._buffer[: _HEAD.size + size]
        return cast("dict[str, Any]", json.loads(body))
