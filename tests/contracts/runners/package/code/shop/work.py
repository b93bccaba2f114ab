"""Functions that use what a test passes: callbacks, iterators, files, threads, event loops."""

import asyncio
import os
import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

from .errors import Halt, OutOfStock, Quiet, ShopError


def each(function, values):
    return [function(value) for value in values]


def guarded(function, *args):
    try:
        return ("ok", function(*args))
    except Exception as error:
        return ("error", type(error).__name__, str(error))


def retry(function, times, on=Exception):
    for attempt in range(times):
        try:
            return function()
        except on:
            if attempt == times - 1:
                raise


def parallel(function, values, workers=4):
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(function, values))


def later(function, *args):
    thread = threading.Timer(0.02, function, args)
    thread.start()


def count(n):
    for number in range(n):
        yield number


def endless():
    number = 0
    while True:
        got = yield number
        number = got if got is not None else number + 1


def total(values):
    return sum(values)


def first(values, n):
    iterator = iter(values)
    return [next(iterator) for _ in range(n)]


def append(values, value):
    values.append(value)


def tidy(data):
    data["names"].sort()
    data["deep"]["n"] += 1
    del data["old"]
    data["new"] = {1, 2}


def sort_in_place(values):
    values.sort()
    return values


def fail(kind, *args):
    raise {
        "shop": ShopError,
        "stock": OutOfStock,
        "quiet": Quiet,
        "halt": Halt,
        "key": KeyError,
        "value": ValueError,
        "os": OSError,
        "exit": SystemExit,
        "interrupt": KeyboardInterrupt,
        "stop": StopIteration,
        "unicode": UnicodeDecodeError,
        "local": type("Local", (ValueError,), {}),
    }[kind](*args)


def chained():
    try:
        raise KeyError("inner")
    except KeyError as error:
        raise ShopError("outer") from error


def bad_json():
    import json

    json.loads("{")


def bad_decimal():
    from decimal import Decimal

    Decimal("x")


def skipped():
    class Skipped(BaseException):
        pass

    Skipped.__module__ = "builtins"
    raise Skipped("not today")


def say(*words):
    print(*words)
    print("warned", file=sys.stderr)


def raw(data):
    sys.stdout.buffer.write(data)


def read(path):
    return Path(path).read_text()


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def remove(path):
    os.unlink(path)


def here():
    return os.getcwd()


def variable(name):
    return os.environ.get(name)


def tomorrow(day):
    return day + timedelta(days=1)


def now():
    return time.time()


def make_now():
    return datetime(2024, 2, 3, 4, 5)


def thread_dies():
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()


class Counter:
    """A counter with a lost update, unless it is locked."""

    def __init__(self, safe):
        self.value = 0
        self._lock = threading.Lock() if safe else None

    def bump(self):
        if self._lock:
            with self._lock:
                self._bump()
        else:
            self._bump()

    def _bump(self):
        seen = self.value
        time.sleep(0.002)
        self.value = seen + 1


class Meeting:
    """Two callers must be inside at once."""

    def __init__(self):
        self._barrier = threading.Barrier(2)

    def arrive(self):
        return self._barrier.wait(3) is not None


class Owner:
    """Belongs to the thread that made it, as a database connection does."""

    def __init__(self):
        self._thread = threading.get_ident()

    def mine(self):
        return self._thread == threading.get_ident()


async def slowly(value, seconds=0.01):
    await asyncio.sleep(seconds)
    return value


async def fails():
    await asyncio.sleep(0)
    raise OutOfStock("tea", 2)


async def each_async(function, values):
    return [await function(value) for value in values]


async def ticks(n):
    for number in range(n):
        await asyncio.sleep(0)
        yield number


class Gate:
    def __init__(self):
        self.log = []
        self._event = asyncio.Event()

    async def __aenter__(self):
        self.log.append("in")
        return self

    async def __aexit__(self, kind, error, trace):
        self.log.append("out" if kind is None else kind.__name__)
        return False

    async def wait(self):
        try:
            await self._event.wait()
            return "opened"
        except asyncio.CancelledError:
            self.log.append("cancelled")
            raise

    def open(self):
        self._event.set()


class Ticker:
    """Starts a task of its own."""

    def __init__(self):
        self.seen = 0
        self.task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self):
        while True:
            await asyncio.sleep(0.001)
            self.seen += 1


def task_dies():
    async def boom():
        raise ValueError("lost")

    async def main():
        task = asyncio.create_task(boom())
        await asyncio.sleep(0.01)
        del task

    asyncio.run(main())


inbox = queue.Queue()
