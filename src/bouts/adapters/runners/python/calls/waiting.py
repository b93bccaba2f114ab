"""Awaiting what runs in the worker's event loop, from the test's own event loop."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from bouts.adapters.runners.python.calls.channel import ChannelClosed, Message, Slot
from bouts.adapters.runners.python.calls.standins import StandIn

if TYPE_CHECKING:
    from bouts.adapters.runners.python.calls.link import Link


def tell_loop(link: Link, ident: int, message: Message) -> None:
    """Say which event loop of the test the request is made in, and when an earlier one has ended."""
    loop = asyncio._get_running_loop()  # pyright: ignore
    known = link.loops.get(ident)
    if loop is None:
        if known is not None and known[0].is_closed():
            message["unloop"] = True
            del link.loops[ident]
        return
    if known is None or known[0] is not loop:
        link.serial += 1
        known = link.loops[ident] = (loop, link.serial)
    message["loop"] = known[1]


async def drive(link: Link, target: Any, name: str | None, args: Any) -> Any:
    """Await an object of the submission, or one of its asynchronous special methods."""
    loop = asyncio.get_running_loop()
    message = link.request("await", target, name, args, None)
    future: asyncio.Future[Message | None] = loop.create_future()
    tasks: set[asyncio.Task[None]] = set()

    def arrived(answer: Message | None) -> None:
        if answer is not None and "cb" in answer:
            task = loop.create_task(_call_back(link, answer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        elif not future.done():
            future.set_result(answer)

    def deliver(answer: Message | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(arrived, answer)

    link.pump()
    try:
        link.channel.open(message["id"], Slot(deliver))
        link.channel.send(message)
    except ChannelClosed:
        raise link.died() from None
    try:
        answer = await asyncio.shield(future)
    except asyncio.CancelledError:
        link.channel.send({"cancel": message["id"]})
        answer = await future
    if answer is None:
        raise link.died()
    # A step of an asynchronous generator is an object, which is awaited by itself.
    ends = "await" if name is None and isinstance(target, StandIn) else name
    value = link.outcome(answer, args, ends=ends)
    link.judging.saw(value)
    return value


async def _call_back(link: Link, message: Message) -> None:
    """Run one of the test's functions inside the test's event loop."""
    from bouts.adapters.runners.python.calls.link import _INSIDE  # pyright: ignore[reportPrivateUsage]

    answer: Message = {"cbr": message["cb"]}
    _INSIDE.set(message["cb"])
    try:
        function = link.values.callback(message.get("tok"))
        if "step" in message:
            result = next(function)
        else:
            args, named = link.callback_arguments(message)
            result = function(*args, **named)
            if asyncio.iscoroutine(result):
                result = await result
        answer["ok"] = link.values.encode(result)
    except Exception as error:
        answer["exc"] = link.failed(error)
    try:
        link.channel.send(answer)
    except ChannelClosed:
        return


def finish(result: Any) -> Any:
    """The result of a coroutine of the test that is asked for outside its event loop."""
    if not asyncio.iscoroutine(result):
        return result
    box: list[Any] = []

    def run() -> None:
        try:
            box.append((True, asyncio.run(result)))
        except BaseException as error:
            box.append((False, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    good, value = box[0]
    if good:
        return value
    raise value
