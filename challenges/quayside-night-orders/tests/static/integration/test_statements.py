"""Month statements."""


def stock(client):
    body = {"sku": "JAR-1", "name": "Jar of honey", "unit_price": "0.25", "on_hand": 1000}
    assert client.post("/products", json=body).status_code == 201


def order(client, placed_at, quantity, **fields):
    body = {"customer": "NORTH-7", "lines": [{"sku": "JAR-1", "quantity": quantity}], "placed_at": placed_at, **fields}
    placed = client.post("/orders", json=body)
    assert placed.status_code == 201
    return placed.json()


def in_pence(text):
    pounds, pence = text.split(".")
    return int(pounds) * 100 + int(pence)


def test_statement_agrees_with_the_orders(client):
    stock(client)
    before = order(client, "2024-01-20T10:00:00Z", 4)
    placed = [
        order(client, "2024-02-20T10:00:00Z", 1, discount_percent=50),
        order(client, "2024-02-03T10:00:00Z", 3, discount_percent=10),
        order(client, "2024-02-11T10:00:00Z", 8),
    ]
    answer = client.get("/customers/NORTH-7/statement", params={"month": "2024-02"})
    assert answer.status_code == 200
    body = answer.json()
    by_time = [placed[1], placed[2], placed[0]]
    assert body["orders"] == [{name: entry[name] for name in ("id", "placed_at", "total")} for entry in by_time]
    assert body["count"] == 3
    assert in_pence(body["total"]) == sum(in_pence(entry["total"]) for entry in placed)
    assert before["id"] not in [entry["id"] for entry in body["orders"]]
