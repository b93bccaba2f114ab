"""Panels on a card: the raters' marks of one item, reconciled, each rater a line below the item's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import attrgetter

from bouts.errors import BadFile
from bouts.model.base import made
from bouts.model.card import Flag
from bouts.model.marks import Mark
from bouts.policy.catalogue import CardPolicy
from bouts.policy.four_judge import FourJudge
from bouts.policy.parts import DistancePanel, MedianPanel
from bouts.policy.six_component import SixComponent
from bouts.scoring.exact import ONE, ZERO, exact
from bouts.scoring.hidden import Curtain
from bouts.scoring.parts import Part, weighted
from bouts.scoring.reconcile import Verdict, r1, r2

_SEATED = attrgetter("position", "rater")
Rule = MedianPanel | DistancePanel
SEATS = 3
"""Raters that a panel has at most."""
DEDUCTION = "deduction"
"""Last part of the key of the line that stands for the raters' disagreement."""


_Given = defaultdict[str, dict[str, Mark]]
"""Marks of one item by rater and dimension."""


def _given() -> _Given:
    return defaultdict(dict)


class Panels:
    """The marks of an evidence, and what came of reconciling them."""

    def __init__(self, marks: Sequence[Mark], curtain: Curtain) -> None:
        self._marks: defaultdict[str, _Given] = defaultdict(_given)
        self._labels: dict[str, dict[str, str]] = {}
        self._measured: set[str] = set()
        """Items that no model marked."""
        self._curtain = curtain
        self.flags: list[tuple[str, str]] = []
        """Kind and reason."""
        self.provisional: list[str] = []
        for mark in sorted(marks, key=_SEATED):
            given = self._marks[mark.item][mark.rater]
            if mark.dimension in given:
                raise BadFile(f"{mark.rater} marked {mark.item}.{mark.dimension} more than once", where="evidence")
            given[mark.dimension] = mark
        for item, raters in self._marks.items():
            if len(raters) > SEATS:
                why = f"{len(raters)} raters marked {item}; a panel has at most {SEATS}"
                raise BadFile(why, where="evidence")
            self._labels[item] = {rater: _who(rater, marks) for rater, marks in raters.items()}
            if not any(_modelled(marks) for marks in raters.values()):
                self._measured.add(item)

    def raters(self, item: str) -> Mapping[str, Mapping[str, Mark]]:
        """The marks of an item by rater and dimension, in the order of the seats."""
        return self._marks.get(item, {})

    def totals(self, item: str, key: str, weights: Mapping[str, float], labels: Mapping[str, str]) -> list[Part]:
        """Each rater's total for an item: the weighted mean of the dimensions that the rater marked, as parts."""
        made: list[Part] = []
        shares = [(name, exact(share)) for name, share in weights.items()]
        for rater, marks in self.raters(item).items():
            children = [
                self._dimension(f"{key}.{rater}.{name}", labels[name], share, marks[name])
                if name in marks
                else Part(f"{key}.{rater}.{name}", labels[name], share, None, "This rater gave no mark.", "not_judged")
                for name, share in shares
            ]
            total = weighted(f"{key}.{rater}", self._labels[item][rater], ZERO, children, "")
            if total.score is not None:
                given = sum(1 for child in children if child.score is not None)
                total.because = f"Weighted mean of {given} of {len(children)} dimensions{_how(marks)}."
                made.append(total)
        return made

    def marks_for(self, item: str, dimension: str, key: str) -> list[Part]:
        """Each rater's mark for one dimension of an item, as parts."""
        return [
            self._dimension(f"{key}.{rater}", self._labels[item][rater], ZERO, marks[dimension])
            for rater, marks in self.raters(item).items()
            if dimension in marks
        ]

    def part(self, key: str, label: str, share: float, raters: list[Part], rule: Rule, item: str) -> Part:
        """The reconciled part, or an unjudged one where no rater gave a mark."""
        if not raters:
            return Part(key, label, exact(share), None, "No rater gave a mark.", "not_judged")
        part, verdict = panel(key, label, exact(share), raters, rule)
        if verdict.flagged:
            kind = "one_rater" if len(raters) == 1 else "ambiguous_panel"
            self.flags.append((kind, f"{label}: {verdict.because}"))
        if item in self._measured:
            part.because = f"Measured, no model. {part.because}"
            self.provisional.append(f"{label.lower()}: measured, no model")
        return part

    def shown(self, holds: frozenset[str]) -> list[Flag]:
        """Flags of what the panels could not settle."""
        rows = dict.fromkeys(sorted(self.flags))
        return [made(Flag, kind=kind, why=why, holds=kind in holds) for kind, why in rows]

    def _dimension(self, key: str, label: str, share: Fraction, mark: Mark) -> Part:
        evidence = (f"mark:{mark.item}.{mark.dimension}/{mark.rater}",)
        because = self._curtain.text(mark.because) or "No reason was given."
        return Part(key, label, share, exact(mark.mark), because, "measured", "", evidence)


def panel(key: str, label: str, share: Fraction, raters: list[Part], rule: Rule) -> tuple[Part, Verdict]:
    """One line from the raters' lines. Weights say whose mark counts; a deduction is a line of its own below.

    Every rater must have a score.
    """
    marks = {_name(rater): rater.score for rater in raters if rater.score is not None}
    verdict = r1(marks, rule) if isinstance(rule, MedianPanel) else r2(marks, rule)
    for name, rater in zip(marks, raters, strict=True):
        rater.share = verdict.weights.get(name, ZERO)
    weights: list[Fraction | None] = [rater.share for rater in raters]
    children = list(raters)
    if verdict.deduction:
        why, less = "The raters could not agree: the rubric may be ambiguous.", -verdict.deduction
        children.append(Part(f"{key}.{DEDUCTION}", "Disagreement", ONE, less, why, reach=ZERO))
        weights.append(ONE)
    formula, because = verdict.formula, verdict.because
    part = Part(key, label, share, verdict.mark, because, "measured", formula, (), children, weights=weights)
    return part, verdict


def rule_of(policy: CardPolicy, key: str) -> Rule | None:
    """The rule by which the line of that key is reconciled from the raters below it; `None` for any other line."""
    head, _, rest = key.partition(".")
    single = bool(rest) and "." not in rest
    match policy:
        case SixComponent() if key == "code_quality":
            return policy.code_quality.panel
        case SixComponent() if head == "deliverables" and single:
            return policy.deliverables.panel
        case FourJudge() if head == "strategy" and single:
            return policy.strategy.panel
        case _:
            return None


def _name(rater: Part) -> str:
    return rater.key.rpartition(".")[2]


def _who(rater: str, marks: Mapping[str, Mark]) -> str:
    first = next(iter(marks.values()))
    return f"{rater} ({first.family if first.source == 'model' else 'measured'})"


def _modelled(marks: Mapping[str, Mark]) -> bool:
    """Whether a model gave any of them."""
    return any(mark.source == "model" for mark in marks.values())


def _how(marks: Mapping[str, Mark]) -> str:
    return "" if _modelled(marks) else ", measured with no model"
