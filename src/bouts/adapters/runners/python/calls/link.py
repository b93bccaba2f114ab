"""One test's connection to its worker: requests, answers, callbacks."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, cast
from weakref import WeakValueDictionary

from bouts.adapters.runners.python.boundary import Crashed
from bouts.adapters.runners.python.calls import values
from bouts.adapters.runners.python.calls.changing import alike, change_in_place, holds_mutable
from bouts.adapters.runners.python.calls.channel import Broken, Channel, ChannelClosed, Message, Slot
from bouts.adapters.runners.python.calls.inside import tables
from bouts.adapters.runners.python.calls.inside.plain import CannotCross, Malformed, row, text, whole
from bouts.adapters.runners.python.calls.judging import Judging
from bouts.adapters.runners.python.calls.sharing import SharedFolder
from bouts.adapters.runners.python.calls.standins import RemoteFunction, StandIn, StandInMeta
from bouts.adapters.runners.python.calls.telling import Told
from bouts.adapters.runners.python.calls.variables import Variables
from bouts.adapters.runners.python.text import escape

MAX_OUTPUT = 256 << 10
"""Characters of the worker's printed text that a test sees."""
_OWN = (StandIn, StandInMeta, RemoteFunction)
_NEXT = ("__next__", "__anext__")
_SENDING = ("send", "throw", "await")
"""Methods of generators by which an iteration may end, and awaiting a step of an asynchronous one."""
_SEEN = frozenset(("out", "err", "files", "args"))
_TELLING = frozenset(("call", "method", "get", "special"))
_INSIDE: ContextVar[str | None] = ContextVar("inside", default=None)
"""The callback that this thread or task is running, if any."""


class Link:
    """A worker, for the length of one test. Thread-safe."""

    def __init__(
        self, channel: Channel, registry: dict[tuple[str, str], Any], death: Callable[[], BaseException]
    ) -> None:
        self.channel = channel
        self.told = Told()
        channel.on_escape = self.told.escaped
        self.died = death
        """The exception that says how the worker died."""
        self.values = values.Values(self, registry)
        self.objects: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self._released: list[int] = []
        self._threads: dict[int, int] = {threading.main_thread().ident or 0: 0}
        self.loops: dict[int, tuple[Any, int]] = {}
        self._variables = Variables()
        self.shared: SharedFolder | None = None
        """The folder that both sides see, if the test has one."""
        self.withhold = False
        """Whether what the code changes of what the test gave it is kept from the test."""
        self._printed = 0
        self._pump: threading.Thread | None = None
        self.test = ""
        self.judging = Judging(_OWN)
        self.serial = 0
        self.rests = False
        """Whether the worker said with its last answer that nothing can happen over there before the next request."""

    def begin(self, test: str) -> None:
        """The test starts: the environment as it is now is where changes are counted from."""
        self.test = self.told.test = test
        self.judging = Judging(_OWN)  # what names mean may have been asked for before
        self._variables.begin()

    # ------------------------------------------------------------ asking

    def ask(self, operation: str, target: Any = None, name: Any = None, args: Any = (), named: Any = None) -> Any:
        """Do an operation over there. Raises what the code raised, or `Crashed`."""
        kind = tables.JUDGING.get(name) if type(name) is str else None
        if kind is not None:
            self.judging.asks(kind)
        message = self.request(operation, target, name, args, named)
        value = self.outcome(self.exchange(message), args, ends=name if operation in ("special", "method") else None)
        if kind is None and operation in _TELLING:
            self.judging.saw(value)
        return value

    def equal(self, one: Any, two: Any) -> bool:
        """Whether two objects of the submission are equal, as its own code says."""
        self.judging.asks("equality")
        message = self.request("eq", one, None, (two,), None)
        answer = self.exchange(message)
        if "exc" not in answer and type(answer.get("ok")) is not bool:
            raise self.broken("the answer to == was no bool")
        return self.outcome(answer, ())

    def request(self, operation: str, target: Any, name: Any, args: Any, named: Any) -> Message:
        """The message for an operation."""
        message: Message = {"id": os.urandom(16).hex(), "op": operation}
        if target is not None:
            message["o"] = self.values.encode(target)
        if name is not None:
            message["n"] = name
        if args:
            message["a"] = [self._argument(number, value) for number, value in enumerate(args, 1)]
            mutable = [number for number, value in enumerate(args) if holds_mutable(value)]
            if mutable:
                message["mut"] = mutable
        if named:
            message["k"] = {key: self._argument(key, value) for key, value in named.items()}
        self._state(message)
        return message

    def _argument(self, which: int | str, value: Any) -> Any:
        try:
            return self.values.encode(value)
        except CannotCross as error:
            raise CannotCross(f"argument {which}: {error}") from None

    def _state(self, message: Message) -> None:
        """What else the worker must know: thread, event loop, environment, files, objects let go."""
        ident = threading.get_ident()
        thread = self._threads.get(ident)
        if thread is None:
            thread = self._threads[ident] = len(self._threads)
        message["th"] = thread
        inside = _INSIDE.get()
        if inside is not None:
            message["in"] = inside
        if "asyncio" in sys.modules:
            from bouts.adapters.runners.python.calls.waiting import tell_loop

            tell_loop(self, ident, message)
        if self._released:
            message["rel"], self._released = self._released, []
        changed = self._variables.changes()
        if changed:
            message["env"] = changed
        if self.shared is not None:
            message["files"] = self.shared.changes()

    def exchange(self, message: Message) -> Message:
        """Send a request and wait for its answer, running callbacks meanwhile."""
        request = message["id"]
        slot = Slot()
        self.rests = False
        try:
            self.channel.open(request, slot)
            self.channel.send(message)
            while True:
                answer = self.channel.wait(slot)
                if "cb" not in answer:
                    self.rests = answer.get("rest") == 1
                    return answer
                self.call_back(answer)
        except ChannelClosed:
            raise self.died() from None

    def outcome(self, answer: Message, args: Any, *, ends: Any = None) -> Any:
        """The value of an answer. Raises the exception that it holds.

        `ends` names the special method that was called, or the method of an object: the end of an iteration may be its
        answer. It is no answer of any other call: raised inside `all(map(…))`, it would end the test's own loop.
        """
        try:
            withheld = self._side_effects(answer, args)
            if "exc" in answer:
                error = self.values.exception(answer["exc"])
            elif "same" in answer:
                number = whole(answer["same"], 0, len(args) - 1)
                return withheld.get(number, args[number])
            else:
                return self.values.decode(answer["ok"])
        except (ChannelClosed, Crashed):
            raise
        except (Malformed, KeyError, ValueError, TypeError, ArithmeticError, LookupError, RecursionError) as trouble:
            raise self.broken(f"an answer that no value has ({type(trouble).__name__})") from None
        self.judging.told = True
        if isinstance(error, (StopIteration, StopAsyncIteration)) and ends not in _NEXT:
            if ends not in _SENDING:
                raise RuntimeError(f"the submission raised {type(error).__name__}") from error
            self.judging.asks("iteration")
        raise error

    def broken(self, reason: str) -> BaseException:
        """Cut the worker off and give the exception to raise."""
        self.channel.close(reason)
        return self.died()

    def describe(self, module: str, name: str) -> Any:
        """What a name of a module means now. Raises `AttributeError` where the module lacks it."""
        value = self.values.named(module, name, self.tell(module, name), missing=False)
        if name in tables.JUDGING:
            self.judging.asks(tables.JUDGING[name])
        self.judging.saw(value)
        return value

    def tell(self, module: str, name: str) -> list[Any]:
        """Kind and value of a name of a module: `missing`, `class`, `function` or `value`."""
        message = self.request("describe", None, name, (), None)
        message["m"] = module
        told = self.outcome(self.exchange(message), ())
        if type(told) is not list or len(cast("list[Any]", told)) != 2:
            raise self.broken("a description of the wrong shape")
        return cast("list[Any]", told)

    def released(self, number: int) -> None:
        """The test let go of an object."""
        self._released.append(number)

    def keep(self, number: int) -> Any:
        """The stand-in that the test has for a handle, if any."""
        known = self.objects.get(number)
        if known is None and number in self._released:
            self._released.remove(number)
        return known

    def drive(self, target: Any, name: str | None, args: Any) -> Any:
        """A coroutine that awaits something over there."""
        from bouts.adapters.runners.python.calls.waiting import drive

        return drive(self, target, name, args)

    # ------------------------------------------------------------ what comes along

    def _side_effects(self, answer: Message, args: Any) -> dict[int, Any]:
        """Take what comes along. Returns the changed arguments, by number, that the test does not get to see."""
        withheld: dict[int, Any] = {}
        self.judging.told = self.judging.told or not _SEEN.isdisjoint(answer)
        for stream in ("out", "err"):
            if stream in answer:
                self._print(stream, text(answer[stream]))
        if "esc" in answer:
            self.told.escaped(answer["esc"])
        if "warn" in answer:
            self.told.warned(answer["warn"])
        if "files" in answer and self.shared is not None and self.shared.take(answer["files"], withhold=self.withhold):
            self.judging.asks("change")
        for pair in row(answer.get("args", [])):
            number, now = whole(row(pair, 2)[0], 0, len(args) - 1), self.values.decode(pair[1])
            if alike(args[number], now):
                continue
            self.judging.asks("change")
            if self.withhold:
                withheld[number] = now
            else:
                change_in_place(args[number], now)
        return withheld

    def _print(self, stream: str, printed: str) -> None:
        room = MAX_OUTPUT - self._printed
        self._printed += len(printed)
        if room > 0:
            (sys.stdout if stream == "out" else sys.stderr).write(escape(printed, room))

    # ------------------------------------------------------------ callbacks

    def call_back(self, message: Message) -> None:
        """Run one of the test's functions for the worker and send what it gave."""
        answer: Message = {"cbr": text(message["cb"], 40)}
        token = _INSIDE.set(answer["cbr"])
        try:
            answer["ok"] = self.values.encode(self._run(message))
        except (ChannelClosed, Crashed):
            raise
        except BaseException as error:
            answer["exc"] = self.failed(error)
        finally:
            _INSIDE.reset(token)
        self.channel.send(answer)

    def failed(self, error: BaseException) -> dict[str, Any]:
        """What the worker is told of an exception in one of the test's functions, which it may keep to itself."""
        if isinstance(error, AssertionError):
            self.judging.asks("assertion")
        return self.values.tell_exception(error)

    def _run(self, message: Message) -> Any:
        function = self.values.callback(message.get("tok"))
        if "step" in message:
            return next(cast("Iterator[Any]", function))
        args, named = self.callback_arguments(message)
        result = function(*args, **named)
        if "async" in message:
            from bouts.adapters.runners.python.calls.waiting import finish

            return finish(result)
        return result

    def callback_arguments(self, message: Message) -> tuple[list[Any], dict[str, Any]]:
        """What the worker wants to call a function of the test with."""
        try:
            args, named = self.values.decode(message["a"]), self.values.decode(message["k"])
        except (Malformed, KeyError, ValueError, TypeError, ArithmeticError, LookupError, RecursionError):
            raise self.broken("a callback that no value has") from None
        if type(args) is not list or type(named) is not dict or not all(type(key) is str for key in named):
            raise self.broken("a callback of the wrong shape")
        return args, named

    def pump(self) -> None:
        """Have a thread read, for what arrives while no thread of the test waits for an answer."""
        if self._pump is None:
            self._pump = threading.Thread(target=self._pumping, daemon=True, name="bouts-pump")
            self._pump.start()

    def _pumping(self) -> None:
        try:
            while True:
                self.call_back(self.channel.wait(self.channel.idle))
        except (ChannelClosed, Crashed, Broken):
            return
        except BaseException as error:
            self.channel.close(f"a message that cannot be handled ({type(error).__name__})")
