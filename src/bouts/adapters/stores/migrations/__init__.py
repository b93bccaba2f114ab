"""How the tables of a ledger came to be as they are. A migration that was released is never edited."""
