"""What is derived from a ledger's entries: rows that standings are made from without reading every run.

All sums are whole numbers: nanoseconds, billionths of a dollar, millionths of a point. So they do not depend on the
order in which runs arrived, and making them anew gives the same numbers.

Runs inside the challenges' budgets and runs outside them never share a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from bouts.model.ledger import COST_PLACES, TIME_PLACES, CardState

LATENCY_UNIT = 10**TIME_PLACES
"""Units of a latency sum in a millisecond."""
COST_UNIT = 10**COST_PLACES
"""Units of a cost sum in a US dollar."""
POINT_UNIT = 10**6
"""Units of a sum of finals in a point."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which runs, cards or totals are asked for; what is left empty lets everything through.

    Totals are at hand for every combination of season, family, format and language; a question that names a task or a
    challenge is answered from the tallies by task, which takes longer.
    """

    agents: tuple[str, ...] = ()
    model: str | None = None
    task: str | None = None
    challenge: str | None = None
    """Id of a challenge, of any version."""
    family: str | None = None
    format: str | None = None
    language: str | None = None
    season: str | None = None
    inside: bool = True
    """Runs inside the budgets, or those outside."""
    policy: str | None = None
    policy_version: str | None = None
    states: tuple[CardState, ...] = ()
    latest: bool = True
    """Only the card that counts of each run and policy version, or superseded ones too."""


@dataclass(frozen=True, slots=True)
class AgentRow:
    """An agent, as its latest entry says."""

    name: str
    owner: str | None
    model: str | None
    scaffold: str | None
    shown: bool
    pseudonym: str

    @property
    def title(self) -> str:
        """What standings call it."""
        return self.name if self.shown else self.pseudonym


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season; both days belong to it, in UTC."""

    name: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task that there are runs of. What nobody told is `None`."""

    task: str
    challenge: str | None
    """Id of the challenge."""
    version: str | None
    digest: str | None
    title: str | None
    format: str | None
    family: str | None
    language: str | None
    tier: int | None


@dataclass(frozen=True, slots=True)
class Spread:
    """Of one measured figure: how many values, their sum, and the sum of their squares, in whole units."""

    count: int
    total: int
    squares: int
    unit: int
    """Units in one millisecond or dollar."""

    @property
    def mean(self) -> Fraction | None:
        """The exact mean in milliseconds or dollars; `None` of nothing."""
        return Fraction(self.total, self.count * self.unit) if self.count else None

    @property
    def variance(self) -> Fraction | None:
        """The exact variance, population form; `None` of nothing."""
        if not self.count:
            return None
        return Fraction(self.squares * self.count - self.total**2, (self.count * self.unit) ** 2)


@dataclass(frozen=True, slots=True)
class Counted:
    """Runs of one agent, as every row of them counts."""

    agent: str
    inside: bool
    completed: int
    """Runs of status completed, failed or timeout: all but those that a fault of the platform ended."""
    infrastructure: int
    outcomes: int
    """Runs among the completed whose outcome is known, n."""
    successes: int
    """Successes among them, c."""
    latency: Spread
    """Over the completed runs that say it; all of them do where `latency.count == completed`."""
    cost: Spread


@dataclass(frozen=True, slots=True)
class Tally(Counted):
    """The runs of one agent at one task."""

    task: str


@dataclass(frozen=True, slots=True)
class Totals(Counted):
    """The runs of one agent in a scope."""

    steps: Spread
    tokens: int
    """Sum over the completed runs that say it."""
    tasks: Mapping[tuple[int, int], int]
    """How many tasks have n known outcomes and c successes, by (n, c): enough for pass^k, for the mean over tasks and
    for error bars clustered by task."""


@dataclass(frozen=True, slots=True)
class CardTotals:
    """The cards of one agent in a scope, of one policy version and one state; sums are of finals in millionths."""

    agent: str
    inside: bool
    policy: str
    version: str
    state: CardState
    cards: int
    """Cards that count."""
    total: int
    """Sum of their finals."""
    squares: int
    """Sum of the squares of their finals."""
    tasks: int
    """Tasks that they are of."""
    task_sizes: int
    """Sum over tasks of m², m being the task's number of cards."""
    task_crossed: int
    """Sum over tasks of m·s, s being the task's sum of finals."""
    task_squares: int
    """Sum over tasks of s². With the two above: the squared deviations of task sums from any mean."""
    mean_total: Fraction
    """Sum over tasks of the task's mean final, in points: the mean over tasks is this by `tasks`."""
    mean_squares: Fraction
    """Sum over tasks of the squared mean final."""
    iterations: int | None
    """Sum of iterations; `None` where a card does not say."""
    seconds: Fraction | None
    """Sum of the times to the final submission, in seconds; `None` where a card does not say."""

    @property
    def mean(self) -> Fraction | None:
        """Mean final over all cards, in points."""
        return Fraction(self.total, self.cards * POINT_UNIT) if self.cards else None


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card in short. The whole one is had by its digest."""

    card: str
    seq: int
    time: str
    """When it was recorded."""
    run: str
    agent: str
    task: str
    attempt: int
    ended: float
    inside: bool
    policy: str
    version: str
    status: CardState
    """As the card says."""
    state: CardState
    """After the reviews."""
    outcome: str
    final: float | None
    """After the reviews, 0–100 to 6 places; `None` of a void card."""
    iterations: int | None
    seconds: float | None
    latest: bool
    """Whether it counts: no later card of the same run and policy version."""
    replaced_by: str | None
    """The second card of a review, which counts instead."""
    appealed: bool
    """Whether an appeal waits for an answer."""
    evidence: str | None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """An appeal or a resolution, in the order in which they came."""

    seq: int
    time: str
    card: str
    action: str
    by: str
    reason: str
    second: str | None
    final: float | None


@dataclass(frozen=True, slots=True)
class Queued:
    """A card that waits for a reviewer: held, appealed, or both. Longest waiting first."""

    card: CardRow
    since: str
    """When it was recorded, or appealed."""
    why: tuple[str, ...]
    """Kinds of the flags that hold it, and `appeal`."""
    reviews: tuple[ReviewRow, ...]
