"""How Bouts reads what a document leaves open, in the words of the product. Numbers come from the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bouts.policy.catalogue import Policy
from bouts.policy.four_judge import FourJudge
from bouts.policy.headline import Headline
from bouts.policy.partial_credit import PartialCredit
from bouts.policy.parts import HiddenMeaning
from bouts.policy.six_component import SixComponent
from bouts.scoring.exact import PLACES, show


class Ruling(NamedTuple):
    """One reading."""

    number: int
    """Its number in the product's list of rulings; 0 for a reading that has none."""
    title: str
    text: str


def rulings(policy: Policy) -> tuple[Ruling, ...]:
    """The readings that touch a score under this policy, by number."""
    match policy:
        case FourJudge():
            own = _four_judge(policy)
        case SixComponent():
            own = _six_component(policy)
        case PartialCredit():
            own = _partial_credit(policy)
        case Headline():
            return tuple(sorted((*_everywhere(), *_headline(policy)), key=_order))
    return tuple(sorted((*_everywhere(), *_cards(), *own), key=_order))


def _order(ruling: Ruling) -> tuple[bool, int]:
    return ruling.number == 0, ruling.number


def _everywhere() -> Iterator[Ruling]:
    yield Ruling(
        1,
        "solved",
        "Every visible and hidden test passed and there is no violation; a challenge may name the tests that decide "
        "instead. Success, pass^k, correctness and pass rates rest on it.",
    )
    yield Ruling(
        2,
        "completed runs",
        "An agent's own time-out or failure is a completed, unsuccessful run. Only faults of the infrastructure "
        "stay out.",
    )
    yield Ruling(
        27,
        "arithmetic",
        "Exact fractions inside; what is shown is rounded half up. A card stores scores and points to "
        f"{PLACES} decimals, and its sum agrees with its final to within that rounding.",
    )
    yield Ruling(
        39,
        "who sets what",
        "A challenge sets points, severities and thresholds, never the weights of components. Only partial-credit's "
        "weights may "
        "be set for a problem, by a named variant.",
    )


def _cards() -> Iterator[Ruling]:
    yield Ruling(
        3,
        "sandbox faults",
        "A sandbox that died twice through no act of the submission makes the card void: no score, and it can be "
        "run again. A crash "
        "that the submission caused is its failure and is scored.",
    )
    yield Ruling(
        14,
        "inventory",
        "The names of tests are fixed beforehand. A test that is missing, reported twice or skipped where the "
        "reference does not skip "
        "it has failed.",
    )
    yield Ruling(
        20,
        "second look",
        "Hidden suites run a second time in an environment that looks different; a test has passed only if it "
        "passed in both.",
    )
    yield Ruling(
        26,
        "what holds",
        "Each kind of flag says whether it holds the card. Severe violations, contradicting judges, torn panels and "
        "similarity hold; "
        "neutral marks and refused files do not.",
    )


def _hidden(meaning: HiddenMeaning) -> Ruling:
    return Ruling(
        40,
        "meaning of the hidden tests' score",
        f"At {show(meaning.fails_at)} such code would fail in production within days; "
        f"{show(meaning.defensive_from)} or more means defensive programming. The card says so in words; it moves no "
        "score.",
    )


def _missing(neutral: float) -> Ruling:
    return Ruling(
        7,
        "missing evidence",
        "No transcript, or no model configured: no score, never 0 or 100; the weight is shared out in proportion "
        "and the card is "
        "provisional. A transcript that the platform lost, or a configured model that failed: neutral "
        f"{show(neutral)}, flagged.",
    )


def _panels(deduction: float, spread: float) -> Iterator[Ruling]:
    yield Ruling(
        9,
        "raters missing",
        f"Two of three left: their mean if they lie within {show(spread)} points, else the mean less "
        f"{show(deduction)}, flagged. One "
        "left: its mark, flagged.",
    )
    yield Ruling(30, "not monotonic", "The panel rules are not monotonic; see the example above. Known, kept, stated.")


def _four_judge(policy: FourJudge) -> Iterator[Ruling]:
    yield _missing(policy.neutral)
    yield _hidden(policy.objective.hidden_meaning)
    panel, table = policy.strategy.panel, policy.integrity
    yield from _panels(panel.deduction, panel.spread)
    yield Ruling(
        10,
        "what can be reached",
        "With no model and no performance metric a card cannot reach the full score, so each card states what it "
        "could have reached: "
        "every line that applies at its best, and no bonus. Bands for reference solutions are read on that.",
    )
    yield Ruling(
        16,
        "starts, and exceptions",
        "Starts: the public modules import, the service answers its health path, or the command runs. An exception "
        "counts against "
        "build health only where it escaped from a thread, task or exit hook, or killed the worker; never one that "
        "a test received.",
    )
    yield Ruling(
        17,
        "lint",
        f"A literal list of rules ({', '.join(policy.objective.lint_rules['python'])} for Python), not a linter's "
        "defaults; only "
        "violations that are new against the given codebase count.",
    )
    yield Ruling(
        19,
        "performance",
        "Measured several times and stored once, so a card can be recomputed; it is the one part that two runs may "
        "measure differently.",
    )
    yield Ruling(
        21,
        "violations need proof",
        "A refused file or a suspicious pattern is a flag without points; a violation has a proof.",
    )
    yield Ruling(
        22,
        "stubs",
        "Working code replaced by a constant or a TODO, or a constant that is claimed to be done. A stub that was "
        "there and stayed is "
        "merely a failing test.",
    )
    yield Ruling(
        23,
        "similarity",
        f"Counts from {show(table.similarity)} on, and only above the {show(table.similarity_percentile)}th "
        "percentile of honest pairs "
        "of the same task; a reviewer confirms it first.",
    )
    yield Ruling(
        24,
        "weaknesses",
        "A security weakness is a violation once for each kind, where it is new, severe and sure enough.",
    )
    yield Ruling(
        25,
        "severity of findings",
        "One table says which weakness a scanner's rule stands for and how severe it is, for every policy; a "
        "weakness that it does not "
        "list takes the scanner's severity, at most high.",
    )
    yield Ruling(
        29,
        "R2 looks at the median",
        "What decides is how far a mark lies from the median, not from the other two; the same marks can come out "
        "otherwise "
        "under R1. An example is among the marks above.",
    )
    yield Ruling(
        33,
        "slips of the document",
        "Its printed card does not follow from its own formulas; the formulas stand. See the examples above, which "
        "use its sub-scores.",
    )
    yield Ruling(
        34,
        "telemetry",
        "Events are the truth, a summary is only cross-checked; a metric whose field is missing has no score.",
    )
    yield Ruling(
        35,
        "trajectory",
        "Only test runs of the largest total seen count; after the first full pass only falls do; a single run that "
        "fails earns no progress.",
    )
    yield Ruling(
        36,
        "efficiency in time",
        "The time of the first full pass over the challenge's time limit. No test gained gives 0, and no score "
        "where the first run passed all. A session without test runs never passed; where runs have no counts and did "
        "not fail, whether they passed all is not known, and the time has no score.",
    )
    yield Ruling(
        0,
        "further violations",
        "Tampering with the grader counts as hardcoded outputs do; text aimed at the judges, and a claim that tests "
        "pass where the record "
        "shows that they failed, are violations of their own.",
    )


def _six_component(policy: SixComponent) -> Iterator[Ruling]:
    yield _missing(policy.neutral)
    yield _hidden(policy.hidden_meaning)
    yield from _panels(policy.code_quality.panel.deduction, policy.code_quality.panel.spread)
    yield Ruling(
        25,
        "severity of findings",
        "One table for every policy; a weakness that it does not list takes the scanner's, at most high.",
    )
    yield Ruling(
        28,
        "panels on the card",
        "The raters' totals stand below `code_quality` and below each deliverable, their dimensions below them.",
    )
    levels = policy.security.dependencies
    yield Ruling(
        0,
        "critical cap",
        f"One or more critical findings: the final is at most {show(policy.security.critical_cap)}. The document "
        "asks for that effect, "
        "which its weights alone do not bring about.",
    )
    yield Ruling(
        0,
        "vulnerable dependencies",
        f"By their CVSS score: from {show(levels.critical)} critical, from {show(levels.high)} high, from "
        f"{show(levels.medium)} medium, "
        "else low.",
    )
    yield Ruling(
        0, "violations", "They cost no points under this policy, but the severe ones hold the card for a review."
    )


def _partial_credit(policy: PartialCredit) -> Iterator[Ruling]:
    yield _missing(policy.neutral)
    yield Ruling(
        0,
        "violations",
        "They cost no points under this policy, but the severe ones hold the card for a review.",
    )


def _headline(policy: Headline) -> Iterator[Ruling]:
    yield Ruling(
        8,
        "unknown cost",
        "Runs with no known cost: the cost has no value and the composite is provisional, never cheap.",
    )
    yield Ruling(
        31,
        "laws",
        "The composite is 0 when nothing succeeded, in that direction only. pass^k falls with k, and is shown with "
        "the number of tasks "
        "that have fewer outcomes than k.",
    )
    yield Ruling(
        0,
        "consistency",
        "The document names the input but not the formula: standard deviation over mean of the latencies, in the "
        "form for a population.",
    )
    yield Ruling(0, "tool efficiency", "The document gives no scale for steps; the one above is Bouts' own.")
