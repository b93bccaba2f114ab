"""The system-call filter, and how addresses are read."""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.sandboxes import seccomp

if sys.platform != "linux":
    pytest.skip("the agent runs on Linux", allow_module_level=True)

from bouts.adapters.sandboxes.inside import main, watch

_ERRNO, _NOTIFY, _ALLOW = 0x50000, 0x7FC00000, 0x7FFF0000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def run(program: bytes, number: int, architecture: int, arguments: tuple[int, ...] = ()) -> int:
    """What the kernel would answer: an interpreter for the few instructions that the filter uses."""
    data = struct.pack("=iIQ6Q", number, architecture, 0, *(*arguments, *(0,) * (6 - len(arguments))))
    steps = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    at = accumulator = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif code == 0x06:
            return value
        else:
            holds = {0x15: accumulator == value, 0x45: bool(accumulator & value), 0x35: accumulator >= value}[code]
            at += yes if holds else no


@pytest.mark.parametrize("machine", MACHINES)
def test_every_denied_call_is_denied_and_the_other_architecture_wholly(machine: str) -> None:
    program = seccomp.program(machine, notify=True)
    column = list(MACHINES).index(machine)
    for table, error in ((seccomp.CALLS, 1), (seccomp.ABSENT, 38)):
        for name, numbers in table.items():
            if numbers[column] is not None:
                assert run(program, numbers[column] or 0, MACHINES[machine]) == _ERRNO | error, name
    assert run(program, 0, 0x40000003) == _ERRNO | 1
    assert run(program, 0x40000000, MACHINES[machine]) == _ERRNO | 38


@pytest.mark.parametrize("machine", MACHINES)
def test_files_without_a_name_are_not_made(machine: str) -> None:
    program = seccomp.program(machine, notify=True)
    calls = [(257, (0, 0)), (2, (0,))] if machine == "x86_64" else [(56, (0, 0))]
    for number, before in calls:
        for flags, answer in ((0o20200000, _ERRNO | 95), (0o20200002, _ERRNO | 95), (0o2102, _ALLOW), (0, _ALLOW)):
            assert run(program, number, MACHINES[machine], (*before, flags)) == answer


@pytest.mark.parametrize("machine", MACHINES)
@given(family=st.integers(0, 50), protocol=st.integers(0, 300))
def test_sockets(machine: str, family: int, protocol: int) -> None:
    number = 41 if machine == "x86_64" else 198
    answer = run(seccomp.program(machine, notify=True), number, MACHINES[machine], (family, 1, protocol))
    if family == 1:
        assert answer == _ALLOW
    elif family == 16 and protocol == 0:
        assert answer == _NOTIFY  # allowed, and the sandbox serves no other test
    elif family in {2, 10}:
        assert answer == (_NOTIFY if protocol in {0, 1, 6, 17, 58, 262} else _ERRNO | 93)
    else:
        assert answer == _ERRNO | 97


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("notify", [True, False])
def test_calls_that_name_addresses_are_asked_about(machine: str, notify: bool) -> None:
    program = seccomp.program(machine, notify=notify)
    x86 = machine == "x86_64"
    wanted = _NOTIFY if notify else _ALLOW
    for number in (42, 46, 307) if x86 else (203, 211, 269):
        assert run(program, number, MACHINES[machine]) == wanted
    sendto = 44 if x86 else 206
    assert run(program, sendto, MACHINES[machine], (3, 0, 0, 0, 0, 0)) == _ALLOW
    for address in (1, 1 << 40, (1 << 40) + 1):
        assert run(program, sendto, MACHINES[machine], (3, 0, 0, 0, address, 16)) == wanted


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("notify", [True, False])
def test_what_leaves_numbers_behind_is_told_or_not_there(machine: str, notify: bool) -> None:
    program, x86 = seccomp.program(machine, notify=notify), machine == "x86_64"
    for number in (29, 64, 68) if x86 else (194, 190, 186):
        assert run(program, number, MACHINES[machine]) == (_NOTIFY if notify else _ALLOW)
    for number, option in ((54, (41, 32)), (55, (1, 57))) if x86 else ((208, (41, 32)), (209, (1, 57))):
        assert run(program, number, MACHINES[machine], (3, *option)) == _ERRNO | 92
        assert run(program, number, MACHINES[machine], (3, option[0], option[1] + 1)) == _ALLOW
        assert run(program, number, MACHINES[machine], (3, option[0] + 1, option[1])) == _ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_limits_of_oneself_may_be_set_and_of_others_read(machine: str) -> None:
    program = seccomp.program(machine, notify=True)
    number = 302 if machine == "x86_64" else 261
    for process, new, answer in ((0, 9, _ALLOW), (1, 0, _ALLOW), (1, 9, _ERRNO | 1), (1, 1 << 40, _ERRNO | 1)):
        assert run(program, number, MACHINES[machine], (process, 7, new, 0)) == answer


@pytest.mark.parametrize(
    ("header", "column"),
    [("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 0), ("/usr/include/asm-generic/unistd.h", 1)],
)
def test_the_numbers_are_the_kernels(header: str, column: int) -> None:
    if not Path(header).exists():
        pytest.skip(f"no {header} here")
    known = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", Path(header).read_text(encoding="utf-8"))
    }
    checked = 0
    for name, numbers in {**seccomp.CALLS, **seccomp.ABSENT}.items():
        if name in known:
            assert numbers[column] == known[name], name
            checked += 1
    assert checked > 40


@given(st.binary(max_size=200))
def test_any_bytes_are_read_as_some_address(data: bytes) -> None:
    family, address, allowed = watch.read_target(data)
    assert isinstance(family, str)
    assert isinstance(address, str)
    assert isinstance(allowed, bool)


@given(st.ip_addresses(v=4), st.integers(0, 65535))
def test_internet_addresses(address: ipaddress.IPv4Address, port: int) -> None:
    data = struct.pack("=H", socket.AF_INET) + struct.pack("!H", port) + address.packed + bytes(8)
    inside = address.is_loopback or int(address) == 0
    assert watch.read_target(data) == ("inet", str(address) if inside else f"{address}:{port}", inside)


@given(
    st.ip_addresses(v=6)
    | st.ip_addresses(v=4).map(lambda four: ipaddress.IPv6Address(f"::ffff:{four}"))
    | st.just(ipaddress.IPv6Address("::1")),
    st.integers(0, 65535),
)
def test_long_internet_addresses(address: ipaddress.IPv6Address, port: int) -> None:
    data = struct.pack("=H", socket.AF_INET6) + struct.pack("!H", port) + bytes(4) + address.packed + bytes(4)
    mapped = address.ipv4_mapped
    inside = int(address) in {0, 1} or (mapped is not None and (mapped.is_loopback or int(mapped) == 0))
    family, shown, allowed = watch.read_target(data)
    assert (family, allowed) == ("inet6", inside)
    assert ipaddress.IPv6Address(shown if inside else shown[1 : shown.index("]")]) == address


@given(st.text())
def test_what_the_agent_says_is_ascii_json(text: str) -> None:
    import json

    quoted = main.quote(text)
    assert quoted.isascii()
    assert json.loads(quoted) == "".join(c if ord(c) <= 0xFFFD else "\ufffd" for c in text)
