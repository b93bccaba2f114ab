"""The worker: a process in the sandbox that imports the submission and does what the test's stand-ins ask for.

It is honest but not trusted: submitted code shares the process and may do anything with it. Nothing secret ever
arrives here: no expected value, no test, no verdict.
"""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import _thread
import posix
import sys
from _queue import SimpleQueue

from .files import Mirror
from .listening import EARS
from .objects import Objects
from .operations import OPERATIONS
from .plain import CannotCross
from .printing import capture, printed
from .threads import WorkThread
from .wire import pack, read_message, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_CALLBACK_DEPTH = 16
MAX_ESCAPES = 20


class Worker:
    """One connection and everything behind it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._pid = posix.getpid()
        self._lock = _thread.allocate_lock()
        self._buffer = bytearray()
        self._threads: dict[int, WorkThread] = {}
        self._waiting: dict[str, Any] = {}
        self._outstanding: list[str] = []
        self._running = _thread._local()
        self._count = 0
        self._escapes: list[list[str]] = []
        self._warned: list[tuple[str, int, str, str]] = []
        self._hooked: set[str] = set()
        self.patched: dict[tuple[int, str], Any] = {}
        self.mirror: Mirror | None = None
        self.objects = Objects(self.call_back, self._step)
        self.out, self.err = capture(1), capture(2)

    def serve(self) -> None:
        """Read on a thread of its own, work on this one."""
        sys.stdout, sys.stderr = self.out, self.err
        sys.unraisablehook = _quiet
        EARS.install()
        EARS.begin(self._warned.append)
        self.send({"hello": 1})
        main = self._threads[0] = WorkThread(self)
        _thread.start_new_thread(self._read, ())
        main.work()

    # ------------------------------------------------------------ messages

    def _read(self) -> None:
        while True:
            message = read_message(self._fd, self._buffer)
            if message is None:
                posix._exit(0)
            if "cbr" in message:
                box = self._waiting.get(message["cbr"])
                if box is not None:
                    box.put(message)
            elif "in" in message and message["in"] in self._waiting:
                self._waiting[message["in"]].put(message)
            elif "cancel" in message:
                self._cancel(message)
            else:
                self._thread(message["th"]).deliver(message)

    def _thread(self, number: int) -> WorkThread:
        thread = self._threads.get(number)
        if thread is None:
            thread = self._threads[number] = WorkThread(self)
            _thread.start_new_thread(thread.work, ())
        return thread

    def _cancel(self, message: dict[str, Any]) -> None:
        for thread in tuple(self._threads.values()):
            if thread.loop is not None:
                thread.loop.cancel(message["cancel"])

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; a forked child of the submission never speaks on this channel."""
        if posix.getpid() != self._pid:
            posix._exit(1)
        data = pack(message)
        with self._lock:
            write_all(self._fd, data)

    def answer(self, message: dict[str, Any], value: Any = None, error: BaseException | None = None) -> None:
        """Answer a request with a value or an exception."""
        told: dict[str, Any] = {"id": message["id"]}
        if error is None:
            try:
                given = message.get("given", ())
                for number, argument in enumerate(given):
                    if value is argument and isinstance(value, (list, dict, set, bytearray)):
                        told["same"] = number
                        break
                else:
                    told["ok"] = self.objects.encode(value)
            except Exception as trouble:
                error = trouble
        if error is not None:
            told["exc"] = self.objects.exception(error)
        self._changes(message, told)
        self._printed(told)
        if message["id"] in self._outstanding:
            self._outstanding.remove(message["id"])
        if self._rests():
            told["rest"] = 1
        self._seen(told)
        if self.mirror is not None:
            try:
                changed = self.mirror.changes()
            except OverflowError as trouble:
                told.pop("ok", None)
                told["exc"], changed = self.objects.exception(trouble), None
            if changed:
                told["files"] = changed
        self._hook()
        try:
            self.send(told)
        except CannotCross as trouble:
            self.send({"id": message["id"], "exc": self.objects.exception(trouble)})

    def _rests(self) -> bool:
        """Whether nothing can happen here until the next request: no work, no loop, no thread but ours, no exit hook.
        Then there is nothing to be finished at the end. Looked at before what happened is told, so that no thread ends
        in between unheard."""
        if self._outstanding or _thread._count() != len(self._threads):
            return False
        hooks = sys.modules.get("atexit")
        return not (hooks is not None and hooks._ncallbacks()) and all(
            thread.loop is None for thread in tuple(self._threads.values())
        )

    def _seen(self, told: dict[str, Any]) -> None:
        """What no call gave, but happened meanwhile."""
        if self._escapes:
            told["esc"], self._escapes = self._escapes, []
        if self._warned:
            told["warn"] = self._warned[:]
            del self._warned[: len(told["warn"])]

    def _changes(self, message: dict[str, Any], told: dict[str, Any]) -> None:
        """Arguments that were changed in place go back as data."""
        if "mut" not in message or "given" not in message:
            return
        changed: list[Any] = []
        for number in message["mut"]:
            try:
                now = self.objects.encode(message["given"][number])
            except Exception:  # noqa: S112 - what cannot cross back stays as the test has it
                continue
            if now != message["a"][number]:
                changed.append([number, now])
        if changed:
            told["args"] = changed

    def _printed(self, told: dict[str, Any]) -> None:
        for name, stream in (("out", self.out), ("err", self.err)):
            if text := printed(stream):
                told[name] = text

    # ------------------------------------------------------------ callbacks

    def call_back(self, token: int, asynchronous: bool, args: Any, kwargs: Any) -> Any:
        """Run one of the test's functions over there and wait for its answer."""
        request = {"tok": token, "a": self.objects.encode(list(args)), "k": self.objects.encode(kwargs)}
        if asynchronous:
            from .loops import call_back

            return call_back(self, request)
        return self._ask(request)

    def _step(self, token: int) -> Any:
        return self._ask({"tok": token, "step": 1})

    def _ask(self, request: dict[str, Any]) -> Any:
        depth = getattr(self._running, "depth", 0)
        if depth >= MAX_CALLBACK_DEPTH:
            raise RecursionError("too many callbacks inside callbacks")
        box: Any = SimpleQueue()
        number = self.open(box, request)
        self._running.depth = depth + 1
        try:
            while True:
                message = box.get()
                if "cbr" in message:
                    return self.outcome(message)
                self.work(message)
        finally:
            self._running.depth = depth
            self._waiting.pop(number, None)

    def open(self, box: Any, request: dict[str, Any]) -> str:
        """Send a callback whose answer, and requests made inside it, go to `box`."""
        self._count += 1
        number = str(self._count)
        self._waiting[number] = box
        own = getattr(self._running, "request", None)
        outstanding = tuple(self._outstanding)
        request["cb"] = number
        request["of"] = own if own in outstanding else outstanding[-1] if outstanding else None
        self.send(request)
        return number

    def close(self, number: str) -> None:
        """No answer is awaited any more."""
        self._waiting.pop(number, None)

    def outcome(self, message: dict[str, Any]) -> Any:
        """What a callback gave or raised."""
        if "exc" in message:
            raise self.objects.decode({"exc": message["exc"]})
        return self.objects.decode(message["ok"])

    # ------------------------------------------------------------ work

    def work(self, message: dict[str, Any]) -> None:
        """Do a request and answer it."""
        previous = getattr(self._running, "request", None)
        self._running.request = message["id"]
        self._outstanding.append(message["id"])
        try:
            if "rel" in message:
                self.objects.release(message["rel"])
            if "env" in message:
                _environment(message["env"])
            if "files" in message:
                self._mirror(message["files"])
            value = OPERATIONS[message["op"]](self, message)
        except BaseException as error:
            self.answer(message, error=_without_us(error))
        else:
            self.answer(message, value)
        finally:
            self._running.request = previous

    def _mirror(self, told: dict[str, Any]) -> None:
        if self.mirror is None:
            self.mirror = Mirror(told["root"])
        self.mirror.apply(told["changed"], told.get("cwd"))

    def arguments(self, message: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The decoded arguments, kept in the message so that changes can be told."""
        given = message["given"] = [self.objects.decode(item) for item in message.get("a", ())]
        named = message.get("k")
        return given, {key: self.objects.decode(item) for key, item in named.items()} if named else {}

    # ------------------------------------------------------------ escapes

    def escaped(self, kind: str, error: BaseException | None, detail: str = "") -> None:
        """An exception that nobody received."""
        if len(self._escapes) < MAX_ESCAPES:
            said = f"{type(error).__name__}: {error}" if error is not None else detail
            self._escapes.append([kind, said[:500]])

    def _hook(self) -> None:
        """Listen to threads and tasks once the submission has loaded what makes them."""
        if "threading" in sys.modules and "threading" not in self._hooked:
            self._hooked.add("threading")

            def thread_died(told: Any) -> None:
                if told.exc_type is not SystemExit:
                    self.escaped("thread", told.exc_value, str(told.exc_type.__name__))

            sys.modules["threading"].excepthook = thread_died  # pyright: ignore
        if "asyncio.base_events" in sys.modules and "asyncio" not in self._hooked:
            self._hooked.add("asyncio")

            def task_died(loop: Any, context: dict[str, Any]) -> None:
                self.escaped("task", context.get("exception"), str(context.get("message", "")))

            sys.modules["asyncio.base_events"].BaseEventLoop.default_exception_handler = task_died  # pyright: ignore

    def finish(self) -> None:
        """Close event loops and run exit hooks, as the end of the process would."""
        for thread in tuple(self._threads.values()):
            if thread.loop is not None:
                thread.loop.discard()
        atexit: Any = sys.modules.get("atexit") or __import__("atexit")
        if atexit._ncallbacks():
            sys.unraisablehook = lambda told: self.escaped("exit", told.exc_value)
            atexit._run_exitfuncs()
            sys.unraisablehook = _quiet


def _environment(changes: dict[str, str | None]) -> None:
    import os

    for name, value in changes.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _without_us(error: BaseException) -> BaseException:
    # The traceback keeps frames, and with them every object that they hold, alive.
    error.__traceback__ = None
    return error


def _quiet(told: Any) -> None:
    return None


def main(argv: list[str]) -> None:
    """`argv`: the descriptor of the channel, then the folders of the submission's import path."""
    import fcntl

    # Out of the way of code that closes low descriptors, and not inherited by what the submission starts.
    fd = fcntl.fcntl(int(argv[0]), fcntl.F_DUPFD_CLOEXEC, 100)
    posix.close(int(argv[0]))
    sys.path[:] = [*sys.path, *argv[1:]]
    sys.argv[:] = ["python"]
    Worker(fd).serve()
