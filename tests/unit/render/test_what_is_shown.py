"""Everything that a reader may get of a card: complete, harmless, and without a word of a hidden test."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import facts
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.model.card import Card, Line
from bouts.model.evidence import Fault, Notice, Proof, Refusal
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.render import derivation, policy
from bouts.render.card import breakdown, view
from bouts.render.html import card_page
from bouts.render.terminal import card_lines, grade, table
from bouts.scoring.explain import derive

SECRET_TEST = "input/test_vault.py::test_zebra_crossing[7-eleven]"
SECRETS = ("zebra", "vault", "7-eleven", "HIDDEN_MESSAGE", "assert secret", "walrus")


def plain(lines: Any) -> str:
    return "\n".join("".join(span.text for span in line) for line in lines)


def telling() -> Card:
    """A card whose evidence has hidden names wherever somebody could put them."""
    hidden = facts.hidden("test_walrus", "failed", message="HIDDEN_MESSAGE assert secret == 7", severity="critical")
    vault = hidden.model_copy(update={"id": SECRET_TEST})
    proof = Proof(path="tests/adversarial/input/test_vault.py", line=3, detail=f"{SECRET_TEST} comes out both ways")
    observed = facts.seen("grader_tampering").model_copy(update={"proofs": (proof,)})
    evidence = facts.evidence(
        (facts.static("test_one"), facts.static("test_two", "failed", message="visible"), hidden, vault),
        notices=(Notice(kind="flaky_test", why=f"{SECRET_TEST} came out both ways"),),
        observations=(observed, facts.seen("disabled_tests", "a skip mark", "tests/static/unit/test_a.py")),
        faults=(Fault(part="integrity_model", message="died while test_walrus ran in test_vault.py"),),
        findings=(facts.finding("high"),),
        session=facts.Tape().test(3).test(10).session(),
        submission=facts.submission(refusals=(Refusal(path="conftest.py", kind="runner_config"),)),
    )
    return facts.stored(evidence)[0]


def every_rendering(card: Card) -> dict[str, str]:
    keys = [line.key for top in card.lines for line in walk(top)]
    return {
        "terminal": plain(card_lines(view(card), 100)),
        "brief": plain(card_lines(view(card), 100, detail=False)),
        "page": card_page(card),
        "json": card.model_dump_json(),
        "view": repr(view(card)),
        **{f"explain {key}": plain(derivation.lines(derive(card, key), 100)) for key in (None, *keys)},
    }


def walk(line: Line) -> list[Line]:
    return [line, *(below for child in line.children for below in walk(child))]


def test_no_rendering_has_a_word_of_a_hidden_test() -> None:
    shown = every_rendering(telling())
    assert len(shown) > 15
    for name, text in shown.items():
        assert text.strip(), name
        assert [word for word in SECRETS if word in text] == [], name
    assert "a hidden test" in shown["page"]


def test_every_line_violation_and_flag_is_shown() -> None:
    card = telling()
    shown = every_rendering(card)
    for text in (shown["terminal"], shown["page"]):
        for line in (line for top in card.lines if top.state != "not_judged" for line in walk(top)):
            assert line.label in text
        for found in (*card.violations, *card.flags):
            assert found.kind.replace("_", " ") in text
    assert len(card.violations) >= 2


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40),
    st.sampled_from(
        ["<b onclick=x>", "{{ 7*7 }}", "\x1b[2J", "\u202e", "\u2066", "\r", "\x9b31m", "\0", "</style>", "'\""]
    ),
)
def test_texts_of_strangers_do_no_harm(text: str, evil: str) -> None:
    """A card is data from anybody; its reader must be safe without having verified it."""
    nasty = text + evil
    card = telling()
    line = card.lines[0].model_copy(update={"because": nasty, "label": nasty, "formula": nasty})
    edited = card.model_copy(
        update={
            "lines": (line, *card.lines[1:]),
            "because": nasty,
            "submission": card.submission.model_copy(update={"agent": nasty}),
            "challenge": card.challenge.model_copy(update={"title": nasty, "id": nasty}),
            "environment": card.environment.model_copy(update={"cpu": nasty, "tools": {nasty: nasty}}),
            "flags": tuple(flag.model_copy(update={"why": nasty, "kind": nasty}) for flag in card.flags),
        }
    )
    page, terminal = card_page(edited), plain(card_lines(view(edited), 80))
    for shown in (page, terminal):
        odd = {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Co") and c not in "\n\t"}
        assert odd == set()
    tags = set(re.findall(r"<[^>]*>", page)) - set(re.findall(r"<[^>]*>", card_page(card)))
    assert [tag for tag in tags if evil.strip("<>") in tag and evil.startswith("<b")] == []
    assert "<b onclick" not in page
    assert page.count("</style>") == 1


@given(st.integers(1, 300))
def test_lines_fit_the_terminal(width: int) -> None:
    for line in card_lines(view(telling()), width):
        assert len("".join(span.text for span in line)) <= max(60, min(width, 110))


def test_the_breakdown_adds_up() -> None:
    text = breakdown(telling())
    left, _, right = text.rpartition(" = ")
    numbers = [float(part) for part in re.sub(r"\([^)]*\)", "", left.replace("− ", "-").replace("+ ", "")).split()]
    assert sum(numbers) == pytest.approx(float(right), abs=0.051 * len(numbers))


def test_a_void_card_shows_no_score() -> None:
    evidence = facts.evidence((facts.static("a", "infrastructure"), facts.hidden("b")))
    card = facts.card(evidence)
    assert card.final is None
    for text in (plain(card_lines(view(card), 100)), card_page(card)):
        assert "void" in text
        assert "None" not in text


def test_grades() -> None:
    assert [grade(text) for text in ("75.0", "74.9", "50.0", "49.9", "–")] == ["good", "warn", "warn", "bad", "dim"]


def test_tables_are_aligned() -> None:
    lines = plain(table(["name", "n"], [["a", "1"], ["longer", "10"]], right=frozenset({1}))).splitlines()
    assert lines == ["name     n", "a        1", "longer  10"]


def test_every_number_of_a_policy_is_shown_with_its_meaning() -> None:
    rows = policy.rows(FOUR_JUDGE_1)
    assert len(rows) > 60
    assert all(row.meaning for row in rows if row.depth == 0)
    assert all(row.value or row.meaning or row.depth for row in rows)
