"""A derivation as styled lines: the formula, the formula with numbers, the lines below, the evidence."""

from __future__ import annotations

import json
import textwrap

from bouts.render import numbers
from bouts.render.terminal import Span, Styled, grade
from bouts.scoring.explain import Derivation

BODY_CHARACTERS = 400


def lines(derivation: Derivation, width: int) -> list[Styled]:
    """One explained line."""
    width = max(60, min(width, 120))
    head = f"{derivation.label} ({derivation.key})" if derivation.key else derivation.label
    score = numbers.score(derivation.score)
    out: list[Styled] = [(Span(head, "title"), Span("  "), Span(score, grade(score)))]
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
        value = numbers.score(child.score)
        weight = f" × {numbers.weight(child.weight)}" if child.weight is not None else ""
        out.append(
            (
                Span(f"  {child.key:<42}"),
                Span(f"{value:>6}", grade(value)),
                Span(f"{weight:<8} → {numbers.score(child.points):>6}"),
            )
        )
        out += _wrapped(child.because, width, "dim", 4)
    for source in derivation.evidence:
        out.append((Span(f"  evidence {source.id}", "dim"),))
        if source.body is not None:
            body = json.dumps(source.body, ensure_ascii=False)
            shown = body if len(body) <= BODY_CHARACTERS else body[:BODY_CHARACTERS] + "…"
            out += _wrapped(shown, width, "", 6)
    out.append(())
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
