"""Which packages a manifest names, and which a submission added."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import cast

from bouts.challenges.handed import Handed

MANIFESTS = ("pyproject.toml", "requirements.txt", "requirements.in")
"""Files at the root of a workspace that are compared."""
_NAME = re.compile(r"^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")


def added_dependencies(given: Mapping[str, bytes], files: Mapping[str, Handed]) -> tuple[str, ...] | None:
    """Packages (normalised names) that the handed-in manifests name and the given ones do not. `None` where there is
    no manifest on either side, or where a handed-in one cannot be read. A manifest that was not handed in is the given
    one; whether it is staged does not matter."""
    if not given and not any(name in files for name in MANIFESTS):
        return None
    before: set[str] = set()
    after: set[str] = set()
    for name in MANIFESTS:
        old = packages(name, given[name]) if name in given else set[str]()
        handed = files.get(name)
        new = packages(name, handed.data) if handed and handed.data is not None else old
        if new is None:
            return None
        before |= old or set()
        after |= new
    return tuple(sorted(after - before))


def packages(name: str, data: bytes) -> set[str] | None:
    """The packages that one manifest names, or none where it cannot be read."""
    try:
        text = data.decode()
        lines = text.splitlines() if name.endswith((".txt", ".in")) else _project(tomllib.loads(text))
    except (ValueError, RecursionError):
        return None
    found = (_NAME.match(line) for line in lines if not line.lstrip().startswith(("#", "-")))
    return {re.sub(r"[-_.]+", "-", m[1]).lower() for m in found if m}


def _project(table: dict[str, object]) -> list[str]:
    project = _table(table.get("project"))
    groups = [_table(project.get("optional-dependencies")), _table(table.get("dependency-groups"))]
    lists = [project.get("dependencies"), *(v for group in groups for v in group.values())]
    poetry = _table(_table(_table(table.get("tool")).get("poetry")).get("dependencies"))
    return [*_texts(lists), *(p for p in poetry if p.lower() != "python")]


def _table(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _texts(lists: Iterable[object]) -> list[str]:
    found: list[str] = []
    for value in lists:
        if isinstance(value, list):
            found += [entry for entry in cast("list[object]", value) if isinstance(entry, str)]
    return found
