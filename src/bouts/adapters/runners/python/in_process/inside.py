"""Runs pytest inside the sandbox, in one process with the submission; reports over a descriptor.

Nothing that this program says is certain: submitted code shares its process. A nonce, an inventory kept outside and
twins (a test once more with a wrong expected value, which must then fail) expose what does not know of them.
"""

# Items and hooks of pytest have types of their own that are not loaded on the host's side.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportPrivateUsage=false

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from typing import Any

MAX_TEXT = 2000


class Reporter:
    """The pytest plugin: a fork for each test and each twin, so that one leaves no state in memory for the next."""

    def __init__(self, fd: int, told: dict[str, Any]) -> None:
        self._fd = fd
        self._nonce = told["nonce"]
        self._only = told["only"]
        self._seed = told["seed"]
        self._twins = told["twins"]
        self._broken: dict[str, str] = {}
        self._warnings: list[tuple[str, int, str, str]] = []

    def listen(self) -> None:
        """Hear the warnings of the code from now on."""
        from listening import EARS  # pyright: ignore[reportMissingImports] - mounted beside pytest

        EARS.install()
        EARS.begin(self._warnings.append)

    def say(self, **message: Any) -> None:
        """One line to the host."""
        data = json.dumps({"nonce": self._nonce, **message}).encode() + b"\n"
        while data:
            data = data[os.write(self._fd, data) :]

    def pytest_collectreport(self, report: Any) -> None:
        """Remember files that do not load."""
        if report.failed:
            self._broken[report.nodeid] = str(report.longrepr)[-MAX_TEXT:]

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep the tests asked for, in an order drawn from the seed."""
        items.sort(key=lambda item: item.nodeid)
        self.say(collected=[item.nodeid for item in items], broken=self._broken)
        random.Random(self._seed).shuffle(items)  # noqa: S311 - an order, not a secret
        if self._only is not None:
            wanted = frozenset(self._only)
            items[:] = [item for item in items if item.nodeid in wanted]

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> bool:
        """Run one test in a fork, and its twin in another."""
        source = self._twins.get(item.nodeid)
        self.say(begin=item.nodeid)
        if source is not None:
            self.say(twin=item.nodeid)
            self._fork(item, source)
        self._fork(item, None)
        return True

    def _fork(self, item: Any, twin: Any) -> None:
        pid = os.fork()
        if pid == 0:
            try:
                self._run(item, twin)
            finally:
                os._exit(0)
        _, status = os.waitpid(pid, 0)
        self.say(end=item.nodeid, status=os.waitstatus_to_exitcode(status), twin=twin is not None)

    def _run(self, item: Any, twin: Any) -> None:
        escapes: list[str] = []
        threading.excepthook = lambda told: escapes.append(f"{told.exc_type.__name__}: {told.exc_value}"[:500])
        started = time.monotonic()
        if twin is not None:
            item.obj = twin_of(item, twin)
        outcome, message = phases(item)
        if twin is not None:
            self.say(twin_result=item.nodeid, failed=outcome != "passed")
            return
        self.say(
            result=item.nodeid,
            outcome=outcome,
            message=message[:MAX_TEXT],
            seconds=time.monotonic() - started,
            escapes=escapes[:20],
            warnings=self._warnings,
        )


def phases(item: Any) -> tuple[str, str]:
    """Set up, run and tear down a test."""
    import pytest
    from _pytest.tmpdir import tmppath_result_key

    item.stash[tmppath_result_key] = {}  # pytest's own reports, which are not made here, would fill it
    found = ("passed", "")
    steps = (
        ("setup", lambda: item.ihook.pytest_runtest_setup(item=item)),
        ("call", lambda: item.ihook.pytest_runtest_call(item=item)),
        ("teardown", lambda: item.ihook.pytest_runtest_teardown(item=item, nextitem=None)),
    )
    for name, step in steps:
        if name == "call" and found[0] != "passed":
            continue
        try:
            step()
            _raise_what_was_kept(item)
        except pytest.skip.Exception as error:
            found = ("skipped", str(error)) if found[0] == "passed" else found
        except BaseException as error:
            said = f"{'' if name == 'call' else f'in {name}: '}{type(error).__name__}: {error}"
            if found[0] == "passed":
                found = ("failed" if name == "call" else "error", said)
    return found


def _raise_what_was_kept(item: Any) -> None:
    """A `unittest.TestCase` keeps what its test raised to itself, for a report of pytest's that is not made here."""
    for kept in getattr(item, "_excinfo", None) or ():
        raise kept.value


def twin_of(item: Any, source: str) -> Any:
    """The test's function with one expected value replaced by a wrong one, from the source that the host made."""
    function = item.obj
    space = {**function.__globals__, "__wrong__": wrong}
    exec(compile(source, function.__code__.co_filename, "exec"), space)  # noqa: S102 - the author's test
    twin = space[function.__name__]
    twin.__defaults__, twin.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return twin


def wrong(value: Any) -> Any:
    """A value of the same type, where it can be, that no code that was not told it comes to."""
    kind = type(value)
    drawn = 10**9 + int.from_bytes(os.urandom(5), "big")
    if kind in (int, float):
        return value + kind(drawn) if value + kind(drawn) != value else object()
    if kind in (str, bytes):
        text = f"x{drawn}"
        return value + (text if kind is str else text.encode())
    if kind in (list, tuple):
        return value + kind((drawn,))
    return {**value, f"x{drawn}": drawn} if kind is dict else object()


def main(fd: int) -> None:
    """Do what the first line of standard input asks for."""
    told = json.loads(sys.stdin.readline())
    sys.path[:] = [*told["first"], *sys.path, *told["last"]]
    sys.dont_write_bytecode = True
    import pytest

    reporter = Reporter(fd, told)
    reporter.listen()
    reporter.say(hello=True)
    status = pytest.main(told["arguments"], plugins=[reporter])
    reporter.say(finished=int(status))
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
