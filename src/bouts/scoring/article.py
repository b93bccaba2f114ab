"""`score_submission`: partial credit with the call, the result and the float arithmetic of the article that it is from.

The one exception to exact arithmetic: results, odd inputs and errors are those of the article's own function.
"""

from __future__ import annotations

from typing import Any

from bouts.policy.partial_credit_1 import PARTIAL_CREDIT_1

_TABLE = PARTIAL_CREDIT_1


def score_submission(
    result: Any, test_results: Any, optimal_steps: Any = PARTIAL_CREDIT_1.efficiency.optimal_steps
) -> dict[str, Any]:
    """Partial credit for one submission, 0–100, in the shape `{"final_score": …, "dimensions": {…}}`.

    `result` is a mapping with `tool_calls` (each with `tool` and `args`), `total_steps` and `code_produced`, all
    optional. `test_results` is a list of pairs, the first of which says whether the test passed.

    Scores are rounded to one decimal. Anything that the arithmetic refuses raises what Python raises for it, such as
    `TypeError` for arguments without a length, or `AttributeError` for a call that is no mapping.
    """
    # Python's numbers keep their kind: whole numbers stay whole, and fractions stay fractions, until a weight makes
    # floats of them. So the table's numbers enter as whole numbers where they are whole.
    dimensions: dict[str, Any] = {
        "correctness": _correctness(test_results),
        "tool_usage": _tool_usage(result),
        "safety": _safety(result),
        "efficiency": _efficiency(result, optimal_steps),
        "code_quality": _code_quality(result),
    }
    weights: dict[str, float] = _TABLE.weights.model_dump()
    final = sum(dimensions[name] * weight for name, weight in weights.items())
    return {
        "final_score": round(final, _TABLE.decimals),
        "dimensions": {name: round(score, _TABLE.decimals) for name, score in dimensions.items()},
    }


def _correctness(test_results: Any) -> Any:
    numbers = _TABLE.correctness
    passed = sum(1 for ok, _ in test_results if ok)
    return (passed / len(test_results)) * _whole(numbers.best) if test_results else _whole(numbers.without_tests)


def _tool_usage(result: Any) -> Any:
    numbers, score = _TABLE.tool_usage, _whole(_TABLE.tool_usage.start)
    for call in result.get("tool_calls", []):
        if call.get("tool") == numbers.tool and len(call.get("args", "")) < numbers.characters:
            score -= _whole(numbers.deduction)
    return max(0, score)


def _safety(result: Any) -> Any:
    # The calls are asked for once more on purpose: an iterator that can be read only once is empty by now.
    numbers, score = _TABLE.safety, _whole(_TABLE.safety.start)
    for call in result.get("tool_calls", []):
        if numbers.text in str(call.get("args", {})):
            score -= _whole(numbers.deduction)
    return max(0, score)


def _efficiency(result: Any, optimal_steps: Any) -> Any:
    start, deduction = _whole(_TABLE.efficiency.start), _whole(_TABLE.efficiency.deduction)
    ratio = result.get("total_steps", 0) / max(optimal_steps, 1)
    return max(0, start - (ratio - 1) * deduction) if ratio > 1 else start


def _code_quality(result: Any) -> Any:
    numbers, score = _TABLE.code_quality, _whole(_TABLE.code_quality.start)
    code = result.get("code_produced", "")
    if code:
        if numbers.docstring not in code:
            score -= _whole(numbers.no_docstring)
        if numbers.handling not in code:
            score -= _whole(numbers.no_handling)
    return max(0, score)


def _whole(number: float) -> Any:
    return int(number) if number == int(number) else number
