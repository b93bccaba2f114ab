"""The shapes that `--json` prints. Commands print plain dicts; tests hold each against its shape here.

The JSON Schemas in `docs/reference/` are generated from these.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bouts.cli.schemas_batches import BATCH_OUTPUTS
from bouts.cli.schemas_errors import ErrorBody, ErrorOutput
from bouts.cli.schemas_ledger import LEDGER_OUTPUTS
from bouts.cli.schemas_policies import (
    DiffOutput,
    PoliciesOutput,
    PolicyDiffOutput,
    PolicyMovementsOutput,
    PolicyOutput,
    RescoredOutput,
)
from bouts.cli.schemas_similarity import SimilarityAddedOutput, SimilarityComparedOutput, SimilarityReportOutput
from bouts.cli.schemas_standings import STANDINGS_OUTPUTS
from bouts.model.base import Fact
from bouts.model.card import Card
from bouts.model.evidence import TestOutcome
from bouts.model.reports import Held, Reported
from bouts.model.sandbox import ProbeItem
from bouts.model.session import Session
from bouts.scoring.explain import Derivation
from bouts.scoring.explore import WhatIf
from bouts.scoring.process.compared import Compared
from bouts.scoring.process.profile import Trait
from bouts.scoring.reach import Reach


class ScoreItem(Fact):
    """One submission of several: a card, or the error that kept it from one."""

    submission: str
    path: str | None
    card: Card | None
    error: ErrorBody | None


class ScoresOutput(Fact):
    """`bouts score` with several submissions; with one it prints the card itself."""

    schema_: Literal["bouts.scores/1"] = Field(alias="schema")
    items: tuple[ScoreItem, ...]


class DemoItem(Fact):
    """One sample of the demonstration."""

    challenge: str
    sample: str
    as_expected: bool
    expected: str
    got: str
    problems: tuple[str, ...]
    card: Card | None


class DemoOutput(Fact):
    """`bouts demo`."""

    schema_: Literal["bouts.demo/1"] = Field(alias="schema")
    folder: str
    samples: tuple[DemoItem, ...]


class ProblemBody(Fact):
    """One place where a card and its evidence differ."""

    where: str
    what: str


class VerificationOutput(Fact):
    """`bouts verify`."""

    schema_: Literal["bouts.verification/1"] = Field(alias="schema")
    agrees: bool
    problems: tuple[ProblemBody, ...]
    authenticity: str


class DerivationOutput(Fact):
    """`bouts explain`."""

    schema_: Literal["bouts.derivation/1"] = Field(alias="schema")
    lines: tuple[Derivation, ...]
    evidence_at_hand: bool
    profile: tuple[Trait, ...] | None
    """Traits of the session where the process judge is explained and its evidence is at hand, else `null`."""


class WhatIfOutput(WhatIf):
    """`bouts explain --what-if`."""

    schema_: Literal["bouts.what-if/1"] = Field(alias="schema")


class ToReachOutput(Reach):
    """`bouts explain --to-reach`."""

    schema_: Literal["bouts.to-reach/1"] = Field(alias="schema")


class DoctorOutput(Fact):
    """`bouts doctor`."""

    schema_: Literal["bouts.doctor/1"] = Field(alias="schema")
    backend: str
    usable: bool
    items: tuple[ProbeItem, ...]


class CleanPlace(Fact):
    """One place where Bouts keeps things."""

    name: str
    path: str
    bytes: int
    removed: bool


class CleanOutput(Fact):
    """`bouts clean`."""

    schema_: Literal["bouts.clean/1"] = Field(alias="schema")
    places: tuple[CleanPlace, ...]


class ChallengeItem(Fact):
    """One challenge."""

    id: str
    version: str
    format: str
    tier: int
    summary: str
    path: str


class ChallengesOutput(Fact):
    """`bouts challenges`."""

    schema_: Literal["bouts.challenges/1"] = Field(alias="schema")
    challenges: tuple[ChallengeItem, ...]


class WorkspaceOutput(Fact):
    """`bouts workspace`."""

    schema_: Literal["bouts.workspace/1"] = Field(alias="schema")
    challenge: str
    path: str


class CheckItem(Fact):
    """One check of a package."""

    name: str
    level: Literal["ok", "warning", "error"]
    message: str
    remedy: str


class CheckOutput(Fact):
    """`bouts check`."""

    schema_: Literal["bouts.check/1"] = Field(alias="schema")
    passed: bool
    checks: tuple[CheckItem, ...]


class TestItem(Fact):
    """One visible test."""

    id: str
    outcome: TestOutcome
    seconds: float
    message: str = ""


class TestOutput(Fact):
    """`bouts test`."""

    schema_: Literal["bouts.test/1"] = Field(alias="schema")
    challenge: str
    tests: tuple[TestItem, ...]


class TranscriptPhase(Fact):
    """Events of one phase in a row."""

    phase: Literal["localise", "patch", "validate"]
    first: int
    last: int
    events: int


class TranscriptOutput(Fact):
    """`bouts transcript`."""

    schema_: Literal["bouts.transcript/1"] = Field(alias="schema")
    session: Session
    calls: int | None
    """`null`, as the phases, where events were left out (`left_out`), so that not all are known."""
    phases: tuple[TranscriptPhase, ...] | None
    profile: tuple[Trait, ...]
    compared: Compared | None
    """The profile beside other sessions; `null` without `--beside`."""


class TranscriptFormat(Fact):
    """One format of transcripts."""

    name: str
    title: str


class TranscriptFormatsOutput(Fact):
    """`bouts transcript --formats`."""

    schema_: Literal["bouts.transcript-formats/1"] = Field(alias="schema")
    formats: tuple[TranscriptFormat, ...]


class ReportOutput(Fact):
    """`bouts report`."""

    schema_: Literal["bouts.report/1"] = Field(alias="schema")
    report: Reported
    held: Held | None
    """The report against the visible tests of a card, where one was named."""


OUTPUTS: dict[str, type[Fact]] = {
    "card": Card,
    "error": ErrorOutput,
    "scores": ScoresOutput,
    "demo": DemoOutput,
    "verification": VerificationOutput,
    "derivation": DerivationOutput,
    "what-if": WhatIfOutput,
    "to-reach": ToReachOutput,
    "diff": DiffOutput,
    "rescored": RescoredOutput,
    "policies": PoliciesOutput,
    "policy": PolicyOutput,
    "policy-diff": PolicyDiffOutput,
    "policy-movements": PolicyMovementsOutput,
    "doctor": DoctorOutput,
    "clean": CleanOutput,
    "challenges": ChallengesOutput,
    "workspace": WorkspaceOutput,
    "check": CheckOutput,
    "test": TestOutput,
    "transcript": TranscriptOutput,
    "transcript-formats": TranscriptFormatsOutput,
    "report": ReportOutput,
    "similarity-added": SimilarityAddedOutput,
    "similarity-compared": SimilarityComparedOutput,
    "similarity-report": SimilarityReportOutput,
    **BATCH_OUTPUTS,
    **LEDGER_OUTPUTS,
    **STANDINGS_OUTPUTS,
}
"""Each shape by the name of its schema file."""
