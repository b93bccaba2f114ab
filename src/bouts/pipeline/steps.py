"""The steps of scoring one submission, each kept by itself: found by what it was made from, and made anew where it is
not there. Whoever kills the process loses the step that was under way, and no other.

Phases: 1 objective judge, and integrity judge by automated checks; 2 process and strategy judges, and panels; 3
integrity judge by a model, which sees what phase 2 produced; 4 aggregation, which is pure and is no step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, Self, TypeVar

from bouts.model.records import digest
from bouts.pipeline.world import World

Kept = Literal["always", "attempt"]
"""How long a result is kept: for ever, or until the attempt that it belongs to is over."""
Name = Literal[
    "first_look",
    "second_look",
    "start",
    "load",
    "scan",
    "tries",
    "transcript",
    "process",
    "strategy",
    "code_quality",
    "deliverables",
    "integrity_model",
]


class Rule(NamedTuple):
    """What one step is, and for what its result is kept."""

    phase: int
    judge: str
    kept: Kept
    by: tuple[str, ...]
    """What a kept result was made from: another of these makes it another result."""
    title: str


_CODE = ("submission", "challenge", "environment")
STEPS: dict[Name, Rule] = {
    "first_look": Rule(1, "objective", "always", _CODE, "all tests"),
    "second_look": Rule(1, "objective", "always", _CODE, "hidden tests where all looks different"),
    "start": Rule(1, "objective", "always", _CODE, "whether the code starts"),
    "load": Rule(1, "objective", "always", _CODE, "the service under load"),
    "scan": Rule(1, "integrity", "always", _CODE, "reading the code"),
    "tries": Rule(1, "integrity", "always", _CODE, "tests with other values, and the author's own checks"),
    "transcript": Rule(2, "process", "always", ("session",), "reading the transcript"),
    "process": Rule(2, "process", "always", ("session", "rubric"), "the process judge's model"),
    "strategy": Rule(2, "strategy", "attempt", (), "the strategy panel"),
    "code_quality": Rule(2, "code_quality", "attempt", (), "the panel on code quality"),
    "deliverables": Rule(2, "deliverables", "attempt", (), "the panel on deliverables"),
    "integrity_model": Rule(3, "integrity", "attempt", (), "the integrity judge's model"),
}
"""The caching table. The grader, which is Bouts' own code, is a part of the environment."""


class Done(NamedTuple):
    """A step that is done."""

    name: Name
    kept: bool
    """Whether it had been done before."""
    seconds: float
    """What making it took, now or then."""


@dataclass
class Attempt:
    """One attempt at scoring one submission: which earlier results it takes, and what it did. Used by any thread."""

    fresh: bool = False
    """Take no earlier result, but those of this very attempt."""
    name: str = ""
    """Attempts of the same name are one, interrupted and begun again."""
    done: list[Done] = field(default_factory=list[Done])


class Result(Protocol):
    """A fact that may have been spoiled by faults of ours."""

    @property
    def faults(self) -> Sequence[object]:
        """What went wrong on our side."""
        ...

    def model_dump(self, *, mode: str, exclude_defaults: bool) -> dict[str, Any]:
        """As pydantic's."""
        ...

    @classmethod
    def model_validate(cls, obj: Any, /) -> Self:
        """As pydantic's."""
        ...


R = TypeVar("R", bound=Result)
MadeFrom = Mapping[str, object]


class Keep(Protocol):
    """Does the steps of one submission; see `keeper`."""

    def __call__(self, name: Name, shape: type[R], make: Callable[[], R]) -> R:
        """What the step gave before, or what `make` gives now."""
        ...


def key_of(world: World, name: Name, made_from: MadeFrom) -> str:
    """The key under which a step's result is kept."""
    return digest({"step": name, "from": made_from, "grader": world.grader})


def keeper(world: World, attempt: Attempt, made_from: MadeFrom, clock: Callable[[], float] = time.monotonic) -> Keep:
    """What does each step that is made from the same: once by the same grader, and then never again.

    What faults of ours spoiled is not kept. `clock` tells what a step takes, in seconds.
    """

    def keep(name: Name, shape: type[R], make: Callable[[], R]) -> R:
        key = key_of(world, name, made_from)
        found = world.cache.entry(key)
        if found is not None and (not attempt.fresh or (attempt.name and found.attempt == attempt.name)):
            attempt.done.append(Done(name, True, found.seconds or 0.0))
            return shape.model_validate(found.value)
        started = clock()
        made = make()
        seconds = clock() - started
        if not made.faults:
            value = made.model_dump(mode="json", exclude_defaults=True)
            world.cache.put(key, value, seconds=seconds, attempt=attempt.name)
        attempt.done.append(Done(name, False, seconds))
        return made

    return keep


def unkept(name: Name, shape: type[R], make: Callable[[], R]) -> R:
    """Does a step and keeps nothing."""
    return make()
