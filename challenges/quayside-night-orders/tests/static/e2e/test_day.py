"""A day at the depot."""


def test_orders_through_their_life(client):
    body = {"sku": "RYE-25", "name": "Rye flour 25 kg", "unit_price": "12.35", "on_hand": 10}
    assert client.post("/products", json=body).status_code == 201
    ids = []
    for quantity in (2, 3, 4):
        lines = [{"sku": "RYE-25", "quantity": quantity}]
        ids.append(client.post("/orders", json={"customer": "NORTH-7", "lines": lines}).json()["id"])
    assert client.post(f"/orders/{ids[0]}/dispatch").json()["status"] == "dispatched"
    assert client.post(f"/orders/{ids[1]}/cancel").json()["status"] == "cancelled"
    product = client.get("/products/RYE-25").json()
    assert (product["on_hand"], product["reserved"], product["available"]) == (8, 4, 4)
    for order_id in ids[:2]:
        for step in ("dispatch", "cancel"):
            refused = client.post(f"/orders/{order_id}/{step}")
            assert refused.status_code == 409
            assert refused.json()["error"]["code"] == "wrong_status"


def test_restart_keeps_everything(client, service):
    body = {"sku": "RYE-25", "name": "Rye flour 25 kg", "unit_price": "12.35", "on_hand": 10}
    assert client.post("/products", json=body).status_code == 201
    order = {"customer": "NORTH-7", "lines": [{"sku": "RYE-25", "quantity": 2}]}
    placed = client.post("/orders", json=order).json()
    service.restart()
    again = service.new_client()
    assert again.get(f"/orders/{placed['id']}").json() == placed
    assert again.get("/products/RYE-25").json()["reserved"] == 2
