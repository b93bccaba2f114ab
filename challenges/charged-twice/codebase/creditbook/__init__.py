"""Prepaid credits with expiry, kept in memory."""

from creditbook.errors import (
    InsufficientCredits,
    InvalidAmount,
    KeyReused,
    LedgerError,
    RefundTooLarge,
    UnknownReceipt,
)
from creditbook.ledger import Ledger
from creditbook.models import Grant, Receipt, Refund

__all__ = [
    "Grant",
    "InsufficientCredits",
    "InvalidAmount",
    "KeyReused",
    "Ledger",
    "LedgerError",
    "Receipt",
    "Refund",
    "RefundTooLarge",
    "UnknownReceipt",
]

__version__ = "0.8.1"
