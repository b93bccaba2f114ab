"""Results that are kept: found by what they were made from, and made anew where there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, Self, TypeVar

from bouts.model.evidence import Fault
from bouts.model.records import digest
from bouts.pipeline.world import World


class Result(Protocol):
    """A fact that may have been spoiled by faults of ours."""

    @property
    def faults(self) -> tuple[Fault, ...]:
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


def kept(world: World, made_from: Mapping[str, object], shape: type[R], make: Callable[[], R], *, fresh: bool) -> R:
    """What was made from the same by the same grader, or what `make` gives now; with `fresh`, always the latter.

    What faults of ours spoiled is not kept.
    """
    key = digest({**made_from, "grader": world.grader})
    found = None if fresh else world.cache.get(key)
    if found is not None:
        return shape.model_validate(found)
    made = make()
    if not made.faults:
        world.cache.put(key, made.model_dump(mode="json", exclude_defaults=True))
    return made
