"""What is wrong with a file that a person wrote: place, plain sentence, and the nearest known word."""

from __future__ import annotations

import difflib
import json
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError

from bouts.challenges.marked import Location, Marked, NotYaml, parse, plain
from bouts.model.base import Fact
from bouts.model.describe import field_docs

F = TypeVar("F", bound=Fact)
Detail = dict[str, Any]
"""One error as pydantic tells it: type, loc, msg and ctx."""

_PATTERNS = {
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "lower-case letters and digits, with single hyphens between words",
    r"^\d+\.\d+\.\d+$": "three numbers, such as 1.0.0",
    r"^(CWE-\d+|A\d{2}:\d{4})$": "a CWE number such as CWE-20 or an OWASP entry such as A03:2021",
    r"^3\.\d+$": "a version such as 3.11",
    r"^[^\s:/][^\s:]*\.py::[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$": "file and function, such as app/orders.py::total",
    r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$": "a dotted name, such as os.system",
    r"^constraints/[\w./-]+\.py$": "a Python file below constraints/, such as constraints/no_globals.py",
    r"^[^\x00-\x1f\x7f]+$": "one line of text",
}
_WANTED = {
    "string_type": "text",
    "string_sub_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping (`key: value` lines)",
    "model_type": "a mapping (`key: value` lines)",
    "model_attributes_type": "a mapping (`key: value` lines)",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than": "less than {lt:g}",
    "less_than_equal": "at most {le:g}",
    "too_short": "a list with no fewer entries than {min_length}",
    "too_long": "a list with no more entries than {max_length}",
    "string_too_short": "text that is not empty",
    "string_too_long": "text of at most {max_length} characters",
}
_TEXT_TYPES = frozenset({"string_type", "string_sub_type"})
_UNKNOWN, _WRONG, _MISSING = 0, 1, 2


@dataclass(frozen=True)
class Problem:
    """One mistake. `rank` orders them by how much they help: unknown keys, wrong values, missing keys."""

    line: int
    column: int
    what: str
    rank: int = _WRONG

    def at(self, name: str) -> str:
        """`challenge.yaml:3:1: what is wrong`."""
        return f"{name}:{self.line}:{self.column}: {self.what}"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant."""
    choices = sorted(set(known))
    by_fold = {c.casefold().replace("_", "-"): c for c in choices}
    if same := by_fold.get(word.casefold().replace("_", "-")):
        return same
    found = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    return found[0] if found else None


def meant(word: str, known: Iterable[str]) -> str:
    """` — did you mean 'x'?`, or a list of what there is, or nothing."""
    choices = sorted(set(known))
    if found := nearest(word, choices):
        return f" — did you mean {found!r}?"
    if not choices:
        return ""
    listed = ", ".join(choices[:12]) + (", …" if len(choices) > 12 else "")
    return f"; known here: {listed}"


def read_fact(data: bytes, model: type[F]) -> tuple[F | None, Marked | None, list[Problem]]:
    """Read YAML into a fact. Every problem is reported in one go, the most helpful first."""
    try:
        tree = parse(data)
    except NotYaml as error:
        return None, None, [Problem(error.line, error.column, error.what)]
    if not isinstance(tree.value, dict):
        what = f"the file must be a mapping (`key: value` lines), not {plain(tree.value)}"
        return None, tree, [Problem(tree.line, tree.column, what)]
    try:
        # JSON mode is strict on types yet takes lists for tuples and text for enums.
        return model.model_validate_json(json.dumps(tree.value), strict=True), tree, []
    except ValidationError as error:
        return None, tree, explain(error, tree, model)


def explain(error: ValidationError, tree: Marked, model: type[BaseModel]) -> list[Problem]:
    """Turn validation errors into problems, without the same place twice."""
    found: dict[tuple[int, int, int], Problem] = {}
    suggested: set[tuple[Location, str]] = set()
    details = cast("list[Detail]", error.errors(include_url=False))
    for detail in sorted(details, key=_usefulness):
        location = _real(detail["loc"], tree, detail["type"] == "missing")
        if detail["type"] == "too_short" and tree.at(location).value:
            continue  # it has entries, they are wrong and named one by one
        if detail["type"] == "missing" and (location[:-1], str(location[-1])) in suggested:
            continue  # its misspelling has been named already
        problem = _problem(detail, location, tree, model)
        if detail["type"] == "extra_forbidden":
            near = nearest(str(location[-1]), fields_at(model, location[:-1], tree))
            suggested |= {(location[:-1], near)} if near else set()
        rank_key = hash(location) if problem.rank == _MISSING else 0
        found.setdefault((problem.line, problem.column, rank_key), problem)
    return sorted(found.values(), key=lambda p: (p.rank, p.line, p.column))


def _usefulness(detail: Detail) -> int:
    """Unknown keys first; of the members of a union the one that says most."""
    return {"extra_forbidden": 0, "literal_error": 2}.get(detail["type"], 1)


def _real(location: Sequence[str | int], tree: Marked, keep_last: bool) -> Location:
    """A location without the steps that pydantic adds for the members of a union and for keys."""
    steps: list[str | int] = []
    here = tree
    body = location[:-1] if keep_last else location
    for step in body:
        if step in here.children:
            here = here.children[step]
            steps.append(step)
    return (*steps, location[-1]) if keep_last else tuple(steps)


def _problem(detail: Detail, location: Location, tree: Marked, model: type[BaseModel]) -> Problem:
    line, column = tree.place(location)
    key = _name(location)
    kind = detail["type"]
    if kind.startswith("union_tag"):
        return _no_kind(detail, location, tree)
    if kind == "extra_forbidden":
        word = str(location[-1]) if location else ""
        return Problem(
            line, column, f"unknown key {word!r}{meant(word, fields_at(model, location[:-1], tree))}", _UNKNOWN
        )
    if kind == "missing":
        where = f" in {_name(location[:-1])}" if location[:-1] else ""
        help_ = _help(model, location, tree)
        return Problem(line, column, f"the key {location[-1]!r} is missing{where}{help_}", _MISSING)
    if detail["loc"] and detail["loc"][-1] == "[key]":
        return Problem(line, column, f"the key {location[-1]!r} must be {_wanted(detail)}")
    value = tree.at(location).value
    got = "an empty list" if value == [] else plain(value)
    return Problem(line, column, f"{key} must be {_wanted(detail)}, not {got}{_after(detail, value)}")


def _name(location: Location) -> str:
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return f"`{text}`" if text else "the file"


def _wanted(detail: Detail) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in ("enum", "literal_error"):
        expected = str(context["expected"])
        return f"one of {expected}" if " or " in expected else expected
    if kind == "string_pattern_mismatch":
        pattern = str(context["pattern"])
        return _PATTERNS.get(pattern, f"text that matches {pattern}")
    return _WANTED[kind].format(**context) if kind in _WANTED else detail["msg"]


def _after(detail: Detail, value: object) -> str:
    if detail["type"] in _TEXT_TYPES and isinstance(value, int | float):
        return "; put it in quotes"
    if detail["type"] in ("list_type", "tuple_type") and isinstance(value, str):
        return "; write each entry on its own line after `- `"
    if detail["type"] in ("enum", "literal_error") and isinstance(value, str):
        expected = str(detail.get("ctx", {})["expected"])
        near = nearest(value, [w for w in expected.replace(" or ", ", ").replace("'", "").split(", ") if w])
        return f" — did you mean {near!r}?" if near else ""
    return ""


def _no_kind(detail: Detail, location: Location, tree: Marked) -> Problem:
    """An entry of which there are several kinds, and that is of none of them."""
    context = detail.get("ctx", {})
    key = str(context["discriminator"]).strip("'")
    if detail["type"] == "union_tag_not_found":
        return Problem(*tree.place(location), f"the key {key!r} is missing in {_name(location)}", _MISSING)
    known = [word.strip("'") for word in str(context["expected_tags"]).split(", ")]
    got = str(context["tag"])
    near = nearest(got, known)
    ending = f" — did you mean {near!r}?" if near else f"; there are {', '.join(known)}"
    at = (*location, key)
    return Problem(*tree.place(at), f"{_name(at)}: there is no kind {got!r}{ending}")


def fields_at(model: type[BaseModel], location: Location, tree: Marked | None = None) -> list[str]:
    """The keys that may stand at a location of the file; where it may hold several kinds of entry, those of its."""
    at = _type_at(model, location, tree)
    return [f.alias or name for name, f in at.model_fields.items()] if at else []


def _help(model: type[BaseModel], location: Location, tree: Marked) -> str:
    at = _type_at(model, location[:-1], tree)
    for name, field in (at.model_fields if at else {}).items():
        if (field.alias or name) == location[-1] and at is not None and issubclass(at, Fact):
            text = field_docs(at).get(name)
            return f": {text.splitlines()[0]}" if text else ""
    return ""


def _type_at(model: type[BaseModel], location: Location, tree: Marked | None = None) -> type[BaseModel] | None:
    here: object = model
    for step in location:
        here = _step(_models(here), step)
    found = [m for m in _models(here) if isinstance(m, type) and issubclass(m, BaseModel)]
    if len(found) > 1 and tree is not None and isinstance(value := tree.at(location).value, dict):
        kind = cast("dict[str, object]", value).get("kind")
        found = [m for m in found if kind in get_args(m.model_fields["kind"].annotation)] or found
    return found[0] if found else None


def _models(kind: object) -> list[object]:
    """The members of a union, without what `Annotated` adds."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _models(get_args(kind)[0])
    if origin in (Union, types.UnionType):
        return [m for a in get_args(kind) for m in _models(a)]
    return [kind]


def _step(kinds: list[object], step: str | int) -> object:
    for kind in kinds:
        origin, arguments = get_origin(kind), get_args(kind)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            for name, field in kind.model_fields.items():
                if (field.alias or name) == step:
                    return field.annotation
        elif origin in (tuple, list) and isinstance(step, int):
            return arguments[0]
        elif origin in (dict, Mapping) and isinstance(step, str):
            return arguments[1]
    return None
