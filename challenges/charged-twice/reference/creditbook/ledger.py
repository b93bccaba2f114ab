"""The ledger."""

from collections.abc import Hashable
from threading import RLock

from creditbook.errors import InsufficientCredits, InvalidAmount, KeyReused, RefundTooLarge, UnknownReceipt
from creditbook.lots import Lots
from creditbook.models import Grant, Receipt, Refund

Draws = tuple[tuple[str, int], ...]


class Ledger:
    """Prepaid credits of many accounts. Amounts are whole credits, moments whole seconds.

    Shared between threads: one lock is held for the length of each call, reads included, so that nobody sees half a
    settlement and a repeated request waits for the first one's answer. Each call refuses before it records anything.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._lots: dict[str, Lots] = {}
        self._entries: dict[str, list[dict]] = {}
        self._receipts: dict[str, Receipt] = {}
        self._refunded: dict[str, int] = {}
        self._answers: dict[tuple, tuple[Hashable, object]] = {}
        self._grant_no = 0
        self._document_no = 0

    # -- reading ---------------------------------------------------------------

    def accounts(self) -> list[str]:
        """Every account that was ever granted credits, sorted."""
        with self._lock:
            return sorted(self._lots)

    def balance(self, account: str, *, now: int) -> int:
        """Credits that the account could spend at `now`."""
        with self._lock:
            lots = self._lots.get(account)
            return lots.available(now) if lots else 0

    def receipt(self, receipt_id: str) -> Receipt:
        """The receipt with this number, else `UnknownReceipt`."""
        with self._lock:
            try:
                return self._receipts[receipt_id]
            except KeyError:
                raise UnknownReceipt(receipt_id) from None

    def entries(self, account: str) -> list[dict]:
        """What happened to the account, oldest first: `at`, `kind` (grant, spend, refund), `amount` (spends are
        negative) and `reference` (number of the grant or document)."""
        with self._lock:
            return [dict(entry) for entry in self._entries.get(account, ())]

    # -- credits coming in -------------------------------------------------------

    def grant(self, account: str, amount: int, *, now: int, expires_at: int | None = None) -> str:
        """Give credits to an account, which is opened if need be. Returns the grant's number."""
        with self._lock:
            _check_amount(amount)
            return self._grant(account, amount, now, expires_at)

    def import_grants(self, rows: list[dict], *, now: int) -> list[str]:
        """Grants from rows with `account`, `amount` and, where they expire, `expires_at`. Returns their numbers.

        One row that is refused refuses the import.
        """
        with self._lock:
            grants = [(row["account"], row["amount"], row.get("expires_at")) for row in rows]
            for _, amount, _ in grants:
                _check_amount(amount)
            return [self._grant(account, amount, now, expires_at) for account, amount, expires_at in grants]

    # -- credits going out -------------------------------------------------------

    def spend(self, account: str, amount: int, *, now: int, key: str | None = None) -> Receipt:
        """Charge an account, or refuse with `InsufficientCredits`.

        A `key` that the account has used gets its first answer again, or `KeyReused` if it was for something else.
        """
        with self._lock:
            _check_amount(amount)
            name, request = ("account", account, key), ("spend", amount)
            known = self._known(name, request)
            if known is None:
                known = self._charge([(account, amount)], now)[0]
                self._remember(name, request, known)
            return known

    def refund(self, receipt_id: str, amount: int | None = None, *, now: int, key: str | None = None) -> Refund:
        """Give back `amount` credits of a receipt, all that is left of it by default.

        They go to the grants they came from, whose expiry does not change. Keys as in `spend`.
        """
        with self._lock:
            if amount is not None:
                _check_amount(amount)
            receipt = self.receipt(receipt_id)
            name, request = ("account", receipt.account, key), ("refund", receipt_id, amount)
            known = self._known(name, request)
            if known is None:
                known = self._give_back(receipt, amount, now)
                self._remember(name, request, known)
            return known

    def settle(self, charges: list[dict], *, now: int, key: str | None = None) -> list[str]:
        """Charge many: each line has `account` and `amount`. Returns the numbers of the receipts, line by line.

        One line that is refused refuses the settlement. Settlement keys are apart from those of the accounts.
        """
        with self._lock:
            lines = tuple((line["account"], line["amount"]) for line in charges)
            for _, amount in lines:
                _check_amount(amount)
            name = ("settlement", key)
            known = self._known(name, lines)
            if known is None:
                known = tuple(receipt.id for receipt in self._charge(lines, now))
                self._remember(name, lines, known)
            return list(known)

    # -- inside, with the lock held ------------------------------------------------

    def _known(self, name: tuple, request: Hashable):
        """The answer that this request got before, or None. The key is the last part of the name."""
        if name[-1] is None or name not in self._answers:
            return None
        first, answer = self._answers[name]
        if first != request:
            raise KeyReused(f"{name[-1]} stands for another request")
        return answer

    def _remember(self, name: tuple, request: Hashable, answer: object) -> None:
        if name[-1] is not None:
            self._answers[name] = (request, answer)

    def _grant(self, account: str, amount: int, now: int, expires_at: int | None) -> str:
        self._grant_no += 1
        grant = Grant(f"G-{self._grant_no:06d}", account, amount, amount, expires_at)
        self._lots.setdefault(account, Lots()).add(grant)
        self._enter(account, now, "grant", amount, grant.id)
        return grant.id

    def _charge(self, lines, now: int) -> list[Receipt]:
        """Draw for every line before the first receipt is written; put everything back if one is not covered."""
        drawn: list[Draws] = []
        for account, amount in lines:
            lots = self._lots.get(account)
            draws = lots.draw(amount, now) if lots else None
            if draws is None:
                for (earlier, _), taken in zip(lines, drawn):
                    self._lots[earlier].put_back(taken)
                raise InsufficientCredits(f"{account} does not have {amount} credits")
            drawn.append(draws)
        return [self._write_receipt(account, amount, now, draws) for (account, amount), draws in zip(lines, drawn)]

    def _write_receipt(self, account: str, amount: int, now: int, draws: Draws) -> Receipt:
        receipt = Receipt(self._next_document(), account, amount, now, draws)
        self._receipts[receipt.id] = receipt
        self._enter(account, now, "spend", -amount, receipt.id)
        return receipt

    def _give_back(self, receipt: Receipt, amount: int | None, now: int) -> Refund:
        before = self._refunded.get(receipt.id, 0)
        left = receipt.amount - before
        if amount is None:
            amount = left
        if not 0 < amount <= left:
            raise RefundTooLarge(f"{receipt.id} has {left} credits left to refund")
        returned = _returns(receipt.draws, before, amount)
        self._lots[receipt.account].put_back(returned)
        self._refunded[receipt.id] = before + amount
        refund = Refund(self._next_document(), receipt.id, receipt.account, amount, now, returned)
        self._enter(receipt.account, now, "refund", amount, refund.id)
        return refund

    def _enter(self, account: str, now: int, kind: str, amount: int, reference: str) -> None:
        entry = {"at": now, "kind": kind, "amount": amount, "reference": reference}
        self._entries.setdefault(account, []).append(entry)

    def _next_document(self) -> str:
        self._document_no += 1
        return f"D-{self._document_no:06d}"


def _returns(draws: Draws, skip: int, amount: int) -> Draws:
    """Where `amount` credits go back to, from the last draw on, after `skip` have gone back already."""
    returned = []
    for grant_id, drawn in reversed(draws):
        passed = min(skip, drawn)
        skip -= passed
        back = min(amount, drawn - passed)
        if back:
            returned.append((grant_id, back))
            amount -= back
    return tuple(returned)


def _check_amount(amount: int) -> None:
    if type(amount) is not int or amount < 1:
        raise InvalidAmount(f"not an amount of credits: {amount!r}")
