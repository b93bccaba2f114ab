"""Amounts that are easy to get wrong by a penny."""

import pytest
from depot import add, body, place, refused, send

CASES = {
    "single": [
        ("0.01", 1, 50, "0.01"),
        ("0.05", 1, 10, "0.05"),
        ("0.25", 1, 10, "0.23"),
        ("0.50", 1, 1, "0.50"),
        ("12.35", 1, 10, "11.12"),
        ("12.45", 1, 10, "11.21"),
        ("0.35", 1, 30, "0.25"),
        ("1.50", 1, 33, "1.01"),
    ],
    "several": [
        ("1.15", 7, 30, "5.64"),
        ("0.15", 3, 10, "0.41"),
        ("2.25", 5, 2, "11.03"),
        ("99999.99", 10000, 50, "499999950.00"),
        ("99999.99", 9999, 1, "989900901.01"),
        ("7.77", 3, 100, "0.00"),
    ],
}


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES.keys())
def test_half_a_penny_goes_up(client, cases):
    for number, (unit_price, quantity, percent, net) in enumerate(cases):
        sku = f"COIN-{number}"
        add(client, sku, unit_price, on_hand=10000)
        order = place(client, (sku, quantity), discount_percent=percent)
        assert order["lines"] == [{"sku": sku, "quantity": quantity, "unit_price": unit_price, "net": net}]
        assert order["total"] == net


def test_each_line_is_rounded_by_itself(client):
    for number in range(1, 6):
        add(client, f"COIN-{number}", "0.05")
    order = place(client, *[(f"COIN-{number}", 1) for number in range(1, 6)], discount_percent=50)
    assert [line["net"] for line in order["lines"]] == ["0.03"] * 5
    assert order["total"] == "0.15"


def test_price_that_is_no_price(client):
    add(client, "COIN-1", "1.00")
    wrong = ["12.3", "12", "-1.00", "1e3", "0.00", " 1.00", "1.00\n", "\uff11.00", 12.35, "100000.00"]
    for unit_price in wrong:
        product = {"sku": "COIN-2", "name": "Coin", "unit_price": unit_price, "on_hand": 1}
        refused(client.post("/products", json=product), 422, "invalid")
        refused(client.put("/products/COIN-1/price", json={"unit_price": unit_price}), 422, "invalid")
    assert send(client, body(("COIN-1", 1))).json()["total"] == "1.00"
