"""What may leave the evidence: texts with no hidden test's name in them and no unprintable character."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from operator import attrgetter

from bouts.model.base import made
from bouts.model.evidence import Proof, TestFacts
from bouts.model.proof import Counterpart
from bouts.model.text import clean, clean_line

TEXT = 400
"""Characters of one text on a card."""
EXCERPT = 400
"""Characters of an excerpt on a card; its lines are kept."""
_ID = attrgetter("id")
_COMMON = "test"
"""What the names of tests have in common in most languages."""


def safe(text: str, limit: int = TEXT) -> str:
    """`text` on one line, printable, at most `limit` characters."""
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text
    return clean_line(text, limit)


class Curtain:
    """Takes the names of hidden tests out of texts."""

    def __init__(self, shown: Iterable[TestFacts], hidden: Iterable[TestFacts]) -> None:
        self._shown, self._hidden = shown, hidden

    @cached_property
    def _secret(self) -> _Secret:
        return _secret(tuple(map(_ID, self._shown)), tuple(map(_ID, self._hidden)))

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
        secret = self._secret
        if secret.common in text and any(map(text.__contains__, secret.names)):
            text = secret.pattern.sub("(a hidden test)", text)
        return text

    def _other(self, other: Counterpart) -> Counterpart:
        path = None if other.path is None else self.text(other.path)
        return Counterpart(says=self.text(other.says), path=path, line=other.line, excerpt=self.lines(other.excerpt))


class _Secret:
    """Names of hidden tests that no visible test has, too."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.common = _COMMON if all(_COMMON in name for name in names) else ""
        """What every name holds."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Any of the names as a whole word."""
        names = "|".join(re.escape(name) for name in sorted(self.names, key=lambda name: (-len(name), name)))
        # A parameter in brackets is part of the name: it may be the hidden input itself.
        return re.compile(rf"(?<!\w)(?:{names})(?!\w)(?:\[[^\]\n]{{0,200}}\])?")


@lru_cache(maxsize=64)
def _secret(shown: tuple[str, ...], hidden: tuple[str, ...]) -> _Secret:
    # Kept, as all submissions to a challenge have the same tests.
    return _Secret(frozenset(name for test in hidden for name in _names(test)).difference(*map(_names, shown)))


def _names(test: str) -> tuple[str, ...]:
    path, _, inner = test.partition("::")
    plain = inner.partition("[")[0]
    names = (test, path, path.rpartition("/")[2], inner, plain, plain.rpartition("::")[2])
    return tuple(name for name in names if name)
