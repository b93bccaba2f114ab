"""The ledger."""

import threading

from creditbook import shelves
from creditbook.errors import InsufficientCredits, InvalidAmount, KeyReused, RefundTooLarge, UnknownReceipt
from creditbook.models import Receipt, Refund


class Ledger:
    """Prepaid credits of many accounts. Amounts are whole credits, moments whole seconds.

    Writers take turns; each works out new stocks first and publishes them in one step once nothing can be refused any more.
    Readers never wait: what they read is always a state between two requests.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._stocks: dict[str, shelves.Stock] = {}
        self._entries: dict[str, list[dict]] = {}
        self._where: dict[str, tuple[float, int]] = {}
        self._receipts: dict[str, Receipt] = {}
        self._unrefunded: dict[str, list[tuple[str, int]]] = {}
        self._keys: dict[tuple, dict] = {}
        self._documents = 0

    # -- reading ---------------------------------------------------------------

    def accounts(self) -> list[str]:
        """Every account that was ever granted credits, sorted."""
        return sorted(self._stocks)

    def balance(self, account: str, *, now: int) -> int:
        """Credits that the account could spend at `now`."""
        return shelves.available(self._stocks.get(account, shelves.EMPTY), now)

    def receipt(self, receipt_id: str) -> Receipt:
        """The receipt with this number, else `UnknownReceipt`."""
        found = self._receipts.get(receipt_id)
        if found is None:
            raise UnknownReceipt(receipt_id)
        return found

    def entries(self, account: str) -> list[dict]:
        """What happened to the account, oldest first: `at`, `kind` (grant, spend, refund), `amount` (spends are
        negative) and `reference` (number of the grant or document)."""
        with self._turn:
            return [entry.copy() for entry in self._entries.get(account, [])]

    # -- credits coming in -------------------------------------------------------

    def grant(self, account: str, amount: int, *, now: int, expires_at: int | None = None) -> str:
        """Give credits to an account, which is opened if need be. Returns the grant's number."""
        return self.import_grants([{"account": account, "amount": amount, "expires_at": expires_at}], now=now)[0]

    def import_grants(self, rows: list[dict], *, now: int) -> list[str]:
        """Grants from rows with `account`, `amount` and, where they expire, `expires_at`. Returns their numbers."""
        with self._turn:
            drafts: dict[str, shelves.Stock] = {}
            granted: list[tuple[str, shelves.Lot]] = []
            for row in rows:
                account, amount = row["account"], _amount(row["amount"])
                end, turn = row.get("expires_at"), len(self._where) + len(granted)
                lot = shelves.Lot(shelves.FOREVER if end is None else end, turn, f"G-{turn + 1:06d}", amount)
                drafts[account] = shelves.add(drafts.get(account, self._stocks.get(account, shelves.EMPTY)), lot)
                granted.append((account, lot))
            for account, lot in granted:
                self._where[lot.grant] = lot[:2]
                self._note(account, now, "grant", lot.left, lot.grant)
            self._stocks = {**self._stocks, **drafts}
            return [lot.grant for _, lot in granted]

    # -- credits going out -------------------------------------------------------

    def spend(self, account: str, amount: int, *, now: int, key: str | None = None) -> Receipt:
        """Charge an account, or refuse with `InsufficientCredits`."""
        with self._turn:
            wanted = {"spend": _amount(amount)}
            answer = self._answered(("of", account), key, wanted)
            if answer is None:
                (answer,) = self._charge([(account, amount)], now)
                self._keep(("of", account), key, wanted, answer)
            return answer

    def refund(self, receipt_id: str, amount: int | None = None, *, now: int, key: str | None = None) -> Refund:
        """Give back `amount` credits of a receipt, by default all that is left of it."""
        with self._turn:
            wanted = {"refund": receipt_id, "amount": amount if amount is None else _amount(amount)}
            receipt = self.receipt(receipt_id)
            answer = self._answered(("of", receipt.account), key, wanted)
            if answer is None:
                answer = self._return(receipt, amount, now)
                self._keep(("of", receipt.account), key, wanted, answer)
            return answer

    def settle(self, charges: list[dict], *, now: int, key: str | None = None) -> list[str]:
        """Charge many: each line has `account` and `amount`. Returns the numbers of the receipts."""
        with self._turn:
            lines = [(charge["account"], _amount(charge["amount"])) for charge in charges]
            answer = self._answered(("settlements",), key, {"lines": lines})
            if answer is None:
                answer = [receipt.id for receipt in self._charge(lines, now)]
                self._keep(("settlements",), key, {"lines": lines}, answer)
            return list(answer)

    # -- inside, one writer at a time --------------------------------------------------

    def _charge(self, lines: list[tuple[str, int]], now: int) -> list[Receipt]:
        drafts: dict[str, shelves.Stock] = {}
        receipts: list[Receipt] = []
        for account, amount in lines:
            stock = drafts.get(account, self._stocks.get(account, shelves.EMPTY))
            drawn = shelves.draw(stock, amount, now)
            if drawn is None:
                raise InsufficientCredits(f"{account} does not have {amount} credits")
            drafts[account], draws = drawn
            number = f"D-{self._documents + len(receipts) + 1:06d}"
            receipts.append(Receipt(number, account, amount, now, draws))
        for receipt in receipts:
            self._receipts[receipt.id] = receipt
            self._unrefunded[receipt.id] = list(receipt.draws)
            self._note(receipt.account, now, "spend", -receipt.amount, receipt.id)
        self._documents += len(receipts)
        self._stocks = {**self._stocks, **drafts}
        return receipts

    def _return(self, receipt: Receipt, amount: int | None, now: int) -> Refund:
        draws = self._unrefunded[receipt.id]
        left = sum(credits for _, credits in draws)
        due = left if amount is None else amount
        if due > left or not left:
            raise RefundTooLarge(f"{receipt.id} has {left} credits left to give back")
        total, returned, stock = due, [], self._stocks[receipt.account]
        while due:
            grant, credits = draws.pop()
            back = min(credits, due)
            if back < credits:
                draws.append((grant, credits - back))
            stock = shelves.put_back(stock, *self._where[grant], back)
            returned.append((grant, back))
            due -= back
        self._documents += 1
        refund = Refund(f"D-{self._documents:06d}", receipt.id, receipt.account, total, now, tuple(returned))
        self._note(receipt.account, now, "refund", total, refund.id)
        self._stocks = {**self._stocks, receipt.account: stock}
        return refund

    def _note(self, account: str, at: int, kind: str, amount: int, reference: str) -> None:
        book = self._entries.setdefault(account, [])
        book.append({"at": at, "kind": kind, "amount": amount, "reference": reference})

    def _answered(self, owner: tuple, key: str | None, wanted: dict):
        known = self._keys.get((*owner, key)) if key is not None else None
        if known is None:
            return None
        if known["wanted"] != wanted:
            raise KeyReused(f"key {key!r} stands for another request")
        return known["answer"]

    def _keep(self, owner: tuple, key: str | None, wanted: dict, answer: object) -> None:
        if key is not None:
            self._keys[(*owner, key)] = {"wanted": wanted, "answer": answer}


def _amount(value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidAmount(f"not an amount of credits: {value!r}")
    return value
