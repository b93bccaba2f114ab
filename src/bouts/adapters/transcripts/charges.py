"""What the answers of the models cost: each once, however often it is told, in memory that is bounded."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from bouts.adapters.transcripts.seen import Seen
from bouts.adapters.transcripts.values import summed
from bouts.model.session import Tokens

if TYPE_CHECKING:
    from bouts.adapters.transcripts.recording import Draft

MOST_OPEN = 2000
"""Answers that may still be told again with larger numbers; of twice as many the older half is settled."""


@dataclass(slots=True)
class Charge:
    """What one answer of a model cost."""

    draft: Draft | None
    tokens: Tokens | None
    cost_usd: float | None
    model: str | None


@dataclass(slots=True)
class Charges:
    """The answers so far."""

    _open: dict[str, Charge] = field(default_factory=dict[str, Charge])
    _settled: Seen = field(default_factory=Seen)
    _tokens: Tokens | None = None
    _cost: float | None = None
    count: int = 0
    """How many answers were told."""

    def add(self, key: str, charge: Charge) -> None:
        """One answer. Told again it counts once, with the larger numbers; what was settled stays as it is."""
        known = self._open.get(key)
        if known is not None:
            known.draft = known.draft or charge.draft
            known.tokens = _larger(known.tokens, charge.tokens)
            known.cost_usd = charge.cost_usd if charge.cost_usd is not None else known.cost_usd
            return
        if key in self._settled:
            return
        self.count += 1
        self._open[key] = charge
        if len(self._open) > 2 * MOST_OPEN:
            self._settle(MOST_OPEN)

    def settle(self) -> tuple[Tokens | None, float | None]:
        """The sums over all answers, each known to the call or message that it began with."""
        self._settle(len(self._open))
        return self._tokens, self._cost

    def _settle(self, number: int) -> None:
        for key in list(islice(self._open, number)):
            charge = self._open.pop(key)
            self._settled.add(key)
            if charge.draft is not None and charge.draft.tokens is None:
                charge.draft.tokens, charge.draft.cost_usd = charge.tokens, charge.cost_usd
                charge.draft.model = charge.draft.model or charge.model
            if charge.tokens is not None:
                self._tokens = summed([self._tokens, charge.tokens])
            if charge.cost_usd is not None:
                self._cost = (self._cost or 0.0) + charge.cost_usd


def _larger(one: Tokens | None, other: Tokens | None) -> Tokens | None:
    if one is None or other is None:
        return one or other
    return Tokens(**{name: max(getattr(one, name), getattr(other, name)) for name in Tokens.model_fields})
