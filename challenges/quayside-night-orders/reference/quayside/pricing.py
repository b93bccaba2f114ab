"""Money. Inside the service amounts are whole pence."""


def show(pence):
    return f"{pence // 100}.{pence % 100:02d}"


def line_net(unit_price, quantity, percent):
    """Price of a line in pence, the discount taken off, half a penny rounded up."""
    hundredths = unit_price * quantity * (100 - percent)
    return (hundredths + 50) // 100
