"""What is particular to `six-component`: the sum, the panels, the cap, and examples of each."""

from __future__ import annotations

from bouts.policy.six_component import SixComponent
from bouts.render.methodology import examples
from bouts.render.methodology.markdown import bullets, section, table, text
from bouts.scoring.exact import ZERO, Number, exact, headline, show

_CARD = {"static": 90, "adversarial": 70, "code_quality": 72, "deliverables": None, "security": 95, "stability": 100}
_SOUND = {"static": 100, "adversarial": 95, "code_quality": 90, "deliverables": 90, "security": 75, "stability": 100}
_WRITTEN = (80, 75, 70, 65)


def body(policy: SixComponent) -> list[str]:
    """The page between its head and the tables of formulas, rulings and numbers."""
    return [
        *section("The sum", _sum(policy)),
        *section("Tests", examples.hidden(policy.severity_weights)),
        *section("Code quality", _quality(policy)),
        *section("Deliverables", _deliverables(policy)),
        *section("Security and the critical cap", _security(policy)),
        *section("Stability", _stability(policy)),
        *section("What holds a card", bullets(f"`{rule.kind}`: {rule.meaning}" for rule in policy.holds)),
    ]


def _written(policy: SixComponent) -> tuple[str, Number]:
    names = policy.deliverables.weights
    formula, score = examples.mean(names.model_dump(), dict(zip(type(names).model_fields, _WRITTEN, strict=True)))
    return formula, score or ZERO


def _sum(policy: SixComponent) -> list[str]:
    weights = policy.weights.model_dump()
    _, written = _written(policy)
    scores: dict[str, Number | None] = {**_CARD, "deliverables": written}
    formula, final = examples.mean(weights, scores)
    without, rest = examples.mean(weights, {**scores, "code_quality": None})
    assert final is not None
    assert rest is not None
    return [
        *text("final = six components, each 0–100, by their weights, which add up to 1."),
        *table(("component", "weight"), [(name.replace("_", " "), show(share, 4)) for name, share in weights.items()]),
        *text(
            f"*Example*: {formula} ({show(final, 6)} exactly), shown as **{headline(final)}**.",
            "*The same with no rater for code quality*: the component has no score, and its weight goes to the "
            "others in "
            f"proportion: {without} (weights rounded here, not in the sum).",
        ),
    ]


def _quality(policy: SixComponent) -> list[str]:
    weights = policy.code_quality.weights.model_dump()
    formula, _ = examples.mean(weights, dict(zip(weights, (70, 65, 80, 73), strict=True)))
    return [
        *text(
            "Three raters mark four dimensions. A rater's total is the weighted mean of its dimensions, and the "
            "three totals "
            f"become one by rule {policy.code_quality.panel.rule}. On a card the raters' totals stand below "
            "`code_quality`, "
            "and each rater's dimensions below it.",
            f"*Example* of one rater's total: {formula}.",
        ),
        *examples.panel(policy.code_quality.panel),
    ]


def _deliverables(policy: SixComponent) -> list[str]:
    formula, _ = _written(policy)
    table_ = policy.deliverables
    return text(
        "The mean over the written parts that the challenge declares, by their weights (equal where none are "
        "declared). "
        f"One that is missing has {show(table_.missing)}, one with nothing in it but template text "
        f"{show(table_.placeholder)}; length is no criterion. Each is marked by three raters on four dimensions, "
        "and their "
        f"totals are reconciled by rule {table_.panel.rule}. A challenge that declares none has no such component.",
        f"*Example* of one rater's total for one deliverable: {formula}.",
    )


def _security(policy: SixComponent) -> list[str]:
    formula, raw = examples.mean(policy.weights.model_dump(), _SOUND)
    cap = exact(policy.security.critical_cap)
    assert raw is not None
    return [
        *examples.findings(policy.security.points),
        *text(
            f"With one or more critical findings the final score is at most {show(cap)}, and the cap is a line of "
            "its own: "
            "the weights alone would let sound work with one injection score far higher.",
            f"*Example*, one critical finding: {formula}; the line *critical cap* takes {show(raw - cap)} off: "
            f"**{show(min(raw, cap))}**.",
        ),
    ]


def _stability(policy: SixComponent) -> list[str]:
    table_ = policy.stability
    return text(
        f"{show(table_.crashed)} where the run crashed (memory used up, segmentation fault, an exception that "
        "escaped, the "
        f"time limit, a worker that died), {show(table_.warned)} where it only warned (deprecation, unhandled "
        "rejection, "
        f"leaked resource), else {show(table_.clean)}. "
        "Only warnings whose place is in a file that the submission added or changed count, each place once. What the "
        "code itself ignores, makes an error of or records does not; what the interpreter would have kept to itself "
        "does."
    )
