"""A card as one self-contained HTML file: no script, no request to anywhere, everything from the card escaped."""

from __future__ import annotations

from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bouts.model.card import Card
from bouts.model.session import Session
from bouts.render import profile as profiles
from bouts.render import session as sessions
from bouts.render.card import CardView, view
from bouts.render.picture import picture
from bouts.render.terminal import grade
from bouts.scoring.process.compared import Compared


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bouts.render"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grade"] = grade
    return environment


def card_page(card: Card) -> str:
    """The page of one card."""
    return page(view(card))


def page(card_view: CardView) -> str:
    """The page of a view."""
    return _environment().get_template("card.html").render(card=card_view)


MOST_ROWS = 2000
"""Rows of a timeline that a page shows."""


def session_page(session: Session, others: Compared | None = None) -> str:
    """The page of a session: its picture, phases, test runs, profile (beside those of other sessions) and timeline."""
    timeline = [
        (
            event.sequence,
            sessions.duration(event.seconds),
            f"↳ {event.operation}" if event.agent is not None else event.operation,
            sessions.short(sessions.says(event), 400),
            "message" if event.kind == "message" else event.status,
        )
        for event in session.events[:MOST_ROWS]
    ]
    left_out = len(session.events) - len(timeline)
    there = {row.key: profiles.spread(row) for row in others.traits} if others is not None else {}
    notes = [*session.notes, *session.discrepancies]
    notes += [f"Not read: {sessions.unread(u)}." for u in session.unread_reasons]
    notes += [f"The timeline leaves out the last {left_out} events."] if left_out else []
    return (
        _environment()
        .get_template("session.html")
        .render(
            title=sessions.title(session),
            facts=sessions.facts(session),
            notes=notes,
            picture=picture(session),
            phases=sessions.phase_line(session),
            runs=sessions.test_rows(session),
            profile=[(t.label, profiles.value(t), t.because, there.get(t.key, "")) for t in profiles.of(session)],
            compared=others,
            subagents=any(event.agent is not None for event in session.events),
            timeline=timeline,
        )
    )
