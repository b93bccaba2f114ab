import creditbook
import pytest


def test_granted_credits_show_in_the_balance():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    ledger.grant("acme", 20, now=1_010, expires_at=5_000)
    ledger.grant("other", 7, now=1_010)
    assert ledger.balance("acme", now=1_020) == 520
    assert ledger.accounts() == ["acme", "other"]


def test_credits_are_gone_at_their_expiry():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 20, now=1_000, expires_at=5_000)
    assert ledger.balance("acme", now=4_999) == 20
    assert ledger.balance("acme", now=5_000) == 0


def test_amounts_below_one_or_broken_are_refused():
    ledger = creditbook.Ledger()
    for amount in (0, -5, 2.5):
        with pytest.raises(creditbook.InvalidAmount):
            ledger.grant("acme", amount, now=1_000)
    assert ledger.balance("acme", now=1_000) == 0
