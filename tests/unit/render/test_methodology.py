"""Methodology pages: complete, computed, and free of numbers of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bouts.render.methodology as package
from bouts.model.base import Fact
from bouts.policy.catalogue import POLICIES
from bouts.policy.fields import fields
from bouts.render.methodology import overview, reading
from bouts.render.methodology.page import page
from bouts.render.methodology.rulings import rulings
from bouts.render.policy import text

FOLDER = Path(package.__path__[0])
SCALE = re.compile(r"\b(?:0|100)\b")


def test_every_field_of_a_policy_is_on_its_page():
    for policy in POLICIES.values():
        shown = page(policy)
        for row in fields(policy):
            assert text(row.value).split(", ")[0] in shown, row.path


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        (
            "four-judge",
            ("= 83.6", "= 53 ", "= 47 ", "= 89.7", "| **80** |", "| **50** |", "| **35** |", "only compiles has 30"),
        ),
        (
            "six-component",
            ("82.075 exactly", "= 74.5", "| 40, 70, 80 | 75 |", "| 50, 70, 90 | 60, flagged |", "**75**"),
        ),
        ("partial-credit", ("= 85.65", "execute_code", "rm -rf")),
        ("headline", ("**65.1**", "1 of 10 draws", "| 1250 ms | 90 |")),
    ],
)
def test_worked_examples(name, examples):
    shown = page(POLICIES[name])
    for example in examples:
        assert example in shown


@pytest.mark.parametrize("name", ["four-judge", "six-component"])
def test_the_known_oddity_is_stated(name):
    assert "60, 70, 75 → 70, but 60, 70, 80 → 60" in page(POLICIES[name])
    assert "60, 70, 75 → 70, but 60, 70, 80 → 60" in overview.page()


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_rulings_have_numbers_once_and_words(policy):
    rows = rulings(policy)
    numbers = [row.number for row in rows if row.number]
    assert numbers == sorted(set(numbers))
    assert {1, 2, 27, 39} <= set(numbers)
    assert all(row.title and row.text.endswith(".") for row in rows)


def strings(tree: ast.AST) -> Iterator[str]:
    """Texts of a module that end up on a page: everything but docstrings."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }
    docs |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_no_sentence_states_a_number_of_its_own(path):
    """Whatever a page says of a policy comes from the table: prose in the generator holds no number."""
    if path.name == "example.py":
        return
    odd = [
        said
        for said in strings(ast.parse(path.read_text(encoding="utf-8")))
        if re.search(r"\d", SCALE.sub("", said))
        and not re.fullmatch(r"[0-9.]+|_?[a-z0-9_]+|.*\.md.*|.*sha256.*|%.*", said)
        and not re.search(
            r"CWE|0–100|R1|R2|^\d\. |Judge \d|\b1 − |1·|= 1, |r = 1|further 1|add up to 1|shares of 1|As shares|\|2·",
            said,
        )
    ]
    assert odd == []


def scaled(fact: Fact, path: str, value: object) -> Fact:
    """The table with another value at a path of plain facts."""
    head, _, rest = path.partition(".")
    inner = getattr(fact, head)
    return fact.model_copy(update={head: scaled(inner, rest, value) if rest else value})


@pytest.mark.parametrize(
    ("name", "path", "value", "said"),
    [
        ("four-judge", "objective.weights.static", 0.47, "`objective.weights.static` | 0.47 |"),
        ("four-judge", "objective.build.compiles", 31.0, "only compiles has 31"),
        ("four-judge", "strategy.panel.spread", 20.0, "60, 70, 80 → 70"),
        ("four-judge", "integrity.hold_at", -17.0, "A violation of −17 or worse"),
        ("four-judge", "neutral", 51.0, "neutral 51"),
        ("six-component", "security.critical_cap", 70.0, "at most 70"),
        ("six-component", "deliverables.weights.accuracy", 0.5, "`deliverables.weights.accuracy` | 0.5 |"),
        ("partial-credit", "tool_usage.characters", 12, "shorter than 12 characters"),
        ("headline", "composite.consistency_runs", 7, "from 7 completed runs"),
        ("headline", "radar.runs", 90, "latest 90 runs"),
    ],
)
def test_another_number_in_the_table_is_another_page(name, path, value, said):
    changed = scaled(POLICIES[name], path, value)
    assert said not in page(POLICIES[name])
    assert said in page(changed)


def test_the_worked_card_adds_up_and_has_something_of_everything():
    shown = reading.page()
    for part in ("VIOLATION", "bonus", "HOLDS", "Disagreement", "held"):
        assert part in shown
    total = re.search(r"```text\n(0\.5·.*)\n```", shown)
    assert total
    left, _, right = total[1].partition(" = ")
    terms = [t.split("·") for t in left.replace(" − ", " + -").split(" + ")]
    value = sum(float(a) * float(b[0]) if b else float(a) for a, *b in terms)
    assert value == pytest.approx(float(right), abs=0.02)
