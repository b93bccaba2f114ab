"""The same request several times at one moment."""

from collections import Counter

from depot import add, body, counts, listed, send, together


def test_one_key_places_one_order(client, service):
    add(client, "RYE-25", on_hand=100)
    for number in range(3):
        jobs = [lambda till, key=f"till-9/{number}": send(till, body(("RYE-25", 2)), key)] * 8
        answers = together(service, jobs)
        assert Counter(answer.status_code for answer in answers) == {201: 1, 200: 7}
        assert len({answer.json()["id"] for answer in answers}) == 1
        assert counts(client, "RYE-25") == (100, 2 * number + 2)
    assert len(listed(client)) == 3


def test_one_key_of_many_customers(client, service):
    add(client, "RYE-25", on_hand=100)
    names = [f"SHOP-{number}" for number in range(8)]
    jobs = [
        lambda till, name=name: [send(till, body(("RYE-25", 1), customer=name), "0001") for _ in range(3)]
        for name in names
    ]
    results = together(service, jobs)
    for name, answers in zip(names, results, strict=True):
        assert [answer.status_code for answer in answers] == [201, 200, 200]
        assert {answer.json()["customer"] for answer in answers} == {name}
        assert len({answer.json()["id"] for answer in answers}) == 1
    assert counts(client, "RYE-25") == (100, 8)


def test_two_bodies_under_one_key(client, service):
    add(client, "RYE-25", on_hand=100)
    jobs = [lambda till, amount=amount: send(till, body(("RYE-25", amount)), "shared") for amount in (1, 2) * 4]
    answers = together(service, jobs)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: 3, 409: 4}
    [order] = listed(client)
    assert counts(client, "RYE-25") == (100, order["lines"][0]["quantity"])
