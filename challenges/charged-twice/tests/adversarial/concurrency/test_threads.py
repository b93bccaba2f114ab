import time
from concurrent.futures import ThreadPoolExecutor

import books
import creditbook
import pytest
from creditbook.statements import summary

GRANTS = 30_000


def stocked():
    """An account whose settlements take long enough for other requests to arrive meanwhile."""
    ledger = creditbook.Ledger()
    for half in (0, 1):
        rows = books.crowd("bulk", GRANTS // 2, first_expiry=100_000 + half, step=2)
        ledger.import_grants(rows, now=1_000)
    ledger.grant("small", 5_000, now=1_000)
    return ledger


def lines(count, amount):
    return [{"account": "bulk", "amount": amount}] * count


def refused(settlement):
    with pytest.raises(creditbook.InsufficientCredits):
        settlement.result()


def test_settlement_that_arrives_at_once_from_all_sides():
    ledger = stocked()
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(ledger.settle, lines(12, 2_250), now=2_000 + n, key="night") for n in range(4)]
        answers = [list(future.result()) for future in futures]
    assert answers == [answers[0]] * 4
    assert ledger.balance("bulk", now=2_010) == GRANTS - 27_000


def test_refused_settlement_beside_other_customers():
    ledger = stocked()
    spent = 0
    with ThreadPoolExecutor(1) as pool:
        settlement = pool.submit(ledger.settle, [*lines(8, 3_700), {"account": "bulk", "amount": GRANTS}], now=2_000)
        while not (settlement.done() and spent >= 20) and spent < 1_000:
            ledger.spend("small", 1, now=2_000)
            spent += 1
            time.sleep(0.001)
        refused(settlement)
    assert ledger.balance("small", now=2_010) == 5_000 - spent
    assert len(ledger.entries("small")) == spent + 1
    assert ledger.balance("bulk", now=2_010) == GRANTS


def test_nobody_sees_half_a_settlement():
    ledger = stocked()
    seen = []
    with ThreadPoolExecutor(1) as pool:
        settlement = pool.submit(ledger.settle, [*lines(8, 3_700), {"account": "bulk", "amount": GRANTS}], now=2_000)
        while not (settlement.done() and len(seen) >= 5) and len(seen) < 1_000:
            seen.append(ledger.balance("bulk", now=2_000))
            time.sleep(0.001)
        refused(settlement)
    assert set(seen) == {GRANTS}


def test_rivals_never_spend_the_same_credit():
    ledger = stocked()
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.spend("bulk", GRANTS + 1, now=2_000)

    def rival(name):
        try:
            return list(ledger.settle(lines(12, 1_200), now=2_000, key=name))
        except creditbook.InsufficientCredits:
            return []

    with ThreadPoolExecutor(4) as pool:
        numbers = [number for answer in pool.map(rival, ["a", "b", "c", "d"]) for number in answer]
    assert len(numbers) == len(set(numbers)) == 24
    drawn = [grant for number in numbers[::6] for grant, _ in ledger.receipt(number).draws]
    assert len(drawn) == len(set(drawn)) == 4_800
    assert ledger.balance("bulk", now=2_010) == GRANTS - 2 * 12 * 1_200


def test_settlements_of_one_account_side_by_side():
    ledger = stocked()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: ledger.settle(lines(24, 300), now=2_000, key=f"night-{n}"), range(4)))
    numbers = sorted(number for answer in answers for number in answer)
    assert numbers == [f"D-{n:06d}" for n in range(1, 97)]
    assert ledger.balance("bulk", now=2_010) == GRANTS - 28_800
    assert summary(ledger, "bulk", now=2_010)["spent"] == 28_800
