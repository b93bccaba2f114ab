"""Money. Inside the service amounts are whole pence."""


def show(pence):
    return str(round(pence / 100, 2))


def discounted(product, percent):
    if percent:
        product["unit_price"] = product["unit_price"] * (100 - percent) / 100
    return product["unit_price"]


def line_net(product, quantity, percent):
    return round(discounted(product, percent) * quantity)
