"""What may leave the evidence: texts with no hidden test's name in them and no unprintable character."""

from __future__ import annotations

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
    def _names(self) -> list[str]:
        shown = {name for test in self._tests if test.suite is Suite.STATIC for name in _names(test)}
        found = {name for test in self._tests if test.suite is Suite.ADVERSARIAL for name in _names(test)} - shown
        return sorted(found, key=len, reverse=True)

    def text(self, text: str, limit: int = TEXT) -> str:
        """`text` fit for a card."""
        for name in self._names:
            if name in text:
                text = text.replace(name, "(a hidden test)")
        return safe(text, limit)

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
    path, _, function = test.id.partition("::")
    file = path.rpartition("/")[2]
    return tuple(name for name in (test.id, path, file, function, function.partition("[")[0]) if name)
