"""What may leave the evidence: texts with no hidden test's name in them and no unprintable character."""

from __future__ import annotations

import re
from functools import cached_property

from bouts.model.challenge import Suite
from bouts.model.evidence import Evidence, Proof, TestFacts
from bouts.model.text import clean_line

TEXT = 400
"""Characters of one text on a card."""
EXCERPT = 200
"""Characters of an excerpt on a card."""


def safe(text: str, limit: int = TEXT) -> str:
    """`text` on one line, printable, at most `limit` characters."""
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text
    return clean_line(text, limit)


class Curtain:
    """Takes the names of hidden tests out of texts."""

    def __init__(self, evidence: Evidence) -> None:
        self._tests = evidence.tests

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        shown = {name for test in self._tests if test.suite is Suite.STATIC for name in _names(test)}
        found = {name for test in self._tests if test.suite is Suite.ADVERSARIAL for name in _names(test)} - shown
        if not found:
            return None
        names = "|".join(re.escape(name) for name in sorted(found, key=lambda name: (-len(name), name)))
        # A parameter in brackets is part of the name: it may be the hidden input itself.
        return re.compile(rf"(?<!\w)(?:{names})(?!\w)(?:\[[^\]\n]{{0,200}}\])?")

    def text(self, text: str, limit: int = TEXT) -> str:
        """`text` fit for a card."""
        names = self._names
        return safe(text if names is None else names.sub("(a hidden test)", text), limit)

    def proof(self, proof: Proof) -> Proof:
        """A proof fit for a card."""
        return Proof.model_construct(
            path=None if proof.path is None else self.text(proof.path),
            line=proof.line,
            event=proof.event,
            excerpt=self.text(proof.excerpt, EXCERPT),
            detail=self.text(proof.detail),
        )


def _names(test: TestFacts) -> tuple[str, ...]:
    path, _, inner = test.id.partition("::")
    plain = inner.partition("[")[0]
    names = (test.id, path, path.rpartition("/")[2], inner, plain, plain.rpartition("::")[2])
    return tuple(name for name in names if name)
