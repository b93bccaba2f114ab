"""Whether a run kept to its challenge's budgets: one that did not is another contest."""

from __future__ import annotations

from bouts.model.challenge import Budget
from bouts.model.ledger import RunEntry
from bouts.scoring.exact import exact, show


def outside(run: RunEntry, budget: Budget | None) -> tuple[str, ...]:
    """What the run spent more of than allowed, one sentence each; a figure that is not known breaks no budget."""
    if budget is None:
        return ()
    minutes = None if run.latency_ms is None else exact(run.latency_ms) / 60_000
    spent = (
        ("minutes", minutes, budget.minutes),
        ("tokens", run.tokens, budget.tokens),
        ("US dollars", run.cost_usd, budget.cost_usd),
        ("turns", run.turns, budget.turns),
        ("iterations", run.iterations, budget.iterations),
    )
    return tuple(
        f"It took {show(value, 3)} of {show(limit, 3)} {what} allowed."
        for what, value, limit in spent
        if value is not None and limit is not None and exact(value) > exact(limit)
    )


def judged(run: RunEntry, budget: Budget | None) -> RunEntry:
    """The run, with what it spent too much of; what was said of it before stands as well."""
    broken = tuple(dict.fromkeys((*run.outside, *outside(run, budget))))
    over = bool(broken) or not run.inside or run.outcome == "out_of_budget"
    return run.model_copy(update={"inside": not over, "outside": broken})
