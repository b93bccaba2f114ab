"""A bare HTTP/1.1 client for load: one connection, one request at a time, everything that is read is bounded.

It shares the machine with the service it measures, so it parses no more of an answer than it needs: the status and
where the answer ends. Answers that it cannot follow are errors, never guesses.
"""

from __future__ import annotations

import socket
import time

MAX_HEAD = 64 << 10
"""Bytes of the status line and headers of one answer."""
MAX_BODY = 8 << 20
"""Bytes of the body of one answer."""

_READ = 1 << 16
_MAX_DIGITS = 15


class WireError(Exception):
    """The answer is broken, too large, or the connection ended within it."""


class WireTimeout(WireError):
    """The answer was not complete in time."""


class WireConnection:
    """One keep-alive connection. Used by one thread."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._buffer = bytearray()
        self._deadline = 0.0

    def ask(self, request: bytes, seconds: float) -> tuple[int, bool]:
        """Send a request and read its whole answer: the status, and whether the connection can be used again.

        Raises `WireTimeout` when that takes longer than `seconds`, `WireError` for anything that is no HTTP/1.x answer,
        and for one that came before the request: it would look as if it had taken no time at all.
        """
        self._deadline = time.monotonic() + seconds
        try:
            if self._buffer or self._came():
                raise WireError("an answer came before the request")
            self._socket.settimeout(seconds)
            self._socket.sendall(request)
            while True:
                status, headers, version = self._head()
                if status >= 200 or status == 101:
                    break
            return status, self._body(status, headers) and _stays_open(headers, version)
        except TimeoutError as error:
            raise WireTimeout(f"no whole answer within {seconds:g} s") from error
        except OSError as error:
            raise WireError(f"connection lost: {error.strerror or type(error).__name__}") from error

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _came(self) -> bool:
        self._socket.settimeout(0)
        try:
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return False

    def _fill(self) -> bool:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
        data = self._socket.recv(_READ)
        self._buffer += data
        return bool(data)

    def _need(self, what: str) -> None:
        if not self._fill():
            raise WireError(f"connection closed within {what}")

    def _head(self) -> tuple[int, dict[bytes, bytes], bytes]:
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            if len(self._buffer) > MAX_HEAD:
                raise WireError("headers too large")
            if not self._fill():
                raise WireError(f"connection closed {'within' if self._buffer else 'instead of'} an answer")
        if end > MAX_HEAD:
            raise WireError("headers too large")
        lines = bytes(self._buffer[:end]).split(b"\r\n")
        del self._buffer[: end + 4]
        version, _, rest = lines[0].partition(b" ")
        if version not in {b"HTTP/1.1", b"HTTP/1.0"} or not rest[:3].isdigit() or rest[3:4] not in {b"", b" "}:
            raise WireError("not an HTTP/1 answer")
        headers: dict[bytes, bytes] = {}
        for line in lines[1:]:
            name, colon, value = line.partition(b":")
            if not colon:
                raise WireError("a header line without a colon")
            headers[name.lower()] = value.strip()
        return int(rest[:3]), headers, version

    def _body(self, status: int, headers: dict[bytes, bytes]) -> bool:
        """Read the body away; false where only the end of the connection ended it."""
        if status in {101, 204, 304}:
            return status != 101
        coding = headers.get(b"transfer-encoding")
        if coding is not None:
            if coding.lower() != b"chunked":
                raise WireError("a transfer encoding other than chunked")
            self._chunks()
            return True
        length = headers.get(b"content-length")
        if length is not None:
            self._drop(_number(length, 10, "content-length"))
            return True
        while self._fill():
            if len(self._buffer) > MAX_BODY:
                raise WireError("body too large")
        return False

    def _drop(self, size: int) -> None:
        if size > MAX_BODY:
            raise WireError("body too large")
        while size > len(self._buffer):
            size -= len(self._buffer)
            self._buffer.clear()
            self._need("a body")
        del self._buffer[:size]

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\r\n")) < 0:
            if len(self._buffer) > MAX_HEAD:
                raise WireError("a line too long")
            self._need("a body")
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        return line

    def _chunks(self) -> None:
        total = 0
        while size := _number(self._line().partition(b";")[0].strip(), 16, "chunk size"):
            total += size
            if total > MAX_BODY:
                raise WireError("body too large")
            self._drop(size)
            if self._line():
                raise WireError("a chunk longer than it says")
        trailer = 0
        while line := self._line():
            trailer += len(line)
            if trailer > MAX_HEAD:
                raise WireError("trailers too large")


def _number(text: bytes, base: int, what: str) -> int:
    # `int` alone would take signs, spaces and underscores, too.
    if 0 < len(text) <= _MAX_DIGITS and text.isalnum():
        try:
            return int(text, base)
        except ValueError:
            pass
    raise WireError(f"a broken {what}")


def _stays_open(headers: dict[bytes, bytes], version: bytes) -> bool:
    said = headers.get(b"connection", b"").lower()
    return b"keep-alive" in said if version == b"HTTP/1.0" else b"close" not in said
