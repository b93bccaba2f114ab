"""Staging: what is taken, refused and said. Known attacks that aim at staging are built here."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import tempfile
from pathlib import Path

import pytest
from challenge_packages import FILES, MANIFEST, build, write
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.challenges import limits
from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree, stage, workspace
from bouts.challenges.submissions import open_submission
from bouts.errors import BadSubmission, BadUsage, BoutsError, NotFound

CORE = "def total(entries):\n    return sum(entries)\n"


@pytest.fixture
def package(tmp_path) -> Package:
    return build(tmp_path / "package")


@pytest.fixture
def put(tmp_path, package):
    """Hand in files and stage them."""

    def run(files: dict[str, str | bytes], prepare=None, name: str = "sub") -> StagedTree:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        write(folder, files)
        if prepare:
            prepare(folder)
        return stage(package, open_submission(folder, package), tmp_path / f"staged-{name}")

    return run


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if not p.is_dir()}


def codebase() -> dict[str, bytes]:
    return {p.removeprefix("codebase/"): c.encode() for p, c in FILES.items() if p.startswith("codebase/")}


def whole_workspace(**changes: str) -> dict[str, str | bytes]:
    given = {p: c.decode() for p, c in codebase().items()}
    given |= {p: FILES[p] for p in ("briefing.md", "tests/static/unit/test_total.py", "tests/static/conftest.py")}
    given["tests/support/builders.py"] = FILES["tests/support/builders.py"]
    return {**given, **changes}


def kinds(staged: StagedTree, changed: bool = True) -> dict[str, str]:
    return {r.path: r.kind for r in staged.facts.refusals if r.changed == changed}


def test_changed_files_are_laid_over_the_pristine_codebase(put):
    staged = put({"src/ledger/core.py": CORE, "src/ledger/new.py": "x = 1\n"})
    assert tree(staged.root) == {**codebase(), "src/ledger/core.py": CORE.encode(), "src/ledger/new.py": b"x = 1\n"}
    assert staged.changed == ("src/ledger/core.py", "src/ledger/new.py")
    rows = {c.path: (c.status, c.added, c.removed, c.in_scope, c.lines) for c in staged.facts.changes}
    assert rows == {
        "src/ledger/core.py": ("modified", 1, 1, True, ((2, 2),)),
        "src/ledger/new.py": ("added", 1, 0, True, ((1, 1),)),
    }
    assert staged.facts.refusals == () and [n.kind for n in staged.notices] == ["deliverable_missing"]
    assert [n.why for n in staged.notices] == ["asked for and not handed in: NOTES.md (Notes)"]


def test_files_are_readable_by_everyone_whatever_the_umask(put):
    def prepare(folder: Path) -> None:
        (folder / "app.py").chmod(0o700)
        (folder / "src/ledger/core.py").chmod(0o600)

    before = os.umask(0o077)
    try:
        staged = put({"app.py": "x\n", "src/ledger/core.py": CORE}, prepare)
    finally:
        os.umask(before)
    modes = {str(p.relative_to(staged.root)): stat.S_IMODE(p.stat().st_mode) for p in staged.root.rglob("*")}
    assert modes.pop("app.py") == 0o755
    assert {m for p, m in modes.items() if not (staged.root / p).is_dir()} == {0o644}
    assert {m for p, m in modes.items() if (staged.root / p).is_dir()} == {0o755}


def test_the_whole_workspace_as_left_says_only_what_changed(put):
    staged = put(whole_workspace(**{"src/ledger/core.py": CORE}))
    assert [c.path for c in staged.facts.changes] == ["src/ledger/core.py"]
    assert kinds(staged) == {}
    assert set(kinds(staged, changed=False)) == {
        "pyproject.toml",
        "tests/static/conftest.py",
        "tests/static/unit/test_total.py",
        "tests/support/builders.py",
    }
    assert staged.tests_changed == () and staged.handed_in == {}


def test_all_forms_of_the_same_work_have_the_same_digest(put, tmp_path, package):
    small = put({"src/ledger/core.py": CORE}, name="small")
    whole = put(whole_workspace(**{"src/ledger/core.py": CORE}), name="whole")
    archive = tmp_path / "sub.tar.gz"
    with tarfile.open(archive, "w:gz") as out:
        info = tarfile.TarInfo("src/ledger/core.py")
        info.size = len(CORE)
        out.addfile(info, io.BytesIO(CORE.encode()))
    patch = tmp_path / "sub.patch"
    patch.write_text(
        "--- a/src/ledger/core.py\n+++ b/src/ledger/core.py\n@@ -1,2 +1,2 @@\n"
        " def total(entries):\n-    return entries[0]\n+    return sum(entries)\n"
    )
    others = [stage(package, open_submission(p, package), tmp_path / p.stem) for p in (archive, patch)]
    assert {s.digest for s in (small, whole, *others)} == {small.digest}
    assert [s.facts.source for s in others] == ["archive", "patch"]
    assert put({"src/ledger/core.py": CORE + "#"}, name="other").digest != small.digest
    assert small.handed_in_digest != whole.handed_in_digest


# --- the attacks


def test_conftest_pytest_ini_and_their_like_are_refused(put):
    files = {
        **dict.fromkeys(
            ("conftest.py", "src/ledger/conftest.py", "src/pytest.ini", "src/.pytest.ini", "src/tox.ini"), "x"
        ),
        **dict.fromkeys(
            ("src/setup.cfg", "src/sitecustomize.py", "src/usercustomize.py", "src/evil.pth", "src/setup.py"), "x"
        ),
        **dict.fromkeys(("src/x-1.dist-info/entry_points.txt", "src/package.json", "src/.npmrc", "src/build.rs"), "x"),
        **dict.fromkeys(("src/vitest.config.ts", "src/jest.config.js", "src/vite.config.mts", "src/Cargo.toml"), "x"),
        **dict.fromkeys(("src/.cargo/config.toml", "src/go.mod", "src/main_test.go", "src/Makefile", "src/.env"), "x"),
        **dict.fromkeys(("src/CONFTEST.py", "src/ｃonftest.py", "src/pyproject.toml.d/x.egg-info/top"), "x"),
    }
    staged = put(files)
    assert set(kinds(staged).values()) == {"runner_config"}
    assert set(kinds(staged)) == set(files)
    assert tree(staged.root) == codebase()


def test_tests_are_refused_even_where_editable_matches(put):
    files = {
        **dict.fromkeys(
            ("tests/test_hidden.py", "tests/oracle/__init__.py", "src/ledger/test_core.py", "src/core_test.py"), "x"
        ),
        **dict.fromkeys(("src/tests/helper.py", "src/__tests__/a.js", "src/a.test.ts", "src/a.spec.jsx"), "x"),
    }
    staged = put(files)
    assert kinds(staged) == dict.fromkeys(files, "test_path")
    assert tree(staged.root) == codebase()


def test_names_of_standard_and_test_modules_are_refused_at_import_roots(put):
    files = {
        **dict.fromkeys(("pytest.py", "src/pytest.py", "src/json.py", "src/_pytest/__init__.py", "src/httpx.pyw"), "x"),
        **dict.fromkeys(("src/Json.py", "src/pluggy/hooks.py", "src/json.egg"), "x"),
    }
    staged = put(files)
    assert kinds(staged) == dict.fromkeys(files, "shadows_module")
    deeper = put({"src/ledger/json.py": "x", "src/email/body.txt": "x"}, name="deep")
    assert kinds(deeper) == {} and deeper.taken == ("src/email/body.txt", "src/ledger/json.py")


def test_a_name_that_the_codebase_itself_has_shadows_nothing(tmp_path):
    package = build(tmp_path / "p", **{"codebase/src/queue.py": "ITEMS = []\n"})
    folder = write(tmp_path / "s", {"src/queue.py": "ITEMS = [1]\n"})
    staged = stage(package, open_submission(folder, package), tmp_path / "t")
    assert staged.taken == ("src/queue.py",) and staged.facts.refusals == ()


def test_a_look_alike_of_an_installed_package_is_refused(tmp_path):
    manifest = MANIFEST.replace("lock: null", "lock: environment/requirements.lock")
    lock = "Flask-Login==1.0 --hash=sha256:aa\n"
    package = build(tmp_path / "p", **{"challenge.yaml": manifest, "environment/requirements.lock": lock})
    folder = write(tmp_path / "s", {"src/flask_login/__init__.py": "x"})
    staged = stage(package, open_submission(folder, package), tmp_path / "t")
    assert kinds(staged) == {"src/flask_login/__init__.py": "shadows_module"}


def test_a_link_to_the_reference_brings_nothing(put, package):
    def prepare(folder: Path) -> None:
        (folder / "src/ledger").mkdir(parents=True)
        (folder / "src/ledger/core.py").symlink_to(package.root / "reference/src/ledger/core.py")
        (folder / "src/all").symlink_to(package.root / "reference")
        (folder / "NOTES.md").symlink_to("/etc/passwd")

    staged = put({}, prepare)
    assert kinds(staged) == dict.fromkeys(("src/ledger/core.py", "src/all", "NOTES.md"), "not_a_file")
    assert tree(staged.root) == codebase()


def test_a_folder_that_is_a_link_is_not_entered(put, tmp_path):
    outside = write(tmp_path / "outside", {"ledger/core.py": "stolen"})
    staged = put({}, lambda folder: (folder / "src").symlink_to(outside))
    assert tree(staged.root) == codebase()


def test_a_file_swapped_for_a_link_after_listing_is_not_followed(tmp_path, package, monkeypatch):
    from bouts.challenges import reach

    folder = write(tmp_path / "s", {"src/ledger/core.py": CORE})
    honest = reach.read

    def swap(seen, limit):
        path = folder / seen.path
        path.unlink()
        path.symlink_to(package.root / "reference/src/ledger/core.py")
        return honest(seen, limit)

    monkeypatch.setattr(reach, "read", swap)
    with pytest.raises(BadSubmission, match="cannot be read"):
        open_submission(folder, package)


def test_pipes_and_sockets_do_not_block(put):
    staged = put({"app.py": "x"}, lambda folder: os.mkfifo(folder / "NOTES.md"))
    assert kinds(staged) == {"NOTES.md": "not_a_file"}
    assert staged.facts.deliverables[0].present is False


def test_a_tar_that_slips_is_refused_whole(tmp_path, package):
    path = tmp_path / "sub.tar"
    with tarfile.open(path, "w") as out:
        for name in ("src/ledger/core.py", "../hidden_tests/test_hidden.py"):
            info = tarfile.TarInfo(name)
            info.size = 1
            out.addfile(info, io.BytesIO(b"x"))
    with pytest.raises(BadSubmission, match=r"\.\./hidden_tests/test_hidden\.py") as raised:
        open_submission(path, package)
    assert raised.value.exit_status == 2


def test_pyproject_is_the_packages_unless_editable_and_silent_about_pytest(tmp_path):
    manifest = MANIFEST.replace('"app.py"]', '"pyproject.toml"]')
    given = '[project]\nname = "ledger"\ndependencies = ["rich>=1"]\n'
    package = build(tmp_path / "p", **{"challenge.yaml": manifest, "codebase/pyproject.toml": given})

    def run(text: str, name: str) -> StagedTree:
        folder = write(tmp_path / name, {"pyproject.toml": text})
        return stage(package, open_submission(folder, package), tmp_path / f"t-{name}")

    added = run(given.replace('"rich>=1"', '"rich>=1", "Left_Pad==1"'), "a")
    assert added.taken == ("pyproject.toml",) and added.facts.added_dependencies == ("left-pad",)
    evil = run(given + '[tool.pytest.ini_options]\naddopts = "-p evil"\n', "b")
    assert kinds(evil) == {"pyproject.toml": "runner_config"} and evil.taken == ()
    assert kinds(run("no [ toml", "c")) == {"pyproject.toml": "runner_config"}


def test_pyproject_outside_editable_is_refused(put):
    staged = put({"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p evil"\n'})
    assert kinds(staged) == {"pyproject.toml": "runner_config"}


def test_version_control_caches_and_bytecode_never_count(put):
    files = {
        ".git/config": "[core]\nfsmonitor = evil\n",
        "node_modules/x/index.js": "x",
        ".venv/lib/x.py": "x",
        ".pytest_cache/v": "x",
        "src/__pycache__/core.cpython-311.pyc": b"\0",
        "src/ledger/evil.pyc": b"\0",
        "src/ledger/core.abi3.so": b"\0",
    }
    staged = put(files)
    assert tree(staged.root) == codebase()
    assert staged.facts.changes == ()
    assert sorted(kinds(staged).values()) == ["bytecode", "vcs_dir"]


def test_changed_and_deleted_visible_tests_are_kept_as_data(put):
    weaker = "def test_one():\n    pass\n"
    files = whole_workspace(**{"tests/static/unit/test_total.py": weaker, "README.md": "changed\n"})
    del files["tests/static/conftest.py"], files["src/ledger/queue.py"]
    staged = put({**files, "submission.yaml": "complete: true\nagent: someone\n"})
    assert set(staged.tests_changed) == {"tests/static/unit/test_total.py", "tests/static/conftest.py"}
    assert staged.handed_in == {"tests/static/unit/test_total.py": weaker.encode(), "README.md": b"changed\n"}
    assert staged.deleted == ("src/ledger/queue.py",)
    rows = {c.path: (c.status, c.in_scope) for c in staged.facts.changes}
    assert rows["tests/static/conftest.py"] == ("deleted", False)
    assert rows["src/ledger/queue.py"] == ("deleted", True)
    assert rows["README.md"] == ("modified", False)
    assert "src/ledger/queue.py" not in tree(staged.root)
    assert tree(staged.root)["README.md"] == codebase()["README.md"]
    assert staged.facts.agent == "someone"


def test_a_folder_is_an_overlay_and_deletes_nothing(put):
    staged = put({"app.py": "x\n"})
    assert staged.deleted == () and set(codebase()) <= set(tree(staged.root))


def test_files_in_the_place_of_folders_and_the_other_way_round(put, tmp_path, package):
    staged = put({"src": "I was a folder\n", "app.py/x.py": "x"}, name="odd")
    assert tree(staged.root) == codebase()
    manifest = MANIFEST.replace('"app.py"]', '"**"]')
    wide = build(tmp_path / "wide", **{"challenge.yaml": manifest})
    folder = write(tmp_path / "s", {"src": "file\n", "app.py/x.py": "x"})
    both = stage(wide, open_submission(folder, wide), tmp_path / "t")
    assert kinds(both) == {"src": "bad_name", "app.py/x.py": "bad_name"}
    assert tree(both.root) == codebase()


@pytest.mark.parametrize(
    "name", ["a\x1b[2Jb.py", "a\u202eb.py", "a\u200bb.py", " a.py", "a\nb.py", "a\\b.py", "x" * 210 + ".py"]
)
def test_odd_names_are_refused_and_shown_harmlessly(put, name):
    staged = put({f"src/{name}": "x"})
    (row,) = staged.facts.refusals
    assert row.kind == "bad_name" and row.path.isprintable()
    assert tree(staged.root) == codebase()


def test_names_that_are_no_text(put):
    def prepare(folder: Path) -> None:
        with open(os.fsencode(folder) + b"/NOTES\xff.md", "wb") as file:
            file.write(b"x")

    staged = put({}, prepare)
    assert "bad_name" in kinds(staged).values()
    assert staged.facts.model_dump_json()


@pytest.mark.parametrize(
    ("where", "most"),
    [
        ("src/big.bin", limits.FILE_BYTES),
        ("src/log.jsonl", limits.FILE_BYTES),
        ("data.db", limits.TOTAL_BYTES),
        (".git/pack", None),
        ("agent/session.JSONL", None),
    ],
)
def test_one_file_that_is_too_large_refuses_the_whole(tmp_path, package, where, most):
    place = tmp_path / "large" / where
    place.parent.mkdir(parents=True)
    with place.open("wb") as file:
        file.truncate((most or limits.TOTAL_BYTES) + 1)
    if most is None:
        open_submission(tmp_path / "large", package)  # it never counts, or is no part of the code
    else:
        with pytest.raises(BadSubmission, match=f"larger than {most >> 20} MiB") as caught:
            open_submission(tmp_path / "large", package)
        assert where in str(caught.value)
        os.truncate(place, most)
        open_submission(tmp_path / "large", package)


def test_sizes_and_counts(put, tmp_path, package):
    staged = put({"src/big.bin": bytes(limits.FILE_BYTES), "data.db": bytes(limits.FILE_BYTES + 1)})
    assert kinds(staged) == {"data.db": "out_of_scope"}
    many = tmp_path / "many"
    many.mkdir()
    for number in range(limits.FILES + 1):
        (many / f"f{number}").touch()
    with pytest.raises(BadSubmission, match=f"more than {limits.FILES} files"):
        open_submission(many, package)
    deep = tmp_path / "deep"
    deep.joinpath(*["d"] * (limits.DEPTH + 6)).mkdir(parents=True)
    assert stage(package, open_submission(deep, package), tmp_path / "deep-t").taken == ()


def test_many_refused_files_are_cut_and_counted(put):
    staged = put({f"junk/{n}.txt": "x" for n in range(limits.LISTED + 50)})
    assert len(staged.facts.changes) == len(staged.facts.refusals) == limits.LISTED
    assert {n.kind for n in staged.notices} == {"cut", "nothing_taken", "deliverable_missing"}


# --- what cannot be opened


def test_an_empty_folder_is_a_legal_submission(put):
    staged = put({})
    assert (
        staged.taken == ()
        and tree(staged.root) == codebase()
        and {n.kind for n in staged.notices} == {"deliverable_missing"}
    )


def test_what_is_no_submission(tmp_path, package):
    with pytest.raises(NotFound, match="no such submission"):
        open_submission(tmp_path / "none", package)
    os.mkfifo(tmp_path / "fifo.tar")
    with pytest.raises(BadSubmission, match="pipe, socket or device"):
        open_submission(tmp_path / "fifo.tar", package)
    (tmp_path / "solution.py").write_text("x")
    with pytest.raises(BadSubmission, match="a submission is a folder"):
        open_submission(tmp_path / "solution.py", package)
    with (tmp_path / "junk.zip").open("wb") as file:
        file.truncate(100 * limits.MIB)
    with pytest.raises(BadSubmission, match="larger than 64 MiB"):
        open_submission(tmp_path / "junk.zip", package)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(BadSubmission, match="cannot be reached"):
        open_submission(tmp_path / "loop", package)
    with pytest.raises(BadSubmission, match="cannot be reached"):
        open_submission(Path("a\0b"), package)


def test_what_may_not_be_read(package):
    assert package.given
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        write(root, {"a/src/a.py": "x", "b/app.py": "x", "b/other/b.py": "x", "x.zip": "x", "c/x": "x"})
        for path in (root / "a/src", root / "b/other/b.py", root / "x.zip", root / "c"):
            path.chmod(0)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)  # root reads everything
        try:
            for bad in (root / "x.zip", root / "c"):
                with pytest.raises(BadSubmission, match="cannot be read"):
                    open_submission(bad, package)
            assert open_submission(root / "a", package).files["src"].problem == ("not_a_file", "it cannot be read")
            assert open_submission(root / "b", package).files["other/b.py"].data is None
        finally:
            os.seteuid(user)
            for path in (root / "a/src", root / "c"):
                path.chmod(0o755)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agnet: me\n", "submission.yaml:1:1: unknown key 'agnet' — did you mean 'agent'?"),
        ("agent: 3\n", "`agent` must be text, not the number 3"),
        ("complete: yes\n", "`complete` must be true or false, not 'yes'"),
        ("iterations: [{seconds: -1}]\n", "`iterations[0].seconds` must be at least 0"),
        ("deliverables: {note: NOTES.md}\n", "did you mean 'notes'?"),
        ("deliverables: {notes: ../x}\n", "is not a file that may be handed in"),
        ("[", "this is no YAML"),
    ],
)
def test_a_bad_submission_yaml_is_explained(tmp_path, package, text, said):
    folder = write(tmp_path / "s", {"submission.yaml": text})
    with pytest.raises(BadSubmission) as raised:
        open_submission(folder, package)
    assert said in str(raised.value)


def test_what_submission_yaml_says(put):
    text = "agent: me\ncost_usd: 0.5\niterations: [{seconds: 10}, {seconds: 20.5, note: b}]\n"
    text += "deliverables: {notes: src/N.md}\n"
    staged = put({"submission.yaml": text, "src/N.md": "Only the first entry was counted.\n"})
    facts = staged.facts
    assert (facts.agent, facts.cost_usd, facts.iterations) == ("me", 0.5, 2)
    assert (facts.deliverables[0].path, facts.deliverables[0].present, facts.deliverables[0].words) == (
        "src/N.md",
        True,
        6,
    )
    assert "submission.yaml" not in tree(staged.root)


def test_the_target_must_be_fresh(put, package, tmp_path):
    write(tmp_path / "used", {"x": "y"})
    with pytest.raises(BadUsage, match="not empty"):
        workspace(package, tmp_path / "used")


# --- what an agent is given


def test_the_workspace_holds_no_hidden_byte(package, tmp_path):
    paths = workspace(package, tmp_path / "w")
    found = tree(tmp_path / "w")
    assert set(paths) == set(found) == set(whole_workspace())
    for data in found.values():
        assert b"hidden_marker" not in data.lower() and b"HIDDEN_MARKER" not in data
    assert not any("adversarial" in p or "secrets_of_hidden" in p or "reference" in p for p in found)


def test_support_that_support_needs_comes_along(tmp_path):
    package = build(
        tmp_path / "p",
        **{
            "tests/support/builders.py": "from kit import parts\n",
            "tests/support/kit/__init__.py": "",
            "tests/support/kit/parts.py": "",
        },
    )
    assert {p for p in package.given if p.startswith("tests/support")} == {
        "tests/support/builders.py",
        "tests/support/kit/__init__.py",
        "tests/support/kit/parts.py",
    }


PATHS = st.sampled_from(
    [
        *(
            "src/ledger/core.py",
            "src/new.py",
            "app.py",
            "NOTES.md",
            "README.md",
            "conftest.py",
            "src/conftest.py",
            "pytest.py",
        ),
        *(
            "tests/static/unit/test_total.py",
            "tests/test_x.py",
            ".git/config",
            "src/__pycache__/x.pyc",
            "pyproject.toml",
        ),
        *("src/ledger/queue.py", "x/y/z.txt", "src/os.py", "src/ledger/queue.py/x"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(PATHS, st.binary(max_size=30), max_size=8), st.booleans())
def test_nothing_outside_editable_ever_reaches_the_tree(tmp_path_factory, files, complete):
    root = tmp_path_factory.mktemp("law")
    package = build(root / "p")
    folder = root / "s"
    folder.mkdir()
    for name, data in files.items():
        try:
            write(folder, {name: data})
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
    if complete:
        write(folder, {"submission.yaml": "complete: true\n"})
    try:
        staged = stage(package, open_submission(folder, package), root / "t")
    except BoutsError as error:
        pytest.fail(str(error))
    for path, data in tree(staged.root).items():
        handed = path in staged.taken
        assert data == ((folder / path).read_bytes() if handed else codebase()[path])
        if handed:
            assert path.startswith("src/") or path in ("NOTES.md", "app.py")
            assert Path(path).name not in ("conftest.py", "os.py", "pytest.py")
    assert set(staged.deleted).isdisjoint(tree(staged.root))
    assert staged.deleted == () or complete
