"""Which rule speaks for which test."""

from __future__ import annotations

from challenge_packages import MANIFEST
from hypothesis import given
from hypothesis import strategies as st

from bouts.challenges.reading import read_manifest
from bouts.challenges.rubric import decides, match_adversarial, match_id, match_static, solved_by
from bouts.model.challenge import Category, StaticRule, Suite
from bouts.model.inventory import Inventory

RUBRIC = read_manifest(MANIFEST.encode()).rubric


def rule(match: str, **more) -> StaticRule:
    return StaticRule(match=match, category=more.get("category", Category.FUNCTIONALITY), behaviour="adds")


def test_brackets_are_literal_and_only_the_star_is_special():
    assert match_id("unit/test_a.py::test_b[1-x]", "unit/test_a.py::test_b[1-x]")
    assert match_id("unit/test_a.py::test_b[1-x]", "unit/test_a.py::test_b[*]")
    assert not match_id("unit/test_a.py::test_b1", "unit/test_a.py::test_b[12]")
    assert not match_id("unit/test_ab", "unit/test_a?")
    assert match_id("e2e/deep/test_x.py::T::test_y", "e2e/*")
    assert not match_id("a", "a*a")
    assert match_id("aXbXc", "a*b*c") and not match_id("acb", "a*b*c")


@given(
    st.lists(st.text(alphabet="ab[]/:*", max_size=4), min_size=1, max_size=4),
    st.lists(st.text(max_size=3), min_size=3, max_size=3),
)
def test_filling_the_stars_always_matches(pieces, fillings):
    pieces = [p.replace("*", "") for p in pieces]
    filled = "".join(p + f for p, f in zip(pieces, fillings + [""] * len(pieces), strict=False))
    filled = pieces[0] + "".join(fillings[n % 3] + p for n, p in enumerate(pieces[1:]))
    assert match_id(filled, "*".join(pieces))


def test_the_first_rule_decides_and_the_rest_is_told():
    rules = (rule("unit/a"), rule("unit/*"), rule("never/*"))
    matched = match_static(RUBRIC.model_copy(update={"static": rules}), ["unit/a", "unit/b", "other/c"])
    assert matched.rules["unit/a"].match == "unit/a"
    assert matched.rules["unit/b"].match == "unit/*"
    assert matched.unmatched == ("other/c",)
    assert matched.unused == ("never/*",)
    assert matched.ambiguous == ()


def test_rules_that_disagree_are_ambiguous_where_the_first_is_no_narrower():
    rules = (rule("unit/*"), rule("unit/a*", category=Category.EDGE))
    assert match_static(RUBRIC.model_copy(update={"static": rules}), ["unit/ab"]).ambiguous == ("unit/ab",)
    same = (rule("unit/*"), rule("unit/a*"))
    assert match_static(RUBRIC.model_copy(update={"static": same}), ["unit/ab"]).ambiguous == ()


def test_solved_by():
    inventory = Inventory(tests_digest="x", static=("unit/a",), adversarial=("input/b", "input/c"))
    assert solved_by(RUBRIC, inventory) == ("static/unit/a", "adversarial/input/b", "adversarial/input/c")
    some = RUBRIC.model_copy(update={"solved_by": ("adversarial/*/b",)})
    assert solved_by(some, inventory) == ("adversarial/input/b",)
    assert not decides(some, Suite.STATIC, "unit/a")
    assert match_adversarial(RUBRIC, ["input/b"]).rules["input/b"].cwe == "CWE-20"
