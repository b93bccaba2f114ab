"""Scope: was only changed what the task asks for?"""

from __future__ import annotations

from bisect import bisect_left

from bouts.model.evidence import ChallengeFacts, SubmissionFacts
from bouts.policy.process import ScopeNumbers
from bouts.scoring.exact import HUNDRED, ZERO, clamp, exact, show, sum_of
from bouts.scoring.hidden import safe
from bouts.scoring.parts import Part
from bouts.scoring.process.trace import Trace

_SHOWN = 3


def scope(
    share: float, numbers: ScopeNumbers, challenge: ChallengeFacts, submission: SubmissionFacts, trace: Trace
) -> Part:
    """Deductions for files outside the declared scope, for dependencies not asked for, and for late changes."""
    outside = outside_files(submission)
    added = sorted(set(submission.added_dependencies or ()) - set(challenge.dependencies))
    edits, lines = late_edits(trace, {d.path for d in submission.deliverables})
    late = lines // numbers.lines_per_point
    total = sum_of(
        (numbers.start, 1), (numbers.file_outside, -len(outside)), (numbers.dependency, -len(added)), (late, -1)
    )
    score = clamp(total, ZERO, HUNDRED)
    said = [
        *([f"outside the scope: {_names(outside)}"] if outside else []),
        *([f"dependencies that the task does not ask for: {_names(added)}"] if added else []),
        *([f"{lines} lines were changed after every test had passed (from {trace.cite(edits[0])})"] if late else []),
    ]
    text = "; ".join(said) or "only files in scope were changed, and no dependency was added"
    unknown = " Dependencies were not compared." if submission.added_dependencies is None else ""
    formula = (
        f"clamp({show(numbers.start)} − {show(numbers.file_outside)}·{len(outside)} files"
        f" − {show(numbers.dependency)}·{len(added)} dependencies − {lines}//{numbers.lines_per_point} lines, 0, 100)"
        f" = {show(score)}"
    )
    because = f"{text[:1].upper()}{text[1:]}.{unknown}"
    evidence = ["submission", *(trace.record(i) for i in edits)] if said else ["submission"]
    return Part("process.scope", "Scope management", exact(share), score, because, "measured", formula, evidence)


def outside_files(submission: SubmissionFacts) -> list[str]:
    """Files that the submission changed outside the declared scope, whether they were staged or refused."""
    changed = {change.path for change in submission.changes if not change.in_scope}
    refused = {r.path for r in submission.refusals if r.kind == "out_of_scope" and r.changed}
    return sorted(changed | refused)


def late_edits(trace: Trace, written: set[str]) -> tuple[list[int], int]:
    """Edits made while the latest full run had passed every test, and their lines together.

    New files have no tests yet, and deliverables (`written`) never have; both stay out.
    """
    runs = [run.at for run in trace.runs]
    lines, edits = 0, list[int]()
    for i in trace.writes:
        before, path, changed = bisect_left(runs, i), trace.paths[i], trace.events[i].lines_changed
        late = before > 0 and trace.runs[before - 1].full
        if late and changed and path not in written and path not in trace.new_files:
            edits.append(i)
            lines += changed
    return edits, lines


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(safe(name, 120) for name in names[:_SHOWN])}{more}"
