"""The trusted end of a worker's channel: messages out, answers in, each to the thread that waits for it.

There is no reader thread while nothing needs one: whoever waits reads, and hands on what belongs to others. Everything
that arrives is hostile until it has been checked; the first answer that no honest worker gives closes the channel.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, cast

from bouts.adapters.runners.python.calls.inside.counting import crowded
from bouts.adapters.runners.python.calls.inside.plain import MAX_MESSAGE, CannotCross
from bouts.hosts.deadlines import Deadline

MAX_CALLBACKS = 100_000
"""Calls back into the test that one worker may make."""
MAX_QUEUED = 64 << 20
"""Bytes of messages that wait for a thread of the test that does something else."""
HELLO = b'{"hello":1}'
"""The first message of a worker, sent before it has read anything, so before it has imported anything submitted."""

Message = dict[str, Any]


class ChannelClosed(Exception):
    """The worker is gone, or was cut off after a broken answer."""


class Broken(Exception):
    """An answer that no honest worker gives."""


def _no_constant(name: str) -> Any:
    raise Broken(f"a number that is none ({name[:20]})")


_loads = json.JSONDecoder(parse_constant=_no_constant).decode
_dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


class Slot:
    """Where the messages for one request go."""

    __slots__ = ("deliver", "messages")

    def __init__(self, deliver: Callable[[Message | None], None] | None = None) -> None:
        self.messages: deque[tuple[Message, int]] = deque()
        self.deliver = deliver
        """Called by whoever reads, instead of waking a waiting thread; `None` means that the channel is closed."""


class Channel:
    """One worker's channel. Thread-safe."""

    def __init__(self, end: socket.socket, broken: Callable[[str], None]) -> None:
        self._end = end
        self._broken = broken
        self._buffer = bytearray()
        self._send_lock = threading.Lock()
        self._state = threading.Condition(threading.Lock())
        self._slots: dict[str, Slot] = {}
        self._reading = False
        self._waiting = 0
        self._callbacks = 0
        self._queued = 0
        self._size = 0
        self._greeted = False
        self.closed = False
        self._deadline: Deadline | None = None
        self.idle = Slot()
        """Takes what no outstanding request asked for: callbacks while the test waits for something else."""
        self.on_escape: Callable[[Any], None] = lambda told: None

    def open(self, request: str, slot: Slot) -> None:
        """From now on messages for this request go to the slot."""
        with self._state:
            if self.closed:
                raise ChannelClosed
            self._slots[request] = slot

    def send(self, message: Message) -> None:
        """Send a message. Raises `CannotCross` when it is too large and `ChannelClosed` when nobody listens."""
        body = _dumps(message).encode("ascii")
        if len(body) > MAX_MESSAGE:
            raise CannotCross(f"more than {MAX_MESSAGE >> 20} MiB cannot cross at once")
        try:
            with self._send_lock:
                self._end.sendall(len(body).to_bytes(4, "big") + body)
        except OSError as error:
            raise ChannelClosed from error

    def wait(self, slot: Slot) -> Message:
        """The next message for the slot. Raises `ChannelClosed` when none will come."""
        while True:
            with self._state:
                while not slot.messages:
                    if self.closed:
                        raise ChannelClosed
                    if not self._reading:
                        self._reading = True
                        break
                    self._waiting += 1
                    self._state.wait()
                    self._waiting -= 1
                else:
                    message, size = slot.messages.popleft()
                    self._queued -= size
                    return message
            try:
                message = self._read()
            except BaseException:
                self.close()
                raise
            self._hand_over(message)

    def close(self, reason: str | None = None) -> None:
        """Nothing more is read or sent; everyone who waits is told. `reason` accuses the worker."""
        with self._state:
            already, self.closed = self.closed, True
            self._reading = False
            slots = [slot for slot in self._slots.values() if slot.deliver is not None]
            self._state.notify_all()
        if not already:
            if reason is not None:
                self._broken(reason)
            with contextlib.suppress(OSError):
                self._end.shutdown(socket.SHUT_RDWR)
        for slot in slots:
            if slot.deliver is not None:
                slot.deliver(None)

    def within(self, deadline: Deadline) -> None:
        """From now on whoever reads waits no longer than this; after that the channel is at its end."""
        self._deadline = deadline

    def greeted(self) -> bool:
        """Whether the worker ever spoke; of a closed channel, what it said before its end is looked at, too."""
        if not self._greeted and self.closed:
            with contextlib.suppress(OSError):
                self._end.settimeout(0)
                while len(self._buffer) < 4 + len(HELLO) and (data := self._end.recv(1 << 10)):
                    self._buffer += data
            self._greeted = bytes(self._buffer[4 : 4 + len(HELLO)]) == HELLO
        return self._greeted

    def release(self) -> None:
        """Give the descriptor back."""
        self.close()
        self._end.close()

    def _hand_over(self, message: Message | None) -> None:
        """Put a message where it belongs and let another thread read."""
        deliver: Callable[[Message | None], None] | None = None
        full = False
        with self._state:
            self._reading = False
            slot = self._route(message) if message is not None else None
            if slot is not None and message is not None:
                deliver = slot.deliver
                if deliver is None:
                    slot.messages.append((message, self._size))
                    self._queued += self._size
                    full = self._queued > MAX_QUEUED
            if self._waiting:
                self._state.notify_all()
        if message is None:
            self.close()
        elif slot is None:
            self.close("an answer to a request that was never made")
            raise ChannelClosed
        elif full:
            self.close("messages without end that nobody has asked for")
            raise ChannelClosed
        elif deliver is not None:
            deliver(message)

    def _route(self, message: Message) -> Slot | None:
        if "cb" in message:
            self._callbacks += 1
            if self._callbacks > MAX_CALLBACKS:
                return None
            of = message.get("of")
            return self._slots.get(of, self.idle) if type(of) is str else self.idle
        request = message.get("id")
        return self._slots.pop(request, None) if type(request) is str else None

    def _read(self) -> Message | None:
        """One message, or `None` at the end."""
        buffer = self._buffer
        while True:
            if len(buffer) >= 4:
                size = int.from_bytes(buffer[:4], "big")
                if size > MAX_MESSAGE:
                    self.close("an answer larger than any that may cross")
                    raise ChannelClosed
                if len(buffer) >= 4 + size:
                    body = bytes(buffer[4 : 4 + size])
                    del buffer[: 4 + size]
                    if self._greeted:
                        self._size = size
                        return self._parse(body)
                    if body != HELLO:
                        self.close("a first message that is no greeting")
                        raise ChannelClosed
                    self._greeted = True
                    continue
            if self._deadline is not None and not self._deadline.ready(self._end.fileno()):
                return None
            try:
                data = self._end.recv(1 << 16)
            except OSError:
                return None
            if not data:
                return None
            buffer += data

    def _parse(self, body: bytes) -> Message:
        if crowded(body):
            self.close("an answer of more values than may cross at once")
            raise ChannelClosed
        try:
            message = _loads(body.decode("ascii"))
        except RecursionError:
            self.close("an answer nested deeper than any that may cross")
            raise ChannelClosed from None
        except (ValueError, Broken, MemoryError) as error:
            self.close(f"an answer that cannot be read ({type(error).__name__})")
            raise ChannelClosed from None
        if type(message) is not dict:
            self.close("an answer that is no object")
            raise ChannelClosed
        return cast("Message", message)
