"""What an appeal or a resolution changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, insert, select

from bouts.adapters.stores import tables
from bouts.adapters.stores.sums import millionths
from bouts.model.ledger import ReviewEntry

if TYPE_CHECKING:
    from bouts.adapters.stores.deriving import Deriver

ALSO = " Also provisional: "
"""How a held card says what else is missing; see `scoring.status`."""


def review(deriver: Deriver, connection: Connection, seq: int, moment: str, body: ReviewEntry) -> None:
    """Take a review in."""
    connection.execute(insert(tables.reviews), [{"seq": seq, "time": moment, **body.model_dump()}])
    for key, row in deriver.cards_of("card", body.card):
        if body.action == "appeal":
            deriver.change(key, appealed=moment)
        elif body.action == "void":
            deriver.change(key, appealed=None, state="void", final=None)
        elif body.second is not None:
            deriver.change(key, appealed=None, replaced_by=body.second)
        else:
            said = _said(connection, row["seq"])
            final = said["final"] if body.final is None else millionths(body.final)
            deriver.change(key, appealed=None, state=said["state"], final=final)
    if body.second is not None:
        for key, row in deriver.cards_of("card", body.second):
            deriver.change(key, state=_said(connection, row["seq"])["state"])


def card_body(connection: Connection, seq: int) -> dict[str, Any]:
    """The card of an entry, as it was recorded."""
    stored = select(tables.entries.c.body).where(tables.entries.c.seq == seq)
    return json.loads(connection.execute(stored).scalar_one())["body"]


def _said(connection: Connection, seq: int) -> dict[str, Any]:
    """What a card itself says, but for being held: the review lifts that."""
    card = card_body(connection, seq)
    state = card["status"]
    if state == "held":
        state = "provisional" if ALSO in card["because"] else "final"
    final = card.get("final")
    return {"state": state, "final": None if final is None else millionths(final)}
