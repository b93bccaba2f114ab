"""What fields mean, read from the docstrings under them when somebody asks: schemas, error messages, policy tables.

Pydantic can do the same while classes are made, which costs every start of every command a tenth of a second.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, cast

from bouts.model.base import Fact


@lru_cache(maxsize=512)
def field_docs(model: type[Fact]) -> dict[str, str]:
    """The docstring of each field, by the field's name, inherited ones included; fields without one are left out."""
    docs: dict[str, str] = {}
    for kind in reversed(model.__mro__):
        if issubclass(kind, Fact) and kind is not Fact:
            docs.update(_own_docs(kind))
    return docs


def json_schema(model: type[Fact], mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    """The JSON Schema of a fact, with its fields' docstrings as descriptions."""
    schema = model.model_json_schema(by_alias=True, mode=mode)
    known = {kind.__name__: kind for kind in _all_facts(Fact)}
    _describe(schema, model)
    for name, part in cast("dict[str, dict[str, Any]]", schema.get("$defs", {})).items():
        if name in known:
            _describe(part, known[name])
    return schema


def _describe(schema: dict[str, Any], model: type[Fact]) -> None:
    docs = field_docs(model)
    properties = cast("dict[str, dict[str, Any]]", schema.get("properties", {}))
    for name, field in model.model_fields.items():
        place = properties.get(field.alias or name)
        if place is not None and name in docs:
            place["description"] = docs[name]


def _all_facts(kind: type[Fact]) -> list[type[Fact]]:
    return [child for direct in kind.__subclasses__() for child in (direct, *_all_facts(direct))]


def _own_docs(kind: type[Fact]) -> dict[str, str]:
    try:
        source = textwrap.dedent(inspect.getsource(kind))
    except (OSError, TypeError):  # made at run time, or the source is not installed
        return {}
    body = cast("ast.ClassDef", ast.parse(source).body[0]).body
    docs: dict[str, str] = {}
    for field, below in pairwise(body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                docs[name] = inspect.cleandoc(text)
            case _:
                continue
    return docs
