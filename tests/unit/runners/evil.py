"""A worker of the wrong kind: answers requests with whatever a test tells it to."""

import json
import socket
import threading

from bouts.adapters.runners.python.boundary import Crashed
from bouts.adapters.runners.python.calls.channel import HELLO, Channel
from bouts.adapters.runners.python.calls.link import Link
from bouts.adapters.runners.python.calls.standins import CURRENT


def framed_bytes(body):
    return len(body).to_bytes(4, "big") + body


class Evil:
    """The trusted end (`link`) of a channel whose other end answers with `reply(request)`: bytes, or messages."""

    def __init__(self, reply, patience=5.0, hello=framed_bytes(HELLO)):
        mine, self._theirs = socket.socketpair()
        # In place of the host, which kills the sandbox of a test that waits too long.
        mine.settimeout(patience)
        self._reply, self._hello = reply, hello
        self.greeted = threading.Event()
        self.accused = []
        self.channel = Channel(mine, self.accused.append)
        self.link = Link(self.channel, {}, lambda: Crashed("gone"))
        self.link.begin("unit/test_a.py::test")
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        CURRENT.link = self.link
        self._thread.start()
        return self

    def __exit__(self, *told):
        CURRENT.link = None
        self.channel.release()
        self._theirs.close()
        self._thread.join(5)
        assert not self._thread.is_alive()

    def _serve(self):
        buffer = b""
        try:
            self._theirs.sendall(self._hello)
            self.greeted.set()
            while True:
                while len(buffer) < 4 or len(buffer) < 4 + int.from_bytes(buffer[:4], "big"):
                    data = self._theirs.recv(65536)
                    if not data:
                        return
                    buffer += data
                size = int.from_bytes(buffer[:4], "big")
                request, buffer = json.loads(buffer[4 : 4 + size]), buffer[4 + size :]
                answer = self._reply(request)
                if answer is None:
                    self._theirs.shutdown(socket.SHUT_RDWR)
                    return
                if not isinstance(answer, bytes):
                    answer = b"".join(framed(message) for message in answer)
                self._theirs.sendall(answer)
        except OSError:
            return


def framed(message):
    return framed_bytes(json.dumps(message).encode())
