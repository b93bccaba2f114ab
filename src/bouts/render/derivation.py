"""A derivation as styled lines: the formula, the formula with numbers, the lines below, the evidence."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

from bouts.render import numbers
from bouts.render.terminal import Span, Styled, grade
from bouts.scoring.explain import Derivation, Source, Step

BODY_CHARACTERS = 400
SOURCES_BELOW = 3
"""Records shown for a line below the explained one; the line itself shows all that it has."""


def lines(derivation: Derivation, width: int) -> list[Styled]:
    """One explained line, with everything below it."""
    width = max(60, min(width, 120))
    head = f"{derivation.label} ({derivation.key})" if derivation.key else derivation.label
    score = _score(derivation)
    out: list[Styled] = [(Span(head, "title"), Span("  "), Span(score, _grade(derivation)))]
    if derivation.weight is not None:
        said = f"  weight {numbers.weight(derivation.weight)}"
        if derivation.policy_weight is not None and derivation.policy_weight != derivation.weight:
            said += f" (the policy says {numbers.weight(derivation.policy_weight)}; others' shares were taken over)"
        out.append((Span(f"{said}, adds {numbers.score(derivation.points)} points", "dim"),))
    out += _wrapped(derivation.because, width, "")
    if derivation.general:
        out += _wrapped(f"formula: {derivation.general}", width, "dim")
    if derivation.filled:
        out += _wrapped(f"filled:  {derivation.filled}", width, "strong")
    for child in derivation.children:
        out += _step(child, width, 1)
    out += _sources(derivation.evidence, width, 2, None)
    out.append(())
    return out


def _step(step: Step, width: int, depth: int) -> list[Styled]:
    pad = "  " * depth
    weight = f" × {numbers.weight(step.weight)}" if step.weight is not None else ""
    room = max(20, 44 - len(pad))
    sum_text = f"{weight:<8} → {numbers.signed(step.points) if _added(step) else numbers.score(step.points):>6}"
    out: list[Styled] = [
        (Span(f"{pad}{step.key:<{room}}"), Span(f"{_score(step):>6}", _grade(step)), Span(sum_text)),
    ]
    inner = len(pad) + 2
    out += _wrapped(step.because, width, "dim", inner)
    if step.filled and step.filled != numbers.plain(step.score or 0):
        out += _wrapped(step.filled, width, "", inner)
    for child in step.children:
        out += _step(child, width, depth + 1)
    if depth == 1:
        return out + _sources(step.evidence, width, inner, SOURCES_BELOW, step.key)
    names = ", ".join(source.id for source in step.evidence[:SOURCES_BELOW])
    return out + (_wrapped(f"evidence {names}", width, "dim", inner) if names else [])


def _added(step: Step | Derivation) -> bool:
    """Whether the line is added as it is, so that its score is points with a sign."""
    return step.weight is None and step.points is not None and step.key != "final"


def _score(step: Step | Derivation) -> str:
    if step.score is None and step.state != "measured":
        return "–"
    return numbers.signed(step.score) if _added(step) else numbers.score(step.score)


def _grade(step: Step | Derivation) -> str:
    return "" if _added(step) else grade(numbers.score(step.score))


def _sources(sources: Sequence[Source], width: int, indent: int, limit: int | None, key: str = "") -> list[Styled]:
    out: list[Styled] = []
    pad = " " * indent
    for source in sources[:limit]:
        out.append((Span(f"{pad}evidence {source.id}", "dim"),))
        if source.body is not None:
            body = json.dumps(source.body, ensure_ascii=False)
            shown = body if len(body) <= BODY_CHARACTERS else body[:BODY_CHARACTERS] + "…"
            out += _wrapped(shown, width, "", indent + 4)
    if limit is not None and len(sources) > limit:
        out.append((Span(f"{pad}… and {len(sources) - limit} more: explain {key}", "dim"),))
    return out


def _wrapped(text: str, width: int, style: str, indent: int = 2) -> list[Styled]:
    pad = " " * indent
    made: list[Styled] = []
    for paragraph in text.splitlines():
        wrapped = textwrap.wrap(
            paragraph, width, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False, break_long_words=True
        )
        made += [(Span(line, style),) for line in wrapped]
    return made
