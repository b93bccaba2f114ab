"""What differs between a given file and a handed-in one: counted lines and line ranges, in bounded time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from bouts.model.evidence import FileChange

STEPS = 1000
"""Differing lines (of those that both sides have) up to which the shortest difference is looked for."""
RANGES = 100
"""Line ranges that are kept; the last one reaches to the last change."""


def compare(path: str, before: bytes | None, after: bytes | None, in_scope: bool) -> FileChange:
    """The change of one file; `None` stands for a file that is not there. Binary files count no lines."""
    status: Literal["added", "modified", "deleted"] = (
        "added" if before is None else "deleted" if after is None else "modified"
    )
    old, new = _lines(before), _lines(after)
    if old is None or new is None:
        return FileChange(path=path, status=status, added=0, removed=0, in_scope=in_scope)
    kept_old, kept_new = _common(old, new)
    changed = [n for n in range(len(new)) if n not in kept_new]
    return FileChange(
        path=path,
        status=status,
        added=len(changed),
        removed=len(old) - len(kept_old),
        in_scope=in_scope,
        lines=_ranges(changed),
    )


def changed_lines(before: bytes | None, after: bytes) -> set[int]:
    """Numbers (from 1) of the lines of a text that are new against the one before."""
    old, new = _lines(before), _lines(after)
    if new is None:
        return set()
    kept = _common(old, new)[1] if old else set[int]()
    return {n + 1 for n in range(len(new)) if n not in kept}


def _lines(data: bytes | None) -> list[bytes] | None:
    if data is None:
        return []
    return None if b"\0" in data[:8192] else data.splitlines(keepends=True)


def _common(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[set[int], set[int]]:
    """Indices of the lines that stay, on both sides."""
    start = 0
    while start < len(old) and start < len(new) and old[start] == new[start]:
        start += 1
    end = 0
    while end < len(old) - start and end < len(new) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    kept_old = set(range(start)) | set(range(len(old) - end, len(old)))
    kept_new = set(range(start)) | set(range(len(new) - end, len(new)))
    # A line that the other side does not have at all cannot stay: leaving it out loses nothing and saves most steps.
    old_has, new_has = set(old[start : len(old) - end]), set(new[start : len(new) - end])
    left = [n for n in range(start, len(old) - end) if old[n] in new_has]
    right = [n for n in range(start, len(new) - end) if new[n] in old_has]
    for x, y in _shortest([old[n] for n in left], [new[n] for n in right]):
        kept_old.add(left[x])
        kept_new.add(right[y])
    return kept_old, kept_new


def _shortest(old: Sequence[bytes], new: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pairs of lines that stay in the shortest edit script (Myers 1986); none where it needs more than `STEPS`."""
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    for d in range(min(len(old) + len(new), STEPS) + 1):
        trace.append(dict(reach) if d < 2 else {k: reach[k] for k in range(-d - 1, d + 2) if k in reach})
        for k in range(-d, d + 1, 2):
            down = k == -d or (k != d and reach.get(k - 1, -1) < reach.get(k + 1, -1))
            x = reach[k + 1] if down else reach[k - 1] + 1
            while x < len(old) and x - k < len(new) and old[x] == new[x - k]:
                x += 1
            reach[k] = x
            if x >= len(old) and x - k >= len(new):
                return _backtrack(trace, len(old), len(new))
    return []


def _backtrack(trace: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for d in range(len(trace) - 1, -1, -1):
        reach, k = trace[d], x - y
        down = k == -d or (k != d and reach.get(k - 1, -1) < reach.get(k + 1, -1))
        before = k + 1 if down else k - 1
        from_x = reach[before] if d else 0
        from_y = from_x - before if d else 0
        while x > from_x and y > from_y:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = from_x, from_y
    return pairs


def _ranges(changed: list[int]) -> tuple[tuple[int, int], ...]:
    ranges: list[tuple[int, int]] = []
    for line in changed:
        if ranges and ranges[-1][1] == line:
            ranges[-1] = (ranges[-1][0], line + 1)
        else:
            ranges.append((line + 1, line + 1))
    if len(ranges) > RANGES:
        ranges = [*ranges[: RANGES - 1], (ranges[RANGES - 1][0], ranges[-1][1])]
    return tuple(ranges)
