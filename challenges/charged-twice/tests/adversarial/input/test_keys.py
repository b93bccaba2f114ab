import creditbook
import pytest


def opened():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    ledger.grant("bolt", 300, now=1_000)
    return ledger


def test_two_customers_with_the_same_key():
    ledger = opened()
    ours = ledger.spend("acme", 40, now=1_010, key="1")
    theirs = ledger.spend("bolt", 40, now=1_011, key="1")
    assert theirs.account == "bolt"
    assert theirs.id != ours.id
    assert (ledger.balance("acme", now=1_020), ledger.balance("bolt", now=1_020)) == (460, 260)


def test_known_key_with_another_amount():
    ledger = opened()
    ledger.spend("acme", 40, now=1_010, key="job-9")
    with pytest.raises(creditbook.KeyReused):
        ledger.spend("acme", 41, now=1_011, key="job-9")
    assert ledger.balance("acme", now=1_020) == 460
    assert len(ledger.entries("acme")) == 2


def test_known_key_for_another_kind_of_request():
    ledger = opened()
    receipt = ledger.spend("acme", 40, now=1_010, key="job-9")
    with pytest.raises(creditbook.KeyReused):
        ledger.refund(receipt.id, 40, now=1_011, key="job-9")
    assert ledger.balance("acme", now=1_020) == 460


def test_known_refund_key_for_another_refund():
    ledger = opened()
    one, two = (ledger.spend("acme", 40, now=1_010 + n) for n in (0, 1))
    ledger.refund(one.id, 10, now=1_020, key="r")
    with pytest.raises(creditbook.KeyReused):
        ledger.refund(two.id, 10, now=1_021, key="r")
    with pytest.raises(creditbook.KeyReused):
        ledger.refund(one.id, 11, now=1_022, key="r")
    assert ledger.balance("acme", now=1_030) == 430


def test_known_settlement_key_with_other_lines():
    ledger = opened()
    ledger.settle([{"account": "acme", "amount": 1}], now=1_010, key="night")
    with pytest.raises(creditbook.KeyReused):
        ledger.settle([{"account": "acme", "amount": 1}, {"account": "bolt", "amount": 1}], now=1_011, key="night")
    assert (ledger.balance("acme", now=1_020), ledger.balance("bolt", now=1_020)) == (499, 300)


def test_settlement_named_like_a_job():
    ledger = opened()
    receipt = ledger.spend("acme", 5, now=1_010, key="2024-03-01")
    numbers = ledger.settle([{"account": "acme", "amount": 5}], now=1_011, key="2024-03-01")
    assert len(numbers) == 1
    assert numbers[0] != receipt.id
    assert ledger.spend("acme", 5, now=1_012, key="2024-03-01").id == receipt.id
    assert ledger.balance("acme", now=1_020) == 490


def test_requests_without_key_are_all_charged():
    ledger = opened()
    receipts = {ledger.spend("acme", 40, now=1_010).id for _ in range(3)}
    lines = [{"account": "acme", "amount": 5}]
    for _ in range(2):
        receipts.update(ledger.settle(lines, now=1_011))
    assert len(receipts) == 5
    assert ledger.balance("acme", now=1_020) == 370
