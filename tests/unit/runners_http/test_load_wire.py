"""The wire client against a socket pair: real bytes, no network."""

import socket
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.adapters.runners.python.load_wire import MAX_BODY, WireConnection, WireError, WireTimeout


def ask(*answer: bytes, close: bool = True, seconds: float = 5.0):
    """What the client makes of these bytes, sent piece by piece."""
    mine, theirs = socket.socketpair()

    def send():
        try:
            theirs.recv(100)
            for piece in answer:
                theirs.sendall(piece)
            if close:
                theirs.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    wire = WireConnection(mine)
    try:
        return wire.ask(b"GET / HTTP/1.1\r\n\r\n", seconds)
    finally:
        wire.close()
        sender.join()
        theirs.close()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", (200, True)),
        (b"HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n", (200, True)),
        (b"HTTP/1.1 204 No Content\r\n\r\n", (204, True)),
        (b"HTTP/1.1 404 N\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx", (404, False)),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", (200, False)),
        (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx", (200, True)),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", (200, False)),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 C\r\nContent-Length: 0\r\n\r\n", (201, True)),
        (b"HTTP/1.1 101 Switching\r\n\r\n", (101, False)),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
            (200, True),
        ),
    ],
)
def test_answers_whole_and_byte_by_byte(answer, expected):
    assert ask(answer) == expected
    assert ask(*[answer[i : i + 1] for i in range(len(answer))]) == expected


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "instead of an answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "within an answer"),
        (b"\x00\xff" * 100 + b"\r\n\r\n", "not an HTTP/1 answer"),
        (b"HTTP/2 200 OK\r\n\r\n", "not an HTTP/1 answer"),
        (b"HTTP/1.1 2x0 OK\r\n\r\n", "not an HTTP/1 answer"),
        (b"HTTP/1.1 2000 OK\r\n\r\n", "not an HTTP/1 answer"),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "without a colon"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "broken content-length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1_0\r\n\r\n", "broken content-length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: \xb2\r\n\r\n", "broken content-length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "broken content-length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n", "body too large"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "within a body"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "other than chunked"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "broken chunk size"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "longer than it says"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", "body too large"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000, "headers too large"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", "headers too large"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * (MAX_BODY + 200_000), "body too large"),
    ],
)
def test_broken_or_oversized_answers_are_errors(answer, message):
    with pytest.raises(WireError, match=message):
        ask(answer)


def test_an_answer_that_does_not_end_runs_into_the_time_limit():
    with pytest.raises(WireTimeout, match=r"0\.05 s"):
        ask(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", close=False, seconds=0.05)


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]),
)
def test_whatever_comes_is_an_answer_or_a_wire_error(junk, start):
    try:
        status, _ = ask(start + junk)
    except WireError:
        return
    assert 200 <= status <= 999 or status == 101


def test_an_answer_that_was_there_before_the_request_is_none():
    mine, theirs = socket.socketpair()
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    try:
        theirs.sendall(answer)
        with pytest.raises(WireError, match="before the request"):
            WireConnection(mine).ask(b"GET / HTTP/1.1\r\n\r\n", 5)
    finally:
        mine.close()
        theirs.close()
    # Nor is one that came along with the answer to the request before.
    mine, theirs = socket.socketpair()
    sender = threading.Thread(target=lambda: theirs.recv(100) and theirs.sendall(answer * 2))
    sender.start()
    try:
        wire = WireConnection(mine)
        assert wire.ask(b"GET / HTTP/1.1\r\n\r\n", 5) == (200, True)
        with pytest.raises(WireError, match="before the request"):
            wire.ask(b"GET / HTTP/1.1\r\n\r\n", 5)
    finally:
        sender.join()
        mine.close()
        theirs.close()
