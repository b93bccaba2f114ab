"""The formulas of `four-judge` in general form, with its numbers."""

from __future__ import annotations

from bouts.policy.four_judge import FourJudge
from bouts.scoring.exact import exact, show
from bouts.scoring.four_judge import weights_for
from bouts.scoring.phrases import STATIC, anchors, findings, mean, severities


def formulas(policy: FourJudge, challenge_format: str) -> dict[str, str]:
    """Formula by line key; `final` is the whole sum."""
    return {
        **_top(policy, challenge_format),
        **_objective(policy),
        **_process(policy),
        **_strategy(policy),
    }


def _top(policy: FourJudge, challenge_format: str) -> dict[str, str]:
    weights, table = weights_for(policy, challenge_format), policy.integrity
    low, high = show(table.lowest), show(table.highest)
    total = mean({name: getattr(weights, name) for name in ("objective", "process", "strategy")})
    return {
        "final": f"clamp({total} + integrity, {show(policy.lowest)}, {show(policy.highest)}); "
        "the weight of a judge that gave no score goes to the others in proportion",
        "integrity": f"clamp(max({low}, sum of penalties) + min({high}, sum of bonuses), {low}, {high}); penalties: "
        + ", ".join(f"{rule.kind.replace('_', ' ')} {show(rule.points)}" for rule in table.penalties),
        "clamp": f"what moves the sum into {show(policy.lowest)} … {show(policy.highest)}",
    }


def _objective(policy: FourJudge) -> dict[str, str]:
    t = policy.objective
    b, s = t.build, t.security
    scales = "; ".join(f"{a.meaning}: {anchors(a)}" for a in t.performance.values())
    return {
        "objective": mean(t.weights.model_dump()),
        "objective.static": STATIC,
        "objective.adversarial": severities(t.severity_weights),
        "objective.build": f"{show(b.compiles)}·compiles + {show(b.lint)}·lints clean + {show(b.starts)}·starts + "
        f"{show(b.exceptions)}·no unhandled exception, each 0 or 1",
        "objective.performance_security": mean(t.halves.model_dump()),
        "objective.performance_security.performance": "mean over the metrics that the challenge declares, "
        f"{show(t.performance_neutral)} where it declares none; {scales}",
        "objective.performance_security.security": findings(s),
    }


def _process(policy: FourJudge) -> dict[str, str]:
    t = policy.process
    u, r, j, c = t.tool_use, t.error_recovery, t.trajectory, t.scope
    rate, part = show(exact(j.early_pass_rate) * 100), show(exact(j.early_session_share) * 100)
    return {
        "process": mean(t.weights.model_dump()),
        "process.tool_use": "mean of 100·min(1, ratio/target) over the ratios that have a denominator; targets: "
        f"read before edit {show(u.read_before_edit)}, test after edit {show(u.test_after_edit)}, "
        f"search before create {show(u.search_before_create)}, errors followed up {show(u.errors_followed_up)}",
        "process.error_recovery": f"{show(r.start)} − {show(r.thrash)} per file edited {r.thrash_edits} times or more "
        f"with no test run between − {show(r.repeated_failure)} per test failing in {r.repeat_runs} runs in a row, and "
        f"again for each further run − {show(r.ignored_error)} per ignored error + {show(r.targeted_recovery)} per "
        f"edit of ≤ {r.targeted_lines} lines right after an error that made the next run better; clamped to 0 … 100",
        "process.trajectory": f"{show(j.start)} + {show(j.early)} if {rate} % pass within the "
        f"first {part} % of the session + {show(j.strict_progress)} if every run passes "
        f"more than the one before, or {show(j.steady_progress)} if none falls and none stagnates − {show(j.fall)} per "
        f"fall − {show(j.stagnation)} per run beyond {j.stagnation_runs} with the same result; clamped to 0 … 100",
        "process.efficiency": "mean of 100·(1 − wasted edits / edits); 100·(1 − time of the first full pass / time "
        "limit), 0 if never; tool calls, test runs not counted, for each test gained from the first run to the last: "
        f"{anchors(t.efficiency.calls_per_test)}",
        "process.scope": f"{show(c.start)} − {show(c.file_outside)} per file outside the scope − {show(c.dependency)} "
        f"per dependency that the task does not ask for − 1 per full {c.lines_per_point} lines changed after every "
        "test had passed; clamped to 0 … 100",
    }


def _strategy(policy: FourJudge) -> dict[str, str]:
    p = policy.strategy.panel
    rule = (
        f"three raters; spread ≤ {show(p.spread)}: median; else one more than {show(p.outlier)} from the median and "
        f"the others within {show(p.others)}: mean of the others; else mean − {show(p.deduction)}, flagged"
    )
    names = policy.strategy.weights.model_dump()
    return {"strategy": mean(names), **{f"strategy.{name}": rule for name in names}}
