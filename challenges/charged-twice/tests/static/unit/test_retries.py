import creditbook


def test_retry_is_charged_once():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    receipts = [ledger.spend("acme", 120, now=1_060 + second, key="job-1") for second in range(3)]
    assert len({receipt.id for receipt in receipts}) == 1
    assert ledger.balance("acme", now=1_070) == 380


def test_other_keys_are_other_requests():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 500, now=1_000)
    first = ledger.spend("acme", 120, now=1_060, key="job-1")
    second = ledger.spend("acme", 120, now=1_060, key="job-2")
    assert first.id != second.id
    assert ledger.balance("acme", now=1_070) == 260
