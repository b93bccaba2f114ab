"""Where a ledger lies: a SQLite file, or a PostgreSQL database by its URL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bouts.errors import BadUsage

_FORMS = "name a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE"
POSTGRES = frozenset({"postgresql", "postgres", "postgresql+psycopg"})


@dataclass(frozen=True)
class Place:
    """A ledger's place; exactly one of the two is set."""

    file: Path | None = None
    url: URL | None = None

    def __str__(self) -> str:
        return str(self.file) if self.file else _shown(self.url)

    @property
    def evidence(self) -> Path | None:
        """The folder beside a file where its evidence lies by default."""
        return self.file.with_name(f"{self.file.name.removesuffix('.db')}.evidence") if self.file else None


def _shown(url: URL | None) -> str:
    """The address without what must not be shown."""
    return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True) if url is not None else ""


def read_place(given: str) -> Place:
    """A place by what a user calls it. Raises `BadUsage` for what no ledger can lie at."""
    if "://" not in given:
        if not given.strip() or "\0" in given:
            raise BadUsage("a ledger has no such place", where=repr(given), hint=_FORMS)
        return Place(file=Path(given).absolute())
    try:
        url = make_url(given)
    except (ArgumentError, ValueError) as error:
        # Not the address itself, as a password may be in it.
        raise BadUsage("the ledger's address cannot be read", hint=_FORMS) from error
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:" or url.host:
            hint = "sqlite:///relative.db, sqlite:////absolute.db"
            raise BadUsage("a ledger in SQLite is a file", where=given, hint=hint)
        return Place(file=Path(url.database).absolute())
    if url.drivername in POSTGRES:
        return Place(url=url.set(drivername="postgresql+psycopg"))
    raise BadUsage(f"no ledger can lie in {url.drivername}", hint=_FORMS)
