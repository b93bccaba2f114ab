"""Counting changed lines."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.challenges import changes
from bouts.challenges.changes import changed_lines, compare

TEXTS = st.lists(st.sampled_from([b"a", b"b", b"c", b""]), max_size=12).map(
    lambda ls: b"".join(line + b"\n" for line in ls)
)


def longest_common(old: list[bytes], new: list[bytes]) -> int:
    row = [0] * (len(new) + 1)
    for x in old:
        before = row[:]
        for n, y in enumerate(new, 1):
            row[n] = before[n - 1] + 1 if x == y else max(before[n], row[n - 1])
    return row[-1]


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS)
def test_the_difference_is_the_shortest_and_its_lines_are_right(before, after):
    row = compare("f", before, after, in_scope=True)
    old, new = before.splitlines(True), after.splitlines(True)
    same = longest_common(old, new)
    assert (row.added, row.removed) == (len(new) - same, len(old) - same)
    changed = {n for a, b in row.lines for n in range(a, b + 1)}
    assert changed == changed_lines(before, after) and len(changed) == row.added
    kept = [line for n, line in enumerate(new, 1) if n not in changed]
    rest = iter(old)
    assert all(line in rest for line in kept), "what stays is a part of the old text, in order"


def test_added_deleted_and_binary_files():
    assert compare("f", None, b"a\nb\n", True).model_dump(include={"status", "added", "removed", "lines"}) == {
        "status": "added",
        "added": 2,
        "removed": 0,
        "lines": ((1, 2),),
    }
    gone = compare("f", b"a\nb", None, False)
    assert (gone.status, gone.added, gone.removed, gone.lines, gone.in_scope) == ("deleted", 0, 2, (), False)
    binary = compare("f", b"a\n", b"\0\n\n", True)
    assert (binary.status, binary.added, binary.removed) == ("modified", 0, 0)


def test_large_texts_that_repeat_end_in_bounded_steps(monkeypatch):
    old = b"".join(b"x\nu%d\n" % n for n in range(30_000))
    new = b"".join(b"v%d\nx\n" % n for n in range(30_000))
    row = compare("f", old, new, True)
    assert row.added == row.removed == 30_000
    monkeypatch.setattr(changes, "STEPS", 10)
    cut = compare("f", b"a\nb\n" * 50, b"b\nb\na\n" * 50, True)
    assert cut.added >= 50 and cut.removed <= 100 and cut.added - cut.removed == 50


def test_ranges_are_bounded():
    new = b"".join(b"same\n" if n % 2 else b"new%d\n" % n for n in range(1000))
    row = compare("f", b"same\n" * 500, new, True)
    assert len(row.lines) == changes.RANGES and row.lines[-1][1] == 999
