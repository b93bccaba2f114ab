"""The transport against a socket pair: real bytes, no network."""

import bz2
import gzip
import socket
import threading
import zlib

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.adapters.runners.python.transport import MAX_BODY, ServiceTransport


class Peer:
    """Answers every connection with the same bytes, then closes it."""

    def __init__(self, answer, *, close=True):
        self.answer = answer
        self.close = close
        self.ends = []
        self.seen = []
        self.lost = 0
        self.looks = 0
        self.crowded = 0.0
        self.late = b""

    def waited(self):
        """Others use the machine for so long from the second look on; then what was late comes."""
        self.looks += 1
        if self.looks > 1 and self.late:
            late, self.late = self.late, b""
            threading.Timer(0.3, self.ends[0].sendall, (late,)).start()
        return self.crowded if self.looks > 1 else 0.0

    def connect(self, seconds):
        mine, theirs = socket.socketpair()
        self.ends.append(theirs)
        threading.Thread(target=self.talk, args=(theirs,), daemon=True).start()
        return mine

    def talk(self, theirs):
        try:
            theirs.recv(65536)
            theirs.sendall(self.answer)
            if self.close:
                theirs.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def note_lost(self):
        self.lost += 1

    def client(self, seconds=5.0):
        transport = ServiceTransport(self.connect, self.waited, lambda *seen: self.seen.append(seen), self.note_lost)
        return httpx.Client(transport=transport, base_url="http://service", trust_env=False, timeout=seconds)

    def get(self, path="/", **options):
        try:
            with self.client(**options) as client:
                answer = client.get(path)
                answer.text
                return answer
        finally:
            for end in self.ends:
                end.close()


def answer(body, **headers):
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()]
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n{''.join(lines)}\r\n".encode() + body


def raw_deflate(data):
    squeeze = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return squeeze.compress(data) + squeeze.flush()


@pytest.mark.parametrize(
    "sent",
    [
        answer(b"hello"),
        answer(b"hello", Content_Encoding="identity"),
        answer(gzip.compress(b"hello"), Content_Encoding="gzip"),
        answer(zlib.compress(b"hello"), Content_Encoding="deflate"),
        answer(raw_deflate(b"hello"), Content_Encoding="deflate"),
        answer("hello".encode("utf-16"), Content_Type="text/plain; charset=utf-16"),
        answer(b"hello", Content_Type="text/plain; charset=no-such-thing"),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\nhello",
    ],
)
def test_honest_answers_are_read(sent):
    assert Peer(sent).get().text == "hello"


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (answer(gzip.compress(bytes(MAX_BODY + 1)), Content_Encoding="gzip"), httpx.ReadError),
        (answer(raw_deflate(bytes(MAX_BODY + 1)), Content_Encoding="deflate"), httpx.ReadError),
        (answer(b"no gzip", Content_Encoding="gzip"), httpx.DecodingError),
        (answer(b"\xff\xff\xff", Content_Encoding="deflate"), httpx.DecodingError),
        (answer(gzip.compress(gzip.compress(b"x")), Content_Encoding="gzip, gzip"), httpx.DecodingError),
        (answer(b"x", Content_Encoding="br"), httpx.DecodingError),
        (answer(bz2.compress(bytes(100)), Content_Type="text/plain; charset=bz2"), httpx.DecodingError),
        (answer(b"x", Content_Type="text/plain; charset=punycode"), httpx.DecodingError),
        (b"HTTP/1.1 200 OK\r\n\r\n" + bytes(MAX_BODY + 1), httpx.ReadError),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", httpx.RemoteProtocolError),
        (b"", httpx.RemoteProtocolError),
    ],
)
def test_dangerous_or_broken_answers_are_errors_of_httpx(sent, error):
    with pytest.raises(error):
        Peer(sent).get()


def test_a_body_of_exactly_the_limit_is_read():
    assert len(Peer(answer(gzip.compress(bytes(MAX_BODY)), Content_Encoding="gzip")).get().content) == MAX_BODY


def test_an_answer_that_does_not_come_in_time_is_a_timeout():
    with pytest.raises(httpx.ReadTimeout):
        Peer(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", close=False).get(seconds=0.1)


def test_time_in_which_others_used_the_machine_is_no_part_of_a_timeout():
    peer = Peer(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", close=False)
    peer.crowded, peer.late = 60.0, b"cde"
    assert peer.get(seconds=0.2).text == "abcde"


def test_answers_are_observed_and_lost_connections_told():
    peer = Peer(b"HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n")
    assert peer.get("/a?b").status_code == 500
    assert (peer.seen, peer.lost) == ([("GET", "/a", 500)], 0)
    peer = Peer(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
    with pytest.raises(httpx.RemoteProtocolError):
        peer.get()
    assert peer.lost == 1


def test_an_error_of_the_observer_of_lost_connections_comes_first():
    peer = Peer(b"")

    def crash():
        raise SystemError("the service died")

    peer.note_lost = crash
    with pytest.raises(SystemError):
        peer.get()


STARTS = [
    b"",
    b"HTTP/1.1 200 OK\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: ",
    b"HTTP/1.1 200 OK\r\nSet-Cookie: ",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
]
PIECES = st.sampled_from(
    [b"\r\n", b"\r\n\r\n", b": ", b"http://[", b"\x00", b"\xff", b";", b"=", b"5\r\nhello\r\n", b"999"]
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(STARTS), st.lists(PIECES | st.binary(max_size=12), max_size=12))
def test_whatever_comes_is_an_answer_or_an_error_of_httpx(start, pieces):
    try:
        Peer(start + b"".join(pieces)).get()
    except httpx.HTTPError:
        return
