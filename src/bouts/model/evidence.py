"""Evidence: what was measured or seen, with no points and no verdict on worth. It is the author's file of facts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.challenge import Boundary, Category, Format, Pattern, Severity, Suite
from bouts.model.marks import Mark, SeenVirtue
from bouts.model.proof import Proof
from bouts.model.session import Session

TestOutcome = Literal[
    "passed", "failed", "error", "timeout", "crashed", "skipped", "missing", "duplicated", "infrastructure"
]
ViolationKind = Literal[
    "sandbox_escape",
    "hidden_test_access",
    "hardcoded_outputs",
    "grader_tampering",
    "disabled_tests",
    "stubbed",
    "network_access",
    "plagiarism",
    "constraint_violated",
    "vulnerability_introduced",
    "judge_manipulation",
    "false_test_claim",
    "hallucinated_capability",
    "read_only_modified",
]
RefusalKind = Literal[
    "runner_config",
    "test_path",
    "shadows_module",
    "not_a_file",
    "bytecode",
    "vcs_dir",
    "out_of_scope",
    "too_large",
    "bad_name",
]
BuildCheckName = Literal["compiles", "lint", "starts", "exceptions"]
MetricName = Literal["p95_ms", "memory_mb", "throughput_rps"]
ChannelName = Literal["network", "files", "processes", "memory", "output"]


class ChallengeFacts(Fact):
    """What scoring needs to know of the challenge, so that a card can be recomputed without the package."""

    id: str
    version: str
    digest: str
    title: str
    format: Format
    family: str
    tier: int
    time_limit_seconds: float
    editable: tuple[str, ...]
    dependencies: tuple[str, ...] = ()
    metrics: tuple[MetricName, ...] = ()
    """Performance metrics that the challenge declares; none means that the neutral value applies."""
    thresholds: dict[str, float] = {}
    """Labels: the score from which a judge (or `final`) is called good enough."""


class FileChange(Fact):
    """One file of the submission against the codebase as given."""

    path: str
    status: Literal["added", "modified", "deleted"]
    added: int
    removed: int
    in_scope: bool
    lines: tuple[tuple[int, int], ...] = ()
    """Line ranges of the submission's version that differ, both ends included, from 1."""


class Refusal(Fact):
    """A file of the submission that was not staged. Shown as a flag, never punished by itself."""

    path: str
    kind: RefusalKind
    detail: str = ""
    changed: bool = True
    """False where the file came along exactly as the package has it."""


class DeliverableFacts(Fact):
    """A written part, as found."""

    id: str
    path: str
    title: str
    present: bool
    placeholder: bool = False
    """Nothing in it but template text."""
    words: int = 0
    weight: Annotated[float, Field(gt=0)] = 1.0
    """Share among the deliverables that the challenge declares."""


class ProducedCode(Fact):
    """The text of the code that the submission brought, looked at for two marks."""

    files: int
    """Source files that it added or changed."""
    docstring: bool
    """Whether three double quotes in a row occur in one of them."""
    handling: bool
    """Whether `try` occurs in one of them."""


class SubmissionFacts(Fact):
    """What was handed in."""

    agent: str | None
    digest: str
    """Digest of the files that were staged."""
    source: Literal["folder", "archive", "patch"]
    files: int
    """Files taken from the submission."""
    changes: tuple[FileChange, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    deliverables: tuple[DeliverableFacts, ...] = ()
    added_dependencies: tuple[str, ...] | None = None
    """Packages that the submission's manifest names and the given one does not; `null` where none was compared."""
    iterations: int | None = None
    cost_usd: float | None = None
    produced: ProducedCode | None = None
    """`null` where the text of the code was not looked at."""


class SuiteFacts(Fact):
    """How one suite was run."""

    suite: Suite
    boundary: Boundary
    planned: int
    """Tests of the inventory."""
    seed: int
    """Seed of the shuffled order; it comes from the digests of challenge and submission."""
    seconds: float
    second_look: bool = False
    """Whether the suite ran again in an environment that looks different."""
    in_process_reason: str | None = None
    unknown: tuple[str, ...] = ()
    """Tests that were reported although the inventory does not know them."""
    warnings: tuple[str, ...] | None = None
    """Warnings that the submission's files gave while the suite ran (deprecation, leaked resource, coroutine never
    awaited), each place once, the first twenty, as `path:line: kind: message`; `null` where nobody listened."""


class TestFacts(Fact):
    """One test of the inventory, as it went, with what the rubric says of it."""

    suite: Suite
    id: str
    """Relative to the suite's folder: `unit/test_a.py::test_b[1]`."""
    outcome: TestOutcome
    seconds: float | None = None
    message: str = ""
    """Escaped, at most 2,000 characters."""
    points: float = 1.0
    category: Category | None = None
    severity: Severity | None = None
    cwe: str | None = None
    pattern: Pattern | None = None
    behaviours: tuple[str, ...] = ()
    second: TestOutcome | None = None
    """Outcome in the second look, where there was one."""
    decides: bool = True
    """Whether this test takes part in `solved`."""


class BuildFacts(Fact):
    """One check of build health."""

    check: BuildCheckName
    ok: bool
    detail: str
    places: tuple[str, ...] = ()
    """`path:line: what`, the first twenty."""


class MetricFacts(Fact):
    """One performance metric, measured several times and stored once."""

    metric: MetricName
    value: float
    """Median of `values`."""
    values: tuple[float, ...]
    low: float
    high: float
    """The lowest and the highest of `values`."""
    detail: str = ""


class Finding(Fact):
    """One row of a security scanner, new against the given codebase."""

    tool: str
    rule: str
    cwe: str | None
    severity: Severity
    confidence: Severity
    path: str
    line: int
    message: str
    excerpt: str = ""
    dangerous: bool = False
    """Proof enough for a violation: severity ≥ high and confidence ≥ medium. The confidence is low where a dangerous
    function is used and the code shows no misuse."""
    cvss: Annotated[float, Field(ge=0, le=10)] | None = None
    """CVSS base score of a known-vulnerable dependency."""


class Observation(Fact):
    """Something that the policy may punish: a kind and its proofs, with no points."""

    kind: ViolationKind
    because: str
    proofs: Annotated[tuple[Proof, ...], Field(min_length=1)]


class Notice(Fact):
    """Something a reader must know, with no points: a refused file, a neutral mark, a weaker boundary."""

    kind: str
    why: str


class AuditChannel(Fact):
    """How well one channel was watched. `none` never reads as clean."""

    channel: ChannelName
    level: Literal["complete", "partial", "none"]
    detail: str
    seen: tuple[str, ...] = ()
    """What was seen, such as the addresses of connection attempts; the first fifty."""


class Fault(Fact):
    """A failure of ours or of the world."""

    part: str
    message: str
    retry: bool = True
    """Whether running again may help."""


class EnvironmentFacts(Fact):
    """Where the evidence was gathered."""

    kernel: str
    machine: str
    cpu: str
    python: str
    sandbox: str
    tools: dict[str, str]
    """Version by tool."""
    dependencies_digest: str | None = None
    rubric_digest: str


class Evidence(Fact):
    """Everything that was measured or seen about one submission."""

    challenge: ChallengeFacts
    submission: SubmissionFacts
    suites: tuple[SuiteFacts, ...]
    tests: tuple[TestFacts, ...]
    build: tuple[BuildFacts, ...]
    metrics: tuple[MetricFacts, ...] = ()
    findings: tuple[Finding, ...] = ()
    observations: tuple[Observation, ...] = ()
    notices: tuple[Notice, ...] = ()
    audit: tuple[AuditChannel, ...] = ()
    session: Session | None = None
    session_state: Literal["given", "absent", "lost"] = "absent"
    """`absent`: none was handed in; `lost`: the platform had one and lost it."""
    marks: tuple[Mark, ...] = ()
    """What raters gave; empty where none was configured."""
    virtues: tuple[SeenVirtue, ...] = ()
    """What a model saw that may earn a bonus."""
    faults: tuple[Fault, ...] = ()
    environment: EnvironmentFacts
