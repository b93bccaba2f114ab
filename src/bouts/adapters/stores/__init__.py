"""Where the ledger is kept: SQLite or PostgreSQL through SQLAlchemy Core, evidence in a content-addressed folder."""
