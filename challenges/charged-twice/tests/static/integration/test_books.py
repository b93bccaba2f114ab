import creditbook
from creditbook.statements import statement, summary


def test_statement_tells_what_happened():
    ledger = creditbook.Ledger()
    grant = ledger.grant("acme", 500, now=1_000)
    bonus = ledger.grant("acme", 5, now=1_030, expires_at=9_000)
    receipt = ledger.spend("acme", 120, now=1_060, key="job-1")
    assert statement(ledger, "acme") == [
        f"1000 grant +500 {grant}",
        f"1030 grant +5 {bonus}",
        f"1060 spend -120 {receipt.id}",
    ]


def test_summary_adds_up():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    ledger.grant("acme", 30, now=1_000, expires_at=5_000)
    ledger.spend("acme", 10, now=1_060)
    assert summary(ledger, "acme", now=6_000) == {
        "granted": 530,
        "spent": 10,
        "refunded": 0,
        "available": 500,
        "lapsed": 20,
    }


def test_settlement_can_be_sent_again():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 100, now=1_000)
    lines = [{"account": "acme", "amount": 10}, {"account": "acme", "amount": 20}]
    first = ledger.settle(lines, now=2_000, key="night-1")
    again = ledger.settle(lines, now=2_300, key="night-1")
    assert again == first
    assert ledger.balance("acme", now=2_300) == 70
    assert len(statement(ledger, "acme")) == 3
