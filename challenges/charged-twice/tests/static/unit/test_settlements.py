import creditbook
import pytest


def test_settlement_charges_every_line():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 100, now=1_000)
    ledger.grant("bolt", 100, now=1_000)
    receipts = ledger.settle(
        [{"account": "acme", "amount": 10}, {"account": "bolt", "amount": 20}, {"account": "acme", "amount": 30}],
        now=2_000,
        key="night-1",
    )
    assert [ledger.receipt(number).amount for number in receipts] == [10, 20, 30]
    assert ledger.balance("acme", now=2_000) == 60
    assert ledger.balance("bolt", now=2_000) == 80


def test_refused_settlement_changes_no_balance():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 100, now=1_000)
    ledger.grant("bolt", 5, now=1_000)
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.settle([{"account": "acme", "amount": 10}, {"account": "bolt", "amount": 6}], now=2_000, key="night-1")
    assert ledger.balance("acme", now=2_000) == 100
    assert ledger.balance("bolt", now=2_000) == 5
