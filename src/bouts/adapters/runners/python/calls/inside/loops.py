"""Event loops of the worker: one for each event loop of the test, on the thread that stands for the test's thread."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import asyncio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Loop:
    """An event loop that does requests for as long as the test's own loop lives."""

    def __init__(self, worker: Any, serial: int, lock: Any) -> None:
        self.serial = serial
        self._worker = worker
        self._loop = asyncio.new_event_loop()
        self._tasks: dict[str, Any] = {}
        self._lock = lock
        self._running = False
        self._next: dict[str, Any] | None = None

    def deliver(self, message: dict[str, Any]) -> bool:
        """From the reader, under the lock: take a request, if the loop runs."""
        if self._running:
            self._loop.call_soon_threadsafe(self._on_loop, message)
        return self._running

    def run(self, message: dict[str, Any], inbox: Any) -> dict[str, Any] | None:
        """Run from this request on until one arrives that is not for this loop; give that one back."""
        asyncio.set_event_loop(self._loop)
        self._next = None
        self._loop.call_soon(self._on_loop, message)
        with self._lock:
            self._running = True
            while not inbox.empty():
                self._loop.call_soon(self._on_loop, inbox.get())
        self._loop.run_forever()
        return self._next

    def _on_loop(self, message: dict[str, Any]) -> None:
        if message.get("loop") != self.serial:
            with self._lock:
                self._running = False
            self._next = message
            self._loop.stop()
        elif message["op"] == "await":
            task = self._loop.create_task(self._await(message))
            self._tasks[message["id"]] = task
            task.add_done_callback(lambda done: self._tasks.pop(message["id"], None))
        else:
            self._worker.work(message)

    async def _await(self, message: dict[str, Any]) -> None:
        worker = self._worker
        worker._running.request = None
        worker._outstanding.append(message["id"])
        try:
            if "rel" in message:
                worker.objects.release(message["rel"])
            target = worker.objects.decode(message["o"])
            if "n" in message:
                given, named = worker.arguments(message)
                target = getattr(type(target), message["n"])(target, *given, **named)
            value = await target
        except BaseException as error:
            error.__traceback__ = None
            worker.answer(message, error=error)
        else:
            worker.answer(message, value)

    def cancel(self, request: str) -> None:
        """From the reader: the test cancelled what it awaited."""
        task = self._tasks.get(request)
        if task is not None:
            self._loop.call_soon_threadsafe(task.cancel)

    def discard(self) -> None:
        """Cancel what still runs and close, as `asyncio.run` does at its end."""
        if self._loop.is_closed() or self._loop.is_running():
            return
        asyncio.set_event_loop(self._loop)
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self._loop.run_until_complete(asyncio.wait(tasks, timeout=1))
        for task in tasks:
            if task.done() and not task.cancelled() and task.exception() is not None:
                self._worker.escaped("task", task.exception())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()
        asyncio.set_event_loop(None)


class _Box:
    """Takes the answer of a callback, and requests made inside it, on the loop."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._loop = asyncio.get_running_loop()
        self.future: Any = self._loop.create_future()

    def put(self, message: dict[str, Any]) -> None:
        self._loop.call_soon_threadsafe(self._take, message)

    def _take(self, message: dict[str, Any]) -> None:
        if "cbr" in message:
            if not self.future.done():
                self.future.set_result(message)
            return
        for thread in self._worker._threads.values():
            if thread.loop is not None and thread.loop._loop is self._loop:
                thread.loop._on_loop(message)
                return
        self._worker.work(message)


async def call_back(worker: Any, request: dict[str, Any]) -> Any:
    """Run one of the test's coroutine functions over there, without blocking the loop."""
    box = _Box(worker)
    number = worker.open(box, {**request, "async": 1})
    try:
        return worker.outcome(await box.future)
    finally:
        worker.close(number)
