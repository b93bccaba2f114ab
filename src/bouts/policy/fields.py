"""A policy as a flat list of named values, and what differs between two policies, field by field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Literal, NamedTuple, cast

from bouts.errors import NotFound
from bouts.model.base import Fact
from bouts.model.describe import field_docs

_TITLES = ("kind", "part", "name", "key", "metric")
_INDEX = re.compile(r"\[(\d+)\]")


class PolicyField(NamedTuple):
    """One value of a policy's table."""

    path: str
    """Dotted, such as `objective.weights.static` or `integrity.penalties.stubbed.points`."""
    value: object
    """A number, a text, a truth value, `None`, or a tuple of such (the points of a scale, a list of rules)."""
    meaning: str
    """What the field says it means; empty for a row of a mapping."""


class FieldChange(NamedTuple):
    """A value that two policies state differently."""

    path: str
    before: object
    """`None` where the first policy has no such field."""
    after: object
    """`None` where the second policy has no such field."""
    change: Literal["added", "removed", "changed"]
    meaning: str


def fields(table: Fact, prefix: str = "") -> Iterator[PolicyField]:
    """Every value of a table, in the order in which its fields are defined."""
    docs = field_docs(type(table))
    for name in type(table).model_fields:
        meaning = " ".join(docs.get(name, "").split())
        yield from _below(f"{prefix}{name}", getattr(table, name), meaning)


def _below(path: str, value: object, meaning: str) -> Iterator[PolicyField]:
    if isinstance(value, Fact):
        yield from fields(value, f"{path}.")
    elif isinstance(value, Mapping):
        for key, child in cast("Mapping[object, object]", value).items():
            name = key.value if isinstance(key, Enum) else key
            yield from _below(f"{path}.{name}", child, meaning)
    elif rows := _facts(value):
        for name, child in zip(titles(rows), rows, strict=True):
            yield from _below(f"{path}.{name}", child, meaning)
    else:
        yield PolicyField(path, plain(value), meaning)


def _facts(value: object) -> tuple[object, ...]:
    """The rows of a table of facts; nothing where the value is none."""
    rows = cast("tuple[object, ...]", value) if isinstance(value, tuple) else ()
    return rows if any(isinstance(row, Fact) for row in rows) else ()


def titles(rows: tuple[object, ...]) -> tuple[str, ...]:
    """A name for each row of a table: its kind or name, with a number where two have the same."""
    seen: dict[str, int] = {}
    made: list[str] = []
    for row in rows:
        name = next((str(getattr(row, t)) for t in _TITLES if getattr(row, t, None) is not None), "row")
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return tuple(made)


def plain(value: object) -> object:
    """The value without enumerations: what JSON would hold."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return tuple(plain(child) for child in cast("tuple[object, ...]", value))
    return value


def field(table: Fact, path: str) -> object:
    """One value by its path; `[0]` behind it picks from a tuple. Raises `NotFound`."""
    name = path.partition("[")[0]
    value = next((f.value for f in fields(table) if f.path == name), _ABSENT)
    for index in _INDEX.findall(path):
        value = cast("tuple[object, ...]", value)[int(index)] if _has(value, int(index)) else _ABSENT
    if value is _ABSENT:
        raise NotFound(f"the policy has no field {path!r}")
    return value


_ABSENT = object()


def _has(value: object, index: int) -> bool:
    return isinstance(value, tuple) and index < len(cast("tuple[object, ...]", value))


def changed(before: Fact, after: Fact) -> tuple[FieldChange, ...]:
    """The fields that differ, in the order of the first table, then those that only the second has."""
    old, new = ({f.path: f for f in fields(table)} for table in (before, after))
    made: list[FieldChange] = []
    for path in dict.fromkeys((*old, *new)):
        left, right = old.get(path), new.get(path)
        if left is None or right is None or left.value != right.value:
            one = left or right
            assert one is not None
            made.append(
                FieldChange(
                    path,
                    left.value if left else None,
                    right.value if right else None,
                    "added" if left is None else "removed" if right is None else "changed",
                    (right or one).meaning,
                )
            )
    return tuple(made)
