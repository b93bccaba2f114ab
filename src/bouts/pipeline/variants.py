"""Policies as a user names them: a name, a version of one, or a file with a variant of `partial-credit`."""

from __future__ import annotations

from pathlib import Path

from bouts.challenges import limits
from bouts.challenges.problems import read_fact
from bouts.challenges.reading import bad_file, file_bytes
from bouts.errors import BadFile, BadUsage, NotFound
from bouts.model.variant import Variant
from bouts.policy.catalogue import CardPolicy, Policy, for_cards, get, variant
from bouts.policy.partial_credit import PartialCredit

_ENDINGS = (".yaml", ".yml", ".json")


def is_file(spec: str) -> bool:
    """Whether a policy is named by a file: by its ending, or by a folder in it."""
    return spec.endswith(_ENDINGS) or "/" in spec


def policy_named(spec: str) -> Policy:
    """The policy of `NAME`, `NAME@VERSION` or a variant file. Raises `NotFound`, or `BadFile` for a file that makes no
    variant."""
    if is_file(spec):
        return read_variant(Path(spec))
    name, sign, version = spec.partition("@")
    try:
        return get(name, version if sign else None)
    except NotFound as error:
        if sign or not Path(spec).is_file():
            raise
        raise NotFound(error.message, hint=f"for the file of that name write ./{spec}") from None


def card_policy_named(spec: str) -> CardPolicy:
    """As `policy_named`, for scoring one submission. Raises `BadUsage` for a policy that scores cohorts, too."""
    return for_cards(policy_named(spec))


def read_variant(path: Path) -> PartialCredit:
    """The policy that a variant file describes. Raises `NotFound`, or `BadFile` with every problem and its place."""
    if not path.exists():
        raise NotFound("there is no such file", where=str(path))
    said, _, problems = read_fact(file_bytes(path, limits.MANIFEST_BYTES, BadFile), Variant)
    if said is None:
        raise bad_file(BadFile, str(path), problems)
    weights: dict[str, float] = {**said.weights}
    try:
        made = variant(said.name, weights, _base(said.policy))
    except (BadUsage, NotFound) as error:
        raise BadFile(error.message, where=str(path), hint=error.hint) from error
    return made


def _base(spec: str) -> PartialCredit:
    name, sign, version = spec.partition("@")
    base = get(name, version if sign else None)
    if not isinstance(base, PartialCredit):
        raise BadUsage(f"the weights of {name} are the same for every problem", hint="only partial-credit has variants")
    return base
