"""What a re-judging does: it runs again what the caching table does not keep, and what faults of ours had spoiled."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bouts.errors import BadFile, NotFound
from bouts.model.batch import BatchItem
from bouts.model.card import Card
from bouts.model.evidence import Evidence
from bouts.pipeline.batches import Batches
from bouts.pipeline.steps import STEPS, Name

Fate = Literal["kept", "again", "not configured", "not given"]
"""`kept`: taken as it is; `again`: done once more; `not configured`: it takes a model, and there is none; `not given`:
there is nothing to judge."""
_SPOILED: dict[str, tuple[Name, ...]] = {
    "objective": ("first_look", "second_look", "start", "load"),
    "scanner": ("scan",),
    "ruff": ("scan",),
    "integrity": ("tries",),
    "process": ("process",),
    "strategy": ("strategy",),
    "code_quality": ("code_quality",),
    "deliverables": ("deliverables",),
    "integrity_model": ("integrity_model",),
    "telemetry": ("transcript",),
}
"""The steps that a fault of ours in a part may have spoiled."""
MODELS: frozenset[Name] = frozenset({"process", "strategy", "code_quality", "deliverables", "integrity_model"})
"""Steps that ask a model."""


class Judged(NamedTuple):
    """What becomes of one step."""

    step: Name
    fate: Fate
    why: str


class Origin(NamedTuple):
    """Where a card came from."""

    item: BatchItem
    challenge: str
    challenge_digest: str
    batch: str


def rejudged(evidence: Evidence, models: frozenset[Name] = frozenset()) -> tuple[Judged, ...]:
    """What becomes of each step of a card's scoring; `models` are the steps for which a model is configured."""
    spoiled: dict[Name, str] = {}
    for fault in evidence.faults:
        for step in _SPOILED.get(fault.part.replace(":", ".").partition(".")[0], ()) if fault.retry else ():
            spoiled.setdefault(step, fault.message)
    if any(test.outcome == "infrastructure" for test in evidence.tests):
        spoiled.setdefault("first_look", "tests could not be run")
    if evidence.session_state == "lost":
        spoiled.setdefault("transcript", "the platform had lost the transcript")
    return tuple(_judged(name, evidence, models, spoiled.get(name)) for name in STEPS)


def _judged(name: Name, evidence: Evidence, models: frozenset[Name], spoiled: str | None) -> Judged:
    if name in MODELS and name not in models:
        return Judged(name, "not configured", "no model is configured")
    if spoiled is not None:
        return Judged(name, "again", f"a fault spoiled it: {spoiled}")
    absent = _absent(name, evidence)
    if absent:
        return Judged(name, "not given", absent)
    rule = STEPS[name]
    if rule.kept == "always":
        return Judged(name, "kept", f"by {', '.join(rule.by)}")
    return Judged(name, "again", "it is not kept beyond an attempt")


def _absent(name: Name, evidence: Evidence) -> str:
    """Why there is nothing to judge; empty where there is something."""
    match name:
        case "transcript" if evidence.session is None:
            return "no transcript was handed in"
        case "load" if not evidence.challenge.metrics:
            return "the challenge measures no performance"
        case "second_look" if not any(suite.second_look for suite in evidence.suites):
            return "hidden tests ran once"
        case _:
            return ""


def origin(card: Card, store: Batches) -> Origin:
    """The batch item whose card this is. Raises `NotFound` where it is not known here."""
    for name in store.names():
        try:
            state = store.read(name)
        except (BadFile, NotFound):
            continue
        for one in state.items:
            if one.verdict is not None and one.verdict.evidence == card.evidence.digest:
                return Origin(one.item, state.head.challenge, state.head.challenge_digest, name)
    raise NotFound(
        "what was scored for this card is not known here",
        hint="bouts score CHALLENGE SUBMISSION does the same: what is kept is not run again",
    )
