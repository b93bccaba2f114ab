"""Every test of this folder that asks for a `place` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from postgres import Server, programs
from storing import Clock, Open

from bouts.adapters.stores.ledger import StoredLedger, open_ledger

_number = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests."""
    found = programs()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("no PostgreSQL is installed here, and the CI must test with it: scripts/setup dev installs it")
        pytest.skip("no PostgreSQL is installed here; scripts/setup dev installs it (Debian: postgresql)")
    running = Server(found)
    yield running
    running.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new ledger may be made."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    made: Server = request.getfixturevalue("server")
    return made.place(f"t{next(_number)}")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(place: str, tmp_path: Path, clock: Clock) -> Iterator[Open]:
    """Opens the ledger at `place`, or another one; all are closed in the end."""
    ledgers: list[StoredLedger] = []

    def open_one(at: str | None = None, **options: object) -> StoredLedger:
        choices = {"create": True, "clock": clock, "elsewhere": tmp_path / "evidence", **options}
        ledgers.append(open_ledger(at or place, **choices))  # type: ignore[arg-type]
        return ledgers[-1]

    yield open_one
    for ledger in ledgers:
        ledger.close()


@pytest.fixture
def ledger(opened: Open) -> StoredLedger:
    return opened()
