"""What scoring tells the ledger, and runs that were made elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from bouts.challenges.reading import Package
from bouts.errors import BadFile, BadUsage, BoutsError
from bouts.model.card import Card
from bouts.model.ledger import ChallengeEntry, Recorded, RunEntry, task_name
from bouts.model.records import digest, from_records
from bouts.model.registered import RunInput
from bouts.model.session import Session
from bouts.ports.ledger import Ledger
from bouts.standings.budgets import judged

if TYPE_CHECKING:
    from bouts.pipeline.evaluate import Scored

AT_ONCE = 5_000
"""Runs of one transaction."""
_NAME = 40


def challenge_of(package: Package) -> ChallengeEntry:
    """What the ledger keeps of a challenge."""
    manifest = package.manifest
    return ChallengeEntry(
        id=manifest.id,
        version=manifest.version,
        digest=package.digest,
        title=manifest.title,
        format=manifest.format,
        family=manifest.family,
        language=manifest.language,
        tier=manifest.tier,
        budget=manifest.budget,
    )


def run_of(scored: Scored, package: Package, now: float, label: str | None = None) -> RunEntry:
    """The run that a score is of. The same submission of the same session is the same run, however often it is scored;
    `label` tells attempts apart that are alike in both. Raises `BadUsage` where the agent is not known."""
    card, evidence = scored.card, from_records(scored.evidence.records)
    agent, session = card.submission.agent, evidence.session
    if agent is None:
        hint = "name it by --agent, or in the submission's submission.yaml; the card is stored all the same"
        raise BadUsage("nothing was recorded: whose submission is it?", hint=hint)
    told = [agent, card.challenge.digest, card.submission.digest, _same(session), label]
    spent = None if session is None else session.duration_seconds
    cost = evidence.submission.cost_usd
    run = RunEntry(
        run=digest(told).removeprefix("sha256:")[:_NAME],
        agent=agent,
        task=task_name(card.challenge.id, card.challenge.version, card.challenge.digest),
        challenge=package.digest,
        ended=_ended(session, now),
        status="infrastructure" if card.outcome == "infrastructure" else "completed",
        outcome=card.outcome,
        success={"solved": True, "failed": False}.get(card.outcome),
        latency_ms=None if spent is None else spent * 1000,
        cost_usd=cost if cost is not None or session is None else session.cost_usd,
        steps=None if session is None or session.cut is not None else session.calls,
        tokens=None if session is None or session.tokens is None else session.tokens.input + session.tokens.output,
        turns=_turns(session),
        iterations=evidence.submission.iterations,
        seconds=spent,
        source="bouts score",
    )
    return judged(run, package.manifest.budget)


def _same(session: Session | None) -> object:
    """What tells one session from another, and no reader that is made better changes."""
    return None if session is None else [session.session_id, session.started, session.duration_seconds]


def _turns(session: Session | None) -> int | None:
    if session is None or session.cut is not None:
        return None
    return sum(event.tokens is not None for event in session.events) or None


def _ended(session: Session | None, now: float) -> float:
    """When the session ended, where it says so and that is not still to come; else now."""
    if session is None or session.cut is not None or session.started is None or not session.started.endswith("Z"):
        return now
    try:
        began = datetime.fromisoformat(session.started).timestamp()
    except ValueError:
        return now
    ended = began + (session.duration_seconds or 0.0)
    return ended if 0 < ended <= now else now


class Registrar:
    """Hands what was scored to a ledger, which is opened when the first card of a known agent is there. Thread-safe."""

    def __init__(
        self,
        opened: Callable[[], Ledger],
        package: Package,
        clock: Callable[[], float],
        *,
        label: str | None,
        asked: bool,
    ) -> None:
        self._ledger, self._one = cache(opened), Lock()
        self._package, self._clock, self._label = package, clock, label
        self._asked = asked
        self.recorded: list[Recorded] = []

    def open(self) -> Ledger:
        """The ledger, opened now if it was not. Raises what is wrong with it."""
        with self._one:
            return self._ledger()

    def record(self, scored: Scored, path: Path) -> Recorded | None:
        """Record a card that is stored at `path`. A score without an agent is left out, unless recording was asked for:
        then that is an error."""
        if scored.card.submission.agent is None and not self._asked:
            return None
        run = run_of(scored, self._package, self._clock(), self._label)
        done = self.open().record(run, scored.card, evidence_of(scored.card, path), challenge_of(self._package))
        self.recorded.append(done)
        return done


def evidence_of(card: Card, path: Path) -> bytes | None:
    """The evidence file that lies beside a card; `None` where it does not."""
    place = path.with_name(Path(card.evidence.path).name) if card.evidence.path else None
    return place.read_bytes() if place is not None and place.is_file() else None


@dataclass(frozen=True)
class Line:
    """A run that somebody told."""

    number: int
    told: RunInput
    run: str


def read_lines(lines: Iterable[bytes], where: str) -> Iterator[Line]:
    """Runs told one a line. Raises `BadFile` at the first line that is none."""
    alike: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            told = RunInput.model_validate_json(line, strict=False)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise BadFile(
                f"{place}: {first['msg']}" if place else first["msg"],
                where=f"{where}:{number}",
                hint="docs/reference/run.schema.json describes a line; nothing was recorded",
            ) from error
        yield Line(number, told, told.run or _unnamed(told, alike))


def _unnamed(told: RunInput, alike: dict[str, int]) -> str:
    key = digest(told.model_dump(mode="json", exclude_defaults=True)).removeprefix("sha256:")[:_NAME]
    alike[key] = alike.get(key, 0) + 1
    return key if alike[key] == 1 else f"{key}-{alike[key]}"


@lru_cache(maxsize=AT_ONCE)
def _told_task(task: str, family: str | None, form: str | None, language: str | None) -> ChallengeEntry:
    about = {"task": task, "family": family, "format": form, "language": language}
    return ChallengeEntry(
        id=task, version="", digest=digest(about), title=task, family=family, format=form, language=language
    )


class Registered:
    """Turns told runs into runs of a ledger, looking up each challenge once."""

    def __init__(self, find: Callable[[str], Package], source: str, now: float) -> None:
        def packaged(name: str) -> ChallengeEntry:
            return challenge_of(find(name))

        self._packaged = cache(packaged)
        self._source, self._now = source, now

    def challenge(self, told: RunInput) -> ChallengeEntry | None:
        """The challenge of a run, or what is told of its task; `None` where nothing is. Raises `NotFound`."""
        if told.challenge is not None:
            return self._packaged(told.challenge)
        if not (told.family or told.format or told.language) or told.task is None:
            return None
        return _told_task(told.task, told.family, told.format, told.language)

    def run(self, told: RunInput, name: str) -> RunEntry:
        """The run. Raises `BadUsage` for a time that cannot be read."""
        about = self.challenge(told)
        task = told.task if about is None or not about.version else task_name(about.id, about.version, about.digest)
        assert task is not None
        same = told.model_dump(exclude={"task", "challenge", "run", "ended", "family", "format", "language"})
        run = RunEntry(
            run=name,
            task=task,
            challenge=about.digest if about else None,
            ended=self._now if told.ended is None else moment(told.ended),
            source=self._source,
            **same,
        )
        return judged(run, about.budget if about else None)


def moment(told: str | float) -> float:
    """Seconds since 1970 of a time that a user wrote. Raises `BadUsage`."""
    if not isinstance(told, str):
        return told
    try:
        found = datetime.fromisoformat(told)
    except ValueError as error:
        hint = "write 2026-03-31, 2026-03-31T18:00:00Z, or seconds since 1970"
        raise BadUsage("a time that cannot be read", where=repr(told), hint=hint) from error
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def register(ledger: Ledger, lines: Iterator[Line], made: Registered, *, replace: bool) -> tuple[int, int]:
    """Record told runs, some thousands in one transaction; how many were told, and how many of them are new. What was
    recorded before an error stays, and telling it again changes nothing."""
    told = new = 0
    while chunk := list(islice(lines, AT_ONCE)):
        about = [one for line in chunk if (one := made.challenge(line.told)) is not None]
        ledger.add_challenges({one.digest: one for one in about}.values())
        added = ledger.add_runs([made.run(line.told, line.run) for line in chunk], replace=replace)
        told += len(chunk)
        new += sum(one.new for one in added)
    return told, new


def checked(lines: Iterator[Line], made: Registered, where: str) -> int:
    """Look at every line before anything is recorded; how many there are. Raises as `read_lines` and the runs do."""
    count = 0
    for line in lines:
        try:
            made.run(line.told, line.run)
        except ValidationError as error:
            raise BadFile(error.errors()[0]["msg"], where=f"{where}:{line.number}") from error
        except BoutsError as error:
            error.where = f"{where}:{line.number}" + (f": {error.where}" if error.where else "")
            raise
        count += 1
    return count


def line_of(fields: dict[str, Any]) -> bytes:
    """A told run as a line."""
    return json.dumps({k: v for k, v in fields.items() if v is not None}).encode()
