"""A slow, obvious model of the rules, and stock for the larger tests."""

import bisect


def crowd(account, count, amount=1, first_expiry=100_000, step=1):
    """Rows of `count` grants of one account, each with an expiry of its own, the soonest in the middle of the list."""
    rows = [{"account": account, "amount": amount, "expires_at": first_expiry + step * n} for n in range(count)]
    return rows[count // 2 :] + rows[: count // 2]


class Model:
    """One account, by the rules as written, with nothing clever about it."""

    def __init__(self):
        self.grants = []
        self.receipts = {}

    def grant(self, number, amount, expires_at):
        end = float("inf") if expires_at is None else expires_at
        bisect.insort(self.grants, [end, len(self.grants), number, amount])

    def balance(self, now):
        return sum(left for end, _, _, left in self.grants if end > now)

    def spend(self, amount, now):
        """The draws, or None where the credits do not suffice."""
        if self.balance(now) < amount:
            return None
        draws = []
        for grant in self.grants:
            take = min(amount, grant[3]) if grant[0] > now else 0
            if take:
                grant[3] -= take
                amount -= take
                draws.append((grant[2], take))
        return draws

    def paid(self, receipt, draws):
        self.receipts[receipt] = [list(draw) for draw in draws]

    def left(self, receipt):
        return sum(amount for _, amount in self.receipts[receipt])

    def refund(self, receipt, amount):
        """What goes back where, or None where the receipt has too little left."""
        if not 0 < amount <= self.left(receipt):
            return None
        returned = []
        for draw in reversed(self.receipts[receipt]):
            back = min(amount, draw[1])
            if back:
                draw[1] -= back
                amount -= back
                returned.append((draw[0], back))
                next(g for g in self.grants if g[2] == draw[0])[3] += back
        return returned
