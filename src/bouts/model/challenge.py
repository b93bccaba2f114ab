"""The challenge package as typed facts; `challenge.yaml` is read into `Challenge`.

The JSON Schema in `docs/reference/challenge.schema.json` is generated from these types, so every field's docstring
is what an author reads in an editor.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bouts.model.base import Fact
from bouts.model.constraints import Constraint

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
Version = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
RelativePath = Annotated[
    str, StringConstraints(min_length=1, max_length=300, pattern=r"^[^/\x00-\x1f]([^\x00-\x1f]*)$")
]
Rating = Annotated[int, Field(ge=1, le=5)]


class Format(StrEnum):
    """How long a challenge is and what it stresses."""

    SPRINT = "sprint"
    STANDARD = "standard"
    MARATHON = "marathon"


class Boundary(StrEnum):
    """How tests reach submitted code."""

    CALLS = "calls"
    HTTP = "http"
    CLI = "cli"
    IN_PROCESS = "in-process"


class Severity(StrEnum):
    """What the failure of a hidden test, or a security finding, would mean in production."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Category(StrEnum):
    """What a static test covers."""

    FUNCTIONALITY = "functionality"
    EDGE = "edge"
    INTEGRATION = "integration"


class Pattern(StrEnum):
    """How a hidden test differs from the visible behaviour that it validates."""

    VALUE_SWAP = "value-swap"
    SCALE = "scale"
    ORDER = "order"
    NEGATIVE = "negative"
    CONCURRENCY = "concurrency"
    INPUT_MUTATION = "input-mutation"


class Suite(StrEnum):
    """The two suites of a package. Static tests are shown to the agent, adversarial ones never."""

    STATIC = "static"
    ADVERSARIAL = "adversarial"


class Profile(Fact):
    """What makes the challenge hard: eight dimensions, each 1 (easy) to 5 (extreme)."""

    reasoning_depth: Rating
    """Inference steps: 1 the answer is in the code … 5 nothing leads there, hypotheses must be made and tried."""
    tool_dependence: Rating
    """Tools that must work together: 1 one read … 5 choosing the tools and their order is the task itself."""
    ambiguity: Rating
    """What is left unsaid: 1 every behaviour is given … 5 finding out what to build is the task."""
    deception: Rating
    """Misleading signals: 1 none … 5 the obvious solution is the trap."""
    time_pressure: Rating
    """Time against work: 1 three times what a senior engineer needs … 5 less than that, so things must be left out."""
    error_recovery: Rating
    """Cost of a wrong first move: 1 undo and try again … 5 hardly any way back."""
    non_local: Rating
    """How far cause and effect lie apart: 1 one file … 5 several services or systems."""
    strictness: Rating
    """How exact the result must be: 1 the right direction counts … 5 nothing may be wrong."""


class Budget(Fact):
    """What an agent may spend. Part of the challenge's digest: a run outside it is another contest."""

    minutes: Annotated[float, Field(gt=0, le=24 * 60)]
    """Wall-clock limit of the agent's session, in minutes."""
    tokens: Annotated[int, Field(gt=0)] | None = None
    """Limit on model tokens in and out together, or none."""
    cost_usd: Annotated[float, Field(gt=0)] | None = None
    """Limit on model cost in US dollars, or none."""
    turns: Annotated[int, Field(gt=0)] | None = None
    """Limit on model turns, or none."""
    iterations: Annotated[int, Field(ge=1, le=20)] = 1
    """How often the agent may submit and get feedback."""


class Deliverable(Fact):
    """A written part of the submission."""

    id: Identifier
    path: RelativePath
    """Where the agent writes it, relative to the workspace. Must lie inside `editable`."""
    title: str
    weight: Annotated[float, Field(gt=0)] = 1.0
    """Share among the deliverables; equal by default."""


class Environment(Fact):
    """What the code runs on. Installed once, before any submission is seen, and mounted read-only."""

    python: Literal["3"] | Annotated[str, StringConstraints(pattern=r"^3\.\d+$")] = "3"
    """The Python that the challenge is meant for; the running one must be at least this."""
    lock: RelativePath | None = "environment/requirements.lock"
    """Pinned requirements with hashes, relative to the package. `null` where only the standard library is used."""
    variables: dict[str, str] = {}
    """Environment variables that the submitted code sees."""


class CallsInterface(Fact):
    """Tests call functions and classes of these modules; each call crosses into the sandbox."""

    modules: Annotated[tuple[str, ...], Field(min_length=1)]
    """Dotted names of the public modules that tests may import."""
    path: tuple[str, ...] = (".",)
    """Folders of the workspace that go on the import path of the submitted code."""


class HttpInterface(Fact):
    """The submission is a service that is started inside the sandbox; tests are clients outside it."""

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """What starts the service. `python` as the first word is the challenge's Python. No shell."""
    port: Annotated[int, Field(ge=1024, le=65535)]
    """The TCP port on 127.0.0.1 (in the sandbox's own network) that the service listens on."""
    health: str = "/health"
    """A GET of this path answers with a status below 400 once the service is ready."""
    ready_seconds: Annotated[float, Field(gt=0, le=60)] = 10.0
    """How long the service may take until it is healthy."""


class CliInterface(Fact):
    """The submission is a command; tests give it arguments, standard input and files."""

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """The command without its arguments. `python` as the first word is the challenge's Python. No shell."""


class Interface(Fact):
    """How the code can be reached. Give the part for each boundary that a suite uses."""

    calls: CallsInterface | None = None
    http: HttpInterface | None = None
    cli: CliInterface | None = None


class SuiteSpec(Fact):
    """How one suite runs."""

    boundary: Boundary
    in_process_reason: str | None = None
    """Needed where a hidden suite runs in-process; repeated on every card, as tampering is then not ruled out."""


class Suites(Fact):
    """Both suites of the package."""

    static: SuiteSpec
    adversarial: SuiteSpec


class Limits(Fact):
    """What submitted code may use while it is tested."""

    test_seconds: Annotated[float, Field(gt=0, le=300)] = 10.0
    """Wall-clock limit of one test, measured outside the sandbox."""
    suite_seconds: Annotated[float, Field(gt=0, le=3600)] = 300.0
    """Wall-clock limit of one suite; tests that have not finished by then have failed."""
    memory_mb: Annotated[int, Field(ge=32, le=65536)] = 512
    """Memory of the whole process tree, in MiB."""
    processes: Annotated[int, Field(ge=1, le=4096)] = 64
    """Processes and threads together."""
    disk_mb: Annotated[int, Field(ge=1, le=65536)] = 64
    """Bytes that may be written anywhere, in MiB."""
    output_kb: Annotated[int, Field(ge=1, le=65536)] = 1024
    """Bytes of standard output and standard error that are read, in KiB; past it the process is killed."""


class StaticRule(Fact):
    """Rubric entry for visible tests."""

    match: str
    """A test id relative to `tests/static/`, or a pattern with `*`: `unit/test_a.py::test_b`, `e2e/*`."""
    points: Annotated[float, Field(gt=0)] = 1.0
    category: Category
    behaviour: Identifier
    """The visible behaviour, one of `behaviours`."""


class AdversarialRule(Fact):
    """Rubric entry for hidden tests."""

    match: str
    """A test id relative to `tests/adversarial/`, or a pattern with `*`."""
    severity: Severity
    cwe: Annotated[str, StringConstraints(pattern=r"^(CWE-\d+|A\d{2}:\d{4})$")]
    """Weakness class: a CWE number or an OWASP entry such as `A03:2021`."""
    pattern: Pattern
    validates: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    """The visible behaviours that this test checks under other conditions."""


class Thresholds(Fact):
    """Scores (0–100) from which a component is called good enough; labels only, they move no score."""

    objective: Annotated[float, Field(ge=0, le=100)] | None = None
    process: Annotated[float, Field(ge=0, le=100)] | None = None
    strategy: Annotated[float, Field(ge=0, le=100)] | None = None
    final: Annotated[float, Field(ge=0, le=100)] | None = None


class Rubric(Fact):
    """Maps every test to what it counts. The first rule that matches a test decides."""

    behaviours: dict[Identifier, str]
    """What the visible tests promise, one sentence each; every one is validated by at least one hidden test."""
    static: Annotated[tuple[StaticRule, ...], Field(min_length=1)]
    adversarial: Annotated[tuple[AdversarialRule, ...], Field(min_length=1)]
    thresholds: Thresholds = Thresholds()
    tie_breakers: tuple[Literal["iterations", "time"], ...] = ("iterations", "time")
    """After the final score: fewer iterations, then the shorter time."""
    guidance: dict[str, str] = {}
    """What good looks like here, per judge dimension (`strategy.tradeoffs`); shown to raters, never to agents."""
    solved_by: tuple[str, ...] = ()
    """Patterns (`static/…`, `adversarial/…`) of the tests that decide whether a run is solved; all by default."""


class Request(Fact):
    """One request of a load script."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    path: str
    body: dict[str, object] | list[object] | None = None
    """Sent as JSON."""
    expect: Annotated[int, Field(ge=100, le=599)] = 200
    """The status that the answer must have; another one makes the request a failure."""


class Performance(Fact):
    """What the load client measures, for http challenges."""

    metrics: Annotated[tuple[Literal["p95_ms", "memory_mb", "throughput_rps"], ...], Field(min_length=1)]
    setup: tuple[Request, ...] = ()
    """Requests sent once before anything is measured."""
    requests: Annotated[tuple[Request, ...], Field(min_length=1)]
    """Sent over and over, in turn, by every client. `{n}` in a path or in a string of a body is a running number."""
    clients: Annotated[int, Field(ge=1, le=64)] = 4
    """Clients that send at the same time, each waiting for its answer."""
    seconds: Annotated[float, Field(gt=0, le=60)] = 2.0
    """Length of one measurement."""
    repeats: Annotated[int, Field(ge=1, le=20)] = 3
    """Measurements, each against a service started anew; the median is scored."""


class Challenge(Fact):
    """A challenge package, format 1."""

    schema_: Annotated[Literal["bouts.challenge/1"], Field(alias="schema")]
    id: Identifier
    version: Version
    title: Annotated[str, StringConstraints(min_length=1, max_length=120)]
    summary: str
    """One sentence for lists; shown to everyone."""
    format: Format
    family: Literal["blacksite-debug", "fog-of-war", "false-summit", "other"] = "other"
    tier: Annotated[int, Field(ge=0, le=4)]
    language: Literal["python"]
    profile: Profile
    budget: Budget
    editable: Annotated[tuple[str, ...], Field(min_length=1)]
    """Patterns of the files (relative to the workspace) that are taken from a submission; `**` crosses folders."""
    deliverables: tuple[Deliverable, ...] = ()
    dependencies: tuple[str, ...] = ()
    """Packages that a submission may add to its manifest because the task asks for them."""
    constraints: Annotated[tuple[Constraint, ...], Field(max_length=50)] = ()
    """What the briefing demands of the code besides that it works; each that is not kept is a violation."""
    environment: Environment = Environment()
    interface: Interface
    suites: Suites
    limits: Limits = Limits()
    performance: Performance | None = None
    rubric: Rubric
    stage: Literal["draft", "qa", "beta", "live", "retired"] = "draft"
    """Where the challenge is in its life."""


class Expectation(Fact):
    """`expect.yaml` of a sample: what the sample must get, checked by `bouts check` and the tests."""

    agent: str | None = None
    band: tuple[float, float] | None = None
    """Lowest and highest value allowed, read on `scale`."""
    scale: Literal["final", "attainable", "gain"] = "attainable"
    """`final`; `attainable` = 100·final/attainable; `gain` = 100·(final − untouched)/(attainable − untouched)."""
    violations: tuple[str, ...] = ()
    """Kinds of violation that must be found."""
    flags: tuple[str, ...] = ()
    """Kinds of flag that must be raised."""
    note: str = ""
    """Why: what this sample does and what it must therefore get."""
