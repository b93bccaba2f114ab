"""Patches and archives as real tools write them: git, diff, tar and zip."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from challenge_packages import build, write

from bouts.challenges.staging import StagedTree, stage, workspace
from bouts.challenges.submissions import open_submission

EDITS: dict[str, str | bytes] = {
    "src/ledger/core.py": "def total(entries):\n    return sum(entries)",  # no line end
    "src/ledger/größe neu.py": "X = 'ä'\n",
    "src/ledger/dos.py": b"a = 1\r\nb = 2\r\n",
    "src/ledger/empty.py": "",
    "NOTES.md": "Only the first entry was counted.\n",
    "README.md": "# Changed\n",
}


def run(*command: str, cwd: Path) -> bytes:
    own = {"HOME": str(cwd), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C.UTF-8"}
    environment = {**os.environ, **own}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture
def package(tmp_path):
    return build(tmp_path / "package")


@pytest.fixture
def worked(tmp_path, package) -> Path:
    """A workspace under git in which an agent worked: edits, a deletion, a rename, a file made executable."""
    root = tmp_path / "work"
    workspace(package, root)
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        run("git", *command, cwd=root)
    write(root, EDITS)
    (root / "src/ledger/queue.py").rename(root / "src/ledger/line.py")
    (root / "app.py").chmod(0o755)
    return root


def tree(staged: StagedTree) -> dict[str, tuple[bytes, bool]]:
    return {
        str(p.relative_to(staged.root)): (p.read_bytes(), bool(p.stat().st_mode & 0o111))
        for p in staged.root.rglob("*")
        if p.is_file()
    }


def expected(worked: Path, package) -> dict[str, tuple[bytes, bool]]:
    found = {
        str(p.relative_to(worked)): (p.read_bytes(), bool(p.stat().st_mode & 0o111))
        for p in worked.rglob("*")
        if p.is_file() and ".git/" not in str(p.relative_to(worked))
    }
    kept = {p: v for p, v in found.items() if not p.startswith("tests/") and p != "briefing.md"}
    return {**kept, "README.md": (package.read("codebase/README.md"), False)}


@pytest.mark.skipif(not shutil.which("git"), reason="no git here")
@pytest.mark.parametrize(
    "options",
    [
        *([], ["--no-prefix"], ["-M"], ["--no-renames"], ["--binary"], ["-U0"], ["-U10", "--patience"]),
        *(["--src-prefix=i/", "--dst-prefix=w/"], ["--src-prefix=old/", "--dst-prefix=newer/"], ["-M", "--no-prefix"]),
    ],
)
def test_what_git_diff_writes_makes_the_same_tree(worked, package, tmp_path, options):
    run("git", "add", "-A", cwd=worked)
    patch = tmp_path / "work.patch"
    patch.write_bytes(run("git", "diff", "--cached", *options, cwd=worked))
    staged = stage(package, open_submission(patch, package), tmp_path / "staged")
    assert tree(staged) == expected(worked, package)
    assert staged.deleted == ("src/ledger/queue.py",)
    assert [(c.path, c.in_scope) for c in staged.facts.changes if not c.in_scope] == [("README.md", False)]


@pytest.mark.skipif(not shutil.which("git"), reason="no git here")
def test_a_mailbox_of_commits_is_one_patch(worked, package, tmp_path):
    run("git", "add", "-A", cwd=worked)
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    run("git", *who, "commit", "-qm", "first part", cwd=worked)
    write(worked, {"app.py": "print('second')\n"})
    run("git", *who, "commit", "-qam", "second part", cwd=worked)
    patch = tmp_path / "work.patch"
    patch.write_bytes(run("git", "format-patch", "--stdout", "HEAD~2", cwd=worked))
    staged = stage(package, open_submission(patch, package), tmp_path / "staged")
    assert tree(staged) == expected(worked, package)


@pytest.mark.skipif(not shutil.which("diff"), reason="no diff here")
def test_what_diff_writes_makes_the_same_tree(worked, package, tmp_path):
    shutil.rmtree(worked / ".git")
    (worked / "src/ledger/empty.py").unlink()
    (worked / "app.py").chmod(0o644)  # diff knows no modes
    workspace(package, tmp_path / "before")
    patch = tmp_path / "work.diff"
    patch.write_bytes(run("diff", "-ruN", "before", "work", cwd=tmp_path))
    staged = stage(package, open_submission(patch, package), tmp_path / "staged")
    assert tree(staged) == expected(worked, package)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("w.tar", ["tar", "cf"]),
        ("w.tar.gz", ["tar", "czf"]),
        ("w.tar.xz", ["tar", "cJf"]),
        ("p.tgz", ["tar", "--format=pax", "-czf"]),
        ("u.tar", ["tar", "--format=ustar", "-cf"]),
        ("w.zip", ["zip", "-qr"]),
    ],
)
@pytest.mark.parametrize("inside", [True, False])
def test_what_tar_and_zip_write_makes_the_same_tree(worked, package, tmp_path, name, command, inside):
    if not shutil.which(command[0]) or (name.endswith("xz") and not shutil.which("xz")):
        pytest.skip(f"no {command[0]} here")
    write(worked, {"submission.yaml": "complete: true\n"})
    run(*command, str(tmp_path / name), "." if inside else "work", cwd=worked if inside else tmp_path)
    submission = open_submission(tmp_path / name, package)
    assert submission.wrapper == ("" if inside else "work/")
    staged = stage(package, submission, tmp_path / "staged")
    want = expected(worked, package)
    want.pop("submission.yaml")
    assert tree(staged) == want
    assert {r.kind for r in staged.facts.refusals if r.changed} == {"vcs_dir", "out_of_scope"}


def test_the_workspace_itself_makes_the_same_tree(worked, package, tmp_path):
    write(worked, {"submission.yaml": "complete: true\n"})
    staged = stage(package, open_submission(worked, package), tmp_path / "staged")
    want = expected(worked, package)
    want.pop("submission.yaml")
    assert tree(staged) == want
    assert staged.deleted == ("src/ledger/queue.py",)
