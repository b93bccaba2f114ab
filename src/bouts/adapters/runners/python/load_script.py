"""The requests of a load script as bytes, ready to be numbered and sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from itertools import count
from urllib.parse import quote

from bouts.model.challenge import Request

HOST = "service"
"""What clients name as the host; the service listens on its own loopback and has no other name."""

_MARK = "{n}"
_PATH_SAFE = "/?&=%:@!$'()*+,;~[]"


@cache
def _usual() -> str:
    """The headers that a test's client sends, in its order: a service must not tell load from tests by them."""
    return (
        f"Host: {HOST}\r\nAccept: */*\r\nConnection: keep-alive\r\n"
        f"User-Agent: python-httpx/{version('httpx')}\r\nAccept-Encoding: identity\r\n"
    )


class Template:
    """One request of a script. `{n}` stands for a running number in the path and in every string of the body."""

    def __init__(self, request: Request) -> None:
        path = request.path if request.path.startswith("/") else f"/{request.path}"
        self._method = request.method
        self._path = tuple(quote(piece, safe=_PATH_SAFE) for piece in path.split(_MARK))
        # A mark can only stand inside a string of the JSON text, so replacing it there is exact.
        body = None if request.body is None else json.dumps(request.body, separators=(",", ":"), ensure_ascii=True)
        self._body = None if body is None else tuple(piece.encode() for piece in body.split(_MARK))
        self.expect = request.expect
        self.name = f"{request.method} {request.path}"

    def render(self, number: int) -> bytes:
        """The whole request with this number in it, as HTTP/1.1 with keep-alive."""
        text = str(number)
        head = f"{self._method} {text.join(self._path)} HTTP/1.1\r\n{_usual()}"
        if self._body is None:
            return f"{head}\r\n".encode("ascii")
        body = text.encode().join(self._body)
        return f"{head}Content-Length: {len(body)}\r\nContent-Type: application/json\r\n\r\n".encode("ascii") + body


class Script:
    """The requests of a script in turn, shared by all clients: each call gives the next one, under a number of its own.

    Numbers start at 1 and are never given twice. Thread-safe: one step of a `count` is one step of the interpreter.
    """

    def __init__(self, requests: Sequence[Request], numbers: count[int] | None = None) -> None:
        self._templates = tuple(Template(request) for request in requests)
        self._turns = count()
        self.numbers = numbers if numbers is not None else count(1)

    def __len__(self) -> int:
        return len(self._templates)

    def next(self) -> tuple[Template, bytes]:
        """The request whose turn it is, and its bytes."""
        template = self._templates[next(self._turns) % len(self._templates)]
        return template, template.render(next(self.numbers))
