"""What the ledger keeps and hands out."""

from dataclasses import dataclass


@dataclass
class Grant:
    """Credits of one origin; `left` is what has not been spent."""

    id: str
    account: str
    amount: int
    left: int
    expires_at: int | None = None


@dataclass(frozen=True)
class Receipt:
    """A spend. `draws` are (grant id, credits) pairs, in the order in which they were drawn."""

    id: str
    account: str
    amount: int
    at: int
    draws: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Refund:
    """Credits given back. `returned` are (grant id, credits) pairs, in the order in which they went back."""

    id: str
    receipt_id: str
    account: str
    amount: int
    at: int
    returned: tuple[tuple[str, int], ...]
