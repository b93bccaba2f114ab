"""Proofs are shown as lines, what the package has beside what was handed in."""

from __future__ import annotations

import facts

from bouts.model.proof import Counterpart, Proof
from bouts.render.card import view
from bouts.render.html import card_page
from bouts.render.terminal import card_lines

GIVEN = "def f(x):\n    return <x>"
HANDED_IN = "def f(x):\n\treturn 7  # \x1b[2J\u202e"


def card():
    proof = Proof(
        path="app.py",
        line=4,
        excerpt=HANDED_IN,
        detail="f returns 7",
        other=Counterpart(says="the package has", path="app.py", line=3, excerpt=GIVEN),
    )
    seen = facts.seen("stubbed").model_copy(update={"proofs": (proof,)})
    return facts.stored(facts.evidence((facts.static("test_one"),), observations=(seen,)))[0]


def test_a_card_keeps_lines_and_both_sides():
    (violation,) = card().violations
    (proof,) = violation.evidence
    assert proof.excerpt == "def f(x):\n\treturn 7  # \\x1b[2J\\u202e"
    assert proof.other.excerpt == GIVEN


def test_the_page_shows_them_side_by_side():
    page = card_page(card())
    assert '<figcaption class="soft mono">the package has: app.py:3</figcaption>' in page
    assert '<figcaption class="soft mono">what was handed in: app.py:4</figcaption>' in page
    assert '<pre class="mono">def f(x):\n    return &lt;x&gt;</pre>' in page
    assert "return 7  # \\x1b[2J\\u202e</pre>" in page


def test_the_terminal_shows_them_line_by_line():
    lines = ["".join(span.text for span in line) for line in card_lines(view(card()), 60)]
    at = lines.index("        │ def f(x):")
    assert lines[at - 1 : at + 2] == [
        "        the package has: app.py:3",
        "        │ def f(x):",
        "        │     return <x>",
    ]
    assert "        │     return 7  # \\x1b[2J\\u202e" in lines
    assert all(len(line) <= 60 for line in lines[at:])
