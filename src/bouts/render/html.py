"""A card as one self-contained HTML file: no script, no request to anywhere, everything from the card escaped."""

from __future__ import annotations

from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bouts.model.card import Card
from bouts.render.card import CardView, view
from bouts.render.terminal import grade


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
