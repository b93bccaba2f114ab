"""The page on the statistics beside scores: what each figure is, an example computed by its function, every number."""

from __future__ import annotations

from fractions import Fraction

from bouts.policy.catalogue import policy_digest
from bouts.policy.statistics import Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.render.methodology.markdown import bullets, section, table, text
from bouts.render.methodology.numbers import all_numbers
from bouts.scoring.exact import exact, show
from bouts.standings.cells import Cell
from bouts.standings.distributions import normal_quantile
from bouts.standings.estimates import estimate, wilson
from bouts.standings.holm import holm
from bouts.standings.paired import compare
from bouts.standings.ratings import ratings

_GOOD, _MANY = 18, 20
"""The example of an interval: successes, attempts."""
_CHANCES = (0.012, 0.2, 0.015)
"""The example of Holm's correction."""
_GAPS = (1, 1, 1, 1, 1, 0, 1)
"""The example of a comparison: at which of the challenges the first agent succeeded, the second at none."""


def page(rules: Statistics = STATISTICS_1) -> str:
    """The page as Markdown."""
    lines = [
        f"# Statistics {rules.version}",
        "",
        "What stands beside scores and moves none: error bars, comparisons, rank sets, ratings, item analysis.",
        "",
        f"Digest of the table: `{policy_digest(rules)}`. Generated from the table: every number below is read from it, "
        "and every example is computed by the functions that make standings. How well the methods keep what they "
        "promise was simulated: see [standings](../../explanation/standings.md).",
        "",
        *section("What counts as one observation", _units()),
        *section("Error bars", _bars(rules)),
        *section("Comparison of two agents", _comparison(rules)),
        *section("Rank sets", _ranks(rules)),
        *section("Ratings", _ratings(rules)),
        *section("Composite and pass^k", _bootstrap(rules)),
        *section("Item analysis", _items(rules)),
        *section("Random draws", _draws(rules)),
        *section("Every number", all_numbers(rules)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _units() -> list[str]:
    return text(
        "A task counts once, as the mean of an agent's attempts at it, however often it was tried. Attempts at a task, "
        "and tasks made from one challenge, are no independent evidence: every error is clustered by challenge."
    )


def _bars(rules: Statistics) -> list[str]:
    level = rules.intervals.level
    plain = wilson(_GOOD / _MANY, _MANY, normal_quantile((1 + level) / 2))
    cells = _cells("one", [Fraction(n < _GOOD) for n in range(_MANY)])
    clustered = estimate({c.task: c for c in cells}, "rate", rules.intervals).interval
    assert clustered is not None
    return [
        *text(
            f"Intervals hold the true value with a confidence of {_percent(level)}. They are given from "
            f"{rules.intervals.clusters} challenges on, and marked where they rest on fewer than "
            f"{rules.intervals.few_clusters}."
        ),
        *bullets(
            [
                "*Standard error*: √(Σ S²)/T over T tasks, S being the sum of deviations from the mean in one "
                "challenge (the cluster-robust variance). For few challenges it is corrected by the root of G by one "
                "less than G, the number of challenges.",
                "*Of a score*: mean ± t·error, t with one degree of freedom less than challenges, cut at the ends of "
                "the scale.",
                "*Of a success rate*: Wilson's interval with that t and the effective number of attempts, "
                "rate·(1 − rate)/error², at most the real number. Where every attempt had the same outcome each "
                "challenge counts as one attempt.",
            ]
        ),
        *text(
            f"*Example*: {_GOOD} successes in {_MANY} independent attempts give {_range(*plain)} by Wilson's formula "
            f"with the normal quantile; as one attempt at each of {_MANY} challenges, whose spread has to be "
            f"estimated, {_range(clustered.low, clustered.high)}."
        ),
    ]


def _comparison(rules: Statistics) -> list[str]:
    cells = [*_cells("one", [Fraction(v) for v in _GAPS]), *_cells("two", [Fraction(0)] * len(_GAPS))]
    found = compare("one", "two", cells, "rate", rules.seed, rules)
    assert found.difference is not None
    assert found.p_value is not None
    assert found.interval is not None
    adjusted = ", ".join(show(value, 4) for value in holm(_CHANCES))
    return text(
        "Only tasks that both agents tried take part. Were the two alike, each challenge might as well have favoured "
        "the other one; so the signs of the challenges' differences are flipped, and the p-value is twice the share of "
        "sign patterns that give a larger difference, those that give the same counting a half. Up to "
        f"{rules.comparison.exact_clusters} challenges every pattern is counted, beyond that {rules.comparison.flips} "
        "are drawn. The interval holds the differences that the test does not reject. The tasks at which the two "
        "differ are listed by what they add to the difference.",
        f"*Example*: one agent solves {sum(_GAPS)} of {len(_GAPS)} challenges, the other none: difference "
        f"{show(found.difference, 4)}, p = {show(found.p_value, 4)}, interval "
        f"{_range(found.interval.low, found.interval.high)}.",
        "Several comparisons that are read together are corrected by Holm's rule, and a difference is called one at "
        f"p ≤ {show(rules.comparison.alpha)}. *Example*: {', '.join(show(c, 4) for c in _CHANCES)} become {adjusted}.",
    )


def _ranks(rules: Statistics) -> list[str]:
    return text(
        "All pairs of agents are compared at once. How large the largest t value of any pair gets by chance is found "
        f"by giving the deviations of each challenge a random sign, the same for all agents, {rules.ranks.rounds} "
        "times; challenges of different size count as correspondingly fewer. Agents whose difference stays below it "
        "are *tied*. The rank set of an agent runs from one behind those that are surely better to just before those "
        f"that are surely worse. With a confidence of {_percent(rules.ranks.level)} all rank sets together hold the "
        "true ranks."
    )


def _ratings(rules: Statistics) -> list[str]:
    numbers = rules.ratings
    cells = [*_cells("one", [Fraction(v) for v in _GAPS]), *_cells("two", [Fraction(0)] * len(_GAPS))]
    rows = ", ".join(f"{show(row.rating, 1)} for agent {row.agent}" for row in ratings(cells, rules).rows)
    return text(
        "Bradley–Terry: at a task that two agents tried the one with the higher mean wins, equal means are half a win "
        f"each, and either agent of a pair that met is given {show(numbers.pseudo_wins)} of a win beforehand. The "
        f"middle of the agents is {show(numbers.centre)}; {show(numbers.points_tenfold)} points mean winning ten "
        "times as often as losing. Errors are clustered by challenge. Agents that no chain of shared tasks connects "
        "are rated in groups that do not compare.",
        f"*Example*, the same two agents as above: {rows}.",
    )


def _bootstrap(rules: Statistics) -> list[str]:
    beyond = _percent((1 - exact(rules.intervals.level)) / 2)
    return text(
        "No plain means, so their error bars come from the cluster bootstrap: challenges are drawn anew with "
        f"replacement, each with all its tasks and attempts, {rules.intervals.bootstrap_rounds} times, and the "
        f"interval runs between the percentiles that leave out {beyond} on either side."
    )


def _items(rules: Statistics) -> list[str]:
    items = rules.items
    rows = [
        ("difficulty", "share of attempts solved, mean over agents", f"easy from {show(items.easy)}, hard up to "
         f"{show(items.hard)}"),
        ("discrimination", "correlation over agents of the item's share with the mean of all other items",
         f"weak below {show(items.weak_discrimination)}, inverted below 0; from {items.respondents} agents"),
    ]  # fmt: skip
    return [
        *table(("figure", "what it is", "remarked"), rows),
        *text(
            f"From {items.irt_agents} agents a logistic model with a difficulty and a discrimination for each item is "
            "fitted, abilities standard normal, under weak priors: the logarithm of the discrimination with a standard "
            f"deviation of {show(items.irt_discrimination_spread)} around 0, the difficulty with one of "
            f"{show(items.irt_difficulty_spread)}. It is labelled exploratory, and nothing rests on it."
        ),
    ]


def _draws(rules: Statistics) -> list[str]:
    return text(
        f"All draws start from the seed {rules.seed} unless another is given, by the SHAKE function over it: the same "
        "draws on every machine and with every version of Python. Sums over results are exact, so the order of runs "
        "changes nothing. Error bars of means, ratings, and comparisons that count every pattern use no draws at all."
    )


def _cells(agent: str, values: list[Fraction]) -> list[Cell]:
    return [Cell(agent, f"task {n}", f"task {n}", value, 1) for n, value in enumerate(values)]


def _percent(share: float | Fraction) -> str:
    return f"{show(100 * exact(share))} %"


def _range(low: float, high: float) -> str:
    return f"{show(low, 4)} … {show(high, 4)}"
