"""Rows of a scanner, and which of them are new against the codebase as given."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from bouts.adapters.scanners.sources import Scope, Source, parse, scope_at, scopes

SIMILAR = 0.6
"""Ratio from which a line that was edited inside its function counts as the same line."""
_TEXT_LINES = 12
_COMPARED = 64

_Key = TypeVar("_Key", bound=Hashable)


class Row(NamedTuple):
    """One thing that a tool reported. Lines count from 1."""

    tool: str
    rule: str
    path: str
    line: int
    """The line that the tool names."""
    start: int
    end: int
    """First and last line of the code that it means."""
    message: str
    severity: str = ""
    """`low`, `medium` or `high` where the tool says."""
    confidence: str = ""
    cwe: str = ""
    """Such as `CWE-78`, where the tool says."""


class _Spot(NamedTuple):
    row: Row
    text: str
    """The row's source lines, whitespace collapsed."""


def new_rows(
    given: Sequence[Row],
    staged: Sequence[Row],
    given_sources: Mapping[str, Source],
    staged_sources: Mapping[str, Source],
) -> list[Row]:
    """The rows of `staged` that have no counterpart in `given`, in their order.

    A row has a counterpart, one for one, where the same rule was broken by the same text in the same file, by the
    same text in another of the files (moved code), or by a similar line of the same function (an edited line that was
    as bad before).
    """
    if not given:
        return list(staged)
    before, after = _spots(given, given_sources), _spots(staged, staged_sources)
    same = Counter((spot.row.path, spot.row.rule, spot.text) for spot in before)
    left = _unmatched(after, same, lambda spot: (spot.row.path, spot.row.rule, spot.text))
    moved = Counter({(rule, text): 0 for _, rule, text in same})
    for (_, rule, text), count in same.items():
        moved[rule, text] += count
    left = _unmatched(left, moved, lambda spot: (spot.row.rule, spot.text))
    if not left:
        return []
    outer, inner = _Scopes(given_sources), _Scopes(staged_sources)
    rest: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for spot in before:
        if same[spot.row.path, spot.row.rule, spot.text] > 0 and moved[spot.row.rule, spot.text] > 0:
            same[spot.row.path, spot.row.rule, spot.text] -= 1
            moved[spot.row.rule, spot.text] -= 1
            rest[spot.row.path, spot.row.rule, outer.at(spot.row)].append(spot.text)
    return [spot.row for spot in left if not _edited(spot, rest[spot.row.path, spot.row.rule, inner.at(spot.row)])]


class _Scopes:
    """The function or class around a row; files are parsed when first asked for."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self._known: dict[str, list[Scope]] = {}

    def at(self, row: Row) -> str:
        if row.path not in self._known:
            tree = parse(self._sources[row.path].data) if row.path in self._sources else None
            self._known[row.path] = scopes(tree) if tree is not None else []
        return scope_at(self._known[row.path], row.line)


def _unmatched(spots: Iterable[_Spot], known: Counter[_Key], key: Callable[[_Spot], _Key]) -> list[_Spot]:
    left: list[_Spot] = []
    for spot in spots:
        if known[key(spot)] > 0:
            known[key(spot)] -= 1
        else:
            left.append(spot)
    return left


def _edited(spot: _Spot, candidates: list[str]) -> bool:
    best, chosen = SIMILAR, None
    for index, text in enumerate(candidates[:_COMPARED]):
        ratio = difflib.SequenceMatcher(None, text[:400], spot.text[:400], autojunk=False).ratio()
        if ratio >= best:
            best, chosen = ratio, index
    if chosen is None:
        return False
    del candidates[chosen]
    return True


def _spots(rows: Sequence[Row], sources: Mapping[str, Source]) -> list[_Spot]:
    spots: list[_Spot] = []
    for row in rows:
        lines = sources[row.path].lines if row.path in sources else ()
        text = " ".join(" ".join(lines[row.start - 1 : min(row.end, row.start + _TEXT_LINES)]).split())
        spots.append(_Spot(row, text))
    return spots
