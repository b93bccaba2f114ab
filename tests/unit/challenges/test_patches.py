"""Patches: applied to the byte, or refused with the line."""

from __future__ import annotations

import difflib
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bouts.challenges.patches import apply
from bouts.errors import BadSubmission


def base(folder: Path, **files: bytes) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for name, data in files.items():
        path = folder / name
        path.write_bytes(data)
        found[name] = path
    return found


def patched(patch: str | bytes, files: dict[str, bytes], editable=("**",)):
    with tempfile.TemporaryDirectory() as folder:
        data = patch if isinstance(patch, bytes) else patch.encode()
        changed, deleted, _ = apply(data, "x.patch", base(Path(folder), **files), editable)
        return {p: h.data for p, h in changed.items()}, deleted


def refused(patch: str | bytes, files: dict[str, bytes]) -> str:
    with pytest.raises(BadSubmission) as raised:
        patched(patch, files)
    assert raised.value.exit_status == 2
    return str(raised.value)


def lines_of(text: bytes) -> list[str]:
    pieces = text.decode("latin-1").split("\n")
    return [p + "\n" for p in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def diff(before: bytes, after: bytes, name: str = "f", context: int = 3, git: bool = True) -> bytes:
    """A unified diff as git writes it, with its marker for a missing last line end."""
    out = [f"diff --git a/{name} b/{name}\n"] if git else []
    for line in difflib.unified_diff(lines_of(before), lines_of(after), f"a/{name}", f"b/{name}", n=context):
        out.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(out).encode("latin-1")


BEFORE = b"".join(b"line %d\n" % n for n in range(1, 21))
CHANGE = """\
--- a/f
+++ b/f
@@ -4,3 +4,4 @@
 line 4
-line 5
+line five
+more
 line 6
"""
AFTER = BEFORE.replace(b"line 5\n", b"line five\nmore\n")


def test_a_change_is_applied():
    assert patched(CHANGE, {"f": BEFORE}) == ({"f": AFTER}, ())


def test_a_hunk_may_have_moved_but_its_context_must_agree():
    moved = b"new\n" * 30 + BEFORE
    assert patched(CHANGE, {"f": moved})[0]["f"] == b"new\n" * 30 + AFTER
    message = refused(CHANGE, {"f": BEFORE.replace(b"line 6", b"line six")})
    assert "x.patch:3" in message and "the lines of the hunk at line 4 are not there" in message
    assert "are not there" in refused(CHANGE, {"f": b"new\n" * 300 + BEFORE})


def test_second_hunks_and_their_places():
    after = BEFORE.replace(b"line 2\n", b"").replace(b"line 18\n", b"x\ny\nz\n")
    assert patched(diff(BEFORE, after), {"f": BEFORE})[0] == {"f": after}
    assert patched(diff(BEFORE, after, context=0), {"f": BEFORE})[0] == {"f": after}


def test_new_and_deleted_files():
    new = "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
    assert patched(new, {"f": BEFORE}) == ({"n": b"x\n"}, ())
    empty = "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n"
    assert patched(empty, {}) == ({"n": b""}, ())
    gone = "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    assert patched(gone, {"f": b"x\n"}) == ({}, ("f",))
    assert "not all of its lines" in refused(gone, {"f": b"x\ny\n"})
    assert "there already" in refused(new.replace("/n", "/f"), {"f": BEFORE})


def test_renames_with_and_without_changes():
    plain = "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n"
    assert patched(plain, {"f": BEFORE}) == ({"g": BEFORE}, ("f",))
    changed = plain.replace("100%", "90%") + CHANGE.replace("b/f", "b/g")
    assert patched(changed, {"f": BEFORE}) == ({"g": AFTER}, ("f",))
    copied = "diff --git a/f b/g\nsimilarity index 100%\ncopy from f\ncopy to g\n"
    assert patched(copied, {"f": BEFORE}) == ({"g": BEFORE}, ())


def test_missing_line_ends_on_either_side():
    for before, after in ((b"a\nb", b"a\nb\n"), (b"a\nb\n", b"a\nb"), (b"a\nb", b"a\nc"), (b"a", b""), (b"", b"a")):
        assert patched(diff(before, after), {"f": before})[0]["f"] == after, (before, after)


def test_line_ends_of_dos_in_the_file_or_in_the_whole_patch():
    dos = BEFORE.replace(b"\n", b"\r\n")
    after = dos.replace(b"line 5\r\n", b"line five\r\n")
    assert patched(diff(dos, after), {"f": dos})[0]["f"] == after
    mangled = diff(BEFORE, AFTER).replace(b"\n", b"\r\n")
    assert patched(mangled, {"f": BEFORE})[0]["f"] == AFTER
    assert patched(mangled, {"f": dos})[0]["f"] == AFTER.replace(b"\n", b"\r\n")


def test_paths_with_labels_without_and_with_quotes():
    bare = CHANGE.replace("a/f", "f").replace("b/f", "f")
    assert patched(bare, {"f": BEFORE})[0] == {"f": AFTER}
    folders = CHANGE.replace("a/f", "old tree/f").replace("b/f", "new tree/f")
    assert patched(folders, {"f": BEFORE})[0] == {"f": AFTER}
    quoted = 'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"\nnew file mode 100644\n'
    quoted += '--- /dev/null\n+++ "b/\\303\\244.txt"\n@@ -0,0 +1 @@\n+x\n'
    assert patched(quoted, {})[0] == {"ä.txt": b"x\n"}


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/x"])
def test_paths_that_leave_are_refused(path):
    patch = f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
    assert "unsafe" in refused(patch, {})


def test_links_are_no_files_and_binary_changes_have_no_lines():
    link = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n"
    link += "@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n"
    with tempfile.TemporaryDirectory() as folder:
        files, _, _ = apply(link.encode(), "x", base(Path(folder)), ("**",))
    assert files["l"].problem == ("not_a_file", "it is a link") and files["l"].data is None
    binary = "diff --git a/b.db b/b.db\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/b.db differ\n"
    assert "binary change" in refused(binary, {})
    assert patched(binary, {}, editable=("src/**",))[0] == {"b.db": None}


def test_what_is_no_patch():
    assert "no unified diff" in refused("hello\n", {})
    assert "no unified diff" in refused(b"\x00\x01\x02" * 100, {})
    assert "x.patch:" in refused(CHANGE.replace("@@ -4,3", "@@ -4,9"), {"f": BEFORE})
    assert "no such file" in refused(CHANGE, {})
    assert patched("", {"f": BEFORE}) == ({}, ())
    assert patched("\n", {"f": BEFORE}) == ({}, ())


def test_two_commits_in_one_file_build_on_each_other():
    later = AFTER.replace(b"more\n", b"most\n")
    mail = (
        b"From abc\nSubject: x\n---\n f | 2 +-\n\n"
        + diff(BEFORE, AFTER)
        + b"-- \n2.39\n\n"
        + diff(AFTER, later)
        + b"-- \n2.39\n"
    )
    assert patched(mail, {"f": BEFORE})[0]["f"] == later


LINES = st.lists(
    st.sampled_from([b"a", b"b", b"", b"c\x0c", b"\x85", b"- x", b"+ y", b"--- a/f", b"@@ -1 +1 @@", b"\\ z", b"d\r"]),
    max_size=14,
)


@settings(max_examples=300, deadline=None)
@given(LINES, LINES, st.booleans(), st.booleans(), st.integers(0, 4), st.booleans())
def test_a_diff_of_two_texts_makes_one_of_the_other(old, new, end_old, end_new, context, git):
    before, after = b"\n".join(old) + b"\n" * end_old, b"\n".join(new) + b"\n" * end_new
    assume(before != after)
    patch = diff(before, after, context=context, git=git)
    changed, deleted = patched(patch, {"f": before})
    assert changed == {"f": after} and deleted == ()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_patch_is_applied_or_refused_but_never_crashes(data):
    whole = bytearray(diff(BEFORE, AFTER.replace(b"line 18\n", b"")))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 8))] = data.draw(
            st.binary(max_size=8) | st.sampled_from([b"\n", b"@@", b"--- "])
        )
    try:
        patched(bytes(whole), {"f": BEFORE})
    except BadSubmission as error:
        assert str(error)
