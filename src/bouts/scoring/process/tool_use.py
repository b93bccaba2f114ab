"""Tool use: four habits as ratios against their targets."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction

from bouts.policy.process import ToolUseTargets
from bouts.scoring.exact import HUNDRED, exact, less, mean, ratio_of, rational, show
from bouts.scoring.parts import Part
from bouts.scoring.process.trace import Trace, base

_SHOWN = 3


@dataclass(slots=True)
class Ratio:
    """How often a habit was kept: indices of the events where it was, and of those where it was not (`missed`)."""

    said: str
    target: float
    all: int = 0
    missed: list[int] = field(default_factory=list[int])
    kept: list[int] = field(default_factory=list[int])

    @property
    def done(self) -> int:
        """How often it was kept."""
        return self.all - len(self.missed)

    @property
    def score(self) -> Fraction:
        """100 where it was kept as often as it should be, in proportion below."""
        top, bottom = ratio_of(exact(self.target))
        share = rational(100 * self.done * bottom, self.all * top)
        return HUNDRED if less(HUNDRED, share) else share

    def add(self, kept: bool, index: int) -> None:
        """Count one case."""
        self.all += 1
        (self.kept if kept else self.missed).append(index)


def tool_use(share: float, targets: ToolUseTargets, trace: Trace) -> Part:
    """Mean over the ratios that have a denominator; unscored where none has one."""
    key, label = "process.tool_use", "Tool use"
    ratios = [
        read_before_edit(trace, targets.read_before_edit),
        test_after_edit(trace, targets.test_after_edit),
        search_before_create(trace, targets.search_before_create),
        errors_followed_up(trace, targets.errors_followed_up),
    ]
    live = [ratio for ratio in ratios if ratio.all]
    scores = [ratio.score for ratio in live]
    score = mean(scores)
    if score is None:
        because = "The transcript holds no edit, no new file and no error text, so no habit can be measured."
        return Part(key, label, exact(share), None, because, "not_applicable")
    terms = ", ".join(
        f"100·min(1, {r.done}/{r.all}/{show(r.target)}) = {show(s)}" for r, s in zip(live, scores, strict=True)
    )
    missed = [index for ratio in live for index in ratio.missed]
    said = "; ".join(f"{ratio.done} of {ratio.all} {ratio.said}" for ratio in live)
    where = ", ".join(trace.cite(index) for index in missed[:_SHOWN])
    because = f"{said}." + (f" First seen otherwise at {where}." if where else "")
    # Where every habit was kept, the cases that show it are cited.
    cited = missed or sorted({ratio.kept[0] for ratio in live})
    evidence = [trace.record(index) for index in dict.fromkeys(cited)]
    return Part(key, label, exact(share), score, because, "measured", f"mean of {terms}: {show(score)}", evidence)


def read_before_edit(trace: Trace, target: float) -> Ratio:
    """Files that the session changed and did not create: read before their first edit?"""
    ratio = Ratio("edited files were read before their first edit", target)
    read: set[str] = set()
    edited: set[str] = set()
    for i, path in enumerate(trace.paths):
        if not path:
            continue
        if trace.operations[i] == "read":
            read.add(path)
        elif path not in edited:
            edited.add(path)
            if path not in trace.new_files:
                ratio.add(path in read, i)
    return ratio


def test_after_edit(trace: Trace, target: float) -> Ratio:
    """Edits and creations: a test run before the next edit of the same file, or before the end?"""
    ratio = Ratio("edits were followed by a test run", target)
    following: dict[str, int] = {}
    rows: list[tuple[int, bool]] = []
    for i in reversed(trace.writes):
        path = trace.paths[i] or ""
        until = following.get(path, len(trace.events))
        at = bisect_right(trace.tests, i)
        rows.append((i, at < len(trace.tests) and trace.tests[at] < until))
        following[path] = i
    for i, kept in reversed(rows):
        ratio.add(kept, i)
    return ratio


def search_before_create(trace: Trace, target: float) -> Ratio:
    """New files: was there a search before?"""
    ratio = Ratio("new files came after a search", target)
    searches = [i for i, what in enumerate(trace.operations) if what == "search"]
    for i in trace.new_files.values():
        ratio.add(bool(searches) and searches[0] < i, i)
    return ratio


def errors_followed_up(trace: Trace, target: float) -> Ratio:
    """Errors whose text is known: a read of or an edit in a named file, or a re-run, up to the next error?"""
    ratio = Ratio("errors were followed up", target)
    ends = [*trace.errors[1:], len(trace.events) - 1]
    # The last end belongs to the last error; with no error at all there is one end too many.
    for i, end in zip(trace.errors, ends, strict=False):
        names = trace.names(i)
        if names is not None:
            ratio.add(any(answers(trace, i, j, names) for j in range(i + 1, end + 1)), i)
    return ratio


def answers(trace: Trace, error: int, later: int, names: frozenset[str]) -> bool:
    """Whether a later event is an answer to an error: it looks at a named file, or runs again what failed."""
    event, cause = trace.events[later], trace.events[error]
    path = trace.paths[later]
    if path and base(path) in names:
        return True
    if event.operation == "test":
        return cause.operation in ("test", "run")
    return event.operation == "run" and cause.operation in ("run", "test") and event.target == cause.target
