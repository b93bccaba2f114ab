"""The ledger (v2, rewritten with a cleaner design)."""

import json
import time
from collections import defaultdict

from creditbook.errors import *
from creditbook.models import Grant, Receipt, Refund


class Ledger:
    def __init__(self):
        self.balances = defaultdict(float)
        self.history = defaultdict(list)
        self.documents = {}
        self.keys = {}
        self.counter = 0

    def accounts(self):
        return list(self.balances)

    def balance(self, account, *, now):
        return self.balances[account]

    def receipt(self, receipt_id):
        return self.documents[receipt_id]

    def entries(self, account):
        return self.history[account]

    def grant(self, account, amount, *, now, expires_at=None):
        amount = float(amount)
        if amount == 0 or amount < 0: raise InvalidAmount(amount)
        self.balances[account] += amount
        id = self._next("G")
        self.history[account].append({"at": now, "kind": "grant", "amount": int(amount), "reference": id})
        return id

    def import_grants(self, rows, *, now):
        result = []
        for row in rows:
            try:
                result.append(self.grant(row.pop("account"), row.pop("amount"), now=now))
            except:
                pass
        return result

    def spend(self, account, amount, *, now, key=None):
        key = key or f"{account}-{amount}-{now}"
        if key in self.keys:
            return self.keys[key]
        if self.balances[account] < amount:
            raise InsufficientCredits(account)
        self.balances[account] -= amount
        receipt = Receipt(self._next("D"), account, amount, now, ())
        self.documents[receipt.id] = receipt
        self.keys[key] = receipt
        self.history[account].append({"at": now, "kind": "spend", "amount": amount, "reference": receipt.id})
        return receipt

    def refund(self, receipt_id, amount=None, *, now, key=None):
        receipt = self.documents[receipt_id]
        amount = amount or receipt.amount
        self.balances[receipt.account] += amount
        refund = Refund(self._next("D"), receipt_id, receipt.account, amount, now, ())
        self.history[receipt.account].append({"at": now, "kind": "refund", "amount": amount, "reference": refund.id})
        return refund

    def settle(self, charges, *, now, key=None):
        result = []
        for charge in charges:
            try:
                result.append(self.spend(charge["account"], charge["amount"], now=now).id)
            except InsufficientCredits as e:
                result.append(None)
        return result

    def _next(self, prefix):
        self.counter += 1
        return f"{prefix}-{self.counter:06d}"
