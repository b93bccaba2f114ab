import creditbook
import pytest
from creditbook.statements import statement, summary


def paid_from_three():
    """A receipt of 60 over grants of 20, 30 and 100, the first two with an expiry."""
    ledger = creditbook.Ledger()
    grants = [
        ledger.grant("acme", 20, now=1_000, expires_at=3_000),
        ledger.grant("acme", 30, now=1_000, expires_at=5_000),
        ledger.grant("acme", 100, now=1_000),
    ]
    return ledger, grants, ledger.spend("acme", 60, now=1_010)


def test_refunded_credits_expire_as_before():
    ledger, _, receipt = paid_from_three()
    ledger.refund(receipt.id, now=1_020)
    moments = (1_020, 2_999, 3_000, 4_999, 5_000)
    assert [ledger.balance("acme", now=moment) for moment in moments] == [150, 150, 130, 130, 100]


def test_refund_after_the_credits_have_lapsed():
    ledger, _, receipt = paid_from_three()
    assert ledger.refund(receipt.id, now=6_000).amount == 60
    assert ledger.balance("acme", now=6_000) == 100
    assert summary(ledger, "acme", now=6_000)["lapsed"] == 50
    with pytest.raises(creditbook.InsufficientCredits):
        ledger.spend("acme", 101, now=6_001)


def test_parts_go_back_from_the_end():
    ledger, (first, second, third), receipt = paid_from_three()
    parts = [list(ledger.refund(receipt.id, amount, now=1_020).returned) for amount in (4, 20, 36)]
    assert parts == [[(third, 4)], [(third, 6), (second, 14)], [(second, 16), (first, 20)]]


def test_refunded_credits_are_drawn_in_their_old_place():
    ledger, (first, second, _), receipt = paid_from_three()
    ledger.refund(receipt.id, 25, now=1_020)
    ledger.grant("acme", 7, now=1_030, expires_at=9_000)
    assert list(ledger.spend("acme", 16, now=1_040).draws)[0] == (second, 15)
    ledger.refund(receipt.id, now=1_050)
    assert list(ledger.spend("acme", 35, now=1_060).draws) == [(first, 20), (second, 15)]
    assert ledger.balance("acme", now=1_060) == 157 - 51


def test_refund_that_is_sent_again():
    ledger, _, receipt = paid_from_three()
    one = ledger.refund(receipt.id, 10, now=1_020, key="back")
    two = ledger.refund(receipt.id, 10, now=1_022, key="back")
    assert two.id == one.id
    assert ledger.balance("acme", now=1_030) == 100
    assert statement(ledger, "acme")[4:] == [f"1020 refund +10 {one.id}"]


def test_full_refund_that_is_sent_again():
    ledger, _, receipt = paid_from_three()
    one = ledger.refund(receipt.id, now=1_020, key="back")
    two = ledger.refund(receipt.id, now=1_022, key="back")
    assert (two.id, two.amount) == (one.id, 60)
    assert ledger.balance("acme", now=1_030) == 150


def test_many_small_refunds_end_at_the_receipt():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 100, now=1_000)
    receipt = ledger.spend("acme", 40, now=1_010)
    for n in range(40):
        ledger.refund(receipt.id, 1, now=1_020 + n)
    with pytest.raises(creditbook.RefundTooLarge):
        ledger.refund(receipt.id, 1, now=1_100)
    assert ledger.balance("acme", now=1_100) == 100


def test_nothing_left_to_refund():
    ledger, _, receipt = paid_from_three()
    ledger.refund(receipt.id, now=1_020)
    with pytest.raises(creditbook.RefundTooLarge):
        ledger.refund(receipt.id, now=1_030)
    assert len(ledger.entries("acme")) == 5


def test_refund_without_a_receipt():
    ledger, _, receipt = paid_from_three()
    for number in ("D-000077", "", "G-000001"):
        with pytest.raises(creditbook.UnknownReceipt):
            ledger.refund(number, 1, now=1_020)
    refund = ledger.refund(receipt.id, 1, now=1_030)
    with pytest.raises(creditbook.UnknownReceipt):
        ledger.refund(refund.id, 1, now=1_040)


def test_settled_line_is_refunded_like_any_other():
    ledger, (_, _, third), _ = paid_from_three()
    numbers = ledger.settle([{"account": "acme", "amount": 5}, {"account": "acme", "amount": 6}], now=1_020, key="n")
    refund = ledger.refund(numbers[1], now=1_030)
    assert list(refund.returned) == [(third, 6)]
    assert ledger.balance("acme", now=1_030) == 85
