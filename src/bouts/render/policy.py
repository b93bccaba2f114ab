"""A policy's table as rows: every number with the meaning that its field states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import cast

from bouts.model.base import Fact
from bouts.model.describe import field_docs
from bouts.policy.fields import titles
from bouts.render import numbers

_FEW = 3
"""A mapping with more rows than this, all of one flat shape, states the meaning of its columns once."""


@dataclass(frozen=True)
class PolicyRow:
    """One field of a policy."""

    depth: int
    name: str
    value: str
    """Empty where children follow."""
    meaning: str
    path: str = ""
    """Dotted path of the field."""


def rows(policy: Fact) -> tuple[PolicyRow, ...]:
    """All fields of a policy, in the order in which they are defined."""
    return tuple(_fact(policy, 0, ""))


def text(value: object) -> str:
    """A value of a policy for people."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, int | float):
        return numbers.plain(float(value))
    return _texts(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else str(value)


def _texts(parts: tuple[object, ...]) -> str:
    shown = ((text(part), isinstance(part, tuple)) for part in parts)
    return ", ".join(f"({said})" if nested else said for said, nested in shown) or "none"


def _fact(fact: Fact, depth: int, prefix: str) -> list[PolicyRow]:
    found: list[PolicyRow] = []
    docs = _docs(type(fact))
    for name in type(fact).model_fields:
        found += _value(name, getattr(fact, name), docs.get(name, ""), depth, f"{prefix}{name}")
    return found


def _docs(kind: type[Fact]) -> dict[str, str]:
    return {name: " ".join(doc.split()) for name, doc in field_docs(kind).items()}


def _value(name: str, value: object, meaning: str, depth: int, path: str) -> list[PolicyRow]:
    if isinstance(value, Fact):
        return [PolicyRow(depth, name, "", meaning, path), *_fact(value, depth + 1, f"{path}.")]
    children = _children(value)
    if children is None:
        return [PolicyRow(depth, name, text(value), meaning, path)]
    kinds = {type(child) for _, child in children}
    kind = kinds.pop() if len(kinds) == 1 else None
    if len(children) > _FEW and kind is not None and issubclass(kind, Fact) and _flat(children):
        return [PolicyRow(depth, name, "", _columns(meaning, kind), path), *_short(children, depth + 1, path)]
    found = [PolicyRow(depth, name, "", meaning, path)]
    for key, child in children:
        found += _value(key, child, "", depth + 1, f"{path}.{key}")
    return found


def _children(value: object) -> list[tuple[str, object]] | None:
    if isinstance(value, Mapping):
        return [(str(key), child) for key, child in cast("Mapping[object, object]", value).items()]
    if isinstance(value, tuple):
        parts = cast("tuple[object, ...]", value)
        if any(isinstance(part, Fact) for part in parts):
            return list(zip(titles(parts), parts, strict=True))
    return None


def _flat(children: list[tuple[str, object]]) -> bool:
    facts = [child for _, child in children if isinstance(child, Fact)]
    return all(
        not isinstance(value, Fact | Mapping) and _children(value) is None
        for fact in facts
        for value in (getattr(fact, name) for name in type(fact).model_fields)
    )


def _columns(meaning: str, kind: type[Fact]) -> str:
    docs = _docs(kind)
    each = "; ".join(f"{name}: {docs[name].rstrip('.')}" for name in kind.model_fields if name in docs)
    return f"{meaning} Of each, {each}."


def _short(children: list[tuple[str, object]], depth: int, path: str) -> list[PolicyRow]:
    made: list[PolicyRow] = []
    for key, child in children:
        assert isinstance(child, Fact)
        pairs = [(name, getattr(child, name)) for name in type(child).model_fields]
        shown = ", ".join(f"{name.replace('_', ' ')} {text(value)}" for name, value in pairs if str(value) != key)
        made.append(PolicyRow(depth, key, shown, "", f"{path}.{key}"))
    return made
