"""Keys that come back later."""

from depot import add, body, counts, listed, place, refused, send


def test_same_request_after_a_restart(client, service):
    add(client, "RYE-25")
    first = send(client, body(("RYE-25", 2)), "night/1").json()
    service.restart()
    again = service.new_client()
    repeated = send(again, body(("RYE-25", 2)), "night/1")
    assert (repeated.status_code, repeated.json()) == (200, first)
    refused(send(again, body(("RYE-25", 3)), "night/1"), 409, "key_reused")
    assert counts(again, "RYE-25") == (100, 2)


def test_same_request_with_fields_in_another_order(client):
    add(client, "RYE-25")
    headers = {"Idempotency-Key": "night/2"}
    first = client.post(
        "/orders", headers=headers, content=b'{"customer": "EAST-1", "lines": [{"sku": "RYE-25", "quantity": 2}]}'
    )
    second = client.post(
        "/orders", headers=headers, content=b'{"lines":[{"quantity":2,"sku":"RYE-25"}],\n  "customer":"\\u0045AST-1"}'
    )
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == first.json()


def test_same_request_after_stock_has_run_out(client):
    add(client, "RYE-25", on_hand=3)
    first = send(client, body(("RYE-25", 2)), "night/3")
    place(client, ("RYE-25", 1), customer="EAST-1")
    second = send(client, body(("RYE-25", 2)), "night/3")
    assert (second.status_code, second.json()) == (200, first.json())
    assert counts(client, "RYE-25") == (3, 3)


def test_refused_request_leaves_its_key_free(client):
    add(client, "RYE-25", on_hand=1)
    refused(send(client, body(("RYE-25", 2)), "night/5"), 409, "out_of_stock")
    refused(send(client, body(("RYE-25", 0)), "night/5"), 422, "invalid")
    refused(send(client, body(("GHOST-1", 1)), "night/5"), 422, "unknown_sku")
    client.post("/products/RYE-25/receipts", json={"quantity": 9})
    placed = send(client, body(("RYE-25", 5)), "night/5")
    assert placed.status_code == 201
    assert send(client, body(("RYE-25", 5)), "night/5").json()["id"] == placed.json()["id"]
    assert counts(client, "RYE-25") == (10, 5)


def test_keys_of_customers_stay_apart(client):
    add(client, "RYE-25")
    names = ["EAST-1", "WEST-1", "NORTH-1"]
    first = {name: send(client, body(("RYE-25", 1), customer=name), "0001").json() for name in names}
    assert [first[name]["customer"] for name in names] == names
    for name in reversed(names):
        again = send(client, body(("RYE-25", 1), customer=name), "0001")
        assert (again.status_code, again.json()) == (200, first[name])
    assert len(listed(client)) == 3
    assert counts(client, "RYE-25") == (100, 3)


def test_same_request_shows_the_order_as_it_is_now(client):
    add(client, "RYE-25")
    order = send(client, body(("RYE-25", 2)), "night/6").json()
    client.post(f"/orders/{order['id']}/cancel")
    again = send(client, body(("RYE-25", 2)), "night/6")
    assert (again.status_code, again.json()) == (200, {**order, "status": "cancelled"})
    assert counts(client, "RYE-25") == (100, 0)
