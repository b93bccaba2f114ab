import creditbook
import pytest


def opened():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 60, now=1_000, expires_at=4_000)
    ledger.grant("acme", 40, now=1_000)
    ledger.grant("bolt", 5, now=1_000)
    return ledger


REFUSED = [{"account": "acme", "amount": 70}, {"account": "bolt", "amount": 3}, {"account": "bolt", "amount": 3}]


def refuse(ledger, key=None):
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.settle(REFUSED, now=2_000, key=key)


def test_refused_settlement_is_in_no_book():
    ledger = opened()
    before = [list(ledger.entries(account)) for account in ("acme", "bolt")]
    refuse(ledger)
    assert [list(ledger.entries(account)) for account in ("acme", "bolt")] == before


def test_refused_settlement_uses_up_no_number():
    ledger = opened()
    refuse(ledger)
    assert ledger.spend("acme", 1, now=2_010).id == "D-000001"
    assert list(ledger.settle([{"account": "bolt", "amount": 1}], now=2_020)) == ["D-000002"]


def test_refused_settlement_leaves_no_receipt():
    ledger = opened()
    refuse(ledger, key="night")
    with pytest.raises(creditbook.UnknownReceipt):
        ledger.receipt("D-000001")
    with pytest.raises(creditbook.UnknownReceipt):
        ledger.refund("D-000001", now=2_010)
    assert ledger.balance("acme", now=2_010) == 100


def test_mended_settlement_under_the_same_key():
    ledger = opened()
    refuse(ledger, key="night")
    numbers = ledger.settle(REFUSED[:2], now=2_010, key="night")
    assert ledger.settle(REFUSED[:2], now=2_020, key="night") == numbers
    assert (ledger.balance("acme", now=2_020), ledger.balance("bolt", now=2_020)) == (30, 2)


def test_lines_of_one_account_are_covered_together():
    ledger = opened()
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.settle([{"account": "acme", "amount": 51}, {"account": "acme", "amount": 50}], now=2_000)
    assert ledger.balance("acme", now=2_000) == 100
    assert len(ledger.settle([{"account": "acme", "amount": 50}] * 2, now=2_000)) == 2


def test_draws_after_a_refused_settlement():
    ledger = opened()
    early, late = (entry["reference"] for entry in ledger.entries("acme"))
    refuse(ledger)
    assert list(ledger.spend("acme", 61, now=2_010).draws) == [(early, 60), (late, 1)]
    assert ledger.balance("acme", now=4_000) == 39


def test_settlement_without_lines():
    ledger = opened()
    assert list(ledger.settle([], now=2_000, key="quiet")) == []
    assert list(ledger.settle([], now=2_001, key="quiet")) == []
    with pytest.raises(creditbook.KeyReused):
        ledger.settle([{"account": "acme", "amount": 1}], now=2_002, key="quiet")
