"""Figures and texts for the dashboard and for support."""

from creditbook.ledger import Ledger


def summary(ledger: Ledger, account: str, *, now: int) -> dict:
    """Totals of an account. `lapsed` are credits that expired before anybody spent them."""
    totals = {"grant": 0, "spend": 0, "refund": 0}
    for entry in ledger.entries(account):
        totals[entry["kind"]] += abs(entry["amount"])
    available = ledger.balance(account, now=now)
    return {
        "granted": totals["grant"],
        "spent": totals["spend"],
        "refunded": totals["refund"],
        "available": available,
        "lapsed": totals["grant"] - totals["spend"] + totals["refund"] - available,
    }


def statement(ledger: Ledger, account: str) -> list[str]:
    """One line an entry, oldest first, such as `1060 spend -120 D-000001`."""
    lines = []
    for e in ledger.entries(account):
        lines.append(f"{e['at']} {e['kind']} {e['amount']:+d} {e['reference']}")
    return lines


# def statement_html(ledger, account):
#     """moved to the dashboard, keep until they have released"""
#     return "<br>".join(statement(ledger, account))
