"""Asking models: what was paid for is written down before it is used, so that nobody pays for it twice.

A question is known by its content. Its answer is kept for as long as the caching table says: for ever, or until the
attempt that asked is over. Whoever is killed while a call is under way asks it again, with the same key, by which a
provider that knows such keys tells that it is the same call; every other answer is there.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Protocol

from bouts.errors import WorldError
from bouts.model.base import Fact
from bouts.model.evidence import Fault, Notice
from bouts.model.records import digest
from bouts.model.text import clean
from bouts.pipeline.cache import Cache
from bouts.pipeline.steps import STEPS, Name

WAITS = (1.0, 2.0, 4.0)
"""Seconds before an endpoint that is down is tried again."""


class Reply(Fact):
    """What a model answered, as it came."""

    text: str
    model: str = ""
    """The model's own id."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


class Down(WorldError):
    """A model's endpoint cannot be reached, or refuses for now."""

    code = "model_down"


class Late(WorldError):
    """A model did not answer in time."""

    code = "model_late"


class Model(Protocol):
    """A model behind an endpoint."""

    @property
    def name(self) -> str:
        """Name of the rater, as configured."""
        ...

    @property
    def digest(self) -> str:
        """Over all that decides an answer besides the question: the model's id, its settings."""
        ...

    def reply(self, question: str, *, seconds: float, key: str) -> Reply:
        """Ask. `key` is the same whenever the same question is asked again in the same attempt: endpoints that know
        such keys answer once.

        Raises `Down`, or `Late` where it took longer than `seconds`.
        """
        ...


class Replies:
    """The answers that there are, each in a file of its own that survives a loss of power."""

    def __init__(self, kept: Cache, attempt: Cache, name: str) -> None:
        """`kept` holds what is kept for ever, `attempt` what goes with the attempt of that name."""
        self._kept, self._attempt, self._name = kept, attempt, name

    def get(self, step: Name, key: str) -> Reply | None:
        """An answer that was paid for already."""
        found = self._place(step).get(key)
        return None if found is None else Reply.model_validate(found)

    def put(self, step: Name, key: str, reply: Reply, seconds: float) -> None:
        """Write an answer down. Raises `StoreFault`."""
        value = reply.model_dump(mode="json", exclude_defaults=True)
        self._place(step).put(key, value, seconds=seconds, attempt=self._name, durable=True)

    def key(self, step: Name, model: Model, question: str) -> str:
        """What an answer is known by."""
        own = "" if STEPS[step].kept == "always" else self._name
        return digest({"step": step, "model": model.digest, "rater": model.name, "question": question, "attempt": own})

    def over(self) -> None:
        """The attempt is over: what was kept for it alone goes."""
        self._attempt.clear()

    def _place(self, step: Name) -> Cache:
        return self._kept if STEPS[step].kept == "always" else self._attempt


def replies_of(home: Path, attempt: str) -> Replies:
    """The answers of an attempt, kept below `home`."""
    return Replies(Cache(home / "always"), Cache(home / f"attempt-{attempt}"), attempt)


def forget(home: Path, living: frozenset[str]) -> None:
    """Remove the answers of attempts that are over, whoever died before doing so."""
    for folder in home.glob("attempt-*") if home.is_dir() else ():
        if folder.name.removeprefix("attempt-") not in living:
            shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Asking:
    """Asks one judge's models within the judge's limits. Thread-safe."""

    step: Name
    replies: Replies
    seconds: float
    """What one call may take."""
    sleep: Callable[[float], object] = time.sleep
    clock: Callable[[], float] = time.monotonic
    paid: list[Reply] = field(default_factory=list[Reply])
    """What was asked now, and not found written down."""
    _lock: Lock = field(default_factory=Lock)

    def ask(self, model: Model, question: str, left: Callable[[], float] = lambda: float("inf")) -> Reply:
        """The answer: the one that is written down, or a new one, which is written down before it is given back.

        An endpoint that is down is tried again after 1, 2 and 4 s; a call that takes too long once more. Raises `Down`
        or `Late` where that was of no use, and `Late` once `left` tells no more seconds.
        """
        key = self.replies.key(self.step, model, question)
        known = self.replies.get(self.step, key)
        if known is not None:
            return known
        waits, slow = list(WAITS), 0
        while True:
            seconds = min(self.seconds, left())
            if seconds <= 0:
                raise Late(f"{model.name}: the judge's time is up")
            started = self.clock()
            try:
                reply = model.reply(question, seconds=seconds, key=key)
            except Late as late:
                slow += 1
                if slow > 1:
                    raise Late(f"{model.name} took longer than {self.seconds:g} s, twice") from late
                continue
            except Down as down:
                if not waits:
                    raise Down(f"{model.name} cannot be reached: {down.message}") from down
                self.sleep(min(waits.pop(0), max(0.0, left())))
                continue
            self.replies.put(self.step, key, reply, self.clock() - started)
            with self._lock:
                self.paid.append(reply)
            return reply


@dataclass(frozen=True)
class Answered:
    """What a panel said."""

    replies: dict[str, Reply]
    """By the rater's name."""
    left_out: dict[str, str]
    """Why a rater said nothing, by its name."""

    @property
    def failed(self) -> bool:
        """Whether so few are left that nothing can be said: two or more were left out, or all were."""
        return bool(self.left_out) and (len(self.left_out) > 1 or not self.replies)


def panel(asking: Asking, models: Sequence[Model], question: str, together: float) -> Answered:
    """Ask all models of a panel at the same time; who has not answered after `together` seconds is left out."""
    started = asking.clock()

    def left() -> float:
        return together - (asking.clock() - started)

    pool = ThreadPoolExecutor(max(1, len(models)), "rater")
    futures: dict[str, Future[Reply]] = {m.name: pool.submit(asking.ask, m, question, left) for m in models}
    wait(futures.values(), timeout=max(0.0, together))
    replies: dict[str, Reply] = {}
    left_out: dict[str, str] = {}
    for name, future in futures.items():
        if not future.done():
            left_out[name] = f"{name} had not answered when the panel's {together:g} s were over"
            continue
        try:
            replies[name] = future.result()
        except WorldError as error:
            left_out[name] = error.message
    # A late answer is still written down when it comes, as it is paid for.
    pool.shutdown(wait=False, cancel_futures=True)
    return Answered(replies, left_out)


def trouble(step: Name, answered: Answered) -> tuple[tuple[Fault, ...], tuple[Notice, ...]]:
    """What an evidence says of raters that were left out: a fault where nothing can be said without them, which has
    the effect that the policy gives it; else a notice."""
    if not answered.left_out:
        return (), ()
    why = clean("; ".join(answered.left_out[name] for name in sorted(answered.left_out)), 500)
    if answered.failed:
        return (Fault(part=step, message=why),), ()
    return (), (Notice(kind="rater_left_out", why=f"{STEPS[step].title.capitalize()}: {why}."),)
