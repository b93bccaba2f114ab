"""The system-call filter of every command in a sandbox, as a classic BPF program.

Denied: ways to other processes' memory, namespaces, mounts, keys, kernel modules, tracing, clocks, asynchronous
submission queues (they make system calls that no filter sees), foreign socket families, and pushing input into a
terminal. Asked of the agent: every call that can name a network address, and those whose traces outlive processes.
"""

from __future__ import annotations

import struct
from functools import lru_cache

_LOAD, _JUMP_EQUAL, _JUMP_ANY_BIT, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _NOTIFY, _ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
_EPERM, _ENOSYS, _ENOPROTOOPT, _EPROTONOSUPPORT, _EOPNOTSUPP, _EAFNOSUPPORT = 1, 38, 92, 93, 95, 97
_NUMBER, _ARCHITECTURE = 0, 4
_X32 = 0x40000000

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

_NEW_NAMESPACES = 0x7E020000
_UNIX, _INTERNET, _NETLINK = 1, (2, 10), 16
_PROTOCOLS = (0, 1, 6, 17, 58, 262)
"""Whatever fits, ICMP, TCP, UDP, ICMPv6, MPTCP. Others connect by ways that are not watched (SCTP by an option)."""
_NAMELESS_FILE = 0x00400000
"""The bit of O_TMPFILE: such files use up numbers of the file system and leave no other trace. A later test could read
from the number of a file of its own how many an earlier one had made."""
_PUSH_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX."""
_IPV6, _FLOW_LABELS = 41, 32
"""The option by which labels are leased that stay for minutes after everybody who used them is gone."""
_OF_SOCKETS, _COOKIE = 1, 57
"""The option that gives a socket a number, which the network of a sandbox counts up."""

CALLS: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "userfaultfd": (323, 282),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "unshare": (272, 97),
    "setns": (308, 268),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
}
"""Calls that fail with EPERM: numbers on x86-64 and on 64-bit ARM."""

ABSENT: dict[str, tuple[int | None, int | None]] = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "openat2": (437, 437),
}
"""Calls that fail with ENOSYS, so that libraries fall back to older ones."""

_CLONE, _SOCKET, _SOCKETPAIR, _CONNECT = (56, 220), (41, 198), (53, 199), (42, 203)
_OPEN, _OPENAT = (2, None), (257, 56)
_SENDTO, _SENDMSG, _SENDMMSG, _IOCTL, _PRLIMIT = (44, 206), (46, 211), (307, 269), (16, 29), (302, 261)
_SETSOCKOPT, _GETSOCKOPT = (54, 208), (55, 209)
_OLD_SHARING = ((29, 194), (64, 190), (68, 186))
"""shmget, semget, msgget: their numbers are counted on."""

_Step = tuple[int, int, int, int]


def supported(machine: str) -> bool:
    """Whether there is a filter for this machine."""
    return machine in _ARCHITECTURES


@lru_cache(maxsize=4)
def program(machine: str, *, notify: bool) -> bytes:
    """The filter for a machine as `uname` names it. Without `notify`, calls that name addresses are simply allowed:
    the empty network namespace still leads nowhere."""
    architecture, column = _ARCHITECTURES[machine]
    steps: list[_Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, architecture),
        _answer(_ERRNO | _EPERM),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_AT_LEAST, 0, 1, _X32),
        _answer(_ERRNO | _ENOSYS),
    ]
    for table, code in ((CALLS, _EPERM), (ABSENT, _ENOSYS)):
        for numbers in table.values():
            number = numbers[column]
            if number is not None:
                steps += _when(number, [_answer(_ERRNO | code)])
    steps += _when(
        _CLONE[column], [_low(0), (_JUMP_ANY_BIT, 0, 1, _NEW_NAMESPACES), _answer(_ERRNO | _EPERM), *_allow()]
    )
    steps += _when(_SOCKET[column], _sockets(_NOTIFY if notify else _ALLOW))
    steps += _when(_SOCKETPAIR[column], [_low(0), (_JUMP_EQUAL, 1, 0, 1), _answer(_ERRNO | _EAFNOSUPPORT), *_allow()])
    steps += _when(_IOCTL[column], _terminal())
    for number, flags in ((_OPEN[column], 1), (_OPENAT[column], 2)):
        if number is not None:
            steps += _when(
                number, [_low(flags), (_JUMP_ANY_BIT, 0, 1, _NAMELESS_FILE), _answer(_ERRNO | _EOPNOTSUPP), *_allow()]
            )
    steps += _when(_PRLIMIT[column], _limits())
    for call, level, option in ((_SETSOCKOPT, _IPV6, _FLOW_LABELS), (_GETSOCKOPT, _OF_SOCKETS, _COOKIE)):
        named = [_low(1), (_JUMP_EQUAL, 0, 3, level), _low(2), (_JUMP_EQUAL, 0, 1, option)]
        steps += _when(call[column], [*named, _answer(_ERRNO | _ENOPROTOOPT), *_allow()])
    if notify:
        for numbers in _OLD_SHARING:
            steps += _when(numbers[column], [_answer(_NOTIFY)])
        steps += _when(_CONNECT[column], [_answer(_NOTIFY)])
        steps += _when(_SENDMSG[column], [_answer(_NOTIFY)])
        steps += _when(_SENDMMSG[column], [_answer(_NOTIFY)])
        named = [_low(4), (_JUMP_EQUAL, 0, 2, 0), _high(4), (_JUMP_EQUAL, 1, 0, 0), _answer(_NOTIFY), *_allow()]
        steps += _when(_SENDTO[column], named)
    steps += _allow()
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _answer(value: int) -> _Step:
    return (_RETURN, 0, 0, value)


def _allow() -> list[_Step]:
    return [_answer(_ALLOW)]


def _low(argument: int) -> _Step:
    return (_LOAD, 0, 0, 16 + 8 * argument)


def _high(argument: int) -> _Step:
    return (_LOAD, 0, 0, 20 + 8 * argument)


def _when(number: int, block: list[_Step]) -> list[_Step]:
    """A block, which must end by returning, for one system call."""
    return [(_JUMP_EQUAL, 0, len(block), number), *block]


def _sockets(of_the_network: int) -> list[_Step]:
    """Unix sockets, the usual internet protocols, and of netlink the routing part (listing interfaces needs it);
    `of_the_network` is the answer for the latter two."""
    protocols: list[_Step] = [_low(2)]
    for protocol in _PROTOCOLS:
        protocols += [(_JUMP_EQUAL, 0, 1, protocol), _answer(of_the_network)]
    protocols.append(_answer(_ERRNO | _EPROTONOSUPPORT))
    steps: list[_Step] = [_low(0), (_JUMP_EQUAL, 0, 1, _UNIX), _answer(_ALLOW)]
    steps += [(_JUMP_EQUAL, 0, 3, _NETLINK), _low(2), (_JUMP_EQUAL, 0, 1, 0), _answer(of_the_network)]
    # The accumulator holds the protocol now where the family was netlink; that family is refused below all the same.
    steps.append(_low(0))
    steps += [(_JUMP_EQUAL, 2, 0, family) for family in _INTERNET[:1]]
    steps += [(_JUMP_EQUAL, 1, 0, family) for family in _INTERNET[1:]]
    return [*steps, _answer(_ERRNO | _EAFNOSUPPORT), *protocols]


def _terminal() -> list[_Step]:
    steps: list[_Step] = [_low(1)]
    for request in _PUSH_INPUT:
        steps += [(_JUMP_EQUAL, 0, 1, request), _answer(_ERRNO | _EPERM)]
    return [*steps, *_allow()]


def _limits() -> list[_Step]:
    """Setting the limits of another process: it could starve the agent where both have one user."""
    own = [(_LOAD, 0, 0, 16), (_JUMP_EQUAL, 5, 0, 0)]
    unset = [_low(2), (_JUMP_EQUAL, 0, 2, 0), _high(2), (_JUMP_EQUAL, 1, 0, 0)]
    return [*own, *unset, _answer(_ERRNO | _EPERM), *_allow()]
