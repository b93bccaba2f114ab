"""Everything that the ledger refuses."""


class LedgerError(Exception):
    """Base class of all refusals."""


class InvalidAmount(LedgerError):
    """An amount that is no amount of credits."""


class InsufficientCredits(LedgerError):
    """The account does not have the credits at that moment."""


class UnknownReceipt(LedgerError):
    """There is no receipt under this number."""


class RefundTooLarge(LedgerError):
    """The receipt has less left to give back than was asked for."""


class KeyReused(LedgerError):
    """The key stands for another request already."""
