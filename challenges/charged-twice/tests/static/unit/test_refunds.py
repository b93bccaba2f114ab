import creditbook
import pytest


def test_refund_puts_the_credits_back():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    receipt = ledger.spend("acme", 120, now=1_060)
    refund = ledger.refund(receipt.id, now=1_100)
    assert refund.amount == 120
    assert refund.receipt_id == receipt.id
    assert ledger.balance("acme", now=1_100) == 500


def test_part_of_a_receipt_can_be_refunded():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    receipt = ledger.spend("acme", 120, now=1_060)
    ledger.refund(receipt.id, 50, now=1_100)
    assert ledger.balance("acme", now=1_100) == 430
    assert ledger.refund(receipt.id, now=1_101).amount == 70


def test_refund_beyond_the_receipt_is_refused():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    receipt = ledger.spend("acme", 120, now=1_060)
    ledger.refund(receipt.id, 100, now=1_100)
    with pytest.raises(creditbook.RefundTooLarge):
        ledger.refund(receipt.id, 21, now=1_101)
    assert ledger.balance("acme", now=1_101) == 480
