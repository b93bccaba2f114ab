"""An account's credits as an unchangeable value.

A stock is a tuple of shelves, each a short run of lots with its total, everything in drawing order. Taking credits makes a
new stock that shares all other shelves with the old one, so a half-done settlement is simply thrown away.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

WIDTH = 128
FOREVER = float("inf")


class Lot(NamedTuple):
    end: float
    turn: int
    """Position among all grants; decides between lots that expire together."""
    grant: str
    left: int


class Shelf(NamedTuple):
    lots: tuple[Lot, ...]
    total: int


Stock = tuple[Shelf, ...]
EMPTY: Stock = ()


def _shelf(lots: tuple[Lot, ...]) -> Shelf:
    return Shelf(lots, sum(lot.left for lot in lots))


def _last(shelf: Shelf) -> tuple[float, int]:
    return shelf.lots[-1][:2]


def add(stock: Stock, lot: Lot) -> Stock:
    if not stock:
        return (_shelf((lot,)),)
    place = min(bisect_left(stock, lot[:2], key=_last), len(stock) - 1)
    lots = stock[place].lots
    at = bisect_left(lots, lot[:2], key=lambda known: known[:2])
    lots = (*lots[:at], lot, *lots[at:])
    halves = (lots,) if len(lots) <= WIDTH else (lots[: WIDTH // 2], lots[WIDTH // 2 :])
    return (*stock[:place], *map(_shelf, halves), *stock[place + 1 :])


def available(stock: Stock, now: int) -> int:
    place = bisect_right(stock, now, key=lambda shelf: shelf.lots[-1].end)
    if place == len(stock):
        return 0
    partly = sum(lot.left for lot in stock[place].lots if lot.end > now)
    return partly + sum(shelf.total for shelf in stock[place + 1 :])


def draw(stock: Stock, amount: int, now: int) -> tuple[Stock, tuple[tuple[str, int], ...]] | None:
    """The stock without the credits and where they came from; None where they do not suffice."""
    start = place = bisect_right(stock, now, key=lambda shelf: shelf.lots[-1].end)
    draws: list[tuple[str, int]] = []
    changed: list[Shelf] = []
    while amount and place < len(stock):
        shelf = stock[place]
        if shelf.total:
            lots, before = list(shelf.lots), amount
            for at, lot in enumerate(shelf.lots):
                take = min(lot.left, amount) if lot.end > now else 0
                if take:
                    lots[at] = lot._replace(left=lot.left - take)
                    draws.append((lot.grant, take))
                    amount -= take
                    if not amount:
                        break
            shelf = Shelf(tuple(lots), shelf.total - (before - amount))
        changed.append(shelf)
        place += 1
    if amount:
        return None
    return (*stock[:start], *changed, *stock[place:]), tuple(draws)


def put_back(stock: Stock, end: float, turn: int, amount: int) -> Stock:
    place = bisect_left(stock, (end, turn), key=_last)
    lots = list(stock[place].lots)
    at = bisect_left(lots, (end, turn), key=lambda lot: lot[:2])
    lots[at] = lots[at]._replace(left=lots[at].left + amount)
    return (*stock[:place], _shelf(tuple(lots)), *stock[place + 1 :])
