"""Many tills at one moment: the stock must add up."""

from collections import Counter

from depot import add, body, counts, listed, place, product, refused, send, together


def test_no_more_is_sold_than_there_is(client, service):
    add(client, "RYE-25", on_hand=60)
    add(client, "OAT-10", on_hand=1000)
    order = body(("RYE-25", 1), ("OAT-10", 1), ("RYE-25", 2), ("OAT-10", 1))
    jobs = [lambda till: [send(till, order).status_code for _ in range(4)]] * 10
    statuses = Counter(status for result in together(service, jobs) for status in result)
    assert statuses == {201: 20, 409: 20}
    assert counts(client, "RYE-25") == (60, 60)
    assert counts(client, "OAT-10") == (1000, 40)
    assert len(listed(client)) == 20


def test_every_reservation_is_counted(client, service):
    add(client, "RYE-25", on_hand=1000)
    add(client, "OAT-10", on_hand=1000)

    def job(till):
        return [send(till, body(("RYE-25", 2), ("OAT-10", 1))).status_code for _ in range(5)]

    assert [status for result in together(service, [job] * 10) for status in result] == [201] * 50
    assert counts(client, "RYE-25") == (1000, 100)
    assert counts(client, "OAT-10") == (1000, 50)
    orders = listed(client)
    assert len({order["id"] for order in orders}) == 50
    assert {tuple((line["sku"], line["quantity"]) for line in order["lines"]) for order in orders} == {
        (("RYE-25", 2), ("OAT-10", 1))
    }


def test_goods_that_come_in_at_the_same_time(client, service):
    add(client, "RYE-25", on_hand=0)

    def job(till):
        return [till.post("/products/RYE-25/receipts", json={"quantity": 3}).status_code for _ in range(6)]

    assert [status for result in together(service, [job] * 10) for status in result] == [200] * 60
    assert counts(client, "RYE-25") == (180, 0)


def test_order_is_cancelled_once(client, service):
    add(client, "RYE-25", on_hand=50)
    place(client, ("RYE-25", 20))
    for _ in range(4):
        order = place(client, *[("RYE-25", 1)] * 5)
        jobs = [lambda till, target=order["id"]: till.post(f"/orders/{target}/cancel").status_code] * 8
        assert Counter(together(service, jobs)) == {200: 1, 409: 7}
        assert counts(client, "RYE-25") == (50, 20)


def test_order_is_either_dispatched_or_cancelled(client, service):
    add(client, "RYE-25", on_hand=100)
    expected = 100
    for _ in range(6):
        order = place(client, *[("RYE-25", 1)] * 4)
        steps = ["dispatch", "cancel"] * 3
        jobs = [
            lambda till, step=step, target=order["id"]: till.post(f"/orders/{target}/{step}").status_code
            for step in steps
        ]
        results = together(service, jobs)
        assert Counter(results) == {200: 1, 409: 5}
        step = steps[results.index(200)]
        assert (
            client.get(f"/orders/{order['id']}").json()["status"]
            == {"dispatch": "dispatched", "cancel": "cancelled"}[step]
        )
        expected -= 4 if step == "dispatch" else 0
        assert counts(client, "RYE-25") == (expected, 0)


def test_refused_orders_do_not_disturb_others(client, service):
    add(client, "RYE-25", on_hand=1000)
    add(client, "LAST-1", on_hand=0)

    def good(till):
        return [send(till, body(*[("RYE-25", 1)] * 6)) for _ in range(5)]

    def bad(till):
        return [send(till, body(("RYE-25", 1), ("RYE-25", 1), ("LAST-1", 1))) for _ in range(5)]

    results = together(service, [good, bad] * 5)
    placed = [answer.json() for result in results[::2] for answer in result if answer.status_code == 201]
    assert len(placed) == 25
    for result in results[1::2]:
        for answer in result:
            refused(answer, 409, "out_of_stock")
    for order in placed:
        assert client.get(f"/orders/{order['id']}").json() == order
        assert len(order["lines"]) == 6
    assert sorted(order["id"] for order in listed(client, limit=100)) == sorted(order["id"] for order in placed)
    assert counts(client, "RYE-25") == (1000, 150)


def test_reading_while_others_write(client, service):
    add(client, "RYE-25", on_hand=500)

    def write(till):
        seen = []
        for _ in range(6):
            order = send(till, body(*[("RYE-25", 1)] * 3)).json()
            seen.append(till.post(f"/orders/{order['id']}/cancel").status_code)
        return seen

    def read(till):
        seen = []
        for _ in range(12):
            found = product(till, "RYE-25")
            sound = found["on_hand"] == 500 and 0 <= found["reserved"] <= 15 and found["reserved"] % 3 == 0
            seen.append(sound and found["available"] == 500 - found["reserved"])
        return seen

    results = together(service, [write, read] * 5)
    assert all(result == [200] * 6 for result in results[::2])
    assert all(all(result) for result in results[1::2])
    assert counts(client, "RYE-25") == (500, 0)


def test_what_was_answered_is_seen_by_the_next_reader(client, service):
    add(client, "RYE-25", on_hand=1)

    def watch(till):
        for _ in range(40):
            product(till, "RYE-25")
        return True

    def receive(till):
        seen = []
        for number in range(2, 22):
            till.post("/products/RYE-25/receipts", json={"quantity": 1})
            seen.append(product(till, "RYE-25")["on_hand"] == number)
        return all(seen)

    assert together(service, [watch, watch, watch, receive]) == [True] * 4
