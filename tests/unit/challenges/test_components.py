"""What `bouts check` says without running anything."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml
from challenge_packages import BRIEFING, MANIFEST, build, write

from bouts.challenges.checks import Check
from bouts.challenges.components import component_checks
from bouts.challenges.reading import read_challenge
from bouts.challenges.samples import kind_of, submission_of
from bouts.challenges.schema import FILES, json_schema
from bouts.challenges.schema import write as write_schemas


def frozen(root, **changes):
    package = build(root, **changes)
    tests = {
        "static": ["unit/test_total.py::test_one"],
        "adversarial": ["input/test_big.py::test_aa", "input/test_big.py::test_bb"],
    }
    write(root, {"inventory.json": json.dumps({"tests_digest": package.tests_digest, **tests})})
    return read_challenge(root)


def checks(package, level: str = "error") -> list[Check]:
    return [c for c in component_checks(package) if c.level == level]


def messages(package, level: str = "error") -> str:
    return "\n".join(f"{c.name}: {c.message}" for c in checks(package, level))


def test_a_good_package_has_no_errors(tmp_path):
    package = frozen(tmp_path)
    assert messages(package) == ""
    warned = messages(package, "warning").splitlines()
    assert [w for w in warned if not w.startswith("samples: ")] == [
        "rubric: static points: functionality 100 %, edge 0 %, integration 0 %"
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"briefing.md": None}, "briefing: there is no briefing.md"),
        ({"briefing.md": "\n"}, "briefing: briefing.md is empty"),
        ({"briefing.md": BRIEFING.replace("## Context", "## Words")}, "no heading says where the context begin"),
        (
            {"briefing.md": BRIEFING.replace("## Constraints", "## Words")},
            "no heading says where the constraints begin",
        ),
        ({"briefing.md": "## Context\n" + BRIEFING}, "there is no hook"),
        (
            {
                "briefing.md": BRIEFING.replace("## Context", "## X")
                .replace("## Deliverables", "## Context")
                .replace("## X", "## Deliverables")
            },
            "the parts are out of order",
        ),
        (
            {"briefing.md": BRIEFING.replace("core.py", "cora.py", 1)},
            "it mentions `src/ledger/cora.py`, which is not in",
        ),
        ({"briefing.md": BRIEFING + "\nSee `docs/old.md:12`.\n"}, "it mentions `docs/old.md`"),
        ({"briefing.md": BRIEFING + "\nThe hidden tests are strict.\n"}, "it speaks of hidden tests"),
        ({"briefing.md": BRIEFING + "\nSee the rubric.\n"}, "it speaks of the rubric"),
        ({"codebase/README.md": None}, "codebase: it lacks a README"),
        ({"codebase/pyproject.toml": None}, "codebase: it lacks a dependency manifest"),
        ({"codebase/.env.example": None}, "codebase: it lacks an .env.example"),
        ({"codebase/.github/workflows/ci.yml": None}, "codebase: it lacks a CI config"),
        (
            {"challenge.yaml": MANIFEST.replace("lock: null", "lock: environment/r.lock")},
            "there is no environment/r.lock",
        ),
        ({"challenge.yaml": MANIFEST.replace("lock: null", "lock: environment/r.lock")}, "it lacks a lock file"),
        ({"codebase/tests/static/x.py": "x"}, "stands where the agent gets tests/static/x.py"),
        (
            {"codebase/src/helper.py": "def total(entries):\n    return sum(entries)\n"},
            "is the same as reference/src/ledger/core.py",
        ),
        ({"tests/adversarial/odd/test_x.py": "x"}, "lies in none of input, concurrency, state, resource"),
        ({"tests/static/unit/test_total.py": None}, "there are no tests in tests/static/"),
        ({"reference/NOTES.md": None}, "the deliverable NOTES.md is missing in it"),
        ({"reference/README.md": "x"}, "reference/README.md would not be staged"),
        ({"reference/src/conftest.py": "x"}, "reference/src/conftest.py would not be staged"),
        (
            {
                "challenge.yaml": MANIFEST.replace(
                    "    adds: It adds up.", "    adds: It adds up.\n    sorts: It sorts."
                )
            },
            "no hidden rule validates the behaviour 'sorts'",
        ),
        (
            {"challenge.yaml": MANIFEST.replace('"unit/*"', '"unit/x"')},
            "no rule matches static/unit/test_total.py::test_one",
        ),
        (
            {"challenge.yaml": MANIFEST.replace('"input/*"', '"state/*"')},
            "the rules that validate 'adds' match no hidden test",
        ),
        ({"challenge.yaml": MANIFEST.replace("format: sprint", "format: marathon")}, "a marathon has 30 or more"),
        ({"samples/naive-first/expect.yaml": None}, "there is no expect.yaml"),
        ({"samples/naive-first/expect.yaml": "bnad: 1\n"}, "samples/naive-first/expect.yaml:1:1: unknown key 'bnad'"),
        ({"samples/naive-first/expect.yaml": "note: x\n"}, "expects nothing"),
        ({"samples/naive-first/expect.yaml": "band: [9, 1]\n"}, "upside down"),
        ({"samples/naive-first/submission/src/ledger/core.py": None}, "has no submission/"),
        ({"samples/great-one/expect.yaml": "band: [0, 1]\n"}, "is not named <kind>-<name>"),
    ],
)
def test_what_is_wrong_is_an_error_with_a_remedy(tmp_path, changes, said):
    package = frozen(tmp_path, **changes)
    assert said in messages(package)
    assert all(c.remedy for c in component_checks(package) if c.level != "ok")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"challenge.yaml": MANIFEST.replace(": 3\n", ": 2\n")}, "profile: all eight dimensions are 2"),
        (
            {"challenge.yaml": MANIFEST.replace("minutes: 20", "minutes: 50")},
            "the budget is 50 minutes; a sprint has 15 to 20",
        ),
        (
            {"challenge.yaml": MANIFEST.replace("minutes: 20", "minutes: 20, iterations: 5")},
            "5 iterations; a sprint has 1 to 2",
        ),
        ({"challenge.yaml": MANIFEST.replace("tier: 1", "tier: 3")}, "tier 3 has 30 or more"),
        ({"challenge.yaml": MANIFEST.replace('"app.py"]', '"**"]')}, "no file is read-only"),
        ({"challenge.yaml": MANIFEST.replace('"app.py"]', '"lib/**"]')}, "'lib/**' matches nothing"),
        ({"challenge.yaml": MANIFEST.replace('"app.py"]', '"tests/**"]')}, "matches tests alone"),
        (
            {"challenge.yaml": MANIFEST.replace("path: [src]}", "path: [src]}\n  cli: {command: [python, app.py]}")},
            "`interface.cli` is used by no suite",
        ),
        ({"samples/naive-first/transcript.json": None}, "has no transcript.json"),
    ],
)
def test_what_may_be_meant_is_a_warning(tmp_path, changes, said):
    assert said in messages(frozen(tmp_path, **changes), "warning")


def test_flat_profiles_are_usual_at_tiers_0_and_2(tmp_path):
    flat = MANIFEST.replace(": 3\n", ": 2\n").replace("tier: 1", "tier: 2")
    assert "profile" not in messages(frozen(tmp_path, **{"challenge.yaml": flat}), "warning")


def test_words_with_slashes_and_routes_are_no_files(tmp_path):
    text = (
        BRIEFING
        + "\nSend `application/json` to `/orders/{id}`, see `GET /x`, `ledger.core.total` and `a.b()`, `README.md`.\n"
    )
    assert messages(frozen(tmp_path, **{"briefing.md": text})) == ""


def test_too_few_hidden_tests_and_stale_inventories(tmp_path):
    package = build(tmp_path)
    assert "there is no inventory.json" in messages(package)
    rows = {"tests_digest": package.tests_digest, "static": ["unit/a"], "adversarial": ["input/b"]}
    write(tmp_path, {"inventory.json": json.dumps(rows)})
    assert "1 hidden tests for 1 visible ones" in messages(read_challenge(tmp_path))
    write(tmp_path, {"tests/support/x.py": ""})
    assert "the tests have changed" in messages(read_challenge(tmp_path))


def test_a_briefing_that_names_a_hidden_test(tmp_path):
    package = frozen(tmp_path, **{"briefing.md": BRIEFING})
    rows = {
        "tests_digest": package.tests_digest,
        "static": ["unit/a"],
        "adversarial": ["input/t.py::test_zz[1]", "input/b::c"],
    }
    write(tmp_path, {"inventory.json": json.dumps(rows), "briefing.md": BRIEFING + "\nMind test_zz.\n"})
    assert "it names the hidden test test_zz" in messages(read_challenge(tmp_path))


def test_samples_know_their_kind_and_what_is_handed_in(tmp_path):
    package = build(tmp_path)
    found = {s.name: submission_of(package, s) for s in package.samples}
    assert found["reference-full"] == package.root / "reference"
    assert found["naive-first"].name == "submission"
    assert [kind_of(s) for s in package.samples] == ["naive", "reference"]


def test_the_published_schema_accepts_what_is_read_and_refuses_what_is_not():
    schema = json_schema("challenge")
    jsonschema.Draft202012Validator.check_schema(schema)
    good = yaml.safe_load(MANIFEST)
    jsonschema.validate(good, schema)
    for wrong in ({**good, "titel": "x"}, {**good, "tier": 9}, {k: v for k, v in good.items() if k != "id"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)
    assert "eight dimensions" in schema["$defs"]["Profile"]["description"]
    assert schema["properties"]["editable"]["description"].startswith("Patterns of the files")


def test_schemas_are_written_the_same_each_time(tmp_path):
    first = {p.name: p.read_bytes() for p in write_schemas(tmp_path / "a")}
    second = {p.name: p.read_bytes() for p in write_schemas(tmp_path / "b")}
    assert first == second and set(first) == {f"{n}.schema.json" for n in FILES}
