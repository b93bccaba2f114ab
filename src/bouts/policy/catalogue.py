"""The policies by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import cast

from bouts.errors import BadUsage, NotFound
from bouts.model.base import Fact
from bouts.model.records import digest
from bouts.policy.four_judge import FourJudge
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.headline import Headline
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.partial_credit import PartialCredit
from bouts.policy.partial_credit_1 import PARTIAL_CREDIT_1
from bouts.policy.six_component import SixComponent
from bouts.policy.six_component_1 import SIX_COMPONENT_1

CardPolicy = FourJudge | SixComponent | PartialCredit
"""A policy that scores one submission."""
Policy = CardPolicy | Headline
"""Any policy. `headline` scores the runs of an agent together."""

_RELEASES: tuple[Policy, ...] = (FOUR_JUDGE_1, SIX_COMPONENT_1, PARTIAL_CREDIT_1, HEADLINE_2026_07)
"""Every released table; of a name, the latest stands last."""
POLICIES: Mapping[str, Policy] = MappingProxyType({policy.name: policy for policy in _RELEASES})
"""The current version of each policy."""
RELEASED: Mapping[tuple[str, str], Policy] = MappingProxyType({(p.name, p.version): p for p in _RELEASES})
"""Every released version, by name and version; old cards are verified under theirs."""
DEFAULT = FOUR_JUDGE_1.name
"""The policy of a card where none is named."""

_digests: dict[int, tuple[Fact, str]] = {}
_DIGESTS_KEPT = 64
_PLACES = 6


def get(name: str, version: str | None = None) -> Policy:
    """The policy of that name, in its current or the given version. Raises `NotFound` with the nearest names."""
    found = POLICIES.get(name) if version is None else RELEASED.get((name, version))
    if found is not None:
        return found
    if version is not None and name in POLICIES:
        known = ", ".join(sorted(v for n, v in RELEASED if n == name))
        raise NotFound(f"policy {name!r} has no version {version!r}", hint=f"versions: {known}")
    near = get_close_matches(name, POLICIES, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"policies: {', '.join(POLICIES)}"
    raise NotFound(f"no policy is called {name!r}", hint=hint)


def card_policy(name: str | CardPolicy, version: str | None = None) -> CardPolicy:
    """As `get`, for scoring one submission; a table is taken as it is. Raises `NotFound`, or `BadUsage` for a policy
    that scores cohorts."""
    return for_cards(get(name, version) if isinstance(name, str) else name)


def for_cards(policy: Policy) -> CardPolicy:
    """The policy, as one that scores a submission. Raises `BadUsage` where it scores whole cohorts."""
    if isinstance(policy, Headline):
        names = " or ".join(name for name, other in POLICIES.items() if not isinstance(other, Headline))
        raise BadUsage(
            f"policy {policy.name!r} scores all runs of an agent together, never one card by itself: "
            "its success rate, consistency and costs are those of a cohort",
            hint=f"for a card use {names}",
        )
    return policy


def second_hidden_run(policy: CardPolicy) -> bool:
    """Whether the policy asks for hidden suites to run again in an environment that looks different."""
    return policy.objective.second_hidden_run if isinstance(policy, FourJudge) else policy.second_hidden_run


def variant(name: str, weights: Mapping[str, float], base: PartialCredit = PARTIAL_CREDIT_1) -> PartialCredit:
    """`partial-credit` with the weights of one problem, under a version of its own: `1.0+NAME`.

    Dimensions that are not named keep their weight. Raises `BadUsage` for an unknown dimension, a share out of range,
    or weights that do not add up to 1.
    """
    if not name or not name.replace("-", "").isalnum() or not name.isascii():
        raise BadUsage(f"{name!r} is no name of a variant", hint="use letters, digits and dashes")
    known = cast("dict[str, float]", base.weights.model_dump())
    unknown = sorted(set(weights) - set(known))
    if unknown:
        raise BadUsage(f"no dimension is called {unknown[0]!r}", hint=f"dimensions: {', '.join(known)}")
    merged = {**known, **weights}
    bad = next((key for key, share in merged.items() if not 0 <= share <= 1), None)
    if bad is not None:
        raise BadUsage(f"the weight of {bad} is {merged[bad]:g}, not a share from 0 to 1", where=name)
    fine = next((key for key, share in merged.items() if round(share, _PLACES) != share), None)
    if fine is not None:
        raise BadUsage(
            f"the weight of {fine} has more than {_PLACES} decimals", where=name, hint="a card stores no more"
        )
    # Counted in whole millionths, as three tenths and seven tenths are no 1 in binary fractions.
    if sum(round(share * 10**_PLACES) for share in merged.values()) != 10**_PLACES:
        listed = ", ".join(f"{key} {share:g}{'' if key in weights else ' (kept)'}" for key, share in merged.items())
        raise BadUsage(f"the weights add up to {sum(merged.values()):.7g}, not to 1", where=name, hint=listed)
    version = f"{base.version.partition('+')[0]}+{name}"
    return base.model_copy(update={"version": version, "weights": type(base.weights)(**merged)})


def policy_digest(policy: Fact) -> str:
    """SHA-256 over the whole table, as `sha256:` and 64 hexadecimal digits. The same numbers give the same digest."""
    # Digesting a table takes longer than scoring a card with it. The table is frozen, and keeping it beside its
    # digest keeps its identity from being reused.
    known = _digests.get(id(policy))
    if known is not None and known[0] is policy:
        return known[1]
    if len(_digests) >= _DIGESTS_KEPT:
        _digests.clear()
    made = digest(policy.model_dump(mode="json"))
    _digests[id(policy)] = (policy, made)
    return made
