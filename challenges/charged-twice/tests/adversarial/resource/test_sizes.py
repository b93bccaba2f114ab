import books
import creditbook
import pytest


def test_night_with_many_lines():
    ledger = creditbook.Ledger()
    ledger.import_grants(books.crowd("acme", 20_000), now=1_000)
    numbers = ledger.settle([{"account": "acme", "amount": 1}] * 18_000, now=2_000, key="night")
    assert len(set(numbers)) == 18_000
    assert ledger.balance("acme", now=2_000) == 2_000


def test_many_settlements_beside_a_large_account():
    ledger = creditbook.Ledger()
    ledger.import_grants(books.crowd("acme", 20_000), now=1_000)
    ledger.grant("bolt", 10, now=1_000)
    for n in range(250):
        with pytest.raises(creditbook.InsufficientCredits):
            ledger.settle([{"account": "bolt", "amount": 9}, {"account": "bolt", "amount": 2}], now=2_000 + n)
    assert ledger.balance("bolt", now=3_000) == 10
    assert ledger.balance("acme", now=3_000) == 20_000


def test_long_life_of_one_key():
    ledger = creditbook.Ledger()
    ledger.grant("acme", 1_000, now=1_000)
    first = ledger.spend("acme", 10, now=1_010, key="job")
    for n in range(600):
        assert ledger.spend("acme", 10, now=1_010 + 86_400 * n, key="job").id == first.id
    assert ledger.balance("acme", now=90_000_000) == 990
    assert len(ledger.entries("acme")) == 2
