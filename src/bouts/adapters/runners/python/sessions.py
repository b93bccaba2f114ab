"""pytest sessions that stand ready: what a session does before it knows its tests is done once, in the zygote.

Making one takes as long as running a dozen small tests, and each suite of each submission needs one. pytest has no
public way to give a session its tests later, so this relies on its insides; where they are not as expected, or an
author's `conftest.py` wants a say in how a session begins, `pytest.main` is called as anybody would.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, cast

import pytest
from _pytest.config import Config, ConftestImportFailure, _prepareconfig
from _pytest.main import Session, _bestrelpath_cache, _main
from _pytest.outcomes import Exit

_INI = Path(__file__).with_name("suite.ini")
_UNUSED_PLUGINS = (
    *("terminal", "doctest", "junitxml", "pastebin", "faulthandler", "unraisableexception", "threadexception"),
    *("stepwise", "setuponly", "setupplan", "legacypath", "logging", "cacheprovider"),
)
_EARLY_HOOKS = tuple(f"pytest_{name}".encode() for name in ("addoption", "cmdline_", "load_initial", "sessionstart"))
"""Hooks that only a session which was not begun without the tests' `conftest.py` would call."""


@dataclass(frozen=True)
class Tests:
    """What a session is to collect."""

    folder: Path
    """The suite's folder; test ids are relative to it."""
    paths: tuple[str, ...]
    """Files below it, or the folder itself."""
    collect: bool = False
    """List the tests instead of running them."""


@dataclass
class _Ready:
    config: Config
    session: Session
    finders: list[MetaPathFinder]
    """What rewrites assertions while modules are imported."""


_ready: list[_Ready] = []


def prepare(count: int, folder: Path) -> None:
    """Have `count` sessions ready, begun in an empty `folder`. Does nothing where this pytest does not allow it."""
    try:
        _ready.extend(_begin(folder) for _ in range(count))
    except Exception:
        _ready.clear()


def run(tests: Tests, plugins: Sequence[object]) -> int:
    """Collect and run the tests. Returns pytest's exit status."""
    if not _ready or _wants_a_say(tests):
        return int(pytest.main(_arguments(tests), plugins=[*plugins]))
    before = os.environ.get("PYTEST_VERSION")
    os.environ["PYTEST_VERSION"] = pytest.__version__
    try:
        return int(_continue(_ready.pop(), tests, plugins))
    finally:
        os.environ.pop("PYTEST_VERSION") if before is None else None


def _arguments(tests: Tests) -> list[str]:
    return [
        *("-c", str(_INI), "--rootdir", str(tests.folder), "--confcutdir", str(tests.folder)),
        *("--import-mode=importlib", "--strict-markers", "--strict-config", "--capture=no"),
        "--continue-on-collection-errors",
        *(["--collect-only"] if tests.collect else []),
        *(word for name in _UNUSED_PLUGINS for word in ("-p", f"no:{name}")),
        *tests.paths,
    ]


def _begin(folder: Path) -> _Ready:
    known = list(sys.meta_path)
    config = _prepareconfig(_arguments(Tests(folder, (str(folder),))))
    finders = [finder for finder in sys.meta_path if finder not in known]
    session = Session.from_config(config)
    config._do_configure()
    config.hook.pytest_sessionstart(session=session)
    for name in ("_rootpath", "args", "pluginmanager"):
        getattr(config, name)
    for name in ("path", "_bestrelpathcache"):
        getattr(session, name)
    sys.meta_path[:] = known
    return _Ready(config, session, cast("list[MetaPathFinder]", finders))


def _wants_a_say(tests: Tests) -> bool:
    places = [tests.folder, *(path for path in tests.folder.glob("test*") if path.is_dir())]
    for place in places:
        with contextlib.suppress(OSError):
            text = (place / "conftest.py").read_bytes()
            if any(hook in text for hook in _EARLY_HOOKS):
                return True
    return False


def _continue(ready: _Ready, tests: Tests, plugins: Sequence[object]) -> int | pytest.ExitCode:
    config, session = ready.config, ready.session
    sys.meta_path[:0] = ready.finders
    config._rootpath = session.path = tests.folder
    session._bestrelpathcache = _bestrelpath_cache(tests.folder)
    config.args = config.option.file_or_dir = [*tests.paths]
    config.option.rootdir = config.known_args_namespace.rootdir = str(tests.folder)
    config.option.confcutdir = config.known_args_namespace.confcutdir = str(tests.folder)
    config.option.collectonly = tests.collect
    try:
        for plugin in plugins:
            config.pluginmanager.register(plugin)
        _load_conftests(config, session)
        with _status_of(config, session):
            session.exitstatus = _main(config, session) or pytest.ExitCode.OK
        config.hook.pytest_sessionfinish(session=session, exitstatus=session.exitstatus)
    except (ConftestImportFailure, pytest.UsageError):
        return pytest.ExitCode.USAGE_ERROR
    finally:
        config._ensure_unconfigure()
    return session.exitstatus


def _load_conftests(config: Config, session: Session) -> None:
    config.pluginmanager._set_initial_conftests(
        args=config.args,
        pyargs=False,
        noconftest=False,
        rootpath=config.rootpath,
        confcutdir=config.rootpath,
        invocation_dir=config.invocation_params.dir,
        importmode=config.known_args_namespace.importmode,
        consider_namespace_packages=config.getini("consider_namespace_packages"),
    )
    session._fixturemanager._flush_pending_conftests_to_session(session)


@contextlib.contextmanager
def _status_of(config: Config, session: Session) -> Generator[None]:
    """Turn what ends a session early into its exit status, as pytest does."""
    try:
        yield
    except pytest.UsageError:
        raise
    except Session.Failed:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    except (KeyboardInterrupt, Exit) as stop:
        code: Any = getattr(stop, "returncode", None)
        session.exitstatus = pytest.ExitCode.INTERRUPTED if code is None else code
    except BaseException:
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        config.notify_exception(pytest.ExceptionInfo.from_current(), config.option)
