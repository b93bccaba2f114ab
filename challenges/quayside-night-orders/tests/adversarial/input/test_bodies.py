"""Bodies that nobody should have sent."""

import pytest
from depot import add, body, counts, listed, place, refused, send

RAW = {
    "values": [b"[]", b"null", b"7", b'"order"', b"true"],
    "text": [b'{"customer": "caf\xe9"}', b"{", b"{'customer': 1}", b"\x00"],
    "nested": [b"[" * 100_000],
}


@pytest.mark.parametrize("contents", RAW.values(), ids=RAW.keys())
def test_body_without_an_object(client, contents):
    for content in contents:
        for path in ("/orders", "/products", "/products/RYE-25/receipts"):
            refused(client.post(path, content=content), 400, "bad_json")


def test_negative_quantity(client):
    add(client, "RYE-25", on_hand=10)
    add(client, "OAT-10", on_hand=10)
    for quantity in (-1, -10000):
        refused(send(client, body(("OAT-10", 1), ("RYE-25", quantity))), 422, "invalid")
    assert counts(client, "RYE-25") == (10, 0)
    assert counts(client, "OAT-10") == (10, 0)
    assert listed(client) == []


@pytest.mark.parametrize(
    "quantities",
    [["2.5", "3.0", "true", '"3"', "[3]", "{}"], ["1e999", "NaN", "-Infinity", "1" + "0" * 30]],
    ids=["types", "endless"],
)
def test_quantity_that_is_not_a_whole_number(client, quantities):
    add(client, "RYE-25", on_hand=10)
    for quantity in quantities:
        content = '{"customer": "HARBOUR-3", "lines": [{"sku": "RYE-25", "quantity": %s}]}' % quantity
        answer = client.post("/orders", content=content.encode())
        # NaN and the like are no JSON, so that both refusals are right
        assert (answer.status_code, answer.json()["error"]["code"]) in ((422, "invalid"), (400, "bad_json"))
    assert counts(client, "RYE-25") == (10, 0)


def test_order_with_one_wrong_field(client):
    add(client, "RYE-25")
    changes = [
        {"lines": []},
        {"lines": {}},
        {"lines": ["RYE-25"]},
        {"lines": [{"sku": ["RYE-25"], "quantity": 1}]},
        {"customer": "harbour 3"},
        {"customer": None},
        {"discount_percent": 101},
        {"discount_percent": "10"},
        {"discount_percent": True},
    ]
    for change in changes:
        refused(send(client, {**body(("RYE-25", 1)), **change}), 422, "invalid")
    assert listed(client) == []


@pytest.mark.parametrize(
    "times",
    [
        ["2024-02-10T10:00:00", "2024-02-10", "yesterday", 1707559200],
        ["0001-01-01T00:00:00+14:00", "1999-12-31T10:00:00Z", "9999-12-31T23:00:00-05:00"],
    ],
    ids=["unclear", "far"],
)
def test_time_that_is_no_moment(client, times):
    add(client, "RYE-25")
    for placed_at in times:
        refused(send(client, body(("RYE-25", 1), placed_at=placed_at)), 422, "invalid")
    assert counts(client, "RYE-25") == (100, 0)


def test_name_that_is_no_text(client):
    for name in ('"\\ud800"', '""', '"' + "x" * 121 + '"', "7", "null"):
        content = '{"sku": "RYE-25", "name": %s, "unit_price": "1.00", "on_hand": 1}' % name
        refused(client.post("/products", content=content.encode()), 422, "invalid")


def test_name_in_any_script(client):
    name = "Crème brûlée 焼き \U0001f36e"
    assert add(client, "CREME-1", name=name)["name"] == name
    found = client.get("/products", params={"search": "焼き"}).json()["products"]
    assert [product["name"] for product in found] == [name]


def test_order_id_that_was_never_given(client):
    for order_id in ("9223372036854775808", "99999999999999999999999", "0"):
        refused(client.get(f"/orders/{order_id}"), 404, "not_found")
        refused(client.post(f"/orders/{order_id}/cancel"), 404, "not_found")


def test_key_that_is_no_key(client):
    add(client, "RYE-25")
    for key in ("k" * 81, "caf\u00e9"):
        answer = client.post("/orders", json=body(("RYE-25", 1)), headers={"Idempotency-Key": key.encode()})
        refused(answer, 422, "invalid")
    assert counts(client, "RYE-25") == (100, 0)


def test_unknown_product_among_known_ones(client):
    add(client, "RYE-25")
    refused(send(client, body(("RYE-25", 2), ("GHOST-1", 1))), 422, "unknown_sku")
    assert counts(client, "RYE-25") == (100, 0)
    assert listed(client) == []
    place(client, ("RYE-25", 100))
