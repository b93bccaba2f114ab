"""A socket to the submission whose time limit counts only time in which the submission could work."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bouts.hosts.deadlines import Deadline

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


class PatientSocket(socket.socket):
    """As any connected socket, but the time limit (`settimeout`) of each operation is a `Deadline`."""

    _waited: Callable[[], float] | None = None

    @classmethod
    def of(cls, sock: socket.socket, waited: Callable[[], float]) -> PatientSocket:
        """The same connection; `sock` itself is empty after that. `waited` is as in `Deadline`."""
        timeout = sock.gettimeout()
        made = cls(sock.family, sock.type, sock.proto, fileno=sock.detach())
        made.settimeout(timeout)
        made._waited = waited
        return made

    def recv(self, *arguments: Any) -> bytes:
        """As of any socket. Raises `TimeoutError`."""
        self._await(select.POLLIN)
        return super().recv(*arguments)

    def recv_into(self, buffer: WriteableBuffer, nbytes: int = 0, flags: int = 0) -> int:
        """As of any socket. Raises `TimeoutError`."""
        self._await(select.POLLIN)
        return super().recv_into(buffer, nbytes, flags)

    def send(self, *arguments: Any) -> int:
        """As of any socket. Raises `TimeoutError`."""
        self._await(select.POLLOUT)
        return super().send(*arguments)

    def sendall(self, data: ReadableBuffer, *arguments: Any) -> None:
        """As of any socket, but the limit is that of each piece that goes at once. Raises `TimeoutError`."""
        view = memoryview(data).cast("B")
        while view:
            view = view[self.send(view, *arguments) :]

    def _await(self, event: int) -> None:
        """Wait until the operation would not block."""
        seconds = self.gettimeout()
        if not seconds or self.fileno() < 0:
            return  # it may not wait at all, or for ever
        if not Deadline(seconds, self._waited).ready(self.fileno(), event):
            raise TimeoutError("timed out")
