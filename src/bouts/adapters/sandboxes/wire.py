"""The control socket: messages and descriptors to the agent, what it saw on the way back."""

from __future__ import annotations

import array
import json
import marshal
import os
import select
import socket

from bouts.model.sandbox import NetworkAttempt

_LONGEST_MESSAGE = 60_000


def send(control: socket.socket, message: dict[str, object], handles: list[int]) -> None:
    """Send one message with descriptors; a long one goes by a memory file. Raises OSError."""
    data = marshal.dumps(message)
    memory = -1
    if len(data) > _LONGEST_MESSAGE:
        memory = os.memfd_create("message", os.MFD_CLOEXEC)
        write_all(memory, data)
        data, handles = marshal.dumps({"op": "long"}), [memory, *handles]
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", handles))] if handles else []
    try:
        control.sendmsg([data], rights)
    finally:
        if memory >= 0:
            os.close(memory)


def write_all(handle: int, data: bytes) -> None:
    """Write all of the data to a descriptor. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def said(control: socket.socket) -> tuple[list[NetworkAttempt], bool, bool]:
    """What the agent reported: connection attempts, whether some command ran without its ear, and whether processes
    outlived theirs."""
    found: list[NetworkAttempt] = []
    deaf = strays = False
    control.setblocking(False)
    while True:
        try:
            line = control.recv(1 << 16)
        except OSError:
            break
        if not line:
            break
        told = json.loads(line)
        deaf = deaf or "deaf" in told
        strays = strays or "strays" in told
        if "net" in told:
            family, address, allowed = told["net"]
            found.append(NetworkAttempt(family=family, address=address, allowed=allowed))
    return sorted(found, key=lambda attempt: (attempt.allowed, attempt.family, attempt.address)), deaf, strays


def connected(handle: int, seconds: float) -> socket.socket | None:
    """The socket of a connection that was begun inside, once somebody accepts it; it is closed where nobody does."""
    connecting = socket.socket(fileno=handle)
    poll = select.poll()
    poll.register(connecting, select.POLLOUT)
    if poll.poll(seconds * 1000) and connecting.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0:
        connecting.setblocking(True)
        return connecting
    connecting.close()
    return None
