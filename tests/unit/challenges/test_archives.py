"""Archives: what is taken, and every member that refuses the whole."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from challenge_packages import build
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.challenges import limits
from bouts.challenges.archives import unpack
from bouts.challenges.names import ARCHIVE_SUFFIXES as SUFFIXES
from bouts.challenges.submissions import open_submission
from bouts.errors import BadSubmission

MODES = {
    ".tar": "w:",
    ".tar.gz": "w:gz",
    ".tgz": "w:gz",
    ".tar.xz": "w:xz",
    ".txz": "w:xz",
    ".tar.bz2": "w:bz2",
    ".tbz2": "w:bz2",
}


def tar(members: list[tuple[str, bytes]], suffix: str = ".tar", **attributes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=MODES[suffix]) as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            for key, value in attributes.items():
                setattr(info, key, value)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(members: list[tuple[str, bytes]], mode: int = 0) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def packed(suffix: str, members: list[tuple[str, bytes]]) -> bytes:
    return zipped(members) if suffix == ".zip" else tar(members, suffix)


def refused(data: bytes, suffix: str = ".tar") -> str:
    with pytest.raises(BadSubmission) as raised:
        unpack(data, "x" + suffix, "x" + suffix)
    assert raised.value.exit_status == 2
    return str(raised.value)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_kind_is_unpacked(suffix):
    files, _ = unpack(packed(suffix, [("./src/a.py", b"a\n"), ("b.py", b"")]), "x" + suffix, "x")
    assert {p: h.data for p, h in files.items()} == {"src/a.py": b"a\n", "b.py": b""}


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../hidden_tests/test_hidden.py", "climbs out"),
        ("a/../../x", "climbs out"),
        ("a/..", "climbs out"),
        ("/etc/passwd", "absolute"),
        ("//x", "absolute"),
        ("C:/x", "absolute"),
        ("a\\..\\x", "backslash"),
    ],
)
def test_unsafe_names_refuse_the_whole_and_are_named(suffix, name, said):
    message = refused(packed(suffix, [("app.py", b"ok"), (name, b"x")]), suffix)
    assert said in message
    assert name.replace("\\", "\\\\") in message or name in message


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_members_that_are_there_twice(suffix):
    with pytest.warns(UserWarning) if suffix == ".zip" else _nothing():
        data = packed(suffix, [("a.py", b"1"), ("a.py", b"2")])
    assert "'a.py' is there twice" in refused(data, suffix)
    assert "is there twice" in refused(packed(suffix, [("a.py", b"1"), ("./a.py", b"2")]), suffix)
    assert "which is a file" in refused(packed(suffix, [("a", b"1"), ("a/b", b"2")]), suffix)
    assert "is there twice" in refused(packed(suffix, [("a/b", b"1"), ("a", b"2")]), suffix)


class _nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
@pytest.mark.parametrize("target", ["/etc/passwd", "../x", "app.py"])
def test_links_refuse_a_tar(kind, target):
    assert "is a link" in refused(tar([("l", b"")], type=kind, linkname=target))


@pytest.mark.parametrize("kind", [tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.GNUTYPE_SPARSE, b"Z"])
def test_special_members_refuse_a_tar(kind):
    assert "x.tar" in refused(tar([("d", b"")], type=kind))


def test_links_and_devices_refuse_a_zip():
    assert "is a link" in refused(zipped([("l", b"/etc/passwd")], stat.S_IFLNK | 0o777), ".zip")
    assert "is no plain file" in refused(zipped([("l", b"")], stat.S_IFIFO | 0o777), ".zip")


def test_an_encrypted_zip_is_refused():
    data = bytearray(zipped([("a.py", b"x")]))
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in refused(bytes(data), ".zip")


def test_bombs_are_refused_before_they_are_large():
    assert "200 times" in refused(gzip.compress(bytes(40 * limits.MIB)), ".tar.gz")
    assert "200 times" in refused(zipped([(f"a{n}", bytes(4 * limits.MIB)) for n in range(3)]), ".zip")
    assert "larger than 5 MiB" in refused(tar([("a", bytes(limits.FILE_BYTES + 1))]))
    many = tar([(f"f{n}", b"") for n in range(limits.FILES + 1)])
    assert f"more than {limits.FILES} files" in refused(many)


def test_a_zip_that_lies_about_a_size_is_refused():
    data = bytearray(zipped([("a.py", b"x" * 1000)]))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    assert "x.zip" in refused(bytes(data), ".zip")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_junk_is_said_to_be_junk(suffix):
    for junk in (b"", b"junk", bytes(4096), b"\x1f\x8b\x08junk", b"PK\x03\x04junk"):
        if suffix == ".tar" and not junk.strip(b"\0") and junk:
            continue  # zeros are an empty tar
        assert "x" in refused(junk, suffix)
    whole = packed(suffix, [("a.py", b"print(1)\n" * 50)])
    try:
        unpack(whole[: len(whole) // 2], "x" + suffix, "x")
    except BadSubmission as error:
        assert str(error)


def test_environments_and_version_control_are_left_out():
    members = [
        ("node_modules/a/b.js", b"x"),
        (".venv/bin/p", b"x"),
        (".git/HEAD", b"x"),
        ("src/__pycache__/a.pyc", b"x"),
    ]
    files, dropped = unpack(tar([*members, ("src/a.py", b"1")]), "x.tar", "x")
    assert list(files) == ["src/a.py"]
    assert {(r.kind, r.path) for r in dropped.refusals()} == {("vcs_dir", ".git"), ("bytecode", "src/__pycache__")}


def test_a_folder_around_everything_is_taken_off(tmp_path):
    package = build(tmp_path / "package")
    path = tmp_path / "work.tar.gz"
    path.write_bytes(tar([("work/src/ledger/core.py", b"x\n"), ("work/NOTES.md", b"y\n")], ".tar.gz"))
    submission = open_submission(path, package)
    assert (submission.wrapper, sorted(submission.files)) == ("work/", ["NOTES.md", "src/ledger/core.py"])
    path.write_bytes(tar([("src/ledger/core.py", b"x\n")], ".tar.gz"))
    assert open_submission(path, package).wrapper == ""


NAMES = st.lists(st.text("abc.", min_size=1, max_size=3).filter(lambda s: set(s) - {"."}), min_size=1, max_size=3)
TREES = st.dictionaries(NAMES.map("/".join), st.binary(max_size=200), max_size=8).filter(
    lambda tree: not any(b.startswith(a + "/") for a in tree for b in tree)
)


@settings(max_examples=60, deadline=None)
@given(TREES, st.sampled_from([".zip", ".tar", ".tar.gz"]))
def test_what_is_packed_is_unpacked(tree, suffix):
    files, _ = unpack(packed(suffix, list(tree.items())), "x" + suffix, "x")
    assert {p: h.data for p, h in files.items()} == tree


@settings(max_examples=120, deadline=None)
@given(st.data(), st.sampled_from([".zip", ".tar", ".tar.gz"]))
def test_a_damaged_archive_is_read_or_refused_but_never_crashes(data, suffix):
    whole = bytearray(packed(suffix, [("src/a.py", b"print(1)\n" * 20), ("b/c.py", b"x" * 600)]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
    with tempfile.TemporaryDirectory() as folder:
        try:
            files, _ = unpack(bytes(whole), "x" + suffix, "x")
        except BadSubmission:
            return
        assert not list(Path(folder).iterdir())
        assert all(".." not in p.split("/") and not p.startswith("/") for p in files)
