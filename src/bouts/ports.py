"""The Protocols through which the pipeline reaches the world, on one screen."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from bouts.model.evidence import Observation
from bouts.model.running import LoadJob, LoadReport, StartReport, SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Command, Ended, Look, Probe, SandboxPlan, SandboxReport
from bouts.model.scanning import ScanJob, ScanReport, SwapJob, SwappedTests

if TYPE_CHECKING:
    # Helper processes load this module and keep no ledger.
    from bouts.model.base import Fact
    from bouts.model.card import Card
    from bouts.model.ledger import (
        Added,
        ChallengeEntry,
        Entry,
        EntryKind,
        Recorded,
        ReviewAction,
        RunEntry,
        Verification,
    )
    from bouts.model.tallied import (
        AgentRow,
        CardRow,
        CardTotals,
        Queued,
        ReviewRow,
        SeasonRow,
        Tally,
        TaskRow,
        Totals,
        Where,
    )


class Running(Protocol):
    """A command that runs in a sandbox. The channel is a stream socket; the other end is descriptor 3 inside."""

    channel: socket.socket | None

    def wait(self, seconds: float) -> Ended | None:
        """How the command ended, or `None` while it runs."""
        ...

    def terminate(self) -> None:
        """Ask the command to end (SIGTERM to its process group); it may take its time or ignore that."""
        ...

    def kill(self) -> None:
        """End the command and its process group."""
        ...


class Sandbox(Protocol):
    """One isolated place: processes, files and network of its own. Several commands may run in it, one after another
    or side by side; what they write is gone when it is destroyed."""

    def put(self, path: str, data: bytes) -> None:
        """Write a file below the workspace, following no link."""
        ...

    def get(self, path: str, limit: int) -> bytes | None:
        """The first `limit` bytes of a regular file, or `None`."""
        ...

    def start(
        self, command: Command, *, channel: bool = False, stdin: bytes = b"", terminal_fd: int | None = None
    ) -> Running:
        """Start a command; with `terminal_fd` on that terminal."""
        ...

    def exec(self, command: Command, *, stdin: bytes = b"") -> Ended:
        """Run a command to its end."""
        ...

    def connect(self, port: int, seconds: float) -> socket.socket:
        """A connection to 127.0.0.1:port inside."""
        ...

    def kill(self) -> None:
        """Kill every process inside."""
        ...

    def renew(self) -> bool:
        """Kill every process inside; whether the sandbox is then as good as new."""
        ...

    def destroy(self) -> SandboxReport:
        """Kill, give everything back, and tell what the watchers saw."""
        ...


class Sandboxes(Protocol):
    """A backend that makes sandboxes."""

    def probe(self) -> Probe:
        """What works on this machine."""
        ...

    def create(self, plan: SandboxPlan) -> Sandbox:
        """Make a sandbox. Raises `SandboxUnavailable` or `SandboxFault`."""
        ...

    def reap_orphans(self) -> tuple[str, ...]:
        """Clear what dead runs left; what was removed."""
        ...


class Turn(Protocol):
    """A place among the submissions whose code may run at the same time."""

    def begin(self) -> None:
        """Wait for a place, if there is none yet."""
        ...

    def end(self) -> None:
        """Leave the place to another, if there is one."""
        ...


class Runner(Protocol):
    """Runs a language's tests with the code under test behind its boundary."""

    def run(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> SuiteReport:
        """Run the tests of one suite."""
        ...

    def run_all(
        self, jobs: tuple[SuiteJob, ...], on_test: Callable[[TestReport], None], turn: Turn | None = None
    ) -> tuple[SuiteReport, ...]:
        """Run several suites of the same code, sharing what can be shared. What must be ready before the first test may
        be done before the turn begins, and cleared away after it has ended."""
        ...

    def starts(self, target: Target) -> StartReport:
        """Whether the code starts at its boundary."""
        ...

    def load(self, job: LoadJob) -> LoadReport:
        """Measure a service under load."""
        ...

    def plan(self, target: Target, look: Look) -> SandboxPlan:
        """The sandbox that code is tested in."""
        ...


class Scanner(Protocol):
    """Reads source files and executes none of them."""

    def scan(self, job: ScanJob) -> ScanReport:
        """Compile check, lint, security and integrity of one submission."""
        ...

    def swapped(self, job: SwapJob) -> tuple[SwappedTests, ...]:
        """Visible tests as given, and with other values."""
        ...

    def environment(self) -> dict[str, str]:
        """Version by tool."""
        ...

    def close(self) -> None:
        """End helper processes."""
        ...


class Listed(Protocol):
    """An entry of a similarity index."""

    @property
    def number(self) -> int:
        """Its place: a smaller number was added earlier."""
        ...


class Kept(Protocol):
    """What became of code that was added to a similarity index."""

    @property
    def named(self) -> Listed:
        """Its entry."""
        ...


class Similarities(Protocol):
    """An index of submissions that tells copies from honest solutions of the same task."""

    def reads(self, path: str) -> bool:
        """Whether a file is in a language that can be compared."""
        ...

    def add(
        self,
        task: str,
        files: Mapping[str, bytes],
        *,
        agent: str | None,
        label: str,
        given: Mapping[str, bytes] | None = None,
    ) -> Kept:
        """Add a submission, or with `agent=None` a known solution."""
        ...

    def judge(
        self, task: str, number: int, *, similarity: float, percentile: float
    ) -> tuple[Observation | None, object]:
        """Whether an entry is too like an earlier one of another agent or a known solution."""
        ...


class Ledger(Protocol):
    """The store of runs, cards and reviews. Everything that writes is one transaction: all of it is kept, or nothing.

    Safe for several threads and processes. Raises `StoreFault` where the store cannot be read or written.
    """

    def append(self, body: Fact, *, key: str | None = None) -> Added:
        """Add one entry; `body` is one of `model.ledger.BODIES`. The same key arriving again changes nothing; without a
        key the content is the key. Runs go through `record` or `add_runs`, cards through `record` or `add_card`,
        reviews through `review`."""
        ...

    def agent(
        self,
        name: str,
        *,
        owner: str | None = None,
        model: str | None = None,
        scaffold: str | None = None,
        shown: bool | None = None,
    ) -> AgentRow:
        """Make or change an agent; what is `None` stays as it is. Runs of an unknown agent make it by themselves."""
        ...

    def season(self, name: str, first: str, last: str) -> SeasonRow:
        """Make or change a season; both days (YYYY-MM-DD, UTC) belong to it."""
        ...

    def add_challenges(self, about: Iterable[ChallengeEntry]) -> Sequence[Added]:
        """Keep what challenges' packages say; the digest is the key."""
        ...

    def record(
        self, run: RunEntry, card: Card, evidence: bytes | None = None, challenge: ChallengeEntry | None = None
    ) -> Recorded:
        """Keep evidence, card and run together. The same run again changes nothing but what differs; its attempt
        number is given here."""
        ...

    def add_card(self, run: str, card: Card, evidence: bytes | None = None) -> Added:
        """Another card of a run that is there, such as the same evidence under another policy. Raises `NotFound`."""
        ...

    def add_runs(self, runs: Iterable[RunEntry], *, replace: bool = False) -> Sequence[Added]:
        """Add runs that have no card. Raises `BadUsage` for one that is there with other figures, unless `replace`."""
        ...

    def review(
        self,
        card: str,
        action: ReviewAction,
        *,
        by: str,
        reason: str = "",
        second: Card | None = None,
        evidence: bytes | None = None,
        final: float | None = None,
    ) -> Added:
        """Appeal, or resolve. `card` is a digest or its first characters, if they tell. Raises `NotFound`, and
        `BadUsage` where the action does not fit."""
        ...

    def entries(self, after: int = 0, kinds: Sequence[EntryKind] = ()) -> Iterator[Entry]:
        """Entries behind a place, in order; only some kinds, or all."""
        ...

    def agents(self) -> tuple[AgentRow, ...]:
        """All agents, by name."""
        ...

    def seasons(self) -> tuple[SeasonRow, ...]:
        """All seasons, by their first day."""
        ...

    def tasks(self) -> tuple[TaskRow, ...]:
        """All tasks that there are runs of, by name."""
        ...

    def runs(self, where: Where, *, last: int | None = None) -> tuple[RunEntry, ...]:
        """Runs as they count, in the order in which they ended; with `last` only so many of the latest that were not
        ended by a fault of the platform."""
        ...

    def cards(self, where: Where) -> tuple[CardRow, ...]:
        """Cards in short, in the order in which their runs ended."""
        ...

    def card(self, digest: str) -> tuple[CardRow, Card]:
        """A card by its digest or the digest's first characters, if they tell. Raises `NotFound`."""
        ...

    def evidence(self, digest: str) -> bytes:
        """The evidence file of a card row's `evidence`, checked against it. Raises `NotFound` or `StoreFault`."""
        ...

    def reviews(self, card: str) -> tuple[ReviewRow, ...]:
        """Everything that was said about a card."""
        ...

    def queue(self) -> tuple[Queued, ...]:
        """Cards that wait for a reviewer."""
        ...

    def totals(self, where: Where) -> tuple[Totals, ...]:
        """One row an agent that has runs there, without reading the runs."""
        ...

    def tallies(self, where: Where) -> tuple[Tally, ...]:
        """One row for each agent and task."""
        ...

    def card_totals(self, where: Where) -> tuple[CardTotals, ...]:
        """One row for each agent, policy version and state."""
        ...

    def head(self) -> tuple[int, str]:
        """Place and digest of the last entry: a standing that names it says what it rests on. `(0, …)` when empty."""
        ...

    def verify(self, *, evidence: bool = True, derived: bool = True) -> Verification:
        """Read everything and compare: the chain and, unless switched off, evidence and derived rows."""
        ...

    def rebuild(self) -> int:
        """Make all derived rows anew from the entries; how many entries were read."""
        ...

    def close(self) -> None:
        """Leave the store."""
        ...
