import creditbook
import pytest


def opened():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 100, now=1_000, expires_at=5_000)
    return ledger


def test_retry_when_there_is_nothing_left():
    ledger = opened()
    first = ledger.spend("acme", 100, now=1_010, key="job")
    assert ledger.spend("acme", 100, now=1_020, key="job").id == first.id
    assert ledger.spend("acme", 100, now=90_000, key="job").id == first.id


def test_refused_request_can_be_sent_again():
    ledger = opened()
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.spend("acme", 150, now=1_010, key="job")
    ledger.grant("acme", 60, now=1_020)
    receipt = ledger.spend("acme", 150, now=1_030, key="job")
    assert ledger.spend("acme", 150, now=1_040, key="job").id == receipt.id
    assert ledger.balance("acme", now=1_040) == 10


def test_refused_request_can_become_another_one():
    ledger = opened()
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.spend("acme", 150, now=1_010, key="job")
    assert ledger.spend("acme", 90, now=1_030, key="job").amount == 90


def test_retries_leave_the_books_alone():
    ledger = opened()
    for n in range(5):
        ledger.spend("acme", 10, now=1_010 + n, key="job")
        ledger.settle([{"account": "acme", "amount": 1}], now=1_010 + n, key="night")
    assert [entry["reference"] for entry in ledger.entries("acme")][1:] == ["D-000001", "D-000002"]
    assert ledger.spend("acme", 1, now=1_020).id == "D-000003"


def test_retry_after_a_refund_charges_nothing():
    ledger = opened()
    receipt = ledger.spend("acme", 30, now=1_010, key="job")
    ledger.refund(receipt.id, now=1_020)
    assert ledger.spend("acme", 30, now=1_030, key="job").id == receipt.id
    assert ledger.balance("acme", now=1_030) == 100
