"""Placing single orders."""


def stock(client, sku, unit_price="10.00", on_hand=100):
    body = {"sku": sku, "name": f"Product {sku}", "unit_price": unit_price, "on_hand": on_hand}
    assert client.post("/products", json=body).status_code == 201


def order(client, *lines, **fields):
    body = {"customer": "NORTH-7", "lines": [{"sku": sku, "quantity": quantity} for sku, quantity in lines], **fields}
    return client.post("/orders", json=body)


def test_order_shows_lines_and_total(client):
    stock(client, "RYE-25", "12.35")
    stock(client, "OAT-10", "8.00")
    placed = order(client, ("RYE-25", 2), ("OAT-10", 3), placed_at="2024-02-14T09:30:00Z")
    assert placed.status_code == 201
    body = placed.json()
    assert body["customer"] == "NORTH-7"
    assert body["status"] == "reserved"
    assert body["placed_at"] == "2024-02-14T09:30:00Z"
    assert body["discount_percent"] == 0
    assert body["lines"] == [
        {"sku": "RYE-25", "quantity": 2, "unit_price": "12.35", "net": "24.70"},
        {"sku": "OAT-10", "quantity": 3, "unit_price": "8.00", "net": "24.00"},
    ]
    assert body["total"] == "48.70"
    assert client.get(f"/orders/{body['id']}").json() == body


def test_discount_is_taken_off_each_line(client):
    stock(client, "RYE-25", "10.00")
    stock(client, "OAT-10", "0.99")
    placed = order(client, ("RYE-25", 3), ("OAT-10", 7), discount_percent=15).json()
    assert [line["net"] for line in placed["lines"]] == ["25.50", "5.89"]
    assert [line["unit_price"] for line in placed["lines"]] == ["10.00", "0.99"]
    assert placed["total"] == "31.39"


def test_order_reserves_stock(client):
    stock(client, "RYE-25", on_hand=10)
    assert order(client, ("RYE-25", 4)).status_code == 201
    product = client.get("/products/RYE-25").json()
    assert (product["on_hand"], product["reserved"], product["available"]) == (10, 4, 6)


def test_order_for_more_than_there_is(client):
    stock(client, "RYE-25", on_hand=10)
    refused = order(client, ("RYE-25", 11))
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "out_of_stock"
    assert client.get("/products/RYE-25").json()["reserved"] == 0
    assert order(client, ("RYE-25", 10)).status_code == 201


def test_one_product_on_two_lines(client):
    stock(client, "RYE-25", on_hand=10)
    assert order(client, ("RYE-25", 6), ("RYE-25", 5)).status_code == 409
    placed = order(client, ("RYE-25", 1), ("RYE-25", 2))
    assert placed.status_code == 201
    assert [line["quantity"] for line in placed.json()["lines"]] == [1, 2]


def test_quantity_that_is_no_quantity(client):
    stock(client, "RYE-25")
    for quantity in (0, 10001, "many", None):
        refused = order(client, ("RYE-25", quantity))
        assert refused.status_code == 422
        assert refused.json()["error"]["code"] == "invalid"
