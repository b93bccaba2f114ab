import creditbook
import pytest


def opened(amount=500):
    ledger = creditbook.Ledger()
    ledger.grant("acme", amount, now=1_000)
    return ledger


def test_what_is_no_amount_is_not_spent():
    ledger = opened()
    for amount in ("3", 2.0, None, True):
        with pytest.raises(creditbook.InvalidAmount):
            ledger.spend("acme", amount, now=1_010)
    assert ledger.balance("acme", now=1_010) == 500


@pytest.mark.parametrize("amount", [0, -40, True, 1.0], ids=["nothing", "negative", "flag", "float"])
def test_what_is_no_amount_is_not_refunded(amount):
    ledger = opened()
    receipt = ledger.spend("acme", 120, now=1_010)
    with pytest.raises(creditbook.InvalidAmount):
        ledger.refund(receipt.id, amount, now=1_020)
    assert ledger.balance("acme", now=1_020) == 380
    assert ledger.refund(receipt.id, now=1_030).amount == 120


def test_settlement_with_a_broken_line():
    ledger = opened()
    with pytest.raises(creditbook.InvalidAmount):
        ledger.settle([{"account": "acme", "amount": 9}, {"account": "acme", "amount": -9}], now=1_010, key="n")
    assert ledger.balance("acme", now=1_010) == 500


def test_large_amounts_are_exact():
    ledger = opened(9_007_199_254_740_993)
    ledger.grant("acme", 1, now=1_000, expires_at=2_000)
    receipt = ledger.spend("acme", 9_007_199_254_740_993, now=1_010)
    assert ledger.balance("acme", now=1_010) == 1
    assert sum(amount for _, amount in receipt.draws) == 9_007_199_254_740_993
