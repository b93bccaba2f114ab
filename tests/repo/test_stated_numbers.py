"""The check that no text states another number than the tables: it passes, and it fails when it should."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from bouts.policy import catalogue
from bouts.policy.four_judge_1 import FOUR_JUDGE_1

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))
SPEC = importlib.util.spec_from_file_location("check_numbers", SCRIPTS / "check_numbers.py")
assert SPEC is not None
assert SPEC.loader is not None
check = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check)

import code_numbers as numbers_in_code  # noqa: E402 - scripts beside the check
from stated_numbers import ALLOWED, STATEMENTS  # noqa: E402

MARK = "The static tests weigh <!-- policy four-judge objective.weights.static{form} -->{said}<!-- /policy --> of it."


def wrong(found) -> list[str]:
    """What is wrong in some texts by themselves, so without what other texts would have to match."""
    return [p for p in check.problems(found) if not p.startswith("stated_numbers.py")]


def test_every_text_agrees_with_the_tables():
    assert check.problems(check.texts()) == []
    assert check.defaults() == []


@pytest.mark.parametrize("row", dict.fromkeys(STATEMENTS), ids=lambda row: f"{row.files} {row.source}")
def test_a_changed_number_is_found(row):
    found = [t for t in check.texts() if check.fnmatch(t.where, row.files) and re.search(row.pattern, t.body)]
    assert found
    for text in found:
        match = re.search(row.pattern, text.body)
        start, end = match.span("n")
        said = match["n"]
        other = said[:-1] + ("1" if said[-1] != "1" else "2")
        changed = check.Text(text.where, text.body[:start] + other + text.body[end:])
        reported = wrong([changed])
        assert any(f"says {other}" in problem and row.source in problem for problem in reported)


@pytest.mark.parametrize(
    "sentence",
    [
        "Static tests have a weight of 0.4.",
        "A severe violation costs −25 points.",
        "| static | share 40 % |",
        "- The cap is 75 with a critical finding.",
        "With raters 15 points apart the spread is too wide.",
    ],
)
@pytest.mark.parametrize(
    "where", ["README.md", "docs/how-to/new.md", "docs/reference/x.schema.json", "policy four-judge"]
)
def test_a_number_that_is_bound_to_nothing_is_found(sentence, where):
    (problem,) = wrong([check.Text(where, f"Before.\n\n{sentence}\n\nAfter.")])
    assert "bound to no table" in problem
    assert problem.startswith(f"{where}:3:")


@pytest.mark.parametrize(
    ("form", "said", "problem"),
    [
        ("", "0.40", None),
        ("", "0.4", None),
        ("", "0.45", "says 0.45, and four-judge:objective.weights.static is 0.4"),
        (" as percent", "40", None),
        (" as percent", "40 %", None),
        (" as percent", "41", "says 41"),
        ("", "two fifths", "is no number"),
    ],
)
def test_marks_bind(form, said, problem):
    found = wrong([check.Text("README.md", MARK.format(form=form, said=said))])
    assert len(found) == (problem is not None)
    assert problem is None or problem in found[0]


def test_a_mark_that_leads_nowhere_is_found():
    for source in ("four-judge objective.weights.statics", "five-judge objective.weights.static"):
        text = check.Text("README.md", f"The weight is <!-- policy {source} -->0.4<!-- /policy -->.")
        assert "is no number of a table" in wrong([text])[0]


def test_numbers_that_say_nothing_of_scores_are_left_alone():
    for text in (
        "Starting one costs about 15 ms.",
        "R1 and CWE-89 weigh nothing.",
        "Scores are 0–100.",
        "See bouts.card/1.",
    ):
        assert wrong([check.Text("README.md", text)]) == []


def test_statements_and_allowances_that_match_nothing_are_found():
    unused = [p for p in check.problems([]) if p.startswith("stated_numbers.py")]
    assert len(unused) == len(dict.fromkeys((*STATEMENTS, *ALLOWED)))


def test_another_number_in_the_table_makes_texts_wrong(monkeypatch):
    weights = FOUR_JUDGE_1.objective.weights.model_copy(update={"static": 0.41})
    objective = FOUR_JUDGE_1.objective.model_copy(update={"weights": weights})
    changed = FOUR_JUDGE_1.model_copy(update={"objective": objective})
    monkeypatch.setattr(catalogue, "POLICIES", {**catalogue.POLICIES, "four-judge": changed})
    assert any(p.startswith("README.md") and "says 0.40" in p for p in check.problems(check.texts()))


def test_a_schema_default_that_drifted_is_found(tmp_path):
    place = tmp_path / "docs" / "reference"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "reference" / "challenge.schema.json", place)
    assert check.defaults(tmp_path) == []
    path = place / "challenge.schema.json"
    body = json.loads(path.read_text(encoding="utf-8"))
    body["$defs"]["Limits"]["properties"]["test_seconds"]["default"] = 11
    path.write_text(json.dumps(body), encoding="utf-8")
    assert len(check.defaults(tmp_path)) == 2


def test_pages_are_read_without_their_markup():
    page = "<style>.a { width: 40px }</style><p class='w12'>The weight is <b>0.4</b>{{ card.score }}</p>"
    assert check._readable(page).split() == ["The", "weight", "is", "0.4"]


def test_numbers_in_the_code_of_scores_stand_in_tables():
    assert numbers_in_code.stray(ROOT) == []


@pytest.mark.parametrize(
    ("room", "text", "found"),
    [
        ("scoring", "def f(score):\n    return score >= 80\n", ["80 stands in no table of a policy (in f)"]),
        ("scoring", "_SEVERE = 80\n", ["80 stands in no table of a policy (in _SEVERE)"]),
        ("scoring", "def f(score):\n    return score - 10\n", ["10 stands in no table of a policy (in f)"]),
        (
            "standings",
            "class A:\n    def f(self):\n        return 0.4 * self.x\n",
            ["0.4 stands in no table of a policy (in f)"],
        ),
        (
            "render",
            "def f(x):\n    return 'good' if x >= 75 else 'bad'\n",
            ["75 stands in no table of a policy (in f)"],
        ),
        ("render", "WIDTH = 80\n", []),
        ("scoring", "def f(x):\n    return 100 * x[:3] + 10**2 if len(x) > 3 else show(x, 4)\n", []),
    ],
)
def test_a_number_in_the_code_of_scores_is_seen(tmp_path, room, text, found):
    file = tmp_path / "src" / "bouts" / room / "new.py"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    rows = [row.partition(": ")[2] for row in numbers_in_code.stray(tmp_path) if not row.startswith("code_numbers.py")]
    assert rows == found
