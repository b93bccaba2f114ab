"""Reading packages: good ones, and every way in which a manifest can be wrong."""

from __future__ import annotations

import json
import os

import pytest
from challenge_packages import MANIFEST, build, build_folder, write
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.challenges import limits
from bouts.challenges.problems import read_fact
from bouts.challenges.reading import read_challenge, read_expectation, read_manifest
from bouts.errors import BadChallenge, BoutsError, NotFound
from bouts.model.challenge import Challenge


def problems(text: str | bytes) -> tuple[str, ...]:
    with pytest.raises(BadChallenge) as raised:
        read_manifest(text if isinstance(text, bytes) else text.encode())
    assert raised.value.exit_status == 2
    return raised.value.problems


def line_of(text: str, piece: str) -> int:
    return text[: text.index(piece)].count("\n") + 1


def test_a_good_package_is_read(tmp_path):
    package = build(tmp_path)
    assert package.manifest.id == "ledger-sum"
    assert package.digest.startswith("sha256:")
    assert "samples/naive-first/expect.yaml" not in package.files
    assert [s.name for s in package.samples] == ["naive-first", "reference-full"]
    assert package.facts().time_limit_seconds == 1200


def test_a_misspelt_key_is_named_with_place_and_nearest(tmp_path):
    text = MANIFEST.replace("title: Ledger", "titel: Ledger")
    (only,) = problems(text)
    line = line_of(text, "titel")
    assert only == f"challenge.yaml:{line}:1: unknown key 'titel' — did you mean 'title'?"


def test_nested_keys_are_compared_with_the_keys_of_their_place():
    text = MANIFEST.replace("  static: {boundary: calls}", "  static: {boundry: calls}")
    line = line_of(text, "boundry")
    assert problems(text)[0] == f"challenge.yaml:{line}:12: unknown key 'boundry' — did you mean 'boundary'?"


def test_a_key_that_resembles_nothing_gets_the_list_of_keys():
    found = problems(MANIFEST + "zzzzqqq: 1\n")
    assert "unknown key 'zzzzqqq'; known here: budget, constraints, deliverables, dependencies" in found[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tier: 1", 'tier: "1"', "`tier` must be a whole number, not '1'"),
        ("tier: 1", "tier: 9", "`tier` must be at most 4, not the number 9"),
        ("tier: 1", "tier: true", "`tier` must be a whole number, not true"),
        ("format: sprint", "format: sprnt", "not 'sprnt' — did you mean 'sprint'?"),
        ("version: 1.0.0", "version: 1.0", "`version` must be text, not the number 1.0; put it in quotes"),
        ("version: 1.0.0", "version: one", "must be three numbers, such as 1.0.0, not 'one'"),
        ("lock: null", "python: 3.11", "`environment.python` must be text, not the number 3.11; put it in quotes"),
        ("{minutes: 20}", "{minutes: -2}", "`budget.minutes` must be more than 0, not the number -2"),
        ("{minutes: 20}", "20", "`budget` must be a mapping (`key: value` lines), not the number 20"),
        ("{minutes: 20}", "", "`budget` must be a mapping (`key: value` lines), not nothing"),
        ('["src/**", "NOTES.md", "app.py"]', "src/**", "`editable` must be a list, not 'src/**'; write each entry"),
        ("id: ledger-sum", "id: Ledger_Sum", "must be lower-case letters and digits"),
        ("validates: [adds]", "validates: []", "`rubric.adversarial[0].validates` must be a list with no fewer"),
        ("    adds: It", "    Ad ds: It", "the key 'Ad ds' must be lower-case letters and digits"),
        ("cwe: CWE-20", "cwe: twenty", "must be a CWE number such as CWE-20"),
        ("id: ledger-sum\n", "", "the key 'id' is missing"),
        ("{boundary: calls}", "{boundary: htpp}", "not 'htpp' — did you mean 'http'?"),
    ],
)
def test_wrong_values_are_explained(old, new, said):
    assert old in MANIFEST
    assert any(said in p for p in problems(MANIFEST.replace(old, new, 1))), problems(MANIFEST.replace(old, new, 1))


def test_many_mistakes_come_in_one_go_the_most_helpful_first():
    text = MANIFEST.replace("\ntitle:", "\ntitel:").replace("tier: 1", "tier: x").replace("version: 1.0.0\n", "")
    found = problems(text)
    assert len(found) == 3
    assert "titel" in found[0] and "tier" in found[1] and "'version' is missing" in found[2]


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", "1:1", "the file is empty"),
        ("a: [1\n", "2:1", "a bracket is never closed"),
        ("a: b: c\n", "1:5", "put the text in quotes"),
        ("a: 1\n\tb: 2\n", "2:1", "indent with spaces"),
        ("a: &x 1\nb: *x\n", "1:4", "anchors and aliases"),
        ("a: 1\nb: 2\na: 3\n", "3:1", "the key 'a' stands here twice; it is also in line 1"),
        ("- 1\n", "1:1", "must be a mapping"),
        ("a: !!python/object:os.system x\n", "1:4", "tags such as"),
        ('a: "x\n', "2:1", "a quote or bracket is never closed"),
        ("a: 1\n---\nb: 2\n", "2:1", "a second document"),
        ("a: \x07\n", "1:4", "control character \\x07"),
        ("[" * 100 + "]" * 100, "1:41", "nested more than 40 deep"),
    ],
)
def test_broken_yaml_is_placed_and_said_plainly(text, place, said):
    (only,) = problems(text)
    assert only.startswith(f"challenge.yaml:{place}: ")
    assert said in only


def test_binary_and_oversized_manifests():
    assert "no UTF-8" in problems(b"\xff\xfe\x00\x01")[0]
    assert "larger than 1 MiB" in problems(b"a" * (1024 * 1024 + 1))[0]


def test_deep_and_aliased_yaml_ends_quickly():
    assert problems("[" * 200_000)
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    assert "anchors and aliases" in problems(bomb)[0]


def test_yaml_words_stay_text():
    text = MANIFEST.replace("summary: Add up a ledger.", "summary: no").replace("title: Ledger sum", "title: 12:30")
    manifest = read_manifest(text.encode())
    assert (manifest.summary, manifest.title) == ("no", "12:30")


HTTP = MANIFEST.replace(
    "  calls: {modules: [ledger], path: [src]}", "  http: {command: [python, app.py], port: 8080}"
).replace("boundary: calls", "boundary: http")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MANIFEST.replace("boundary: calls", "boundary: cli", 1), "`interface.cli` must say how"),
        (
            MANIFEST.replace("adversarial: {boundary: calls}", "adversarial: {boundary: in-process}"),
            "say in `in_process_reason`",
        ),
        (MANIFEST.replace("NOTES.md, title", "docs/N.md, title"), "matches no pattern of `editable`"),
        (MANIFEST.replace('"app.py"]', '"../x"]'), "climbs out"),
        (MANIFEST.replace('"app.py"]', '"/x"]'), "absolute"),
        (MANIFEST.replace('"app.py"]', '"src/"]'), "empty part"),
        (MANIFEST.replace('"app.py"]', '"src/a**"]'), "a part of its own"),
        (MANIFEST.replace('"app.py"]', '"src/**"]'), "stands here twice; it is also entry 1"),
        (
            MANIFEST.replace("behaviour: adds", "behaviour: ads"),
            "is not among `rubric.behaviours` — did you mean 'adds'",
        ),
        (MANIFEST.replace("validates: [adds]", "validates: [subtracts]"), "is not among `rubric.behaviours`"),
        (MANIFEST + "performance: {metrics: [p95_ms], requests: [{path: /}]}\n", "measured on a service only"),
        (HTTP + "performance: {metrics: [memory_mb], requests: [{path: /}]}\n", "memory_mb scores 0 at 1024 MiB"),
        (HTTP + "performance: {metrics: [p95_ms], requests: [{path: x}]}\n", "begins with `/`; write '/x'"),
        (MANIFEST.replace("modules: [ledger]", "modules: [led-ger]"), "is no name of a module"),
        (MANIFEST.replace("lock: null", "lock: null, variables: {PYTHONPATH: x}"), "change how the grader runs"),
        (MANIFEST + "  solved_by: [unit/*]\n", "must begin with `static/` or `adversarial/`"),
    ],
)
def test_rules_that_types_cannot_say(text, said):
    assert any(said in p for p in problems(text)), problems(text)


def test_rules_that_hold_are_quiet():
    assert read_manifest(HTTP.encode()).interface.http
    text = HTTP + "limits: {memory_mb: 2048}\nperformance: {metrics: [memory_mb], requests: [{path: /}]}\n"
    assert read_manifest(text.encode()).performance
    reason = MANIFEST.replace(
        "adversarial: {boundary: calls}", "adversarial: {boundary: in-process, in_process_reason: C}"
    )
    assert read_manifest(reason.encode()).suites.adversarial.in_process_reason == "C"


def test_missing_things(tmp_path):
    build_folder(tmp_path / "ledger-sum", {})
    with pytest.raises(NotFound, match=r"did you mean .*ledger-sum"):
        read_challenge(tmp_path / "ledger-sun")
    with pytest.raises(BadChallenge, match="give its folder"):
        read_challenge(tmp_path / "ledger-sum" / "challenge.yaml")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadChallenge, match=r"there is no challenge\.yaml"):
        read_challenge(tmp_path / "empty")
    write(tmp_path / "yml", {"challenge.yml": "a: 1"})
    with pytest.raises(BadChallenge, match=r"rename challenge\.yml"):
        read_challenge(tmp_path / "yml")


def test_a_manifest_that_is_no_file(tmp_path):
    (tmp_path / "challenge.yaml").mkdir()
    with pytest.raises(BadChallenge):
        read_challenge(tmp_path)
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "challenge.yaml").rmdir()
    (tmp_path / "fifo").rename(tmp_path / "challenge.yaml")
    with pytest.raises(BadChallenge, match="not a regular file"):
        read_challenge(tmp_path)


def test_links_and_pipes_in_a_package_are_refused(tmp_path):
    build_folder(tmp_path, {})
    link = tmp_path / "codebase" / "link.py"
    link.symlink_to("app.py")
    with pytest.raises(BadChallenge, match="may not hold links"):
        read_challenge(tmp_path)
    link.unlink()
    os.mkfifo(link)
    with pytest.raises(BadChallenge, match="regular files only"):
        read_challenge(tmp_path)


def test_the_digest_is_over_names_contents_and_modes(tmp_path):
    package = build(tmp_path)
    first = package.digest
    write(tmp_path, {"codebase/__pycache__/a.pyc": b"x", "samples/bad-x/expect.yaml": "", ".git/HEAD": "x"})
    assert read_challenge(tmp_path).digest == first
    (tmp_path / "codebase/app.py").chmod(0o755)
    with_mode = read_challenge(tmp_path).digest
    (tmp_path / "codebase/app.py").write_text("other\n")
    with_text = read_challenge(tmp_path).digest
    (tmp_path / "codebase/app.py").rename(tmp_path / "codebase/app2.py")
    with_name = read_challenge(tmp_path).digest
    assert len({first, with_mode, with_text, with_name}) == 4


def test_digests_of_parts(tmp_path):
    package = build(tmp_path)
    assert package.dependencies_digest is None
    write(tmp_path, {"challenge.yaml": "# a comment\n" + MANIFEST, "tests/support/new.py": ""})
    again = read_challenge(tmp_path)
    assert again.rubric_digest == package.rubric_digest
    assert again.tests_digest != package.tests_digest
    locked = MANIFEST.replace("lock: null", "lock: environment/requirements.lock")
    write(tmp_path, {"challenge.yaml": locked, "environment/requirements.lock": "x==1\n"})
    assert (read_challenge(tmp_path).dependencies_digest or "").startswith("sha256:")


def test_the_inventory_is_read_and_compared(tmp_path):
    package = build(tmp_path)
    assert package.inventory is None and not package.inventory_fits
    good = {"schema": "bouts.inventory/1", "tests_digest": package.tests_digest, "static": ["a"], "adversarial": []}
    write(tmp_path, {"inventory.json": json.dumps(good)})
    assert read_challenge(tmp_path).inventory_fits
    write(tmp_path, {"tests/static/unit/test_new.py": ""})
    assert not read_challenge(tmp_path).inventory_fits
    for broken in ("{", "[]", json.dumps({**good, "static": 1}), "[" * 100_000):
        write(tmp_path, {"inventory.json": broken})
        with pytest.raises(BadChallenge, match="check --freeze"):
            read_challenge(tmp_path)


def test_expectations_are_read_with_the_same_care(tmp_path):
    write(tmp_path / "naive-x", {"expect.yaml": "band: [0, 60]\nscale: gain\n"})
    assert read_expectation(tmp_path / "naive-x" / "expect.yaml").band == (0, 60)
    write(tmp_path / "naive-x", {"expect.yaml": "bnad: [0, 60]\n"})
    with pytest.raises(BadChallenge, match=r"naive-x/expect.yaml:1:1: unknown key 'bnad' — did you mean 'band'"):
        read_expectation(tmp_path / "naive-x" / "expect.yaml")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_manifest_is_read_or_refused_but_never_crashes(data):
    text = MANIFEST.encode()
    at = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 40))
    junk = data.draw(
        st.binary(max_size=12) | st.sampled_from([b"{", b"[", b": ", b"- ", b"&a ", b"*a", b"!!x ", b"\n  "])
    )
    damaged = text[:at] + junk + text[at + length :]
    fact, _, found = read_fact(damaged, Challenge)
    assert (fact is None) == bool(found)
    for problem in found:
        assert problem.line >= 1 and problem.column >= 1 and problem.what
    if fact is not None:
        try:
            read_manifest(damaged)
        except BoutsError as error:
            assert str(error)


@pytest.mark.parametrize(
    ("where", "most"),
    [
        ("briefing.md", limits.BRIEFING_BYTES),
        ("reference/src/big.py", limits.FILE_BYTES),
        ("codebase/data.bin", limits.PACKAGE_FILE_BYTES),
        ("tests/static/unit/test_big.py", limits.PACKAGE_FILE_BYTES),
    ],
)
def test_a_file_that_is_too_large_is_named(tmp_path, where, most):
    root = build(tmp_path).root
    place = root / where
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch()
    os.truncate(place, most)
    read_challenge(root)
    os.truncate(place, most + 1)
    with pytest.raises(BadChallenge, match="it is larger than") as raised:
        read_challenge(root)
    assert raised.value.where == str(place)
