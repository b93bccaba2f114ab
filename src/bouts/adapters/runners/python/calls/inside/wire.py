"""The worker's end of the channel: JSON messages, each behind its length.

The accelerator of the `json` module is used without the module itself, whose import (with `re`) would double the time
that a worker takes to start.
"""

from __future__ import annotations

import posix

from .counting import TOO_MANY, crowded
from .plain import MAX_MESSAGE, CannotCross

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar


def _no_default(value: Any) -> Any:
    raise TypeError("only structures of plain data have a JSON text")


try:
    import _json

    class _Context:
        memo: ClassVar[dict[str, str]] = {}
        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int

        @staticmethod
        def parse_constant(name: str) -> Any:
            raise ValueError(name)

    _scan: Any = _json.make_scanner(_Context())  # pyright: ignore
    _encoder: Any = _json.make_encoder(  # pyright: ignore
        None, _no_default, _json.encode_basestring_ascii, None, ":", ",", False, False, False
    )

    def dumps(message: Any) -> bytes:
        """JSON text of a structure of plain data."""
        return "".join(_encoder(message, 0)).encode("ascii")

    def loads(data: bytes) -> Any:
        """The structure of a JSON text that our own side wrote."""
        return _scan(data.decode("ascii"), 0)[0]

except (ImportError, AttributeError, TypeError):  # pragma: no cover - other interpreters
    import json

    def dumps(message: Any) -> bytes:
        """JSON text of a structure of plain data."""
        return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")

    def loads(data: bytes) -> Any:
        """The structure of a JSON text that our own side wrote."""
        return json.loads(data)


def read_message(fd: int, buffer: bytearray) -> Any:
    """The next message, or `None` when the other side is gone."""
    while True:
        if len(buffer) >= 4:
            size = int.from_bytes(buffer[:4], "big")
            if len(buffer) >= 4 + size:
                body = bytes(buffer[4 : 4 + size])
                del buffer[: 4 + size]
                return loads(body)
        try:
            data = posix.read(fd, 1 << 16)
        except OSError:
            return None
        if not data:
            return None
        buffer += data


def pack(message: Any) -> bytes:
    """A message with its length in front. Raises `CannotCross` when it is too large."""
    body = dumps(message)
    if len(body) > MAX_MESSAGE:
        raise CannotCross(f"more than {MAX_MESSAGE >> 20} MiB cannot cross at once")
    if crowded(body):
        raise CannotCross(TOO_MANY)
    return len(body).to_bytes(4, "big") + body


def write_all(fd: int, data: bytes) -> None:
    """Write everything."""
    view = memoryview(data)
    while view:
        view = view[posix.write(fd, view) :]
