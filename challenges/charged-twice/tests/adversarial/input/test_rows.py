import creditbook
import pytest

ROWS = [
    {"account": "acme", "amount": 10, "expires_at": 9_000},
    {"account": "acme", "amount": 20},
    {"account": "bolt", "amount": 30, "expires_at": 4_000},
    {"account": "acme", "amount": 40, "expires_at": 2_000},
]


def copied(rows):
    return [dict(row) for row in rows]


def test_imported_rows_stay_as_they_were():
    rows = copied(ROWS)
    creditbook.Ledger().import_grants(rows, now=1_000)
    assert rows == ROWS


def test_import_answers_row_by_row():
    ledger = creditbook.Ledger()
    numbers = ledger.import_grants(copied(ROWS), now=1_000)
    assert numbers == ["G-000001", "G-000002", "G-000003", "G-000004"]
    receipt = ledger.spend("acme", 70, now=1_010)
    assert list(receipt.draws) == [(numbers[3], 40), (numbers[0], 10), (numbers[1], 20)]


def test_import_with_a_broken_row():
    ledger = creditbook.Ledger()
    with pytest.raises(creditbook.InvalidAmount):
        ledger.import_grants([*copied(ROWS), {"account": "cord", "amount": 0}], now=1_000)
    assert ledger.accounts() == []
    assert ledger.balance("acme", now=1_000) == 0
    assert ledger.grant("acme", 1, now=1_001) == "G-000001"


def test_settled_lines_stay_as_they_were():
    ledger = creditbook.Ledger()
    ledger.import_grants(copied(ROWS), now=1_000)
    lines = [{"account": "bolt", "amount": 3}, {"account": "acme", "amount": 2}, {"account": "bolt", "amount": 1}]
    given = copied(lines)
    numbers = ledger.settle(given, now=1_010, key="n")
    assert given == lines
    assert [(ledger.receipt(n).account, ledger.receipt(n).amount) for n in numbers] == [
        ("bolt", 3),
        ("acme", 2),
        ("bolt", 1),
    ]
