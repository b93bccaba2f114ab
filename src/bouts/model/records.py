"""Evidence as a list of records, each under its own digest, so that an edit can be named."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from bouts.errors import BadFile
from bouts.model.base import Fact
from bouts.model.evidence import Evidence
from bouts.model.session import Session

SCHEMA: Literal["bouts.evidence/1"] = "bouts.evidence/1"
DIGEST_CHARACTERS = 32
"""128 bits: a record's digest names an edit; the root digest over all of them is a full SHA-256."""

_SINGLE = ("challenge", "submission", "environment")
_MANY: dict[str, str] = {
    "suites": "suite",
    "tests": "test",
    "build": "build",
    "metrics": "metric",
    "findings": "finding",
    "observations": "observation",
    "notices": "notice",
    "audit": "audit",
    "marks": "mark",
    "virtues": "virtue",
    "faults": "fault",
}
_NAMED = {
    "suite": "{suite}",
    "test": "{suite}/{id}",
    "build": "{check}",
    "metric": "{metric}",
    "audit": "{channel}",
    "mark": "{item}.{dimension}/{rater}",
}
"""Records that have a name of their own; the others are numbered."""


class Record(Fact):
    """One fact of the evidence file."""

    id: str
    """Kind and name, such as `test:static/unit/test_a.py::test_b` or `event:12`; cards refer to it."""
    digest: str
    body: dict[str, Any]


class EvidenceFile(Fact):
    """The evidence as it is stored."""

    schema_: Annotated[Literal["bouts.evidence/1"], Field(alias="schema")] = SCHEMA
    records: tuple[Record, ...]


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no spaces: the bytes that digests are made from. A lone surrogate, as Python has it for
    a byte of a name that is no UTF-8, becomes JSON's escape for it."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def digest(value: object) -> str:
    """SHA-256 of the canonical form, as `sha256:` and 64 hexadecimal digits."""
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def record_digest(record_id: str, body: dict[str, Any]) -> str:
    """The digest of one record; its id is part of it, so that bodies cannot be swapped."""
    return hashlib.sha256(canonical([record_id, body])).hexdigest()[:DIGEST_CHARACTERS]


def root_digest(records: tuple[Record, ...]) -> str:
    """The digest that a card carries: over every record's id and digest, in order."""
    return digest([[r.id, r.digest] for r in records])


def to_records(evidence: Evidence) -> tuple[Record, ...]:
    """Split evidence into records, in a fixed order."""
    whole = evidence.model_dump(mode="json", exclude_defaults=True)
    rows: list[tuple[str, dict[str, Any]]] = [(name, whole[name]) for name in _SINGLE]
    for field, kind in _MANY.items():
        for number, body in enumerate(cast("list[dict[str, Any]]", whole.get(field, [])), 1):
            rows.append((_name(kind, number, body), body))
    rows.append(("session", _session_header(whole, evidence.session)))
    if evidence.session is not None:
        for event in whole["session"].get("events", []):
            rows.append((f"event:{event['sequence']}", event))
    return tuple(Record(id=i, digest=record_digest(i, body), body=body) for i, body in rows)


def from_records(records: tuple[Record, ...]) -> Evidence:
    """Put evidence together again. Raises `BadFile` where the records are not those of one evidence."""
    whole: dict[str, Any] = {field: [] for field in _MANY}
    kinds = {kind: field for field, kind in _MANY.items()}
    events: list[dict[str, Any]] = []
    header: dict[str, Any] = {}
    for record in records:
        kind = record.id.split(":", 1)[0]
        if kind in _SINGLE:
            whole[kind] = record.body
        elif kind in kinds:
            whole[kinds[kind]].append(record.body)
        elif kind == "event":
            events.append(record.body)
        elif kind == "session":
            header = record.body
        else:
            raise BadFile(f"unknown record {record.id!r} in the evidence")
    whole["session_state"] = header.get("state", "absent")
    if header.get("session") is not None:
        whole["session"] = {**header["session"], "events": events}
    try:
        return Evidence.model_validate(whole)
    except ValueError as error:
        raise BadFile(f"the evidence is not complete: {error}") from error


def _session_header(whole: dict[str, Any], session: Session | None) -> dict[str, Any]:
    head: dict[str, Any] = {"state": whole.get("session_state", "absent"), "session": None}
    if session is not None:
        head["session"] = {k: v for k, v in whole["session"].items() if k != "events"}
    return head


def _name(kind: str, number: int, body: dict[str, Any]) -> str:
    named = _NAMED.get(kind)
    return f"{kind}:{number}" if named is None else f"{kind}:{named.format_map(body)}"
