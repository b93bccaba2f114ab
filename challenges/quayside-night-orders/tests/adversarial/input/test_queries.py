"""Query parameters that nobody should have sent."""

import base64

import pytest
from depot import add, body, listed, pages, place, refused, send


def found(client, **params):
    answer = client.get("/products", params=params)
    assert answer.status_code == 200
    return [product["sku"] for product in answer.json()["products"]]


def test_search_text_is_only_text(client):
    add(client, "RYE-25", name="Rye flour 25 kg")
    add(client, "OAT-10", name="Oat flakes 10 kg")
    place(client, ("RYE-25", 1), key="seen/1")
    for text in (
        "zzz' OR 1=1 --",
        "zzz' UNION SELECT key, customer, 1, 1, 1 FROM idempotency_keys --",
        "zzz\\' OR 1=1 --",
    ):
        assert found(client, search=text) == []
    assert found(client, search="kg") == ["OAT-10", "RYE-25"]


def test_search_takes_each_character_as_it_is(client):
    add(client, "MILK-1", name="Cream 50% fat")
    add(client, "MILK-2", name="Cream 500 g fat")
    add(client, "PART-1", name="Filter a_b")
    add(client, "PART-2", name="Filter acb")
    add(client, "DOS-1", name="Bag C:\\mill")
    add(client, "QUOT-1", name="The \"best\" 'jam'")
    for text, sku in (("50%", "MILK-1"), ("a_b", "PART-1"), ("\\", "DOS-1"), ("'JAM'", "QUOT-1"), ('"b', "QUOT-1")):
        assert found(client, search=text) == [sku]


def test_sort_is_one_of_three(client):
    add(client, "RYE-25")
    wrong = [
        "(SELECT 1)",
        "CASE WHEN (SELECT count(*) FROM orders) > 0 THEN sku ELSE name END",
        "sku LIMIT 1 --",
        "on_hand",
        "UNIT_PRICE DESC",
    ]
    for sort in wrong:
        refused(client.get("/products", params={"sort": sort}), 400, "bad_query")


def test_products_can_be_sorted(client):
    add(client, "B-1", "3.00", name="Mustard")
    add(client, "A-1", "10.00", name="Vinegar")
    add(client, "C-1", "3.00", name="Almonds")
    assert found(client) == ["A-1", "B-1", "C-1"]
    assert found(client, sort="name") == ["C-1", "B-1", "A-1"]
    assert found(client, sort="unit_price") == ["B-1", "C-1", "A-1"]
    assert found(client, sort="sku", limit=2) == ["A-1", "B-1"]


def test_customer_filter_shows_no_other_orders(client):
    add(client, "RYE-25")
    place(client, ("RYE-25", 1), customer="HARBOUR-3")
    for customer in ("X' OR '1'='1", "X' OR 1=1 --", "'"):
        answer = client.get("/orders", params={"customer": customer})
        assert answer.status_code in (200, 400)
        if answer.status_code == 200:
            assert answer.json()["orders"] == []


@pytest.mark.parametrize(
    "cursors",
    [
        ["nonsense", "%%%", "caf\u00e9", base64.urlsafe_b64encode(b"\xff\xfe").decode()],
        [base64.urlsafe_b64encode(text).decode() for text in (b"9' OR 1=1 --", b"9", b"9' UNION SELECT 1 --")],
    ],
    ids=["garbage", "forged"],
)
def test_cursor_that_the_service_did_not_make(client, cursors):
    add(client, "RYE-25")
    place(client, ("RYE-25", 1))
    for cursor in cursors:
        refused(client.get("/orders", params={"cursor": cursor}), 400, "bad_query")


def test_month_that_is_no_month(client):
    add(client, "RYE-25")
    place(client, ("RYE-25", 1), placed_at="2024-02-10T10:00:00Z")
    for month in ("2024-13", "2024-00", "2024-1", "", "1999-12", "2024-%2", "____-__", "%%%%%%%"):
        refused(client.get("/customers/HARBOUR-3/statement", params={"month": month}), 400, "bad_query")


def test_listing_parameters_out_of_range(client):
    for params in ({"limit": "0"}, {"limit": "101"}, {"limit": "-1"}, {"limit": "ten"}, {"status": "lost"}):
        refused(client.get("/orders", params=params), 400, "bad_query")


def test_filters_hold_on_every_page(client):
    add(client, "RYE-25")
    moment = "2024-06-01T12:00:00Z"
    mine = [place(client, ("RYE-25", 1), customer="EAST-1", placed_at=moment)["id"] for _ in range(5)]
    for _ in range(3):
        place(client, ("RYE-25", 1), customer="EAST-10", placed_at=moment)
    client.post(f"/orders/{mine[2]}/dispatch")
    seen = [[order["id"] for order in page] for page in pages(client, customer="EAST-1", status="reserved", limit=1)]
    assert seen == [[mine[4]], [mine[3]], [mine[1]], [mine[0]]]
    assert len(listed(client, limit=3)) == 8
    assert send(client, body(("RYE-25", 1))).status_code == 201
