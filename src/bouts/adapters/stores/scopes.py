"""Scopes that totals are kept of: every combination of season, family, format and language that there are runs in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from sqlalchemy import ColumnElement, Table, func, or_

_OF_TASKS = ("family", "format", "language")
KINDS = ("season", *_OF_TASKS)
"""What a scope may name, in this order."""
_BETWEEN = "\x1f"


def scope(named: Mapping[str, str]) -> tuple[str, str]:
    """Kind and value of the scope that names these."""
    kinds = [kind for kind in KINDS if kind in named]
    return "+".join(kinds) or "all", _BETWEEN.join(named[kind] for kind in kinds)


def scopes(season: str, task: Mapping[str, str | None]) -> tuple[tuple[str, str], ...]:
    """The scopes that a task's runs count in; in a season where it is not empty."""
    return _scopes(season, *(task.get(kind) for kind in _OF_TASKS))


@lru_cache(maxsize=4096)
def _scopes(season: str, *told: str | None) -> tuple[tuple[str, str], ...]:
    named = [(kind, value) for kind, value in zip(_OF_TASKS, told, strict=True) if value]
    always = {"season": season} if season else {}
    return tuple(
        scope({**always, **dict(chosen)}) for size in range(len(named) + 1) for chosen in combinations(named, size)
    )


def of_season(table: Table, season: str) -> ColumnElement[bool]:
    """Whether a row of totals is of a season, alone or combined."""
    begins = season + _BETWEEN
    combined = func.substr(table.c.value, 1, len(begins)) == begins
    return (func.substr(table.c.scope, 1, len("season")) == "season") & or_(table.c.value == season, combined)
