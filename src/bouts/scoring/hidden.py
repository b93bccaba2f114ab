"""What may leave the evidence: texts with no hidden test's name in them and no unprintable character."""

from __future__ import annotations

import re
from functools import cached_property

from bouts.model.base import made
from bouts.model.challenge import Suite
from bouts.model.evidence import Evidence, Proof, TestFacts
from bouts.model.proof import Counterpart
from bouts.model.text import clean, clean_line

TEXT = 400
"""Characters of one text on a card."""
EXCERPT = 400
"""Characters of an excerpt on a card; its lines are kept."""


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
    def _secret(self) -> frozenset[str]:
        shown = {name for test in self._tests if test.suite is Suite.STATIC for name in _names(test)}
        hidden = {name for test in self._tests if test.suite is Suite.ADVERSARIAL for name in _names(test)}
        return frozenset(hidden - shown)

    @cached_property
    def _names(self) -> re.Pattern[str]:
        names = "|".join(re.escape(name) for name in sorted(self._secret, key=lambda name: (-len(name), name)))
        # A parameter in brackets is part of the name: it may be the hidden input itself.
        return re.compile(rf"(?<!\w)(?:{names})(?!\w)(?:\[[^\]\n]{{0,200}}\])?")

    def text(self, text: str, limit: int = TEXT) -> str:
        """`text` fit for a card."""
        return safe(self._drawn(text), limit)

    def lines(self, text: str) -> str:
        """An excerpt fit for a card: escaped and cut, its lines kept."""
        return clean(self._drawn(text), EXCERPT)

    def proof(self, proof: Proof) -> Proof:
        """A proof fit for a card."""
        return made(
            Proof,
            path=None if proof.path is None else self.text(proof.path),
            line=proof.line,
            event=proof.event,
            excerpt=self.lines(proof.excerpt),
            detail=self.text(proof.detail),
            other=None if proof.other is None else self._other(proof.other),
        )

    def _drawn(self, text: str) -> str:
        # Most texts name none, and looking for each name as it stands is far quicker than the pattern.
        if any(map(text.__contains__, self._secret)):
            text = self._names.sub("(a hidden test)", text)
        return text

    def _other(self, other: Counterpart) -> Counterpart:
        path = None if other.path is None else self.text(other.path)
        return Counterpart(says=self.text(other.says), path=path, line=other.line, excerpt=self.lines(other.excerpt))


def _names(test: TestFacts) -> tuple[str, ...]:
    path, _, inner = test.id.partition("::")
    plain = inner.partition("[")[0]
    names = (test.id, path, path.rpartition("/")[2], inner, plain, plain.rpartition("::")[2])
    return tuple(name for name in names if name)
