"""A package with one of everything that a test may meet at the `calls` boundary."""

from .errors import OutOfStock, ShopError
from .models import Basket, Colour, Item, Level, Money, Perm, Point, Status, Vector

LIMIT = 5
NAMES = ("a", "b")
RATES = {"x": 1.5, "y": [1, 2]}
default_basket = Basket()


def add(a, b=1, *rest, scale=1):
    return (a + b + sum(rest)) * scale


def echo(value):
    return value


def kind_of(value):
    return type(value).__name__
