"""The grants of one account, in the order in which they are drawn."""

from bisect import bisect_right, insort
from collections.abc import Sequence

from creditbook.models import Grant

FOREVER = float("inf")


class Lots:
    """Grants that still hold credits, the soonest to expire first.

    Nothing is removed for having expired: requests do not arrive in the order of their moments, so what is over for
    one of them is open to the next. Used up grants leave the list and come back with a refund, so that a draw costs
    what it draws, not what the account was ever granted.
    """

    def __init__(self) -> None:
        self._open: list[tuple[float, int, Grant]] = []
        self._rank: dict[str, tuple[float, int]] = {}
        self._grants: dict[str, Grant] = {}

    def add(self, grant: Grant) -> None:
        end = FOREVER if grant.expires_at is None else grant.expires_at
        self._rank[grant.id] = (end, len(self._rank))
        self._grants[grant.id] = grant
        self._reopen(grant)

    def available(self, now: int) -> int:
        return sum(grant.left for _, _, grant in self._open[self._start(now) :])

    def draw(self, amount: int, now: int) -> tuple[tuple[str, int], ...] | None:
        """Take credits and say from which grants, or take none and return None where they do not suffice."""
        start = end = self._start(now)
        due, draws = amount, []
        while due and end < len(self._open):
            grant = self._open[end][2]
            take = min(grant.left, due)
            draws.append((grant, take))
            due -= take
            end += 1
        if due:
            return None
        for grant, take in draws:
            grant.left -= take
        # All but the last one are used up, and the last one may be.
        del self._open[start : end if draws[-1][0].left == 0 else end - 1]
        return tuple((grant.id, take) for grant, take in draws)

    def put_back(self, draws: Sequence[tuple[str, int]]) -> None:
        for grant_id, amount in draws:
            grant = self._grants[grant_id]
            was_used_up = grant.left == 0
            grant.left += amount
            if was_used_up:
                self._reopen(grant)

    def _reopen(self, grant: Grant) -> None:
        insort(self._open, (*self._rank[grant.id], grant))

    def _start(self, now: int) -> int:
        return bisect_right(self._open, now, key=lambda lot: lot[0])
