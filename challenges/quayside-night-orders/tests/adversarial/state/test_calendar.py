"""Times, months and the depot's clock."""

import pytest
from depot import add, listed, place, statement


def test_times_are_given_in_utc(client):
    add(client, "A-1")
    times = {
        "2024-03-09T10:30:00+01:00": "2024-03-09T09:30:00Z",
        "2024-03-09T10:30:00.987654-05:00": "2024-03-09T15:30:00Z",
        "2024-02-29T23:59:59+00:00": "2024-02-29T23:59:59Z",
        "2024-01-01T00:15:00+05:45": "2023-12-31T18:30:00Z",
    }
    for sent, kept in times.items():
        order = place(client, ("A-1", 1), placed_at=sent)
        assert order["placed_at"] == kept
        assert client.get(f"/orders/{order['id']}").json()["placed_at"] == kept
    assert [entry["placed_at"] for entry in listed(client)] == sorted(times.values(), reverse=True)


def test_listing_follows_the_moments_not_the_text(client):
    add(client, "A-1")
    sent = [
        "2024-05-01T12:00:00+02:00",  # 10:00
        "2024-05-01T11:00:00Z",
        "2024-05-01T05:30:00-05:00",  # 10:30
        "2024-05-01T19:00:00+09:00",  # 10:00
        "2024-05-01T10:15:00.500Z",
    ]
    ids = [place(client, ("A-1", 1), placed_at=text)["id"] for text in sent]
    expected = [ids[1], ids[2], ids[4], ids[3], ids[0]]
    for limit in (1, 2, 3):
        assert [order["id"] for order in listed(client, limit=limit)] == expected


MONTHS = {
    "summer": [
        ("2024-03-31T23:30:00Z", "2024-04", "2024-03"),
        ("2024-03-31T22:59:59Z", "2024-03", "2024-04"),
        ("2024-04-30T23:00:00Z", "2024-05", "2024-04"),
    ],
    "winter": [
        ("2024-10-31T23:30:00Z", "2024-10", "2024-11"),
        ("2024-02-29T23:59:59Z", "2024-02", "2024-03"),
    ],
    "offsets": [
        ("2024-02-01T00:30:00+01:00", "2024-01", "2024-02"),
        ("2024-07-31T18:30:00-05:00", "2024-08", "2024-07"),
    ],
    "years": [
        ("2023-12-31T23:59:59Z", "2023-12", "2024-01"),
        ("2024-12-31T20:00:00-05:00", "2025-01", "2024-12"),
        ("2099-12-31T23:59:59Z", "2099-12", "2099-11"),
    ],
}


@pytest.mark.parametrize("cases", MONTHS.values(), ids=MONTHS.keys())
def test_month_by_the_clock_of_the_depot(client, cases):
    add(client, "A-1", "4.00")
    for number, (placed_at, month, other) in enumerate(cases):
        customer = f"SHOP-{number}"
        order = place(client, ("A-1", 1), customer=customer, placed_at=placed_at)
        assert [entry["id"] for entry in statement(client, month, customer)["orders"]] == [order["id"]]
        empty = statement(client, other, customer)
        assert (empty["count"], empty["total"], empty["orders"]) == (0, "0.00", [])


def test_every_order_is_in_one_month(client):
    add(client, "A-1", "1.00")
    for hour in range(18, 24):
        place(client, ("A-1", 1), placed_at=f"2024-05-31T{hour}:30:00Z")
        place(client, ("A-1", 1), placed_at=f"2024-06-01T{hour - 18:02d}:30:00+01:00")
    found = [statement(client, month) for month in ("2024-05", "2024-06")]
    assert [entry["count"] for entry in found] == [5, 7]
    assert [entry["total"] for entry in found] == ["5.00", "7.00"]


def test_statement_in_the_order_of_the_moments(client):
    add(client, "A-1", "1.00")
    ids = [
        place(client, ("A-1", 1), placed_at=text)["id"]
        for text in (
            "2024-06-10T12:00:00+02:00",
            "2024-06-10T09:00:00Z",
            "2024-06-10T12:00:00+02:00",
            "2024-06-10T04:00:00-05:00",
        )
    ]
    assert [entry["id"] for entry in statement(client, "2024-06")["orders"]] == [ids[1], ids[3], ids[0], ids[2]]


def test_statement_without_cancelled_orders(client):
    add(client, "A-1", "5.00")
    orders = [place(client, ("A-1", number), placed_at=f"2024-02-{number:02d}T10:00:00Z") for number in (1, 2, 3)]
    client.post(f"/orders/{orders[0]['id']}/cancel")
    client.post(f"/orders/{orders[1]['id']}/dispatch")
    found = statement(client, "2024-02")
    assert [entry["id"] for entry in found["orders"]] == [orders[1]["id"], orders[2]["id"]]
    assert (found["count"], found["total"]) == (2, "25.00")


def test_statement_to_the_penny(client):
    for number in range(1, 4):
        add(client, f"COIN-{number}", "0.35")
    lines = [(f"COIN-{number}", number) for number in range(1, 4)]
    orders = [
        place(client, *lines, discount_percent=percent, placed_at="2024-02-10T10:00:00Z") for percent in (10, 30, 50)
    ]
    assert [order["total"] for order in orders] == ["1.90", "1.48", "1.06"]
    found = statement(client, "2024-02")
    assert [entry["total"] for entry in found["orders"]] == ["1.90", "1.48", "1.06"]
    assert found["total"] == "4.44"


def test_pages_while_new_orders_come_in(client):
    add(client, "A-1")
    ids = [place(client, ("A-1", 1), placed_at="2024-05-01T10:00:00Z")["id"] for _ in range(7)]
    seen, cursor = [], None
    while True:
        answer = client.get("/orders", params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [order["id"] for order in answer["orders"]]
        place(client, ("A-1", 1), placed_at="2024-05-01T10:00:00Z")
        place(client, ("A-1", 1), placed_at="2024-06-01T10:00:00Z")
        cursor = answer["next_cursor"]
        if cursor is None:
            break
        assert len(seen) < 40
    assert [order_id for order_id in seen if order_id in ids] == sorted(ids, reverse=True)
    assert len(seen) == len(set(seen))
