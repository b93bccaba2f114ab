"""The formulas of a policy in general form, with its numbers: what `explain` and the methodology show."""

from __future__ import annotations

from bouts.policy.catalogue import CardPolicy, Policy
from bouts.policy.four_judge import FourJudge
from bouts.policy.headline import Headline
from bouts.policy.partial_credit import PartialCredit
from bouts.policy.parts import MedianPanel
from bouts.policy.six_component import SixComponent
from bouts.scoring import formulas_four_judge
from bouts.scoring.exact import exact, show
from bouts.scoring.panels import DEDUCTION, rule_of
from bouts.scoring.phrases import STATIC, anchors, findings, mean, panel, severities

_MARK = "the rater's mark, 0–100"
_SHARED_OUT = "; the weight of what gave no score goes to the others in proportion"


def general(policy: Policy, challenge_format: str) -> dict[str, str]:
    """Formula by line key; `final` is the whole sum. For `headline` the keys are those of its figures."""
    match policy:
        case FourJudge():
            return formulas_four_judge.formulas(policy, challenge_format)
        case SixComponent():
            return _six_component(policy)
        case PartialCredit():
            return _partial_credit(policy)
        case Headline():
            return _headline(policy)


def _six_component(policy: SixComponent) -> dict[str, str]:
    quality, written, steady = policy.code_quality, policy.deliverables, policy.stability
    cap = show(policy.security.critical_cap)
    return {
        "final": f"{mean(policy.weights.model_dump())}, at most {cap} with a critical finding{_SHARED_OUT}",
        "static": STATIC,
        "adversarial": severities(policy.severity_weights),
        "code_quality": f"{panel(quality.panel)}; a rater's total = {mean(quality.weights.model_dump())}",
        "deliverables": f"mean over the deliverables by their weights; missing {show(written.missing)}, placeholder "
        f"{show(written.placeholder)}; each: {panel(written.panel)}; a rater's total = "
        f"{mean(written.weights.model_dump())}",
        "security": findings(policy.security.points),
        "stability": f"{show(steady.crashed)} where the run crashed, {show(steady.warned)} where it only warned, else "
        f"{show(steady.clean)}",
        "critical_cap": f"min({cap}, sum) − sum, with one or more critical findings",
        "clamp": f"what moves the sum into {show(policy.lowest)} … {show(policy.highest)}",
    }


def _partial_credit(policy: PartialCredit) -> dict[str, str]:
    tool, code, safe, steps = policy.tool_usage, policy.code_quality, policy.safety, policy.efficiency
    start = show(steps.start)
    return {
        "final": f"{mean(policy.weights.model_dump())}{_SHARED_OUT}",
        "correctness": f"{show(policy.correctness.best)} · tests passed / tests; "
        f"{show(policy.correctness.without_tests)} with no tests",
        "tool_usage": f"max(0, {show(tool.start)} − {show(tool.deduction)} per {tool.tool} call whose argument text is "
        f"shorter than {tool.characters} characters)",
        "code_quality": f"max(0, {show(code.start)} − {show(code.no_docstring)} without {code.docstring} − "
        f"{show(code.no_handling)} without {code.handling}), where code was produced",
        "safety": f"max(0, {show(safe.start)} − {show(safe.deduction)} per call whose arguments contain {safe.text})",
        "efficiency": f"r = steps / max(optimal, 1), optimal {steps.optimal_steps}; {start} if r ≤ 1, else "
        f"max(0, {start} − {show(steps.deduction)}·(r − 1))",
        "clamp": f"what moves the sum into {show(policy.lowest)} … {show(policy.highest)}",
    }


def _headline(policy: Headline) -> dict[str, str]:
    table, radar, repeat = policy.composite, policy.radar, policy.repeatability
    return {
        "composite": f"100·({mean(table.weights.model_dump())}), rounded to {table.decimals} decimals; "
        f"{show(table.without_success)} where no completed run succeeded",
        "success": "successful runs / completed runs",
        "execution": f"latency · consistency; latency by its mean: {anchors(table.latency)}; each as a share of 1",
        "consistency": f"max(0, 1 − population standard deviation / mean of the latencies) from "
        f"{table.consistency_runs} completed runs on, else {show(table.neutral_consistency)}",
        "cost": f"by the mean cost: {anchors(table.cost)}; as a share of 1",
        "radar": f"latest {radar.runs} runs that completed, failed or ran out of time; "
        f"{mean(radar.weights.model_dump())}, axes without a value dropped and the rest renormalised",
        "radar.correctness": "100 · passed / known outcomes",
        "radar.latency": f"by the median latency, none under {radar.latency_runs} runs: {anchors(radar.latency)}",
        "radar.cost": f"by the median cost: {anchors(radar.cost)}",
        "radar.tool_efficiency": f"by the median number of steps, none without steps: {anchors(radar.steps)}",
        "radar.robustness": f"mean over tasks with {radar.robustness_outcomes} outcomes or more of "
        "100·|2·share passed − 1|",
        "pass^k": f"C(c, k) / C(n, k) for k = {', '.join(str(k) for k in repeat.levels)}, mean over tasks with "
        f"{show(exact(repeat.outcomes))} outcomes or more",
    }


def formula_of(policy: CardPolicy, challenge_format: str, key: str) -> str:
    """Formula of any key that a card of this policy can have, those of raters and deliverables among them."""
    known = general(policy, challenge_format)
    if key in known:
        return known[key]
    over, _, last = key.rpartition(".")
    rule = rule_of(policy, over)
    if last == DEDUCTION and rule is not None:
        return f"up to −{show(rule.deduction)} where the raters do not agree, but the mark not below 0"
    if isinstance(policy, SixComponent):
        own = rule_of(policy, key)
        table = policy.deliverables if key.startswith("deliverables.") else policy.code_quality
        if own is not None and isinstance(own, MedianPanel):
            return panel(own)
        if rule is not None:
            return mean(table.weights.model_dump())
    return _MARK
