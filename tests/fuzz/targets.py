"""What is fuzzed: by name, a function that takes bytes and raises nothing where its reader keeps its promises."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import socket
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from bouts.errors import BadFile, BadSubmission

Target = Callable[[bytes], None]
SEEDS = Path(__file__).resolve().parent / "seeds"
SESSIONS = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts"
PREFIXES = {
    "junit": ("bouts.reports",),
    "tap": ("bouts.reports",),
    "json": ("bouts.reports", "bouts.model.strict_json"),
    "log": ("bouts.reports",),
    "detect": ("bouts.reports",),
    "archive": ("bouts.challenges.archives", "bouts.challenges.names", "tarfile", "zipfile"),
    "patch": ("bouts.challenges.patches", "bouts.challenges.git_headers", "bouts.challenges.names", "unidiff"),
    "manifest": ("bouts.challenges.problems", "bouts.challenges.marked"),
    "transcript": ("bouts.adapters.transcripts",),
    "native": ("bouts.adapters.transcripts", "bouts.model.strict_json"),
    "calls": ("bouts.adapters.runners.python.calls",),
    "load": ("bouts.adapters.runners.python.load_wire",),
}
"""Modules whose branches guide the search, by target."""


def _report(form: str | None) -> Target:
    from bouts.reports.reading import read_report

    def target(data: bytes) -> None:
        try:
            told = read_report(data, form, where="a")
        except BadFile as error:
            _plain(str(error))
            return
        assert told.tests
        assert len({test.id for test in told.tests}) == len(told.tests)
        for test in told.tests:
            _plain(test.id)
            _plain(test.message.replace("\n", " ").replace("\t", " "))
        for what in told.discrepancies:
            _plain(what)

    return target


def _plain(text: str) -> None:
    assert text.replace("\n", "").isprintable(), text[:200]


def _json_reports() -> Target:
    """The first byte says as which of the JSON formats the rest is read."""
    forms = [_report(form) for form in ("ctrf", "jest", "go")]

    def target(data: bytes) -> None:
        forms[data[0] % 3 if data else 0](data[1:])

    return target


def _archive() -> Target:
    """The first byte says what kind of archive the rest is, and whether it is still to be compressed."""
    from bouts.challenges.archives import unpack

    kinds: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
        ("a.zip", bytes),
        ("a.tar", bytes),
        ("a.tar.gz", lambda data: gzip.compress(data, 1)),
        ("a.tar.gz", bytes),
        ("a.tar.bz2", bytes),
        ("a.tar.xz", bytes),
        ("a.tar.xz", lambda data: lzma.compress(data, preset=0)),
        ("a.tar.bz2", lambda data: bz2.compress(data, 1)),
    )

    def target(data: bytes) -> None:
        name, packed = kinds[data[0] % 4 if data and data[0] < 250 else (data[0] % 8 if data else 0)]
        try:
            files, _ = unpack(packed(data[1:]), name, name)
        except BadSubmission as error:
            str(error)
            return
        for path, handed in files.items():
            assert path == handed.path and not path.startswith("/") and ".." not in path.split("/")
            assert "\0" not in path and handed.data is not None

    return target


def _patch() -> Target:
    from bouts.challenges.patches import apply

    folder = _folder()
    base = {name: folder / name for name in ("a.py", "b.txt")}
    base["a.py"].write_bytes(b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
    base["b.txt"].write_bytes(b"x\r\ny\r\nlast")

    def target(data: bytes) -> None:
        try:
            files, deleted, _ = apply(data, "p.diff", base, ("**",))
        except BadSubmission as error:
            str(error)
            return
        for path in (*files, *deleted):
            assert not path.startswith("/") and ".." not in path.split("/")

    return target


def _manifest() -> Target:
    from bouts.challenges.problems import read_fact
    from bouts.model.submission import SubmissionManifest

    def target(data: bytes) -> None:
        fact, _, problems = read_fact(data, SubmissionManifest)
        assert (fact is None) == bool(problems)
        for problem in problems:
            problem.at("submission.yaml")

    return target


def _transcript() -> Target:
    """The first byte chooses: detection, or one of the readers by its name."""
    from bouts.adapters.transcripts.registry import read_transcript
    from bouts.render.session import lines

    file = _folder() / "session"
    names = _readers()

    def target(data: bytes) -> None:
        file.write_bytes(data[1:])
        try:
            session = read_transcript(file, names[data[0] % len(names)] if data else None)
        except BadFile as error:
            str(error)
            return
        assert [event.sequence for event in session.events] == sorted({event.sequence for event in session.events})
        lines(session, most=20)

    return target


def _readers() -> list[str | None]:
    from bouts.adapters.transcripts.registry import formats

    return [None, None, *(name for name in formats() if name != "native")]


def _native() -> Target:
    from bouts.adapters.transcripts.native import read_native

    file = _folder() / "native.json"

    def target(data: bytes) -> None:
        file.write_bytes(data)
        try:
            read_native(file)
        except BadFile as error:
            str(error)

    return target


class _Script:
    """In place of a socket: answers with frames that were written beforehand. In a frame `@` stands for the id of the
    request that came last."""

    def __init__(self, frames: list[bytes]) -> None:
        from bouts.adapters.runners.python.calls.channel import HELLO

        self._frames = [HELLO, *frames]
        self._request = b""
        self._told = b""

    def sendall(self, data: bytes) -> None:
        message = json.loads(data[4:])
        self._request = message.get("id", "").encode() or self._request

    def recv(self, size: int) -> bytes:
        if not self._told and self._frames:
            frame = self._frames.pop(0)
            if frame.startswith(b"~"):
                self._told = frame[1:]  # no frame, but bytes as they are
            else:
                frame = frame.replace(b"@", self._request)
                self._told = len(frame).to_bytes(4, "big") + frame
        told, self._told = self._told[:size], self._told[size:]
        return told

    def settimeout(self, seconds: float | None) -> None: ...

    def shutdown(self, how: int) -> None: ...

    def close(self) -> None: ...


class _Asked(Exception):
    """Raised by the test's own function."""


def _calls() -> Target:
    """Frames of a worker, one a line, answering a few requests of a test."""
    from bouts.adapters.runners.python.boundary import Crashed
    from bouts.adapters.runners.python.calls.channel import Channel
    from bouts.adapters.runners.python.calls.inside.plain import CannotCross
    from bouts.adapters.runners.python.calls.link import Link
    from bouts.adapters.runners.python.calls.standins import CURRENT, RemoteFunction, StandIn
    from bouts.adapters.runners.python.calls.values import Values

    made: list[BaseException] = []
    plain = Values.exception

    def exception(values: Values, told: Any) -> BaseException:
        error = plain(values, told)
        made.append(error)
        return error

    Values.exception = exception  # so that what the submission raised is told from what the decoder raised

    def callback(*args: Any, **named: Any) -> Any:
        if named:
            raise _Asked
        return [*args[:3]]

    def use(link: Link, value: Any) -> None:
        """What a test may do with an answer."""
        if hasattr(value, "close") and not isinstance(value, StandIn | RemoteFunction):
            value.close()  # a coroutine
            return
        repr(value)
        assert value == value or isinstance(value, StandIn | float | complex | list | dict | tuple | set)
        if isinstance(value, RemoteFunction):
            value(1)
        elif isinstance(value, StandIn):
            value.attribute
            len(value)
            link.equal(value, value)

    def tried(act: Callable[[], Any]) -> Any:
        try:
            return act()
        except (Crashed, CannotCross, AttributeError):
            return None
        except Exception as error:
            causes = (error, error.__cause__, error.__context__)
            if isinstance(error, _Asked) or any(one is cause for one in made for cause in causes):
                return None
            if isinstance(error, (TypeError, RuntimeError)) and getattr(error, "__traceback__", None):
                own = str(error)
                if any(word in own for word in ("cannot", "submission", "not ", " gave ")):
                    return None  # what stand-ins say of things that cannot be done with them
            raise

    def target(data: bytes) -> None:
        made.clear()
        end: Any = _Script(data.split(b"\n")[:16])
        channel = Channel(end, lambda reason: None)
        link = Link(channel, {}, lambda: Crashed("gone"))
        link._pump = link  # type: ignore[assignment]  # no thread: callbacks come while an answer is waited for
        CURRENT.link = link
        link.begin("unit/test_a.py::test")
        try:
            first = tried(lambda: link.ask("call", None, "f", (1, [2, 3], {"a": 1}, callback)))
            tried(lambda: use(link, first))
            second = tried(lambda: link.describe("solution", "thing"))
            tried(lambda: use(link, second))
        finally:
            CURRENT.link = None
            channel.release()

    return target


def _load() -> Target:
    from bouts.adapters.runners.python.load_wire import WireConnection, WireError

    def target(data: bytes) -> None:
        mine, theirs = socket.socketpair()
        with mine, theirs:
            connection = WireConnection(mine)
            connection._came = lambda: False  # type: ignore[method-assign]  # the answers lie ready in a fuzzed run
            theirs.settimeout(0)
            theirs.sendall(data[:60_000])
            theirs.shutdown(socket.SHUT_WR)
            try:
                for _ in range(4):
                    _, again = connection.ask(b"x", 5.0)
                    if not again:
                        break
            except WireError:
                pass

    return target


def seeds(name: str) -> dict[str, bytes]:
    """Where the search of a target begins: what lies in its folder, and sessions as agents write them."""
    return {path.name: path.read_bytes() for path in sorted((SEEDS / name).glob("*"))} | _sessions(name)


def _sessions(name: str) -> dict[str, bytes]:
    from bouts.adapters.transcripts.registry import told_format

    made: dict[str, bytes] = {}
    for path in sorted(SESSIONS.iterdir()) if name in ("native", "transcript") else ():
        form, _ = (path.is_file() and told_format(path)) or ("", 0)
        if name == "native" and form == "native":
            made[path.name] = path.read_bytes()
        elif name == "transcript" and form:
            made[path.name] = b"\0" + path.read_bytes()
            if form != "native":
                made[f"as-{path.name}"] = bytes([_readers().index(form)]) + path.read_bytes()
    return made


@cache
def _folder() -> Path:
    """A folder in memory."""
    shared = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix=f"fuzz-{os.getpid()}-", dir=shared if shared.is_dir() else None))


TARGETS: dict[str, Callable[[], Target]] = {
    "junit": lambda: _report("junit"),
    "tap": lambda: _report("tap"),
    "json": _json_reports,
    "log": lambda: _report("log"),
    "detect": lambda: _report(None),
    "archive": _archive,
    "patch": _patch,
    "manifest": _manifest,
    "transcript": _transcript,
    "native": _native,
    "calls": _calls,
    "load": _load,
}
"""Makes each target."""
