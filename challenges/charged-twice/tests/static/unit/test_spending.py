import creditbook
import pytest


def test_spend_lowers_the_balance():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    receipt = ledger.spend("acme", 120, now=1_060)
    assert receipt.account == "acme"
    assert receipt.amount == 120
    assert ledger.receipt(receipt.id).amount == 120
    assert ledger.balance("acme", now=1_060) == 380


def test_soonest_expiry_is_drawn_first():
    ledger = creditbook.Ledger()
    bought = ledger.grant("acme", 100, now=1_000)
    bonus = ledger.grant("acme", 30, now=1_000, expires_at=5_000)
    receipt = ledger.spend("acme", 50, now=1_060)
    assert list(receipt.draws) == [(bonus, 30), (bought, 20)]


def test_uncovered_spend_is_refused():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 100, now=1_000)
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.spend("acme", 101, now=1_060)
    assert ledger.balance("acme", now=1_060) == 100
