"""The crash matrix in short; `make crashes` runs it whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from crashing import Matrix, ended, in_child, mount, rounds, unmount, work
from making import many, run
from postgres import Server
from storing import Clock

from bouts.adapters.stores.ledger import open_ledger
from bouts.errors import StoreFault
from bouts.model.tallied import Where


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB."""
    folder = tmp_path / "small"
    if os.geteuid() or not mount(folder, 1024):
        pytest.skip("file systems cannot be mounted here")
    yield folder
    unmount(folder)


def test_killed_at_any_boundary(tmp_path: Path) -> None:
    number = count()
    matrix = Matrix(lambda: str(tmp_path / str(next(number)) / "ledger.db"), tmp_path)
    assert matrix.boundaries > 300
    # Beside another process there is less to do, so the last boundary may never come.
    assert rounds(matrix, 4)[1] >= 3


def test_killed_at_any_boundary_of_a_server(server: Server, tmp_path: Path) -> None:
    number = count()
    matrix = Matrix(lambda: server.place(f"killed{next(number)}"), tmp_path)
    assert rounds(matrix, 2)[1] == 2


def test_a_disk_that_fills_up(small: Path, tmp_path: Path) -> None:
    matrix = Matrix(lambda: str(tmp_path / f"{next(_numbers)}.db"), tmp_path)
    done = [matrix.full(small, free) for free in (0, 150_000)]
    assert done[0] == 0
    assert done == sorted(done)


_numbers = count()


def test_a_full_disk_is_called_full_whichever_file_finds_no_room(small: Path) -> None:
    place = str(small / "ledger.db")
    open_ledger(place, create=True).close()
    with contextlib.suppress(OSError), (small / "rest").open("wb", buffering=0) as rest:
        while rest.write(b"0" * 4096):
            pass
    with pytest.raises(StoreFault, match="the disk is full"):
        open_ledger(place).add_runs(many(5))
    (small / "rest").unlink()
    ledger = open_ledger(place)
    ledger.add_runs(many(5))
    assert ledger.verify().sound
    ledger.close()


def test_a_disk_that_cannot_be_written(small: Path) -> None:
    import subprocess

    place = str(small / "ledger.db")
    ledger = open_ledger(place, create=True)
    ledger.add_runs(many(5))
    before = ledger.totals(Where())
    ledger.close()
    subprocess.run(["mount", "-o", "remount,ro", small], check=True)
    still = open_ledger(place)
    assert still.totals(Where()) == before
    assert still.verify().sound
    with pytest.raises(StoreFault, match="cannot be written"):
        still.add_runs([run()])
    still.close()
    with pytest.raises(StoreFault, match="Read-only"):
        open_ledger(str(small / "new" / "ledger.db"), create=True)


def test_a_server_that_dies(server: Server, tmp_path: Path) -> None:
    place = server.place("dies")
    ledger = open_ledger(place, create=True, elsewhere=tmp_path)
    ledger.add_runs(many(5))
    server.kill()
    with pytest.raises(StoreFault):
        ledger.add_runs([run()])
    server.start()
    assert [row.run for row in ledger.runs(Where())] and ledger.verify().sound
    for step in work():
        step(ledger)
    ledger.close()


def test_writers_at_the_same_time(place: str, tmp_path: Path) -> None:
    """Three processes, each with runs of its own and some that all have."""
    open_ledger(place, create=True, elsewhere=tmp_path).close()

    def write(seed: int) -> None:
        ledger = open_ledger(place, elsewhere=tmp_path)
        for own, common in zip(many(4, seed=seed), many(4, seed=9), strict=True):
            ledger.add_runs([own])
            ledger.add_runs([common])
        ledger.close()

    children = [in_child(lambda seed=seed: write(seed)) for seed in (1, 2, 3)]  # type: ignore[misc]
    assert [ended(child) for child in children] == [0, 0, 0]
    ledger = open_ledger(place, elsewhere=tmp_path)
    names = [row.run for inside in (True, False) for row in ledger.runs(Where(inside=inside))]
    assert sorted(names) == sorted(f"{seed}-{n}" for seed in (1, 2, 3, 9) for n in range(4))
    assert ledger.verify().sound
    ledger.close()


def test_two_that_make_the_same_ledger(place: str, tmp_path: Path) -> None:
    def write(name: str) -> None:
        ledger = open_ledger(place, create=True, elsewhere=tmp_path)
        ledger.add_runs([run(name)])
        ledger.close()

    children = [in_child(lambda name=name: write(name)) for name in "abcd"]  # type: ignore[misc]
    assert [ended(child) for child in children] == [0] * 4
    ledger = open_ledger(place, elsewhere=tmp_path)
    assert sorted(row.run for row in ledger.runs(Where())) == list("abcd")
    ledger.close()


def test_a_clock_that_jumps_back(place: str, tmp_path: Path, clock: Clock) -> None:
    ledger = open_ledger(place, create=True, elsewhere=tmp_path, clock=clock)
    ledger.add_runs([run("a")])
    clock.now -= 86_400 * 365
    ledger.add_runs([run("b")])
    clock.now -= 86_400 * 365 * 20
    ledger.add_runs([run("a"), run("c")])
    assert [row.attempt for row in ledger.runs(Where())] == [1, 2, 3]
    found = ledger.verify()
    assert found.sound and found.clock_went_back == 2
    ledger.close()
