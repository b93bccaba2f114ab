"""The same request several times at one moment."""

from collections import Counter

from depot import add, at_once, body, counts, listed, order_request

ROUNDS = 4
LINES = 60


def test_one_key_places_one_order(client, service):
    add(client, "RYE-25", on_hand=10_000)
    order = body(*[("RYE-25", 1)] * LINES)
    for number in range(ROUNDS):
        answers = at_once(service, [order_request(order, f"till-9/{number}")] * 16)
        assert Counter(status for status, _ in answers) == {201: 1, 200: 15}
        assert len({placed["id"] for _, placed in answers}) == 1
        assert counts(client, "RYE-25") == (10_000, LINES * number + LINES)
    assert len(listed(client)) == ROUNDS


def test_one_key_of_many_customers(client, service):
    add(client, "RYE-25", on_hand=1000)
    names = [f"SHOP-{number}" for number in range(12)]
    requests = [order_request(body(("RYE-25", 1), customer=name), "0001") for name in names]
    first = at_once(service, requests)
    assert [status for status, _ in first] == [201] * 12
    assert [placed["customer"] for _, placed in first] == names
    for _ in range(3):
        again = at_once(service, requests)
        assert [status for status, _ in again] == [200] * 12
        assert [placed for _, placed in again] == [placed for _, placed in first]
    assert counts(client, "RYE-25") == (1000, 12)


def test_two_bodies_under_one_key(client, service):
    add(client, "RYE-25", on_hand=10_000)
    orders = [body(*[("RYE-25", amount)] * LINES) for amount in (1, 2)]
    reserved = 0
    for number in range(ROUNDS):
        requests = [order_request(order, f"shared/{number}") for order in orders] * 8
        answers = at_once(service, requests)
        assert Counter(status for status, _ in answers) == {201: 1, 200: 7, 409: 8}
        winner = [status for status, _ in answers].index(201)
        assert {place % 2 for place, (status, _) in enumerate(answers) if status != 409} == {winner % 2}
        placed = answers[winner][1]
        reserved += LINES * placed["lines"][0]["quantity"]
        assert counts(client, "RYE-25") == (10_000, reserved)
    assert len(listed(client)) == ROUNDS
