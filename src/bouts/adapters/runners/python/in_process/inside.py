"""Runs pytest inside the sandbox, in one process with the submission; reports over a descriptor.

Nothing that this program says is certain: submitted code shares its process. A nonce, an inventory kept outside and
twins (a test once more with a wrong expected value, which must then fail) expose what does not know of them.
"""

# Items and hooks of pytest have types of their own that are not loaded on the host's side.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportPrivateUsage=false

from __future__ import annotations

import ast
import inspect
import json
import os
import random
import sys
import textwrap
import threading
import time
from typing import Any

MAX_TEXT = 2000


class Reporter:
    """The pytest plugin: a fork for each test, so that one leaves no state in memory for the next."""

    def __init__(self, fd: int, told: dict[str, Any]) -> None:
        self._fd = fd
        self._nonce = told["nonce"]
        self._only = told["only"]
        self._seed = told["seed"]
        self._twins = told["twins"]
        self._broken: dict[str, str] = {}

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
        twin = twin_of(item) if self._twins > 0 else None
        self._twins -= twin is not None
        self.say(begin=item.nodeid)
        self._fork(item, None)
        if twin is not None:
            self.say(twin=item.nodeid)
            self._fork(item, twin)
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
            item.obj = twin.function
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


class Twin:
    """A test function in which one expected value is replaced by a wrong one."""

    def __init__(self) -> None:
        self.function: Any = None

    def wrong(self, value: Any) -> Any:
        """A value that is not equal to this one, but looks like it where it can."""
        kind = type(value)
        if kind is bool:
            return not value
        if kind in (int, float):
            return value + 1 if value + 1 != value else object()
        if kind in (str, bytes, list, tuple):
            return value + kind(("x",)) if kind in (list, tuple) else value + ("x" if kind is str else b"x")
        return {**value, "x twin": 0} if kind is dict else object()


def twin_of(item: Any) -> Twin | None:
    """The twin of a plain test function with an assertion `left == right` at its top level."""
    function = getattr(item, "obj", None)
    if not inspect.isfunction(function) or function.__closure__ or inspect.iscoroutinefunction(function):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return None
    made = tree.body[0]
    if not isinstance(made, ast.FunctionDef):
        return None
    compared = next((node for node in made.body if _is_equality(node)), None)
    if compared is None or any(isinstance(node, ast.Return) for node in ast.walk(made)):
        return None
    test: Any = compared
    wrong = ast.Call(ast.Name("__wrong__", ast.Load()), [test.test.comparators[0]], [])
    test.test.comparators[0] = wrong
    made.decorator_list, made.returns = [], None
    twin = Twin()
    space = {**function.__globals__, "__wrong__": twin.wrong}
    exec(compile(ast.fix_missing_locations(tree), function.__code__.co_filename, "exec"), space)  # noqa: S102 - the author's test
    twin.function = space[made.name]
    twin.function.__defaults__ = function.__defaults__
    return twin


def _is_equality(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Compare):
        return False
    return len(node.test.ops) == 1 and isinstance(node.test.ops[0], ast.Eq)


def main(fd: int) -> None:
    """Do what the first line of standard input asks for."""
    told = json.loads(sys.stdin.readline())
    sys.path[:] = [*told["first"], *sys.path, *told["last"]]
    sys.dont_write_bytecode = True
    import pytest

    reporter = Reporter(fd, told)
    status = pytest.main(told["arguments"], plugins=[reporter])
    reporter.say(finished=int(status))
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
