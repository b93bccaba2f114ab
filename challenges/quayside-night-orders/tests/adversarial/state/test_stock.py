"""Stock and prices after things went otherwise than planned."""

import pytest
from depot import add, body, counts, listed, place, product, refused, send


@pytest.mark.parametrize("short", [0, 2], ids=["first", "last"])
def test_refused_order_leaves_nothing_behind(client, short):
    skus = ["A-1", "B-1", "C-1"]
    for place_in_order, sku in enumerate(skus):
        add(client, sku, on_hand=1 if place_in_order == short else 50)
    refused(send(client, body(*[(sku, 5) for sku in skus])), 409, "out_of_stock")
    assert [counts(client, sku)[1] for sku in skus] == [0, 0, 0]
    assert listed(client) == []
    order = place(client, *[(sku, 1) for sku in skus])
    assert [line["sku"] for line in order["lines"]] == skus
    assert [entry["id"] for entry in listed(client)] == [order["id"]]


def test_lines_of_one_product_add_up(client):
    add(client, "A-1", on_hand=10)
    add(client, "B-1", on_hand=10)
    refused(send(client, body(("A-1", 4), ("B-1", 1), ("A-1", 4), ("A-1", 3))), 409, "out_of_stock")
    assert (counts(client, "A-1"), counts(client, "B-1")) == ((10, 0), (10, 0))
    place(client, ("A-1", 4), ("B-1", 1), ("A-1", 4), ("A-1", 2))
    assert (counts(client, "A-1"), counts(client, "B-1")) == ((10, 10), (10, 1))


@pytest.mark.parametrize(("step", "after"), [("cancel", (10, 0)), ("dispatch", (6, 0))], ids=["cancel", "dispatch"])
def test_product_that_was_read_before_a_step(client, step, after):
    add(client, "A-1", on_hand=10)
    order = place(client, ("A-1", 4))
    assert counts(client, "A-1") == (10, 4)
    assert client.post(f"/orders/{order['id']}/{step}").status_code == 200
    assert counts(client, "A-1") == after


def test_product_that_was_read_before_goods_came_in(client):
    add(client, "A-1", on_hand=10)
    for expected in (13, 16, 19):
        product(client, "A-1")
        assert client.post("/products/A-1/receipts", json={"quantity": 3}).json()["on_hand"] == expected
        assert product(client, "A-1")["on_hand"] == expected
    place(client, ("A-1", 19))


def test_price_of_orders_before_and_after_a_change(client):
    add(client, "A-1", "10.00")
    product(client, "A-1")
    before = place(client, ("A-1", 1))
    client.put("/products/A-1/price", json={"unit_price": "20.00"})
    after = place(client, ("A-1", 1))
    assert (before["total"], after["total"]) == ("10.00", "20.00")
    assert client.get(f"/orders/{before['id']}").json() == before
    assert product(client, "A-1")["unit_price"] == "20.00"


def test_price_after_a_refused_order_with_discount(client):
    add(client, "A-1", "10.00", on_hand=5)
    refused(send(client, body(("A-1", 6), discount_percent=50)), 409, "out_of_stock")
    assert product(client, "A-1")["unit_price"] == "10.00"
    order = place(client, ("A-1", 1))
    assert (order["lines"][0]["unit_price"], order["total"]) == ("10.00", "10.00")


def test_discount_on_two_lines_of_one_product(client):
    add(client, "A-1", "10.00")
    order = place(client, ("A-1", 1), ("A-1", 2), ("A-1", 1), discount_percent=20)
    assert [line["net"] for line in order["lines"]] == ["8.00", "16.00", "8.00"]
    assert {line["unit_price"] for line in order["lines"]} == {"10.00"}
    assert order["total"] == "32.00"
    assert product(client, "A-1")["unit_price"] == "10.00"


def test_orders_with_different_discounts_one_after_another(client):
    add(client, "A-1", "10.00")
    add(client, "B-1", "3.00")
    totals = [
        place(client, ("A-1", 1), ("B-1", 1), discount_percent=percent)["total"] for percent in (50, 0, 10, 100, 0)
    ]
    assert totals == ["6.50", "13.00", "11.70", "0.00", "13.00"]


def test_two_restarts_change_nothing(client, service):
    add(client, "A-1", on_hand=10)
    order = place(client, ("A-1", 4), discount_percent=15)
    for _ in range(2):
        service.restart()
    again = service.new_client()
    assert again.get(f"/orders/{order['id']}").json() == order
    assert counts(again, "A-1") == (10, 4)
    assert place(again, ("A-1", 1))["id"] > order["id"]


def test_failed_request_is_not_finished_by_the_next(client, service):
    add(client, "A-1", on_hand=10)
    add(client, "B-1", on_hand=0)
    refused(send(client, body(("A-1", 3), ("B-1", 1)), "half"), 409, "out_of_stock")
    place(client, ("A-1", 1))
    service.restart()
    again = service.new_client()
    assert counts(again, "A-1") == (10, 1)
    assert len(listed(again)) == 1
