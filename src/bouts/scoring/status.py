"""What a card is: its outcome, its flags, and whether it is final, provisional, held or void."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from bouts.model.base import made
from bouts.model.card import Flag, Outcome, Status, Violation
from bouts.model.challenge import Boundary
from bouts.model.evidence import Evidence, SubmissionFacts
from bouts.policy.four_judge import IntegrityTable
from bouts.policy.parts import Disagreement, FaultRule
from bouts.scoring.exact import exact, less, show
from bouts.scoring.hidden import Curtain, safe
from bouts.scoring.suites import Tally

_SHOWN = 3
_PART = re.compile(r"[:.]")


@dataclass(slots=True)
class Faults:
    """Faults of ours, by what they do to the card."""

    void: list[str] = field(default_factory=list[str])
    """Why nothing can be said."""
    neutral: set[str] = field(default_factory=set[str])
    """Parts that get the neutral mark."""
    provisional: list[str] = field(default_factory=list[str])
    """What is missing for the card to be final."""
    flags: list[Flag] = field(default_factory=list[Flag])


def faults(evidence: Evidence, rules: Iterable[FaultRule], tally: Tally, curtain: Curtain) -> Faults:
    """Sort the faults. A part that the policy does not list makes the card void."""
    effects = {rule.part: rule.effect for rule in rules}
    result = Faults()
    if tally.unmeasured:
        result.void.append(f"{len(tally.unmeasured)} tests could not be run")
    for fault in sorted(evidence.faults, key=lambda fault: (fault.part, fault.message)):
        part = _PART.split(fault.part, maxsplit=1)[0]
        said = f"{fault.part}: {curtain.text(fault.message).rstrip('.')}"
        effect = effects.get(part, "void")
        if effect == "ignored":
            continue
        if effect == "neutral":
            result.neutral.add(part)
        else:
            (result.void if effect == "void" else result.provisional).append(said)
        again = " It can be run again." if fault.retry else ""
        result.flags.append(made(Flag, kind="fault", why=f"{said}.{again}", holds=False))
    return result


def outcome(evidence: Evidence, tally: Tally, violations: tuple[Violation, ...], void: bool) -> Outcome:
    """What happened, apart from the score. Solved: every deciding test passed, no violation, within the time limit."""
    if void:
        return "infrastructure"
    if over_time(evidence):
        return "out_of_budget"
    return "solved" if tally.decided and not tally.undecided and not violations else "failed"


def over_time(evidence: Evidence) -> bool:
    """Whether the transcript shows a session longer than the challenge allows."""
    session = evidence.session
    spent = session.duration_seconds if session is not None else None
    return spent is not None and less(exact(evidence.challenge.time_limit_seconds), exact(spent))


def informing(evidence: Evidence, tally: Tally, curtain: Curtain, holds: frozenset[str]) -> list[Flag]:
    """Flags of what was seen: notices, refused files, weaker boundaries, differing answers, time."""
    found = [(n.kind, curtain.text(n.why)) for n in evidence.notices]
    found += _refused(evidence.submission)
    for suite in evidence.suites:
        if suite.boundary is Boundary.IN_PROCESS:
            reason = (
                f" The author's reason: {_sentence(safe(suite.in_process_reason))}" if suite.in_process_reason else ""
            )
            why = f"The {suite.suite.value} tests share a process with the code: tampering is detected, not ruled out."
            found.append(("in_process", why + reason))
        if suite.unknown:
            many = len(suite.unknown)
            found.append(
                ("unknown_tests", f"{many} tests of the {suite.suite.value} suite were reported that it lacks.")
            )
    if tally.differing:
        found.append(("looks_differ", f"{len(tally.differing)} tests answered differently in the second environment."))
    if over_time(evidence) and evidence.session is not None:
        spent, limit = evidence.session.duration_seconds or 0, evidence.challenge.time_limit_seconds
        why = f"The session took {show(exact(spent) / 60, 1)} of {show(exact(limit) / 60, 1)} minutes allowed."
        found.append(("over_time", why))
    if evidence.session is not None and evidence.session.discrepancies:
        said = "; ".join(safe(d) for d in evidence.session.discrepancies[:_SHOWN])
        found.append(("telemetry_discrepancy", f"The transcript's summary and events disagree: {said}."))
    return [made(Flag, kind=kind, why=why, holds=kind in holds) for kind, why in dict.fromkeys(sorted(found))]


def _refused(submission: SubmissionFacts) -> list[tuple[str, str]]:
    kinds: dict[str, list[str]] = {}
    for refusal in submission.refusals:
        if refusal.changed:
            kinds.setdefault(refusal.kind, []).append(refusal.path)
    rows: list[tuple[str, str]] = []
    for kind, paths in sorted(kinds.items()):
        names = ", ".join(safe(path, 120) for path in sorted(paths)[:_SHOWN])
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        rows.append((kind, f"Not taken from the submission: {names}{more}."))
    return rows


def severe(violations: tuple[Violation, ...], table: IntegrityTable, holds: frozenset[str]) -> list[Flag]:
    """Flags of violations that a person must look at."""
    limit = exact(table.hold_at)
    bad = [v for v in violations if not less(limit, exact(v.points))]
    names = ", ".join(f"{v.kind.replace('_', ' ')} ({show(v.points)})" for v in bad)
    why = f"A penalty of {show(limit)} or worse needs a review: {names}."
    return [*([_flag("severe_violation", why, holds)] if bad else []), *_plagiarism(violations, holds)]


def severe_kinds(violations: tuple[Violation, ...], kinds: Iterable[str], holds: frozenset[str]) -> list[Flag]:
    """The same under a policy that takes no points for violations."""
    bad = [v.kind.replace("_", " ") for v in violations if v.kind in set(kinds)]
    why = f"This policy takes no points for it, but a violation of this kind needs a review: {', '.join(bad)}."
    return [*([_flag("severe_violation", why, holds)] if bad else []), *_plagiarism(violations, holds)]


def _plagiarism(violations: tuple[Violation, ...], holds: frozenset[str]) -> list[Flag]:
    if not any(v.kind == "plagiarism" for v in violations):
        return []
    return [_flag("plagiarism", "A reviewer must confirm the similarity before it counts.", holds)]


def disagreements(
    rules: Iterable[Disagreement], scores: dict[str, Fraction | None], holds: frozenset[str]
) -> list[Flag]:
    """Flags of judges that contradict each other."""
    flags: list[Flag] = []
    for rule in rules:
        high, low = scores.get(rule.high), scores.get(rule.low)
        if high is not None and low is not None and less(exact(rule.above), high) and less(low, exact(rule.below)):
            why = f"{rule.high.capitalize()} is {show(high)} and {rule.low} {show(low)}: {rule.meaning}."
            flags.append(_flag(rule.kind, why, holds))
    return flags


def status(void: list[str], flags: Iterable[Flag], missing: list[str]) -> tuple[Status, str]:
    """The state of the card and why."""
    if void:
        return "void", f"Void, because of a fault that is not the submission's: {void[0]}. It can be run again."
    held = [flag.kind.replace("_", " ") for flag in flags if flag.holds]
    if held:
        also = f" Also provisional: {'; '.join(missing)}." if missing else ""
        return "held", f"Held for a review: {', '.join(held)}.{also}"
    if missing:
        return "provisional", f"Provisional: {'; '.join(missing)}."
    return "final", "Everything that the policy asks for was judged, and nothing holds the card."


def _flag(kind: str, why: str, holds: frozenset[str]) -> Flag:
    return made(Flag, kind=kind, why=why, holds=kind in holds)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
