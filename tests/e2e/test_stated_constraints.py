"""Declared constraints from the package to the card: honest submissions keep them, others are shown where not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from whole import ROOT, Bouts

CONSTRAINTS = """
constraints:
  - {kind: may_not_import, says: no regular expressions, modules: [re]}
  - {kind: must_use_recursion, says: slugify is recursive, function: "solution.py::slugify"}
  - {kind: must_keep_signature, says: add keeps its parameters, function: "solution.py::add"}
  - {kind: script, says: nothing is printed, path: constraints/no_print.py}
"""
NO_PRINT = """\
import ast, json, sys
for path in json.load(sys.stdin)["changed"]:
    for node in ast.walk(ast.parse(open(path).read())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
            print(json.dumps({"path": path, "line": node.lineno, "message": "it prints"}))
"""
HONEST = '''\
def add(a, b):
    return a + b


def merge_intervals(xs):
    out = []
    for lo, hi in sorted(map(list, xs)):
        if out and lo <= out[-1][1]:
            out[-1][1] = max(out[-1][1], hi)
        else:
            out.append([lo, hi])
    return out


def slugify(text):
    """Lower case, words joined by hyphens."""
    kept = [c if c.isascii() and c.isalnum() else " " for c in text.lower()]
    return join("".join(kept).split())


def join(words):
    return words[0] + ("-" + join(words[1:]) if words[1:] else "") if words else ""
'''
BREAKS = HONEST.replace("def add(a, b):", "def add(a, b, c=0):\n    print(a)").replace(
    "join(words[1:])", "'-'.join(words[1:])"
)
BREAKS = "import importlib\n\nrules = importlib.import_module('r' + 'e')\n\n\n" + BREAKS


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("constrained") / "python"
    shutil.copytree(ROOT / "tests" / "exploits" / "challenges" / "python", folder)
    manifest = folder / "challenge.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + CONSTRAINTS, encoding="utf-8")
    for path, text in {
        "constraints/no_print.py": NO_PRINT,
        "reference/solution.py": HONEST,
        "samples/cheat-rules/expect.yaml": "violations: [constraint_violated]\n",
        "samples/cheat-rules/submission/solution.py": BREAKS,
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def test_each_constraint_that_is_not_kept_counts_once_with_its_places(
    bouts: Bouts, package: Path, tmp_path: Path
) -> None:
    card = tmp_path / "card.json"
    ran = bouts("score", package, package / "samples" / "cheat-rules" / "submission", "--out", card)
    assert ran.status == 0, ran
    found = json.loads(card.read_text(encoding="utf-8"))["violations"]
    assert [(one["kind"], one["points"]) for one in found] == [("constraint_violated", -10.0)] * 4
    by_rule = {one["because"]: one["evidence"][0] for one in found}
    assert sorted(by_rule) == [
        "not kept: add keeps its parameters",
        "not kept: no regular expressions",
        "not kept: nothing is printed",
        "not kept: slugify is recursive",
    ]
    lines = BREAKS.split("\n")
    for proof in by_rule.values():
        assert proof["path"] == "solution.py"
        assert proof["excerpt"].split("\n")[0] == lines[proof["line"] - 1]
    assert by_rule["not kept: add keeps its parameters"]["other"]["excerpt"].startswith("def add(a, b):")


def test_an_honest_submission_keeps_them(bouts: Bouts, package: Path, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    ran = bouts("score", package, package / "reference", "--out", card)
    assert ran.status == 0, ran
    read = json.loads(card.read_text(encoding="utf-8"))
    assert (read.get("violations", []), read["outcome"]) == ([], "solved")


def test_a_check_sees_that_they_are_kept_and_that_a_sample_breaks_them(bouts: Bouts, package: Path) -> None:
    checks = bouts("check", package, "--samples", "--json").json["checks"]
    of = {one["name"]: one for one in checks if one["name"] in ("constraints", "sample cheat-rules")}
    assert {name: one["level"] for name, one in of.items()} == {"constraints": "ok", "sample cheat-rules": "ok"}
    assert not any("integrity" in one["message"] for one in checks if one["name"] == "reference")


def test_a_reference_that_breaks_one_is_told(bouts: Bouts, package: Path, tmp_path: Path) -> None:
    folder = tmp_path / "python"
    shutil.copytree(package, folder)
    (folder / "reference" / "solution.py").write_text(HONEST + "\nimport re\n", encoding="utf-8")
    checks = bouts("check", folder, "--json").json["checks"]
    assert any(one["level"] == "error" and "constraint_violated" in one["message"] for one in checks)


def test_a_script_that_crashes_is_a_note(bouts: Bouts, package: Path, tmp_path: Path) -> None:
    folder = tmp_path / "python"
    shutil.copytree(package, folder)
    (folder / "constraints" / "no_print.py").write_text("1 / 0\n", encoding="utf-8")
    card = tmp_path / "card.json"
    ran = bouts("score", folder, folder / "reference", "--out", card)
    assert ran.status == 0, ran
    flags = {one["kind"]: one for one in json.loads(card.read_text(encoding="utf-8"))["flags"]}
    assert "ZeroDivisionError" in flags["constraint_unchecked"]["why"]
