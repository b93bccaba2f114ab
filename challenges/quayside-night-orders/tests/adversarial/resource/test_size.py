"""More of everything."""

from depot import add, body, counts, listed, place, refused, send, statement


def test_order_of_many_lines(client):
    for number in range(20):
        add(client, f"PART-{number}", f"0.{number + 11}", on_hand=1000)
    lines = [(f"PART-{number % 20}", number % 7 + 1) for number in range(500)]
    order = place(client, *lines, discount_percent=7)
    assert [(line["sku"], line["quantity"]) for line in order["lines"]] == lines
    nets = [((number % 20 + 11) * (number % 7 + 1) * 93 + 50) // 100 for number in range(500)]
    assert [line["net"] for line in order["lines"]] == [f"{net // 100}.{net % 100:02d}" for net in nets]
    total = sum(nets)
    assert order["total"] == f"{total // 100}.{total % 100:02d}"
    refused(send(client, body(*lines, ("PART-1", 1))), 422, "invalid")


def test_many_orders_at_one_moment(client):
    add(client, "A-1", on_hand=1000)
    ids = [place(client, ("A-1", 1), placed_at="2024-05-01T10:00:00Z")["id"] for _ in range(150)]
    for limit in (7, 50, 100):
        assert [order["id"] for order in listed(client, limit=limit)] == ids[::-1]


def test_statement_of_many_orders(client):
    add(client, "A-1", "0.15", on_hand=1000)
    for number in range(120):
        place(
            client, ("A-1", 1), discount_percent=10, placed_at=f"2024-02-{number % 28 + 1:02d}T{number % 24:02d}:00:00Z"
        )
    found = statement(client, "2024-02")
    assert (found["count"], found["total"]) == (120, "16.80")
    moments = [entry["placed_at"] for entry in found["orders"]]
    assert moments == sorted(moments)


def test_many_products(client):
    skus = [f"P-{number:03d}" for number in range(130)]
    for sku in reversed(skus):
        add(client, sku, name="Tin")
    found = client.get("/products", params={"search": "tin", "limit": 100}).json()["products"]
    assert [product["sku"] for product in found] == skus[:100]
    assert len(client.get("/products").json()["products"]) == 50


def test_body_that_is_too_large(client):
    add(client, "A-1", on_hand=10)
    padding = "x" * (300 * 1024)
    refused(send(client, {**body(("A-1", 1)), "note": padding}), 413, "too_large")
    assert counts(client, "A-1") == (10, 0)
    place(client, ("A-1", 1))


def test_many_refusals_in_a_row(client):
    add(client, "A-1", on_hand=5)
    add(client, "B-1", on_hand=1)
    for _ in range(60):
        refused(send(client, body(("A-1", 1), ("B-1", 2)), "again"), 409, "out_of_stock")
    assert (counts(client, "A-1"), counts(client, "B-1")) == ((5, 0), (1, 0))
    assert listed(client) == []
    place(client, ("A-1", 5), ("B-1", 1), key="again")


def test_counts_after_a_busy_day(client):
    add(client, "A-1", on_hand=100)
    on_hand, reserved = 100, 0
    for number in range(40):
        quantity = number % 3 + 1
        order = place(client, ("A-1", quantity))
        reserved += quantity
        assert counts(client, "A-1") == (on_hand, reserved)
        if number % 2 == 0:
            client.post(f"/orders/{order['id']}/{'cancel' if number % 4 else 'dispatch'}")
            reserved -= quantity
            on_hand -= 0 if number % 4 else quantity
            assert counts(client, "A-1") == (on_hand, reserved)
