"""The policies by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from bouts.errors import NotFound
from bouts.model.records import digest
from bouts.policy.four_judge import FourJudge
from bouts.policy.four_judge_1 import FOUR_JUDGE_1

Policy = FourJudge
"""Any policy. A further one is added here as a member of a union."""

POLICIES: Mapping[str, Policy] = MappingProxyType({policy.name: policy for policy in (FOUR_JUDGE_1,)})
"""The current version of each policy."""
RELEASED: Mapping[tuple[str, str], Policy] = MappingProxyType({(p.name, p.version): p for p in (FOUR_JUDGE_1,)})
"""Every released version, by name and version; old cards are verified under theirs."""
DEFAULT = FOUR_JUDGE_1.name
"""The policy of a card where none is named."""

_digests: dict[int, tuple[Policy, str]] = {}
_DIGESTS_KEPT = 64


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


def policy_digest(policy: Policy) -> str:
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
