"""Hears the warnings that submitted code gives and changes nothing about them: what is shown, ignored, caught or
turned into an error stays so.

Warnings are heard where the interpreter looks for a filter that fits: a filter of ours, which never does, is asked on
the way. It stands before the interpreter's own filters and behind those that the program sets, so a warning that the
program ignores, or makes an error of, counts as little as it would under `-W default`; one that the program itself
chose to show is heard where it is shown. Used by each process with submitted code in it.
"""

from __future__ import annotations

import _warnings
import posix
import sys
from _collections import deque  # pyright: ignore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Tell = Callable[[tuple[str, int, str, str]], object]

MOST = 50
"""Warnings of one process that are told."""
MAX_TEXT = 300
MAX_PATH = 200
GREETING, SEPARATOR = "listening", "\x1f"
_DEEPEST = 100
"""Frames that are looked through for the place of a warning."""
_DEPRECATED = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)
_LISTENED = (*_DEPRECATED, ResourceWarning, RuntimeWarning, SyntaxWarning)
_GIVEN, _KEPT = 3, 200
"""Descriptor of the socket as a program is given it, and where it is kept, out of the program's way."""
_KIND_OF_FILE, _SOCKET = 0o170000, 0o140000
_CALLER = f"{__package__}.operations"
"""The module of ours that calls submitted functions, in a worker."""


class Ears:
    """Hears, keeps each place once, and tells. Takes no lock: garbage that warns may be collected anywhere."""

    def __init__(self) -> None:
        self._root = "/"
        self._tell: Tell | None = None
        self._seen: set[tuple[str, int, str]] = set()
        self._shapes: set[tuple[str, str]] = set()
        self._text: Any = _Last(maxlen=1)
        self._module: Any = _Last(maxlen=1)
        self._show: Any = None
        self._warnings: Any = None

    def install(self) -> None:
        """Be asked about each warning from now on. A second call does nothing."""
        if self._warnings is not None:
            return
        import warnings

        self._warnings = warnings
        filters: list[Any] = _warnings.filters  # pyright: ignore
        filters.insert(max(0, len(filters) - _own_filters(filters)), ("ignore", self._text, self, self._module, 0))
        show = warnings._showwarnmsg_impl  # pyright: ignore

        def shown(message: Any) -> None:
            self._shown(message)
            show(message)

        self._show = warnings._showwarnmsg_impl = shown  # pyright: ignore

    def begin(self, tell: Tell) -> None:
        """Tell of each warning whose place is a file below the current folder: path, line (0 where that is not known),
        kind and text."""
        self._root = f"{posix.getcwd().rstrip('/')}/"
        self._tell = tell

    def __subclasscheck__(self, category: Any) -> bool:
        """Asked by the interpreter whether our filter is for this kind of warning, once it has shown text and module to
        the two other parts of it."""
        try:
            if self._tell is not None and issubclass(category, _LISTENED):
                self._heard(category, str(self._text[0]), str(self._module[0]))
        except BaseException:  # whatever goes wrong here must not reach the program
            return False
        return False

    def _heard(self, category: type[Warning], text: str, module: str) -> None:
        if not _counts(category, text) or self._warnings._showwarnmsg_impl is not self._show:
            return  # of another kind, or the program records what it warns of, to see to it
        frame: Any = sys._getframe(2)  # pyright: ignore
        for _ in range(_DEEPEST):
            if frame is None:
                break
            if frame.f_globals.get("__name__") == module:
                if module == _CALLER and not issubclass(category, _DEPRECATED):
                    self._leaked(frame, category, text)
                else:
                    self._note(frame.f_code.co_filename, frame.f_lineno, category, text)
                return
            frame = frame.f_back
        # The compiler names a file, without its suffix, as the module, and keeps the line to itself.
        self._note(f"{module}.py", 0, category, text)

    def _leaked(self, frame: Any, category: type[Warning], text: str) -> None:
        """What a function leaves behind warns once it has returned, in its caller: that is us where a worker called."""
        target = frame.f_locals.get("target")
        if type(target) is _METHOD:
            target = target.__func__
        if type(target) is _FUNCTION:
            self._note(target.__code__.co_filename, target.__code__.co_firstlineno, category, text)
            return
        # Nothing is asked of the object itself, which would be another call of submitted code.
        kind: type = target if isinstance(target, type) else type(target)
        module = sys.modules.get(type.__getattribute__(kind, "__module__"))
        if module is not None:
            self._note(str(vars(module).get("__file__")), 0, category, text)

    def _shown(self, message: Any) -> None:
        try:
            if self._tell is not None and message.file is None and issubclass(message.category, _LISTENED):
                text = str(message.message)
                if _counts(message.category, text):
                    self._note(message.filename, message.lineno, message.category, text)
        except BaseException:
            return

    def _note(self, filename: str, line: int, category: type[Warning], text: str) -> None:
        if not filename.startswith(self._root) or len(self._seen) >= MOST or self._tell is None:
            return
        kind, path = category.__name__, filename[len(self._root) :]
        place, shape = (path, line, kind), (path, text)
        if place in self._seen or shape in self._shapes:
            return
        if not line:
            self._shapes.add(shape)
        self._seen.add(place)
        self._tell((path[:MAX_PATH], line, kind[:MAX_PATH], text[:MAX_TEXT]))


class _Last(deque):  # pyright: ignore
    """A part of a filter that keeps what it is shown and never fits. In the interpreter's own speed: a program may warn
    a million times."""

    match = deque.append  # pyright: ignore


def _counts(category: type[Warning], text: str) -> bool:
    if issubclass(category, RuntimeWarning):
        return text.startswith("coroutine ") and "was never awaited" in text
    if issubclass(category, SyntaxWarning):
        # What was a `DeprecationWarning` before Python 3.12.
        return text.startswith(("invalid escape sequence", "invalid octal escape sequence", '"\\'))
    return True


def _own_filters(filters: list[Any]) -> int:
    """How many filters at the end are the interpreter's own, set before any option was read."""
    known = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
    count = 0
    for _, text, category, _, _ in reversed(filters):
        if text is not None or category not in known or count == len(known) + 1:
            break
        count += 1
    return count


def listen_in_program(folder: str) -> None:
    """Listen in an interpreter that runs a program of the submission and tell over the socket that it was given as
    descriptor 3: a greeting, then a line for each warning. `folder` was put first on `PYTHONPATH` to get this far; the
    program sees neither. Never raises."""
    import os

    if folder in sys.path:
        sys.path.remove(folder)
    sys.path_importer_cache.pop(folder, None)
    before = os.environ.get("PYTHONPATH", "").removeprefix(folder).removeprefix(":")
    if before:
        os.environ["PYTHONPATH"] = before
    else:
        os.environ.pop("PYTHONPATH", None)
    try:
        say = _line()
    except OSError:
        return
    EARS.install()
    EARS.begin(lambda told: say(*told))
    say(GREETING)


def _line() -> Callable[..., None]:
    """A function that sends one line, or loses it where nobody takes it. Raises `OSError` where there is no socket."""
    given = posix.fstat(_GIVEN)
    if given.st_mode & _KIND_OF_FILE != _SOCKET:
        raise OSError("not a socket")
    posix.dup2(_GIVEN, _KEPT, False)
    posix.close(_GIVEN)
    posix.set_blocking(_KEPT, False)

    def say(*words: object) -> None:
        try:
            # A program may have closed the socket and opened something else in its place.
            if posix.fstat(_KEPT)[:3] == given[:3]:
                line = SEPARATOR.join(str(word).replace(SEPARATOR, " ").replace("\n", " ") for word in words)
                posix.write(_KEPT, f"{line}\n".encode("utf-8", "replace"))
        except OSError:
            return

    return say


EARS = Ears()
"""Those of this process."""
_FUNCTION, _METHOD = type(Ears.begin), type(EARS.begin)
