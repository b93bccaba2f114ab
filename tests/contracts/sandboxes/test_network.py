"""Nothing gets out, and what was tried is written down."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

import pytest

from bouts.adapters.sandboxes import seccomp

from .conftest import Make, python, text

HEAD = (
    "import errno, socket, os\n"
    "def show(f):\n"
    "    try: print(f())\n"
    "    except OSError as e: print(errno.errorcode.get(e.errno, e.errno))\n"
)


def attempt(make: Make, code: str) -> tuple[str, list[tuple[str, str, bool]]]:
    sandbox = make()
    said = text(sandbox.exec(python(HEAD + code)))
    report = sandbox.destroy()
    assert report.network_level == "complete"
    return said, [(seen.family, seen.address, seen.allowed) for seen in report.network]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("show(lambda: socket.socket().connect(('198.51.100.7', 443)))", ("inet", "198.51.100.7:443", False)),
        (
            "show(lambda: socket.socket(2, 2).sendto(b'x', ('198.51.100.8', 53)))",
            ("inet", "198.51.100.8:53", False),
        ),
        (
            "show(lambda: socket.socket(2, 2).sendmsg([b'x'], [], 0, ('198.51.100.9', 54)))",
            ("inet", "198.51.100.9:54", False),
        ),
        (
            "show(lambda: socket.socket(10).connect(('2001:db8::1', 80)))",
            ("inet6", "[2001:db8:0:0:0:0:0:1]:80", False),
        ),
        (
            "show(lambda: socket.socket(10).connect(('::ffff:198.51.100.7', 80)))",
            ("inet6", "[0:0:0:0:0:ffff:c633:6407]:80", False),
        ),
    ],
)
def test_an_attempt_fails_and_is_logged(make: Make, code: str, wanted: tuple[str, str, bool]) -> None:
    said, seen = attempt(make, code)
    assert said == "ENETUNREACH\n"
    assert seen == [wanted]


def test_sendmmsg_is_watched(make: Make) -> None:
    code = (
        "import ctypes, struct, sys\n"
        "s = socket.socket(2, 2)\n"
        "def address(last):\n"
        "    raw = struct.pack('=H', 2) + struct.pack('!H', 99) + bytes([203, 0, 113, last]) + bytes(8)\n"
        "    return ctypes.create_string_buffer(raw, 16)\n"
        "kept = [address(1), address(2)]\n"
        "parts = b''.join(struct.pack('=QI4xQQQQI4xI4x', ctypes.addressof(a), 16, 0, 0, 0, 0, 0, 0) for a in kept)\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.sendmmsg(s.fileno(), parts, 2, 0), errno.errorcode[ctypes.get_errno()])\n"
    )
    said, seen = attempt(make, code)
    assert said == "-1 ENETUNREACH\n"
    assert seen == [("inet", "203.0.113.1:99", False), ("inet", "203.0.113.2:99", False)]


def test_a_name_lookup_shows_as_a_datagram_to_the_resolver(make: Make) -> None:
    said, seen = attempt(
        make,
        "try: socket.getaddrinfo('example.com', 80)\nexcept socket.gaierror: print('failed')",
    )
    assert said == "failed\n"
    assert ("inet", "192.0.2.53:53", False) in seen


def test_every_process_and_thread_is_watched(make: Make) -> None:
    code = (
        "import threading, subprocess, sys\n"
        "t = threading.Thread(target=lambda: socket.socket().connect_ex(('198.51.100.1', 1))); t.start(); t.join()\n"
        "subprocess.run([sys.executable, '-c', \"import socket; socket.socket().connect_ex(('198.51.100.2', 2))\"])\n"
        "if os.fork() == 0:\n"
        "    os.setsid(); socket.socket().connect_ex(('198.51.100.3', 3)); os._exit(0)\n"
        "os.wait()\n"
    )
    _, seen = attempt(make, code)
    assert [address for _, address, _ in seen] == ["198.51.100.1:1", "198.51.100.2:2", "198.51.100.3:3"]


def test_loopback_inside_works_and_is_not_the_hosts(make: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = (
            f"show(lambda: socket.socket().connect(('127.0.0.1', {port})))\n"
            "s = socket.create_server(('127.0.0.1', 0))\n"
            "c = socket.create_connection(s.getsockname()); a, _ = s.accept(); a.sendall(b'in'); print(c.recv(2))\n"
        )
        said, seen = attempt(make, code)
    assert said == "ECONNREFUSED\nb'in'\n"
    assert seen == [("inet", "127.0.0.1", True)]


def test_unix_sockets_of_the_host_are_out_of_reach(make: Make, tmp_path: Path) -> None:
    # Socket paths are short; the folders of a nested test run are not.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        check_unix_sockets(make, Path(folder) / "s", f"\0bouts-test-{tmp_path.name}")


def check_unix_sockets(make: Make, path: Path, abstract: str) -> None:
    with socket.socket(socket.AF_UNIX) as named, socket.socket(socket.AF_UNIX) as nameless:
        named.bind(str(path))
        named.listen()
        nameless.bind(abstract)
        nameless.listen()
        code = (
            f"show(lambda: socket.socket(socket.AF_UNIX).connect({str(path)!r}))\n"
            f"show(lambda: socket.socket(socket.AF_UNIX).connect({abstract!r}))\n"
            "s = socket.socket(socket.AF_UNIX); s.bind('/tmp/mine'); s.listen()\n"
            "show(lambda: socket.socket(socket.AF_UNIX).connect('/tmp/mine'))\n"
        )
        said, seen = attempt(make, code)
    assert said == "ENOENT\nECONNREFUSED\nNone\n"
    assert all(allowed for _, _, allowed in seen)


def test_strange_socket_families_are_denied(make: Make) -> None:
    families = {"AF_VSOCK": 40, "AF_ALG": 38, "AF_PACKET": 17, "AF_BLUETOOTH": 31, "AF_KEY": 15, "AF_TIPC": 30}
    code = "".join(f"show(lambda: socket.socket({number}, 2))\n" for number in families.values())
    code += "show(lambda: socket.socket(16, 3, 9))\n"
    said, _ = attempt(make, code)
    assert said.split() == ["EAFNOSUPPORT"] * 7


def test_strange_protocols_are_denied_and_usual_ones_are_not(make: Make) -> None:
    code = "".join(
        f"show(lambda: socket.socket(2, {kind}, {number}))\n" for kind, number in ((1, 132), (2, 136), (6, 33))
    )
    code += (
        "show(lambda: [socket.socket(f, k, p).family for f in (2, 10) for k, p in ((1, 0), (1, 6), (2, 17))] and 1)\n"
    )
    code += "show(lambda: socket.socket(16, 3, 0).close())\n"
    said, _ = attempt(make, code)
    assert said.split() == ["EPROTONOSUPPORT"] * 3 + ["1", "None"]


def test_denied_system_calls(make: Make) -> None:
    import platform

    column = 0 if platform.machine() == "x86_64" else 1
    numbers = {name: pair[column] for name, pair in {**seccomp.CALLS, **seccomp.ABSENT}.items() if pair[column]}
    code = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"for name, number in {numbers!r}.items():\n"
        "    answer = libc.syscall(number, *[ctypes.c_long(0)] * 6)\n"
        "    print(name, answer, errno.errorcode.get(ctypes.get_errno()))\n"
    )
    said, _ = attempt(make, code)
    wanted = dict.fromkeys(seccomp.CALLS, "EPERM") | dict.fromkeys(seccomp.ABSENT, "ENOSYS")
    assert [line.split() for line in said.splitlines()] == [[name, "-1", wanted[name]] for name in numbers]


def test_namespaces_terminal_input_and_others_limits_are_denied(make: Make) -> None:
    code = (
        "import ctypes, fcntl, resource, subprocess\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "clone = 56 if os.uname().machine == 'x86_64' else 220\n"
        "for flag in (0x10000000, 0x20000, 0x40000000):\n"
        "    print(libc.syscall(clone, ctypes.c_long(flag | 17), 0, 0, 0, 0), errno.errorcode[ctypes.get_errno()])\n"
        "show(lambda: fcntl.ioctl(0, 0x5412, b'x'))\n"
        "child = subprocess.Popen(['sleep', '5'])\n"
        "try: print(resource.prlimit(child.pid, resource.RLIMIT_NOFILE, (5, 5)))\n"
        "except PermissionError: print('EPERM')\n"
        "child.kill()\n"
    )
    said, _ = attempt(make, code)
    assert said.split("\n")[:-1] == ["-1 EPERM"] * 3 + ["EPERM", "EPERM"]


def test_the_32_bit_doors_are_shut(make: Make) -> None:
    code = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.syscall(ctypes.c_long(0x40000000 + 39)), errno.errorcode.get(ctypes.get_errno()))\n"
    )
    said, _ = attempt(make, code)
    assert said == "-1 ENOSYS\n"


def test_addresses_that_cannot_be_read_are_refused(make: Make) -> None:
    code = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "s = socket.socket()\n"
        "print(libc.connect(s.fileno(), ctypes.c_void_p(8), 16), errno.errorcode[ctypes.get_errno()])\n"
        "print(libc.connect(s.fileno(), ctypes.c_void_p(8), 0), errno.errorcode[ctypes.get_errno()])\n"
    )
    said, seen = attempt(make, code)
    assert said.splitlines()[0] == "-1 EINVAL"
    assert seen == []


def test_the_list_of_attempts_is_bounded(make: Make) -> None:
    code = "s = socket.socket(2, 2)\nfor port in range(1, 1000): s.connect_ex(('198.51.100.1', port))"
    _, seen = attempt(make, code)
    assert 200 <= len(seen) <= 256
