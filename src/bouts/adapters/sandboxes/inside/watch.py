"""Answers the kernel's questions: about connections and datagrams, where they were meant to go; and about what outlives
the processes that made it, that it was made."""

from __future__ import annotations

import sys

from . import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_RECV, _SEND, _VALID = 0xC0502100, 0xC0182101, 0x40082102
_CONTINUE = 1
_ENETUNREACH, _EINVAL = 101, 22
_ARM = kernel.is_arm()
_CONNECT, _SENDTO, _SENDMSG, _SENDMMSG = (203, 206, 211, 269) if _ARM else (42, 44, 46, 307)
_LASTING = (198, 186, 190, 194) if _ARM else (41, 68, 64, 29)
"""Sockets of the network, and message queues, semaphores and shared memory of the old kind. They are allowed; but what
the kernel counts of them stays when they are gone."""
_UNSPEC, _UNIX, _INET, _INET6, _NETLINK = 0, 1, 2, 10, 16
_MOST_MESSAGES = 1024

_notice = kernel.Memory(80)
_reply = kernel.Memory(24)
_scratch = kernel.Memory(1 << 16)


def _number(data: bytes) -> int:
    return int.from_bytes(data, sys.byteorder)


def answer(listener: int, note: Callable[[str, str, bool], None], spoiled: Callable[[], None]) -> None:
    """Take one notification, decide it and reply. A target that died meanwhile is passed over. `spoiled` is called,
    before the call goes on, where traces of it will stay."""
    _notice.view[:] = bytes(80)
    try:
        kernel.call("ioctl", listener, _RECV, _notice.address)
    except OSError:
        return
    seen = bytes(_notice.view)
    process = _number(seen[8:12])
    if _number(seen[16:20]) in _LASTING:
        spoiled()
    arguments = [_number(seen[32 + 8 * place : 40 + 8 * place]) for place in range(6)]
    try:
        targets = [read_target(data) for data in _addresses(process, _number(seen[16:20]), arguments)]
        kernel.call("ioctl", listener, _VALID, _notice.address)
    except OSError:
        targets = None
    error = _EINVAL if targets is None else 0
    for family, address, allowed in targets or []:
        if family:
            note(family, address, allowed)
        if not allowed:
            error = _ENETUNREACH
    flags = 0 if error else _CONTINUE
    _reply.view[:] = (
        seen[:8] + bytes(8) + (-error).to_bytes(4, sys.byteorder, signed=True) + flags.to_bytes(4, sys.byteorder)
    )
    try:
        kernel.call("ioctl", listener, _SEND, _reply.address)
    except OSError:
        return


def _addresses(process: int, number: int, arguments: list[int]) -> list[bytes]:
    """The socket addresses that a call names; none where it names none."""
    if number == _CONNECT:
        return [_read(process, arguments[1], min(arguments[2] & 0xFFFFFFFF, 128))]
    if number == _SENDTO:
        return [_read(process, arguments[4], min(arguments[5] & 0xFFFFFFFF, 128))]
    if number == _SENDMSG:
        headers = [_read(process, arguments[1], 56)]
    elif number == _SENDMMSG:
        count = min(arguments[2] & 0xFFFFFFFF, _MOST_MESSAGES)
        block = _read(process, arguments[1], 64 * count)
        headers = [block[64 * place : 64 * place + 56] for place in range(len(block) // 64)]
    else:
        return []
    found: list[bytes] = []
    for header in headers:
        pointer, size = _number(header[:8]), _number(header[8:12])
        if pointer and size:
            found.append(_read(process, pointer, min(size, 128)))
    return found


def _read(process: int, address: int, size: int) -> bytes:
    return kernel.read_memory(process, address, size, _scratch) if size else b""


def read_target(data: bytes) -> tuple[str, str, bool]:
    """Family, printable address, and whether it lies inside the sandbox. The family is empty where nothing is sent."""
    family = _number(data[:2]) if len(data) >= 2 else _UNSPEC
    if family == _UNSPEC:
        return "", "", True
    if family == _UNIX:
        return "unix", data[2:].split(b"\0", 1)[0].decode("utf-8", "replace") or "abstract", True
    if family == _NETLINK:
        return "", "", True
    if family == _INET and len(data) >= 8:
        inside = data[4] == 127 or data[4:8] == bytes(4)
        host = ".".join(str(byte) for byte in data[4:8])
        return "inet", host if inside else f"{host}:{int.from_bytes(data[2:4], 'big')}", inside
    if family == _INET6 and len(data) >= 24:
        raw = data[8:24]
        mapped = raw[:12] == bytes(10) + b"\xff\xff"
        inside = (raw[:15] == bytes(15) and raw[15] in {0, 1}) or (mapped and (raw[12] == 127 or raw[12:] == bytes(4)))
        host = ":".join(f"{int.from_bytes(raw[place : place + 2], 'big'):x}" for place in range(0, 16, 2))
        return "inet6", host if inside else f"[{host}]:{int.from_bytes(data[2:4], 'big')}", inside
    return f"family {family}", "unknown", False
