"""From a likeness to an observation with both excerpts side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bouts.integrity.proofs import bounded, counterpart, proof
from bouts.integrity.similarity.matches import Match
from bouts.integrity.similarity.measure import Likeness
from bouts.model.evidence import Observation
from bouts.model.text import clean_line

LINES = 10
"""Lines of each excerpt in a proof."""


@dataclass(frozen=True)
class Named:
    """A submission or a known solution, as a finding names it."""

    number: int
    """Place in the index: a smaller number was added earlier."""
    agent: str | None
    """`None` for a known solution."""
    label: str
    """What a reader can find it by."""

    @property
    def shown(self) -> str:
        """In words."""
        if self.agent is None:
            return f"the known solution “{self.label}”"
        return f"an earlier submission of {self.agent} ({self.label})"


def may_name(later: Named, other: Named) -> bool:
    """Whether `later` can be blamed for its likeness to `other`: never a known solution, never the earlier of two,
    never an agent for what it handed in itself."""
    if later.agent is None:
        return False
    return other.agent is None or (other.number < later.number and other.agent != later.agent)


def counts(likeness: Likeness, similarity: float, percentile: float) -> bool:
    """Whether a likeness reaches both thresholds of the policy."""
    return likeness.similarity >= similarity and likeness.percentile >= percentile


def excerpt(text: str, first: int, last: int, lines: int = LINES) -> str:
    """Lines of a text, cut to so many."""
    rows = text.splitlines()[first - 1 : min(last, first - 1 + lines)]
    more = last - first + 1 - lines
    return "\n".join([row[:160].rstrip() for row in rows] + ([f"… {more} more lines"] if more > 0 else []))


def plagiarism(
    other: Named,
    likeness: Likeness,
    found: Iterable[Match],
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
) -> Observation:
    """The observation, with the matched ranges as proofs. `ours` and `theirs` are texts by path."""
    proofs = [
        proof(
            m.path,
            m.first,
            excerpt(ours.get(m.path, ""), m.first, m.last),
            f"lines {m.first}–{m.last} are like lines {m.other_first}–{m.other_last} of {m.other_path}",
            other=counterpart(
                other.shown,
                m.other_path,
                m.other_first,
                excerpt(theirs.get(m.other_path, ""), m.other_first, m.other_last),
            ),
        )
        for m in found
    ]
    if not proofs:
        proofs = [proof(next(iter(sorted(ours)), None), 1, "", "the code is alike all over, in no one place more")]
    because = (
        f"like {other.shown}: similarity {likeness.similarity:.2f}, more alike than "
        f"{_share(likeness.percentile)} of honest pairs of this task"
    )
    return Observation(kind="plagiarism", because=clean_line(because, 400), proofs=bounded(proofs))


def _share(percentile: float) -> str:
    if percentile >= 99.99:
        return "99.99 %"
    return f"{int(percentile * 100) / 100:g} %"
