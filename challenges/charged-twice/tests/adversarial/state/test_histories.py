import random

import books
import creditbook
import pytest


def refused(request, *args, **named):
    try:
        return request(*args, **named)
    except (creditbook.InsufficientCredits, creditbook.RefundTooLarge):
        return None


@pytest.mark.parametrize("seed", [3, 14, 159, 2653])
def test_long_history_keeps_to_the_rules(seed):
    draw = random.Random(seed)
    ledger, model = creditbook.Ledger(), books.Model()
    now, sent = 1_000, []
    for step in range(140):
        now += draw.choice((0, 1, 5, 30))
        moment = now - draw.choice((0, 0, 2, 6))
        kind = draw.choice(("grant", "spend", "spend", "refund", "again"))
        if kind == "grant" or step < 5:
            amount, end = draw.randint(1, 40), draw.choice((None, moment + draw.randint(1, 300)))
            model.grant(ledger.grant("acme", amount, now=moment, expires_at=end), amount, end)
        elif kind == "spend":
            amount = draw.randint(1, 60)
            expected = model.spend(amount, moment)
            receipt = refused(ledger.spend, "acme", amount, now=moment, key=f"job-{step}")
            assert (receipt and list(receipt.draws)) == expected
            if receipt:
                model.paid(receipt.id, expected)
                sent.append((f"job-{step}", amount, receipt.id))
        elif kind == "refund" and sent:
            number, amount = draw.choice(sent)[2], draw.randint(1, 40)
            expected = model.refund(number, amount)
            refund = refused(ledger.refund, number, amount, now=moment, key=f"back-{step}")
            assert (refund and list(refund.returned)) == expected
        elif sent:
            key, amount, number = draw.choice(sent)
            assert ledger.spend("acme", amount, now=moment, key=key).id == number
        for ahead in (0, 50, 10_000):
            assert ledger.balance("acme", now=moment + ahead) == model.balance(moment + ahead)
