import creditbook
import pytest
from creditbook.statements import summary


def test_looking_ahead_costs_nothing():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 50, now=1_000, expires_at=5_000)
    ledger.grant("acme", 10, now=1_000)
    assert [ledger.balance("acme", now=moment) for moment in (9_000, 5_000, 4_999)] == [10, 10, 60]
    assert summary(ledger, "acme", now=9_000)["lapsed"] == 50
    assert ledger.balance("acme", now=2_000) == 60
    assert ledger.spend("acme", 60, now=2_000).amount == 60


def test_requests_from_a_node_that_is_behind():
    ledger = creditbook.Ledger()
    evening = ledger.grant("acme", 50, now=1_000, expires_at=5_000)
    rest = ledger.grant("acme", 50, now=1_000)
    assert list(ledger.spend("acme", 5, now=5_002).draws) == [(rest, 5)]
    assert list(ledger.spend("acme", 5, now=4_998).draws) == [(evening, 5)]
    assert ledger.balance("acme", now=4_999) == 90


def test_draws_follow_expiry_however_credits_came():
    ends = [3_000, 4_000, 5_000, None]
    for order in ((0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)):
        ledger = creditbook.Ledger()
        numbers = {n: ledger.grant("acme", 10, now=1_000 + n, expires_at=ends[n]) for n in order}
        receipt = ledger.spend("acme", 35, now=1_100)
        assert list(receipt.draws) == [(numbers[0], 10), (numbers[1], 10), (numbers[2], 10), (numbers[3], 5)]


def test_equal_expiries_are_drawn_in_the_order_of_granting():
    ledger = creditbook.Ledger()
    numbers = [ledger.grant("acme", 1, now=9_000 - n, expires_at=20_000) for n in range(12)]
    assert [n for n, _ in ledger.spend("acme", 12, now=9_001).draws] == numbers


def test_lapsed_credits_cover_nothing():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 70, now=1_000, expires_at=2_000)
    ledger.grant("acme", 30, now=1_000, expires_at=3_000)
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.spend("acme", 31, now=2_000)
    assert ledger.spend("acme", 30, now=2_999).amount == 30


def test_asking_about_strangers_leaves_no_trace():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 1, now=1_000)
    assert ledger.balance("nobody", now=1_000) == 0
    assert list(ledger.entries("noone")) == []
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.spend("stranger", 1, now=1_000)
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.settle([{"account": "passer-by", "amount": 1}], now=1_000)
    assert ledger.accounts() == ["acme"]
