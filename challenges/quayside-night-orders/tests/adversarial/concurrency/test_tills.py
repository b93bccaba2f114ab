"""Many tills at one moment: the stock must add up."""

from collections import Counter

from depot import add, at_once, body, counts, listed, order_request, place, request

TILLS = 40


def statuses(answers):
    return Counter(status for status, _ in answers)


def test_no_more_is_sold_than_there_is(client, service):
    order = body(("RYE-25", 1), ("OAT-10", 1), ("RYE-25", 2), ("OAT-10", 1))
    add(client, "OAT-10", on_hand=1000)
    add(client, "RYE-25", on_hand=1)
    on_hand = 1
    for number in range(1, 5):
        # What is left over from the round before never covers an order, only its first line.
        on_hand += 45
        client.post("/products/RYE-25/receipts", json={"quantity": 45})
        assert statuses(at_once(service, [order_request(order)] * TILLS)) == {201: 15, 409: TILLS - 15}
        assert counts(client, "RYE-25") == (on_hand, on_hand - 1)
        assert counts(client, "OAT-10") == (1000, 30 * number)
    assert len(listed(client)) == 60


def test_every_reservation_is_counted(client, service):
    add(client, "OAT-10", on_hand=10_000)
    for number in range(1, 9):
        add(client, f"RYE-{number}", on_hand=1000)
        order = body((f"RYE-{number}", 2), ("OAT-10", 1), (f"RYE-{number}", 3))
        assert statuses(at_once(service, [order_request(order)] * TILLS)) == {201: TILLS}
        assert counts(client, f"RYE-{number}") == (1000, 5 * TILLS)
        assert counts(client, "OAT-10") == (10_000, number * TILLS)
    orders = listed(client, limit=100)
    assert len({order["id"] for order in orders}) == 8 * TILLS
    assert {tuple(line["quantity"] for line in order["lines"]) for order in orders} == {(2, 1, 3)}


def test_goods_that_come_in_at_the_same_time(client, service):
    for number in range(12):
        sku = f"RYE-{number}"
        add(client, sku, on_hand=0)
        answers = at_once(service, [request("POST", f"/products/{sku}/receipts", {"quantity": 3})] * TILLS)
        assert statuses(answers) == {200: TILLS}
        assert counts(client, sku) == (3 * TILLS, 0)


def test_order_is_cancelled_once(client, service):
    add(client, "RYE-25", on_hand=5000)
    place(client, ("RYE-25", 20))
    for _ in range(5):
        orders = [place(client, *[("RYE-25", 1)] * 20)["id"] for _ in range(4)]
        answers = at_once(service, [request("POST", f"/orders/{target}/cancel") for target in orders for _ in range(8)])
        for number in range(4):
            assert statuses(answers[8 * number : 8 * number + 8]) == {200: 1, 409: 7}
        assert counts(client, "RYE-25") == (5000, 20)


def test_order_is_either_dispatched_or_cancelled(client, service):
    add(client, "RYE-25", on_hand=5000)
    expected = 5000
    for _ in range(5):
        orders = [place(client, *[("RYE-25", 1)] * 20)["id"] for _ in range(4)]
        steps = ["dispatch", "cancel"] * 4
        answers = at_once(service, [request("POST", f"/orders/{target}/{step}") for target in orders for step in steps])
        for number, target in enumerate(orders):
            results = [status for status, _ in answers[8 * number : 8 * number + 8]]
            assert Counter(results) == {200: 1, 409: 7}
            step = steps[results.index(200)]
            status = {"dispatch": "dispatched", "cancel": "cancelled"}[step]
            assert client.get(f"/orders/{target}").json()["status"] == status
            expected -= 20 if step == "dispatch" else 0
        assert counts(client, "RYE-25") == (expected, 0)


def test_refused_orders_do_not_disturb_others(client, service):
    add(client, "RYE-25", on_hand=10_000)
    add(client, "LAST-1", on_hand=0)
    good = order_request(body(*[("RYE-25", 1)] * 6))
    bad = order_request(body(("RYE-25", 1), ("RYE-25", 1), ("LAST-1", 1)))
    placed = []
    for _ in range(5):
        answers = at_once(service, [good, bad] * (TILLS // 2))
        assert [status for status, _ in answers] == [201, 409] * (TILLS // 2)
        assert {answer["error"]["code"] for _, answer in answers[1::2]} == {"out_of_stock"}
        placed += [answer for _, answer in answers[::2]]
    assert {len(order["lines"]) for order in placed} == {6}
    by_id = sorted(placed, key=lambda order: order["id"])
    assert sorted(listed(client, limit=100), key=lambda order: order["id"]) == by_id
    assert counts(client, "RYE-25") == (10_000, 6 * len(placed))


def test_reading_while_others_write(client, service):
    add(client, "RYE-25", on_hand=10_000)
    order = order_request(body(*[("RYE-25", 1)] * 20))
    look = request("GET", "/products/RYE-25")

    def sound(answers):
        return all(
            status == 200
            and (found["on_hand"], found["available"]) == (10_000, 10_000 - found["reserved"])
            and found["reserved"] in range(0, 321, 20)
            for status, found in answers
        )

    for _ in range(4):
        answers = at_once(service, [order, look] * 16)
        assert statuses(answers[::2]) == {201: 16}
        assert sound(answers[1::2])
        assert counts(client, "RYE-25") == (10_000, 320)
        cancels = [request("POST", f"/orders/{placed['id']}/cancel") for _, placed in answers[::2]]
        answers = at_once(service, [job for cancel in cancels for job in (cancel, look)])
        assert statuses(answers[::2]) == {200: 16}
        assert sound(answers[1::2])
        assert counts(client, "RYE-25") == (10_000, 0)


def test_what_was_answered_is_seen_by_the_next_reader(client, service):
    add(client, "RYE-25", on_hand=0)
    look = request("GET", "/products/RYE-25")
    receive = request("POST", "/products/RYE-25/receipts", {"quantity": 1})
    for before in range(0, 48, 4):
        answers = at_once(service, [receive, *[look] * 9] * 4)
        assert statuses(answers) == {200: TILLS}
        assert counts(client, "RYE-25") == (before + 4, 0)
        assert all(before < found["on_hand"] <= before + 4 for _, found in answers[::10])
        assert all(before <= found["on_hand"] <= before + 4 for _, found in answers)
