"""The ledger, on an SQLite database in memory: one transaction a request."""

import json
import sqlite3
import threading
from contextlib import contextmanager

from creditbook.errors import InsufficientCredits, InvalidAmount, KeyReused, RefundTooLarge, UnknownReceipt
from creditbook.models import Receipt, Refund

SCHEMA = """
create table grants (
    no integer primary key, account text not null, amount integer not null, left integer not null check (left >= 0),
    expires_at integer
);
create index drawable on grants (account, expires_at is null, expires_at, no) where left > 0;
create table documents (
    no integer primary key, kind text not null, account text not null, amount integer not null, at integer not null,
    receipt integer references documents (no)
);
create index of_receipt on documents (receipt);
create table moves (
    document integer not null references documents (no), place integer not null, grant_no integer not null,
    amount integer not null, primary key (document, place)
) without rowid;
create table entries (
    no integer primary key, account text not null, at integer not null, kind text not null, amount integer not null,
    reference text not null
);
create index of_account on entries (account, no);
create table requests (
    owner text not null, key text not null, wanted text not null, answer text not null, primary key (owner, key)
) without rowid;
"""
DRAWABLE = """
select no, left from grants
where account = ? and left > 0 and (expires_at is null or expires_at > ?)
order by expires_at is null, expires_at, no
"""


class Ledger:
    """Prepaid credits of many accounts. Amounts are whole credits, moments whole seconds."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._db.executescript(SCHEMA)

    # -- reading ---------------------------------------------------------------

    def accounts(self) -> list[str]:
        """Every account that was ever granted credits, sorted."""
        with self._lock:
            return sorted(account for (account,) in self._db.execute("select distinct account from grants"))

    def balance(self, account: str, *, now: int) -> int:
        """Credits that the account could spend at `now`."""
        with self._lock:
            return sum(left for _, left in self._db.execute(DRAWABLE, (account, now)))

    def receipt(self, receipt_id: str) -> Receipt:
        """The receipt with this number, else `UnknownReceipt`."""
        with self._lock:
            row = self._db.execute(
                "select account, amount, at from documents where no = ? and kind = 'spend'", (_document_number(receipt_id),)
            ).fetchone()
            if row is None:
                raise UnknownReceipt(receipt_id)
            return Receipt(receipt_id, *row, self._moves(_number(receipt_id)))

    def entries(self, account: str) -> list[dict]:
        """What happened to the account, oldest first: `at`, `kind` (grant, spend, refund), `amount` (spends are
        negative) and `reference` (number of the grant or document)."""
        with self._lock:
            rows = self._db.execute(
                "select at, kind, amount, reference from entries where account = ? order by no", (account,)
            )
            return [dict(zip(("at", "kind", "amount", "reference"), row)) for row in rows]

    # -- credits coming in -------------------------------------------------------

    def grant(self, account: str, amount: int, *, now: int, expires_at: int | None = None) -> str:
        """Give credits to an account, which is opened if need be. Returns the grant's number."""
        with self._transaction():
            return self._grant(account, amount, now, expires_at)

    def import_grants(self, rows: list[dict], *, now: int) -> list[str]:
        """Grants from rows with `account`, `amount` and, where they expire, `expires_at`. Returns their numbers."""
        with self._transaction():
            return [self._grant(row["account"], row["amount"], now, row.get("expires_at")) for row in rows]

    # -- credits going out -------------------------------------------------------

    def spend(self, account: str, amount: int, *, now: int, key: str | None = None) -> Receipt:
        """Charge an account, or refuse with `InsufficientCredits`."""
        _check_amount(amount)
        with self._transaction():
            owner, wanted = f"account {account}", json.dumps(["spend", amount])
            answer = self._answer(owner, key, wanted)
            if answer is None:
                answer = self._charge(account, amount, now)
                self._remember(owner, key, wanted, answer)
            return self.receipt(answer)

    def refund(self, receipt_id: str, amount: int | None = None, *, now: int, key: str | None = None) -> Refund:
        """Give back `amount` credits of a receipt, by default all that is left of it."""
        if amount is not None:
            _check_amount(amount)
        with self._transaction():
            receipt = self.receipt(receipt_id)
            owner, wanted = f"account {receipt.account}", json.dumps(["refund", receipt_id, amount])
            answer = self._answer(owner, key, wanted)
            if answer is None:
                answer = self._give_back(receipt, amount, now)
                self._remember(owner, key, wanted, answer)
            no = _number(answer)
            total, at = self._db.execute("select amount, at from documents where no = ?", (no,)).fetchone()
            return Refund(answer, receipt_id, receipt.account, total, at, self._moves(no))

    def settle(self, charges: list[dict], *, now: int, key: str | None = None) -> list[str]:
        """Charge many: each line has `account` and `amount`. Returns the numbers of the receipts."""
        lines = [[line["account"], line["amount"]] for line in charges]
        for _, amount in lines:
            _check_amount(amount)
        with self._transaction():
            wanted = json.dumps(lines)
            answer = self._answer("settlement", key, wanted)
            if answer is None:
                answer = json.dumps([self._charge(account, amount, now) for account, amount in lines])
                self._remember("settlement", key, wanted, answer)
            return json.loads(answer)

    # -- inside --------------------------------------------------------------------

    @contextmanager
    def _transaction(self):
        with self._lock:
            self._db.execute("begin")
            try:
                yield
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    def _grant(self, account: str, amount: int, now: int, expires_at: int | None) -> str:
        _check_amount(amount)
        no = self._db.execute(
            "insert into grants (account, amount, left, expires_at) values (?, ?, ?, ?)",
            (account, amount, amount, expires_at),
        ).lastrowid
        self._enter(account, now, "grant", amount, f"G-{no:06d}")
        return f"G-{no:06d}"

    def _charge(self, account: str, amount: int, now: int) -> str:
        due, moves = amount, []
        for no, left in self._db.execute(DRAWABLE, (account, now)):
            moves.append((no, min(left, due)))
            due -= moves[-1][1]
            if not due:
                break
        if due:
            raise InsufficientCredits(f"{account} does not have {amount} credits")
        return self._document("spend", account, amount, now, moves, None)

    def _give_back(self, receipt: Receipt, amount: int | None, now: int) -> str:
        no = _number(receipt.id)
        (before,) = self._db.execute("select coalesce(sum(amount), 0) from documents where receipt = ?", (no,)).fetchone()
        left = receipt.amount - before
        due = left if amount is None else amount
        if not left or due > left:
            raise RefundTooLarge(f"{receipt.id} has {left} credits left to give back")
        total, moves = due, []
        for grant, drawn in reversed(receipt.draws):
            gone = min(before, drawn)
            before -= gone
            back = min(drawn - gone, due)
            if back:
                moves.append((_number(grant), back))
                due -= back
        return self._document("refund", receipt.account, total, now, moves, no)

    def _document(self, kind: str, account: str, amount: int, now: int, moves: list, receipt: int | None) -> str:
        sign = -1 if kind == "spend" else 1
        no = self._db.execute(
            "insert into documents (kind, account, amount, at, receipt) values (?, ?, ?, ?, ?)",
            (kind, account, amount, now, receipt),
        ).lastrowid
        self._db.executemany("insert into moves values (?, ?, ?, ?)", [(no, n, *move) for n, move in enumerate(moves)])
        self._db.executemany(
            "update grants set left = left + ? where no = ?", [(sign * moved, grant) for grant, moved in moves]
        )
        self._enter(account, now, kind, sign * amount, f"D-{no:06d}")
        return f"D-{no:06d}"

    def _moves(self, document: int) -> tuple[tuple[str, int], ...]:
        rows = self._db.execute("select grant_no, amount from moves where document = ? order by place", (document,))
        return tuple((f"G-{grant:06d}", amount) for grant, amount in rows)

    def _enter(self, account: str, at: int, kind: str, amount: int, reference: str) -> None:
        self._db.execute(
            "insert into entries (account, at, kind, amount, reference) values (?, ?, ?, ?, ?)",
            (account, at, kind, amount, reference),
        )

    def _answer(self, owner: str, key: str | None, wanted: str) -> str | None:
        row = self._db.execute("select wanted, answer from requests where owner = ? and key = ?", (owner, key)).fetchone()
        if row is None:
            return None
        if row[0] != wanted:
            raise KeyReused(f"key {key!r} stands for another request")
        return row[1]

    def _remember(self, owner: str, key: str | None, wanted: str, answer: str) -> None:
        if key is not None:
            self._db.execute("insert into requests values (?, ?, ?, ?)", (owner, key, wanted, answer))


def _number(reference: str) -> int | None:
    """The number in `D-000012` or `G-000012`; None where it is no such thing."""
    return int(reference[2:]) if reference[2:].isdecimal() else None


def _document_number(reference: str) -> int | None:
    return _number(reference) if reference.startswith("D-") else None


def _check_amount(amount: int) -> None:
    if type(amount) is not int or amount < 1:
        raise InvalidAmount(f"not an amount of credits: {amount!r}")
