"""Orders that are sent again."""

BODY = {"customer": "NORTH-7", "lines": [{"sku": "RYE-25", "quantity": 2}]}


def stock(client, on_hand=10):
    body = {"sku": "RYE-25", "name": "Rye flour 25 kg", "unit_price": "12.35", "on_hand": on_hand}
    assert client.post("/products", json=body).status_code == 201


def order(client, body, key):
    return client.post("/orders", json=body, headers={"Idempotency-Key": key})


def test_order_sent_twice(client):
    stock(client)
    first = order(client, BODY, "till-4/0001")
    second = order(client, BODY, "till-4/0001")
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == first.json()
    assert client.get("/products/RYE-25").json()["reserved"] == 2
    assert len(client.get("/orders").json()["orders"]) == 1


def test_key_sent_with_another_body(client):
    stock(client)
    assert order(client, BODY, "till-4/0001").status_code == 201
    other = {**BODY, "lines": [{"sku": "RYE-25", "quantity": 3}]}
    refused = order(client, other, "till-4/0001")
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "key_reused"
    assert order(client, other, "till-4/0002").status_code == 201
    assert client.get("/products/RYE-25").json()["reserved"] == 5


def test_two_customers_with_the_same_key(client):
    stock(client)
    first = order(client, BODY, "0001")
    second = order(client, {**BODY, "customer": "SOUTH-2"}, "0001")
    assert first.status_code == 201
