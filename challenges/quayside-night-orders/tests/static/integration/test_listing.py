"""Lists of orders, page by page."""


def stock(client):
    body = {"sku": "RYE-25", "name": "Rye flour 25 kg", "unit_price": "12.35", "on_hand": 1000}
    assert client.post("/products", json=body).status_code == 201


def order(client, placed_at, customer="NORTH-7"):
    body = {"customer": customer, "lines": [{"sku": "RYE-25", "quantity": 1}], "placed_at": placed_at}
    placed = client.post("/orders", json=body)
    assert placed.status_code == 201
    return placed.json()["id"]


def pages(client, **params):
    """The ids on each page."""
    result, cursor = [], None
    while True:
        answer = client.get("/orders", params={**params, **({"cursor": cursor} if cursor else {})})
        assert answer.status_code == 200
        result.append([entry["id"] for entry in answer.json()["orders"]])
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return result
        assert len(result) < 50


def test_latest_order_comes_first(client):
    stock(client)
    ids = [order(client, f"2024-02-{day:02d}T08:00:00Z") for day in (3, 1, 5, 2, 4)]
    by_time = [ids[2], ids[4], ids[0], ids[3], ids[1]]
    assert pages(client, limit=2) == [by_time[:2], by_time[2:4], by_time[4:]]


def test_orders_of_the_same_moment(client):
    stock(client)
    ids = [order(client, "2024-02-03T08:00:00Z") for _ in range(5)]
    assert pages(client, limit=2) == [[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]


def test_orders_of_one_customer(client):
    stock(client)
    mine = [order(client, f"2024-02-{day:02d}T08:00:00Z", "NORTH-7") for day in (1, 2, 3)]
    order(client, "2024-02-02T12:00:00Z", "SOUTH-2")
    client.post(f"/orders/{mine[1]}/cancel")
    assert pages(client, customer="NORTH-7") == [[mine[2], mine[1], mine[0]]]
    assert pages(client, customer="NORTH-7", status="reserved") == [[mine[2], mine[0]]]
    assert pages(client, customer="WEST-1") == [[]]
