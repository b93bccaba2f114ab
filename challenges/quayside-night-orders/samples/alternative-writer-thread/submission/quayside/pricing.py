"""Money. Inside the service amounts are whole pence."""

from decimal import ROUND_HALF_UP, Decimal


def show(pence):
    return f"{pence // 100}.{pence % 100:02d}"


def line_net(unit_price, quantity, percent):
    exact = Decimal(unit_price) * quantity * (100 - percent) / 100
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))
