"""A policy's table as rows: every number with the meaning that its field states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from bouts.model.base import Fact
from bouts.model.describe import field_docs


@dataclass(frozen=True)
class PolicyRow:
    """One field of a policy."""

    depth: int
    name: str
    value: str
    """Empty where children follow."""
    meaning: str


def rows(policy: Fact) -> tuple[PolicyRow, ...]:
    """All fields of a policy, in the order in which they are defined."""
    return tuple(_fact(policy, 0))


def markdown(policy: Fact) -> str:
    """The policy as a Markdown list, one line a number."""
    lines: list[str] = []
    for row in rows(policy):
        value = f" = {row.value}" if row.value else ""
        meaning = f" — {row.meaning}" if row.meaning else ""
        lines.append(f"{'  ' * row.depth}- `{row.name}`{value}{meaning}")
    return "\n".join(lines) + "\n"


def _fact(fact: Fact, depth: int) -> list[PolicyRow]:
    found: list[PolicyRow] = []
    docs = field_docs(type(fact))
    for name in type(fact).model_fields:
        found += _value(name, getattr(fact, name), " ".join(docs.get(name, "").split()), depth)
    return found


def _value(name: str, value: object, meaning: str, depth: int) -> list[PolicyRow]:
    if isinstance(value, Fact):
        return [PolicyRow(depth, name, "", meaning), *_fact(value, depth + 1)]
    if isinstance(value, Mapping):
        found = [PolicyRow(depth, name, "", meaning)]
        for key, child in cast("Mapping[object, object]", value).items():
            found += _value(str(key), child, "", depth + 1)
        return found
    if isinstance(value, tuple) and any(isinstance(child, Fact) for child in cast("tuple[object, ...]", value)):
        found = [PolicyRow(depth, name, "", meaning)]
        for child in cast("tuple[object, ...]", value):
            found += _value(_title(child), child, "", depth + 1)
        return found
    if isinstance(value, tuple):
        return [PolicyRow(depth, name, ", ".join(_text(v) for v in cast("tuple[object, ...]", value)), meaning)]
    return [PolicyRow(depth, name, _text(value), meaning)]


def _title(value: object) -> str:
    for name in ("kind", "name", "key", "metric", "score"):
        found = getattr(value, name, None)
        if found is not None:
            return str(found)
    return "entry"


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_text(v) for v in cast("tuple[object, ...]", value)) + ")"
    return "none" if value is None else "yes" if value is True else "no" if value is False else str(value)
