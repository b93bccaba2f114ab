"""Money. Inside the service amounts are whole pence."""

from fractions import Fraction
from math import floor


def show(pence):
    pounds, rest = divmod(pence, 100)
    return f"{pounds}.{rest:02}"


def line_net(unit_price, quantity, percent):
    return floor(Fraction(unit_price * quantity * (100 - percent), 100) + Fraction(1, 2))
