"""Does a card agree with its evidence? Every record is digested, then the card is made again and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from bouts.errors import BadFile, UserError
from bouts.model.card import Card, EvidenceRef
from bouts.model.evidence import Evidence
from bouts.model.records import SCHEMA, EvidenceFile, Record, from_records, record_digest, root_digest, to_records
from bouts.policy.catalogue import RELEASED, CardPolicy, Policy, policy_digest
from bouts.policy.headline import Headline
from bouts.scoring.card import score
from bouts.scoring.known import policy_of

_IGNORED = ("evidence.path",)
"""Where the evidence lies is no claim about it."""


class Problem(NamedTuple):
    """One place where card and evidence differ."""

    where: str
    """Id of a record, key of a line (with the field after a space), or path of a card's field."""
    what: str


def verify(card: Card, file: EvidenceFile, policies: Mapping[str, Policy]) -> tuple[Problem, ...]:
    """Every difference between a card and its evidence; empty where they agree.

    This shows that the two belong together, not who made them.
    """
    problems = list(_records(card, file))
    policy = _policy(card, policies, problems)
    evidence = _evidence(file.records, problems)
    if policy is not None and evidence is not None:
        problems += _compare(card, _again(evidence, policy, card))
    return tuple(dict.fromkeys(problems))


def _records(card: Card, file: EvidenceFile) -> Iterator[Problem]:
    if file.schema_ != SCHEMA:
        yield Problem("schema", f"the evidence says {file.schema_!r}, not {SCHEMA!r}")
    seen: set[str] = set()
    for record in file.records:
        if record.id in seen:
            yield Problem(record.id, "stands in the evidence more than once")
        seen.add(record.id)
        if _digest(record) != record.digest:
            yield Problem(record.id, "was edited: its content does not have the digest that it carries")
    root = root_digest(file.records)
    if root != card.evidence.digest:
        what = f"the card rests on evidence {_short(card.evidence.digest)}, this is {_short(root)}"
        yield Problem("evidence.digest", what)


def _digest(record: Record) -> str | None:
    try:
        return record_digest(record.id, record.body)
    except (ValueError, RecursionError):
        return None


def _short(value: str) -> str:
    return value[:19]


def _policy(card: Card, policies: Mapping[str, Policy], problems: list[Problem]) -> CardPolicy | None:
    """The table that the card names: one of `policies`, or an earlier release."""
    given = policies.get(card.policy.name)
    if isinstance(given, Headline):
        problems.append(Problem("policy.name", f"policy {given.name} scores no single card"))
        return None
    policy = given if given and given.version == card.policy.version else None
    released = RELEASED.get((card.policy.name, card.policy.version))
    policy = policy or (None if isinstance(released, Headline) else released) or _variant(card)
    if policy is None:
        where = "policy.name" if given is None else "policy.version"
        problems.append(Problem(where, f"policy {card.policy.name} {card.policy.version} is not known here"))
        # The sum is still worth comparing under the version at hand, so that an edited version does not hide the rest.
        return given
    if policy_digest(policy) != card.policy.digest:
        problems.append(Problem("policy.digest", "the card was made with other numbers than this version has"))
    return policy


def _variant(card: Card) -> CardPolicy | None:
    """The variant of a policy that the card states in full: it must have the digest that the card names."""
    try:
        return policy_of(card)
    except UserError:
        return None


def _evidence(records: tuple[Record, ...], problems: list[Problem]) -> Evidence | None:
    try:
        evidence = from_records(records)
    except BadFile as error:
        problems.append(Problem("evidence", error.message.splitlines()[0]))
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        problems.append(Problem("evidence", f"cannot be read: {type(error).__name__}"))
    else:
        problems += _names(records, evidence)
        return evidence
    return None


def _names(records: tuple[Record, ...], evidence: Evidence) -> Iterator[Problem]:
    """A record must have the name of what is in it: readers look for a test by its name."""
    for record, own in zip(records, to_records(evidence), strict=False):
        if record.id != own.id:
            yield Problem(record.id, f"holds what is called {own.id}, or stands in its place")
            return


def _again(evidence: Evidence, policy: CardPolicy, card: Card) -> Card:
    return score(evidence, policy, EvidenceRef(digest=card.evidence.digest, path=card.evidence.path))


def _compare(card: Card, again: Card) -> Iterator[Problem]:
    claimed, computed = card.model_dump(mode="json"), again.model_dump(mode="json")
    yield from _lines(claimed.pop("lines"), computed.pop("lines"))
    yield from _fields("", claimed, computed)


def _lines(claimed: list[Any], computed: list[Any]) -> Iterator[Problem]:
    ours = {line["key"]: line for line in _flat(computed)}
    theirs = {line["key"]: line for line in _flat(claimed)}
    for key in ours:
        if key not in theirs:
            yield Problem(key, "this line is missing on the card")
    for key, line in theirs.items():
        if key not in ours:
            yield Problem(key, "the evidence gives no such line")
            continue
        for name, value in line.items():
            if name == "children":
                order = [child["key"] for child in value], [child["key"] for child in ours[key]["children"]]
                if order[0] != order[1]:
                    yield Problem(f"{key} children", f"the card has {order[0]}, the evidence gives {order[1]}")
            elif value != ours[key][name]:
                yield Problem(f"{key} {name}", _differ(value, ours[key][name]))
    names = [line["key"] for line in claimed], [line["key"] for line in computed]
    if names[0] != names[1]:
        yield Problem("lines", f"the card has {names[0]}, the evidence gives {names[1]}")


def _flat(rows: list[Any]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield row
        yield from _flat(row["children"])


def _fields(path: str, claimed: object, computed: object) -> Iterator[Problem]:
    if path in _IGNORED:
        return
    kinds = type(claimed), type(computed)
    if kinds == (dict, dict):
        left, right = cast("dict[str, object]", claimed), cast("dict[str, object]", computed)
        for name in dict.fromkeys((*left, *right)):
            inner = f"{path}.{name}" if path else name
            if name in left and name in right:
                yield from _fields(inner, left[name], right[name])
            else:
                yield Problem(inner, "is missing on the card" if name in right else "is not what the evidence gives")
    elif kinds == (list, list):
        yield from _items(path, cast("list[object]", claimed), cast("list[object]", computed))
    elif claimed != computed:
        yield Problem(path, _differ(claimed, computed))


def _items(path: str, claimed: list[object], computed: list[object]) -> Iterator[Problem]:
    if len(claimed) != len(computed):
        yield Problem(path, f"the card has {len(claimed)}, the evidence gives {len(computed)}")
    for number, (left, right) in enumerate(zip(claimed, computed, strict=False), 1):
        yield from _fields(f"{path}[{number}]", left, right)


def _differ(claimed: object, computed: object) -> str:
    return f"the card says {_value(claimed)}, the evidence gives {_value(computed)}"


def _value(value: object) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}…"
