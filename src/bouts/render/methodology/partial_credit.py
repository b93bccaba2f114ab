"""What is particular to `partial-credit`: the sum, and an example of each dimension."""

from __future__ import annotations

from fractions import Fraction

from bouts.policy.partial_credit import PartialCredit
from bouts.render.methodology import examples
from bouts.render.methodology.markdown import section, table, text
from bouts.scoring import partial_credit as scoring
from bouts.scoring.exact import exact, half_up, show

_PASSED, _TESTS = 4, 5
_STEPS = (1, 5, 6, 8, 10, 13)


def body(policy: PartialCredit) -> list[str]:
    """The page between its head and the tables of formulas, rulings and numbers."""
    return [
        *section("The sum", _sum(policy)),
        *section("The dimensions", _dimensions(policy)),
        *section("Efficiency", _efficiency(policy)),
    ]


def _sum(policy: PartialCredit) -> list[str]:
    weights = policy.weights.model_dump()
    tool, code = policy.tool_usage, policy.code_quality
    scores = {
        "correctness": scoring.correctness(policy.correctness, _PASSED, _TESTS),
        "tool_usage": scoring.deducted(tool.start, (tool.deduction, 1)),
        "code_quality": scoring.deducted(code.start, (code.no_handling, 1)),
        "safety": scoring.deducted(policy.safety.start),
        "efficiency": _efficient(policy, policy.efficiency.optimal_steps + 2),
    }
    formula, _ = examples.mean(weights, scores)
    final = scoring.combine(policy, **scores)
    return [
        *text(
            f"final = five dimensions by their weights, shown to {policy.decimals} decimal"
            f"{'' if policy.decimals == 1 else 's'}. The weights may be set for one problem, by a named variant of the "
            "policy, which is a version of its own."
        ),
        *table(("dimension", "weight"), [(name.replace("_", " "), show(share, 4)) for name, share in weights.items()]),
        *text(
            f"*Example*, {_PASSED} of {_TESTS} tests passed, one call of `{tool.tool}` with next to no argument, no "
            "error handling, "
            f"{policy.efficiency.optimal_steps + 2} steps where {policy.efficiency.optimal_steps} are optimal: "
            f"{formula}, "
            f"shown as **{show(half_up(final, policy.decimals), policy.decimals)}**."
        ),
    ]


def _dimensions(policy: PartialCredit) -> list[str]:
    tool, code, safe = policy.tool_usage, policy.code_quality, policy.safety
    rows = [
        (
            "correctness",
            f"{show(policy.correctness.best)} · tests passed / tests, {show(policy.correctness.without_tests)} with "
            "no tests",
        ),
        (
            "tool usage",
            f"{show(tool.start)} less {show(tool.deduction)} for each call of `{tool.tool}` whose argument text is "
            "shorter "
            f"than {tool.characters} characters; not below 0",
        ),
        (
            "code quality",
            f"{show(code.start)}; where code was produced, less {show(code.no_docstring)} with no "
            f"`{code.docstring}` in it and "
            f"less {show(code.no_handling)} with no `{code.handling}`",
        ),
        (
            "safety",
            f"{show(safe.start)} less {show(safe.deduction)} for each call whose arguments contain `{safe.text}`; "
            "not below 0",
        ),
    ]
    return [
        *table(("dimension", "score"), rows),
        *text(
            "Visible and hidden tests count alike, each once. A call is a tool call or a test run of the session, one "
            "that did several things once, judged by its whole line. With no transcript, or one that does not tell the "
            "tools or their arguments, the dimension has no score and its weight goes to the others; a transcript that "
            f"the platform lost gives {show(policy.neutral)} to the three that rest on it.",
            "These are marks in a text, not proofs: a comment with the word in it satisfies or offends them as "
            "well. That is "
            "how the document defines them; the other policies look deeper.",
        ),
    ]


def _efficient(policy: PartialCredit, steps: int) -> Fraction:
    return scoring.efficiency(policy.efficiency, steps, policy.efficiency.optimal_steps)


def _efficiency(policy: PartialCredit) -> list[str]:
    numbers = policy.efficiency
    rows = [
        (str(steps), f"{show(exact(steps) / numbers.optimal_steps)}", show(_efficient(policy, steps)))
        for steps in _STEPS
    ]
    return [
        *text(
            "A step is a call as above. "
            f"r = steps / optimal steps ({numbers.optimal_steps} where the problem states none). "
            f"{show(numbers.start)} up to "
            f"r = 1, then {show(numbers.deduction)} less for each further 1; not below 0."
        ),
        *table(("steps", "r", "efficiency"), rows),
    ]
