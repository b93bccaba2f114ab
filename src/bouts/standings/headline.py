"""Policy `headline`: the runs of one agent in three views, which are never blended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bouts.model.base import Fact
from bouts.model.card import PolicyRef
from bouts.model.run import Run
from bouts.policy.catalogue import policy_digest
from bouts.policy.headline import Headline
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.standings.composite import Composite, composite
from bouts.standings.radar import Radar, radar
from bouts.standings.repeatability import Repeatability, repeatability


class HeadlineFigures(Fact):
    """What the policy says of one agent."""

    policy: PolicyRef
    composite: Composite
    radar: Radar
    repeatability: Repeatability


def headline(
    runs: Iterable[Run], policy: Headline = HEADLINE_2026_07, weights: Mapping[str, float] | None = None
) -> HeadlineFigures:
    """The three views of one agent's runs. `weights` are a viewer's for the radar alone; see `radar` for what it
    raises."""
    rows = tuple(runs)
    return HeadlineFigures(
        policy=PolicyRef(name=policy.name, version=policy.version, digest=policy_digest(policy)),
        composite=composite(rows, policy.composite),
        radar=radar(rows, policy.radar, weights),
        repeatability=repeatability(rows, policy.repeatability),
    )
