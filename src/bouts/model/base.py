"""The one base of all facts: frozen, closed to unknown keys, no NaN and no infinity."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict


class Fact(BaseModel):
    """An immutable record. Unknown keys, NaN and infinity are refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        defer_build=True,
        populate_by_name=True,
        serialize_by_alias=True,
    )


_F = TypeVar("_F", bound=Fact)
_new = object.__new__
# The slots' own setters: a model refuses to be set, and `object.__setattr__` looks each name up first.
_set_fields, _set_names, _set_extra, _set_private = (
    BaseModel.__dict__[slot].__set__
    for slot in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)
_names: dict[type, set[str]] = {}
"""The names of a class's fields, for facts that have them all. Shared, as nobody changes it."""


def made(kind: type[_F], /, **fields: Any) -> _F:
    """A fact from values that are known to be right: as `model_construct` with every field given, in the order of the
    class, and no default filled in; three times as fast, which is felt where thousands of cards are made."""
    fact = _new(kind)
    _set_fields(fact, fields)
    _set_names(fact, _names.get(kind) or _names.setdefault(kind, set(fields)))
    _set_extra(fact, None)
    _set_private(fact, None)
    return fact
