"""Which rule of the rubric speaks for which test. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from bouts.model.challenge import AdversarialRule, Rubric, StaticRule, Suite
from bouts.model.inventory import Inventory

R = TypeVar("R", StaticRule, AdversarialRule)


@dataclass(frozen=True)
class Matched(Generic[R]):
    """The rubric of one suite applied to its tests."""

    rules: Mapping[str, R]
    """The first rule that matches, by test id."""
    unmatched: tuple[str, ...]
    """Tests that no rule matches: a mistake of the package."""
    ambiguous: tuple[str, ...]
    """Tests that a later rule with equally much literal text matches as well: worth a look, the first rule decides."""
    unused: tuple[str, ...]
    """Patterns that decide no test."""


def match_id(test: str, pattern: str) -> bool:
    """Whether a test id matches: `*` stands for any text, `/` and `::` included; everything else is literal, the
    brackets of parametrised ids too."""
    if "*" not in pattern:
        return test == pattern
    first, *middle, last = pattern.split("*")
    if len(test) < len(first) + len(last) or not test.startswith(first) or not test.endswith(last):
        return False
    place, end = len(first), len(test) - len(last)
    for piece in middle:
        place = test.find(piece, place, end)
        if place < 0:
            return False
        place += len(piece)
    return True


def match_static(rubric: Rubric, tests: Iterable[str]) -> Matched[StaticRule]:
    """Rules for visible tests, whose ids are relative to `tests/static/`."""
    return _match(rubric.static, tests)


def match_adversarial(rubric: Rubric, tests: Iterable[str]) -> Matched[AdversarialRule]:
    """Rules for hidden tests, whose ids are relative to `tests/adversarial/`."""
    return _match(rubric.adversarial, tests)


def _match(rules: tuple[R, ...], tests: Iterable[str]) -> Matched[R]:
    found: dict[str, R] = {}
    unmatched: list[str] = []
    ambiguous: list[str] = []
    for test in tests:
        fitting = [r for r in rules if match_id(test, r.match)]
        if not fitting:
            unmatched.append(test)
            continue
        found[test] = fitting[0]
        literal = _literal(fitting[0])
        if any(_literal(r) >= literal and _differ(r, fitting[0]) for r in fitting[1:]):
            ambiguous.append(test)
    used = {r.match for r in found.values()}
    unused = tuple(r.match for r in rules if r.match not in used)
    return Matched(found, tuple(unmatched), tuple(ambiguous), unused)


def _literal(rule: StaticRule | AdversarialRule) -> int:
    return len(rule.match.replace("*", ""))


def _differ(one: StaticRule | AdversarialRule, other: StaticRule | AdversarialRule) -> bool:
    return one.model_copy(update={"match": ""}) != other.model_copy(update={"match": ""})


def decides(rubric: Rubric, suite: Suite, test: str) -> bool:
    """Whether a test takes part in deciding that a run is solved; all do where `solved_by` names none."""
    return not rubric.solved_by or any(match_id(f"{suite.value}/{test}", p) for p in rubric.solved_by)


def solved_by(rubric: Rubric, inventory: Inventory) -> tuple[str, ...]:
    """The tests that decide, as `static/<id>` and `adversarial/<id>`."""
    lists = ((Suite.STATIC, inventory.static), (Suite.ADVERSARIAL, inventory.adversarial))
    return tuple(f"{suite.value}/{test}" for suite, tests in lists for test in tests if decides(rubric, suite, test))
