"""Threads of a worker, one for each thread of the test that asks for something."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from __future__ import annotations

import _thread
from _queue import SimpleQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .worker import Worker


class WorkThread:
    """Does the requests of one thread of the test, in order, on one thread here."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._inbox: Any = SimpleQueue()
        self._lock = _thread.allocate_lock()
        self.loop: Any = None

    def deliver(self, message: dict[str, Any]) -> None:
        """From the reader: a request for this thread."""
        with self._lock:
            if self.loop is None or not self.loop.deliver(message):
                self._inbox.put(message)

    def work(self) -> None:
        """Do requests for ever."""
        while True:
            message = self._inbox.get()
            while message is not None:
                message = self._do(message)

    def _do(self, message: dict[str, Any]) -> dict[str, Any] | None:
        serial = message.get("loop")
        if self.loop is not None and (message.get("unloop") or (serial is not None and serial != self.loop.serial)):
            self.loop.discard()
            self.loop = None
        if serial is None:
            self._worker.work(message)
            return None
        if self.loop is None:
            from .loops import Loop

            self.loop = Loop(self._worker, serial, self._lock)
        return self.loop.run(message, self._inbox)
