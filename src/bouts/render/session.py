"""A session as plain views: what it was, its timeline, its phases, its test runs, what it cost."""

from __future__ import annotations

from collections import Counter

from bouts.model.session import Session, SessionEvent, Unread
from bouts.render import profile
from bouts.render.terminal import Span, Styled, table
from bouts.scoring.process.compared import Compared
from bouts.scoring.process.phases import phases, stretches

WIDEST = 72
"""Characters of a target that a timeline shows."""


def lines(session: Session, others: Compared | None = None, *, most: int | None = 60) -> list[Styled]:
    """The session for a terminal: facts, phases, test runs, profile, what that is in other sessions, `most` rows of its
    timeline (all where `None`)."""
    made: list[Styled] = [(Span(title(session), "title"),)]
    made += [(Span(f"{name:<12}", "dim"), Span(said)) for name, said in facts(session)]
    row = phase_line(session)
    if row:
        made += [(), (Span(f"{'phases':<12}", "dim"), Span(row))]
    runs = test_rows(session)
    if runs:
        made += [(), *table(["event", "at", "passed", "failed", "tests"], runs, right=frozenset({0, 1, 2, 3}))]
    made += [(), *profile.rows(profile.of(session))]
    made += [(), *profile.compared_rows(others)] if others is not None else []
    made += [(), *_timeline(session, most)]
    made += [(Span(f"note: {note}", "warn"),) for note in (*session.notes, *session.discrepancies)]
    made += [
        (Span(f"not read: {unread(u)}" + (f" (first: {u.first})" if u.first else ""), "warn"),)
        for u in session.unread_reasons
    ]
    return made


def title(session: Session) -> str:
    """What the transcript is, on one line."""
    named = " ".join(part for part in (session.agent, session.agent_version) if part)
    parts = [named or "an agent", "" if session.format == session.agent else session.format, session.session_id or ""]
    return " · ".join(part for part in parts if part)


def facts(session: Session) -> list[tuple[str, str]]:
    """Name and value of what is known of the session as a whole."""
    counts = Counter(event.operation for event in session.events)
    kinds = ("read", "search", "edit", "create", "run", "test", "other", "message")
    cut = f"the first {len(session.events):,} events; {session.left_out:,} or more behind them are left out"
    rows = [
        ("told", cut if session.cut else ""),
        ("models", ", ".join(session.models)),
        ("started", session.started or "the transcript holds no times"),
        ("length", duration(session.duration_seconds) or ("not known" if session.cut else "")),
        ("folder", session.folder or ""),
        ("calls", f"{session.calls} of those told" if session.cut else f"{session.calls}"),
        ("events", ", ".join(f"{counts[kind]} {kind}" for kind in kinds if counts[kind])),
        ("subagents", _subagents(session)),
        ("lines", _changed(session)),
        ("tokens", _tokens(session)),
        ("cost", "" if session.cost_usd is None else f"${session.cost_usd:,.4f}"),
        ("outcome", session.outcome or ""),
        ("not read", _many(session.unread, "record") if session.unread else ""),
        ("ignored", f"{_many(session.ignored, 'record')} without an event" if session.ignored else ""),
        ("copies", f"{_many(session.copies, 'record')} left out" if session.copies else ""),
    ]
    return [(name, said) for name, said in rows if said]


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


_SINGULAR = (("that hold ", "that holds "), ("that are no objects", "that is no object"))


def unread(row: Unread) -> str:
    """How many records were not read, and why."""
    if row.records != 1:
        return f"{row.records:,} {row.reason}"
    first, space, rest = row.reason.partition(" ")
    if first not in ("results", "lines", "records", "steps", "events", "files", "messages", "spans", "rows"):
        return f"1 {row.reason}"
    for many, one in _SINGULAR:
        rest = rest.replace(many, one)
    return f"1 {first[:-1]}{space}{rest}"


def _subagents(session: Session) -> str:
    counts = Counter(event.agent for event in session.events if event.agent is not None and event.kind != "message")
    return f"{len(counts)}, which did {sum(counts.values())} of the events" if counts else ""


def duration(seconds: float | None) -> str:
    """A length of time for people; empty where it is unknown."""
    if seconds is None:
        return ""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {whole % 60} s" if minutes else f"{seconds:.1f} s"


def _changed(session: Session) -> str:
    edits = [event for event in session.events if event.operation in ("edit", "create")]
    known = [event for event in edits if event.lines_changed is not None]
    if not edits or session.cut:
        return ""
    guessed = sum(event.lines_basis == "estimated" for event in known)
    notes = [f"{guessed} estimated"] if guessed else []
    notes += [f"{len(edits) - len(known)} unknown"] if len(known) < len(edits) else []
    said = f"{sum(event.lines_changed or 0 for event in known)} changed in {_many(len(edits), 'edit')}"
    return f"{said} ({', '.join(notes)})" if notes else said


def _tokens(session: Session) -> str:
    if session.tokens is None:
        return ""
    t = session.tokens
    cached = f" ({t.cached:,} from a cache)" if t.cached else ""
    return f"{t.input:,} in{cached}, {t.output:,} out"


def phase_line(session: Session) -> str:
    """Phases in order, each with the number of its events."""
    if session.cut:
        return f"not known: {session.cut}"
    rows = stretches(session.events)
    shown = [f"{row.phase} {row.events}" for row in rows[:24]]
    return " → ".join(shown) + (f" → … {len(rows) - 24} more" if len(rows) > 24 else "")


def test_rows(session: Session) -> list[list[str]]:
    """One row a test run."""
    return [
        [
            str(event.sequence),
            duration(event.seconds),
            "?" if event.passed is None else str(event.passed),
            "?" if event.failed is None else str(event.failed),
            short(event.target or event.suite or "", WIDEST),
        ]
        for event in session.events
        if event.operation == "test"
    ]


def _timeline(session: Session, most: int | None) -> list[Styled]:
    told = phases(session.events) if session.cut is None else {}
    rows = [event for event in session.events if event.kind != "message" or event.speaker == "user"]
    kept = rows if most is None or len(rows) <= most else [*rows[: most // 2], *rows[len(rows) - most // 2 :]]
    made: list[Styled] = []
    for event in kept:
        if len(kept) < len(rows) and event is kept[most // 2 if most else 0]:
            made.append((Span(f"      … {len(rows) - len(kept)} events left out; --all shows them", "dim"),))
        at = "" if event.seconds is None else f"{event.seconds:8.1f}s"
        style = {"ok": "", "error": "bad", "unknown": "dim"}[event.status]
        made.append(
            (
                Span(f"{event.sequence:>5} {at:>9} {'' if event.agent is None else '↳':1}", "dim"),
                Span(f"{event.operation:<8}"),
                Span(f"{told.get(event.sequence, ''):<9}", "dim"),
                Span(short(says(event), WIDEST), style),
            )
        )
    return made


def says(event: SessionEvent) -> str:
    """What an event was about, with its result."""
    if event.kind == "message":
        return (event.output or "").replace("\n", " ")
    said = event.target or event.tool or ""
    if event.operation in ("read", "edit", "create"):
        said = short_path(said, WIDEST - 12)
    if event.passed is not None:
        return f"{event.passed} passed, {event.failed} failed · {said}"
    if event.lines_changed is not None:
        about = "~" if event.lines_basis == "estimated" else ""
        return f"{said} ({about}{event.lines_changed} lines)"
    return said


def short(text: str, width: int) -> str:
    """A text on one line, cut to a width."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def short_path(path: str, width: int) -> str:
    """A path on one line, cut in front: its end tells the file."""
    line = " ".join(path.split())
    return line if len(line) <= width else f"…{line[len(line) - width + 1 :]}"
