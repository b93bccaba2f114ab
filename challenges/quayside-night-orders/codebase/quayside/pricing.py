"""Money. Inside the service amounts are whole pence."""


def show(pence):
    return f"{pence // 100}.{pence % 100:02d}"


def discounted(product, percent):
    if percent:
        product["unit_price"] = product["unit_price"] * (100 - percent) / 100
    return product["unit_price"]


def line_net(product, quantity, percent):
    return round(discounted(product, percent) * quantity)
