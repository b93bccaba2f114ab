"""An `httpx` transport into a sandbox. Whatever the service sends is bounded and can only ever be an `httpx` error."""

from __future__ import annotations

import codecs
import select
import socket
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpcore
import httpx

from bouts.adapters.runners.python.patient import PatientSocket

MAX_BODY = 8 << 20
"""Bytes of one body, before and after decompression."""

_TEXT_CODECS = frozenset({"utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252", "utf-16", "utf-16-le", "utf-16-be"})
_INFLATE_STEP = 1 << 20
_POOL_SIZE = 256
_LOST = (httpcore.NetworkError, httpcore.RemoteProtocolError)

Connect = Callable[[float | None], socket.socket]
"""Seconds (`None`: any number) → a connected socket; raises `OSError`."""


class ServiceTransport(httpx.BaseTransport):
    """Sends every request to the one service, whatever its URL says. Thread-safe.

    `connect` gives new connections; time in which others kept the service from its processors, as `waited` counts it,
    is no operation's. When the time of the test is over its sandbox ends, and every operation with it. `observe` is
    told of each answer: the method, the path and the status; `lost` is called when a connection was lost, before the
    error is raised, and may raise one of its own.
    """

    def __init__(
        self,
        connect: Connect,
        waited: Callable[[], float],
        observe: Callable[[str, str, int], None],
        lost: Callable[[], None],
    ) -> None:
        self._observe = observe
        self._lost = lost
        self._pool = httpcore.ConnectionPool(
            max_connections=_POOL_SIZE,
            max_keepalive_connections=_POOL_SIZE,
            network_backend=_Backend(connect, waited),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request; the body of the answer is read as the caller asks for it."""
        core = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=b"http", host=b"service", port=80, target=request.url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        try:
            answer = self._pool.handle_request(core)
        except Exception as error:
            if isinstance(error, _LOST):
                self._lost()
            raise _as_httpx(error) from error
        self._observe(request.method, request.url.path, answer.status)
        headers = httpx.Headers(answer.headers)
        try:
            _check_charset(headers)
            size_after = _size_after(headers)
        except httpx.HTTPError:
            answer.close()
            raise
        stream = _BoundedStream(answer.stream, size_after, self._lost)  # pyright: ignore[reportArgumentType]
        extensions: dict[str, Any] = dict(answer.extensions)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        return httpx.Response(status_code=answer.status, headers=headers, stream=stream, extensions=extensions)

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _BoundedStream(httpx.SyncByteStream):
    """The body as it comes, cut off with an error where it, or what it decompresses to, is too large."""

    def __init__(self, parts: Iterable[bytes], size_after: Callable[[bytes], int], lost: Callable[[], None]) -> None:
        self._parts = parts
        self._lost = lost
        self._size_after = size_after

    def __iter__(self) -> Iterator[bytes]:
        raw = 0
        try:
            for part in self._parts:
                raw += len(part)
                # Measured before the part is handed on, as `httpx` would decompress it in one go.
                _check_size(max(raw, self._size_after(part)))
                yield part
        except httpx.HTTPError:
            raise
        except Exception as error:
            if isinstance(error, _LOST):
                self._lost()
            raise _as_httpx(error) from error

    def close(self) -> None:
        close = getattr(self._parts, "close", None)
        if close is not None:
            close()


def _check_size(size: int) -> None:
    if size > MAX_BODY:
        raise httpx.ReadError(f"the answer's body is larger than {MAX_BODY} bytes")


def _size_after(headers: httpx.Headers) -> Callable[[bytes], int]:
    """A function that is given the body part by part and says how large it is so far once decompressed.

    Raises `httpx.DecodingError` for more than one compression, or one that is unknown.
    """
    codings = [c.strip().lower() for c in headers.get("content-encoding", "").split(",") if c.strip()]
    codings = [c for c in codings if c != "identity"]
    if not codings:
        return lambda part: 0
    if len(codings) > 1 or codings[0] not in {"gzip", "deflate"}:
        raise httpx.DecodingError("the answer is compressed in a way that this client does not read (gzip, deflate)")
    return _Inflated(zlib.MAX_WBITS | (16 if codings[0] == "gzip" else 0)).add


class _Inflated:
    """Counts decompressed bytes in pieces of a bounded size."""

    def __init__(self, window: int) -> None:
        self._inflate = zlib.decompressobj(window)
        self._raw = window == zlib.MAX_WBITS
        self._size = 0

    def add(self, part: bytes) -> int:
        try:
            self._count(part)
        except zlib.error as error:
            if not self._raw or self._size:
                raise httpx.DecodingError(f"the answer is not compressed as it says: {error}") from error
            # `deflate` is sent with and without a zlib header; `httpx` reads both.
            self._raw, self._inflate = False, zlib.decompressobj(-zlib.MAX_WBITS)
            return self.add(part)
        return self._size

    def _count(self, part: bytes) -> None:
        while self._size <= MAX_BODY:
            size = len(self._inflate.decompress(part, _INFLATE_STEP))
            self._size += size
            part = self._inflate.unconsumed_tail
            # A full step may leave output behind although all input is taken.
            if size < _INFLATE_STEP and not part:
                break


def _check_charset(headers: httpx.Headers) -> None:
    """Refuse a charset that Python knows as something other than plain text: `charset=bz2` would decompress a bomb."""
    charset = httpx.Response(200, headers=headers).charset_encoding
    if charset is None:
        return
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return  # unknown: `httpx` falls back to UTF-8
    if name not in _TEXT_CODECS:
        raise httpx.DecodingError("the answer names a charset that this client does not read")


def _as_httpx(error: Exception) -> Exception:
    """The `httpx` error for one of `httpcore`; anything unforeseen in an answer is a protocol error."""
    if isinstance(error, (httpx.HTTPError, httpx.StreamError)):
        return error
    if not isinstance(error, (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)):
        if isinstance(error, (ValueError, LookupError, TypeError)):
            return httpx.RemoteProtocolError(f"an answer that cannot be read: {error}")
        return error
    kind = getattr(httpx, type(error).__name__, httpx.TransportError)
    return kind(str(error))


class _Backend(httpcore.NetworkBackend):
    def __init__(self, connect: Connect, waited: Callable[[], float]) -> None:
        self._connect = connect
        self._waited = waited

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            sock = self._connect(timeout)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout("no connection to the service in time") from error
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        return _Stream(PatientSocket.of(sock, self._waited))


class _Stream(httpcore.NetworkStream):
    def __init__(self, sock: PatientSocket) -> None:
        self._socket = sock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            self._socket.settimeout(timeout)
            return self._socket.recv(max_bytes)
        except TimeoutError as error:
            raise httpcore.ReadTimeout("no answer in time") from error
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        try:
            self._socket.settimeout(timeout)
            self._socket.sendall(buffer)
        except TimeoutError as error:
            raise httpcore.WriteTimeout("the service took no data in time") from error
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    def close(self) -> None:
        self._socket.close()

    def start_tls(self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> Any:
        raise httpcore.ConnectError("services are reached without TLS")

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            # Readable while idle means that the service closed the connection: the pool opens a new one.
            if self._socket.fileno() < 0:
                return True
            poll = select.poll()
            poll.register(self._socket.fileno(), select.POLLIN)
            return bool(poll.poll(0))
        return self._socket if info == "socket" else None
