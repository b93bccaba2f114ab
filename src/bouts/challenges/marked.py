"""YAML read into plain data that remembers where each value stood.

The core schema of YAML 1.2 is used: `true`, `false`, `null`, decimal numbers; everything else is text, so that `no`,
`12:30` and `2026-01-01` stay what the author wrote. Anchors, aliases, tags and several documents are refused: no file
of the format needs them, and aliases can grow without bound.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from bouts.challenges import limits

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
Location = tuple[str | int, ...]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")


class NotYaml(ValueError):
    """Text that is no YAML of the kind used here. `line` and `column` count from 1."""

    def __init__(self, what: str, line: int = 1, column: int = 1) -> None:
        super().__init__(what)
        self.what = what
        self.line = line
        self.column = column


@dataclass
class Marked:
    """A value of the file and where it begins, line and column from 1. `keys` are the places of a mapping's keys."""

    value: Plain
    line: int
    column: int
    children: dict[str | int, Marked] = field(default_factory=dict[str | int, "Marked"])
    keys: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    def at(self, location: Sequence[str | int]) -> Marked:
        """The value at a location, or the nearest one above it that exists."""
        here = self
        for step in location:
            if step not in here.children:
                continue
            here = here.children[step]
        return here

    def place(self, location: Sequence[str | int]) -> tuple[int, int]:
        """Line and column of what stands at a location: of the key, where its last step is one."""
        parent = self.at(location[:-1])
        if location and isinstance(location[-1], str) and location[-1] in parent.keys:
            return parent.keys[location[-1]]
        here = self.at(location)
        return here.line, here.column


def parse(data: bytes) -> Marked:
    """Read one YAML document. Raises `NotYaml` with the place of the first mistake."""
    if len(data) > limits.MANIFEST_BYTES:
        raise NotYaml(f"the file is larger than {limits.mebibytes(limits.MANIFEST_BYTES)}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise NotYaml("this is no UTF-8 text", line, column) from None
    for number, line in enumerate(text.splitlines(), 1):
        if bad := re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]", line):
            raise NotYaml(f"the control character \\x{ord(bad.group()):02x} is not allowed", number, bad.start() + 1)
    try:
        return _document(iter(yaml.parse(text, Loader=_LOADER)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise NotYaml(_sentence(error), (mark.line if mark else 0) + 1, (mark.column if mark else 0) + 1) from None
    except (yaml.YAMLError, RecursionError, MemoryError) as error:
        raise NotYaml(f"this is no YAML: {error}") from None


def _sentence(error: yaml.MarkedYAMLError) -> str:
    problem = str(error.problem or "the text cannot be read")
    hints = {
        "mapping values are not allowed": "put the text in quotes if it holds `: `, and check the indentation",
        "could not find expected ':'": "a key needs a `:` and a space after it",
        "did not find expected key": "check the indentation and the quotes of this line and the one above",
        "expected <block end>": "check the indentation of this line",
        "did not find expected '-' indicator": "check the indentation of this list",
        "found a tab character": "indent with spaces",
        "cannot start any token": "indent with spaces, and put text that begins with a special character in quotes",
        "found unexpected end of stream": "a quote or bracket is never closed",
        "did not find expected ',' or": "a bracket is never closed, or a comma is missing",
    }
    hint = next((h for start, h in hints.items() if start in problem), None)
    return f"this is no YAML: {problem}" + (f" ({hint})" if hint else "")


def _document(events: Iterator[Any]) -> Marked:
    root: Marked | None = None
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            if root is not None:
                raise NotYaml("a second document begins here; only one is read", *_mark(event))
        elif isinstance(event, yaml.NodeEvent):
            root = _node(event, events, limits.MANIFEST_DEPTH)
    if root is None:
        raise NotYaml("the file is empty")
    return root


def _node(event: Any, events: Iterator[Any], depth: int) -> Marked:
    line, column = _mark(event)
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise NotYaml(
            "anchors and aliases (`&name`, `*name`) are not used here; put text with & or * in quotes", line, column
        )
    if depth <= 0:
        raise NotYaml(f"this is nested more than {limits.MANIFEST_DEPTH} deep", line, column)
    if event.tag not in (None, "!"):
        raise NotYaml(f"tags such as {event.tag!r} are not used here", line, column)
    if isinstance(event, yaml.ScalarEvent):
        return Marked(_scalar(event), line, column)
    if isinstance(event, yaml.SequenceStartEvent):
        return _sequence(events, depth, line, column)
    return _mapping(events, depth, line, column)


def _sequence(events: Iterator[Any], depth: int, line: int, column: int) -> Marked:
    values: list[Plain] = []
    node = Marked(values, line, column)
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            break
        child = _node(event, events, depth - 1)
        node.children[len(values)] = child
        values.append(child.value)
    return node


def _mapping(events: Iterator[Any], depth: int, line: int, column: int) -> Marked:
    values: dict[str, Plain] = {}
    node = Marked(values, line, column)
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            break
        if not isinstance(event, yaml.ScalarEvent):
            raise NotYaml("a key must be plain text", *_mark(event))
        _node(event, events, depth)
        key = str(event.value)
        if key in values:
            raise NotYaml(f"the key {key!r} stands here twice; it is also in line {node.keys[key][0]}", *_mark(event))
        node.keys[key] = _mark(event)
        child = _node(next(events), events, depth - 1)
        node.children[key] = child
        values[key] = child.value
    return node


def _mark(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _scalar(event: Any) -> Plain:
    text = str(event.value)
    if event.style not in (None, ""):
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    value = float(text) if _FLOAT.fullmatch(text) else math.inf
    return text if math.isinf(value) else value


def plain(value: Plain) -> str:
    """What a value is, in words, for a message."""
    match value:
        case None:
            return "nothing"
        case bool():
            return f"{str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case str():
            return repr(value if len(value) <= 60 else value[:57] + "...")
        case list():
            return "a list"
        case Mapping():
            return "a mapping"
