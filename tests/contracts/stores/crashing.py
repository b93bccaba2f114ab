"""The crash matrix: a process that records is killed at every boundary, alone and beside another one, and its disk is
full at every size. Whatever happens, nothing may be lost that was recorded, nothing may be there twice, and the same
work done again must end in the same ledger as if nothing had happened.

    python tests/contracts/stores/crashing.py [--rounds 200] [--postgresql]
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    for folder in (Path(__file__).parent, Path(__file__).parents[2]):
        sys.path.insert(0, str(folder))

from making import card, challenge, many, run
from sqlalchemy import Engine, event

from bouts.adapters.stores.ledger import StoredLedger, open_ledger
from bouts.errors import BoutsError, StoreFault
from bouts.model.ledger import BatchEntry, card_digest
from bouts.model.tallied import Where

KILLED = -signal.SIGKILL
Step = Callable[[StoredLedger], object]


def work() -> list[Step]:
    """What is done, step by step; each is one promise: all of it or nothing."""
    first, _ = card(held=True)
    second, _ = card()
    third, _ = card(passed=1, agent="else")
    rows = many(6, seed=5)
    return [
        lambda ledger: ledger.season("s", "2026-01-01", "2026-02-01"),
        lambda ledger: ledger.record(run(), first, b"first" * 99, challenge()),
        lambda ledger: ledger.add_runs(rows[:3]),
        lambda ledger: ledger.agent("someone", owner="Team", shown=False),
        lambda ledger: ledger.record(run("r2", agent="else"), third, b"third" * 99, challenge()),
        lambda ledger: ledger.review(card_digest(first), "appeal", by="Team", reason="why?"),
        lambda ledger: ledger.add_runs(rows),
        lambda ledger: ledger.review(card_digest(first), "adjust", by="R", reason="so", second=second, evidence=b"2nd"),
        lambda ledger: ledger.append(BatchEntry(batch="b", event="finished")),
    ]


def told(ledger: StoredLedger) -> list[Any]:
    """Everything that a ledger says, but for when it was told and in what order."""
    found: list[Any] = [sorted(a.name for a in ledger.agents()), ledger.seasons(), ledger.tasks(), ledger.kinds()]
    for where in (Where(), Where(inside=False), Where(season="s")):
        cards = sorted(
            (c.card, c.run, c.state, c.final, c.latest, c.replaced_by, c.appealed) for c in ledger.cards(where)
        )
        found += [ledger.totals(where), ledger.tallies(where), ledger.card_totals(where), cards]
        found.append(sorted((r.run, r.agent, r.cost_usd, r.card or "", r.success) for r in ledger.runs(where)))
    found.append([(r.action, r.by) for r in ledger.reviews(card_digest(card(held=True)[0]))])
    return found


class Boundaries:
    """Counts the moments at which a process can be ended: before and after every statement and commit, and whenever a
    file is opened, moved, linked or removed. Ends this one at the given number."""

    def __init__(self, last: int | None, folder: str) -> None:
        self.seen, self._last, self._folder = 0, last, folder
        for name in ("before_cursor_execute", "after_cursor_execute", "commit", "begin", "rollback"):
            event.listen(Engine, name, self._at)
        sys.addaudithook(self._audit)

    def _at(self, *_: object) -> None:
        self.seen += 1
        if self.seen == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def _audit(self, name: str, arguments: tuple[Any, ...]) -> None:
        if name in ("open", "os.rename", "os.link", "os.remove", "os.mkdir"):
            if isinstance(arguments[0], str) and arguments[0].startswith(self._folder):
                self._at()


def in_child(do: Callable[[], None]) -> int:
    """Run something in a process of its own that is started now; its process id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        do()
        status = 0
    except BoutsError as error:
        status = error.exit_status
    finally:
        os._exit(status)


def ended(child: int) -> int:
    """How a process ended: its exit status, or the signal below 0."""
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


class Matrix:
    """Rounds on fresh ledgers; `fresh` gives the place of the next."""

    def __init__(self, fresh: Callable[[], str], folder: Path) -> None:
        self._fresh, self._folder = fresh, folder
        place, self._steps = fresh(), work()
        ledger = self._open(place)
        for step in self._steps:
            step(ledger)
        self._complete = told(ledger)
        ledger.close()
        self.boundaries = self._counted()

    def _open(self, place: str) -> StoredLedger:
        return open_ledger(place, create=True, elsewhere=self._folder / "evidence")

    def _do(self, place: str, last: int | None, tell: int | None = None) -> None:
        counting = Boundaries(last, str(self._folder))
        ledger = self._open(place)
        for step in self._steps:
            step(ledger)
        ledger.close()
        if tell is not None:
            os.write(tell, str(counting.seen).encode())

    def _counted(self) -> int:
        ours, theirs = os.pipe()
        place = self._fresh()
        assert ended(in_child(lambda: self._do(place, None, theirs))) == 0
        os.close(theirs)
        with os.fdopen(ours) as said:
            return int(said.read())

    def killed(self, boundary: int, *, beside: bool) -> bool:
        """One round: killed at a boundary, with `beside` while another process does the same work. Whether it was still
        at work then."""
        place = self._fresh()
        other = in_child(lambda: self._do(place, None)) if beside else None
        victim = ended(in_child(lambda: self._do(place, boundary)))
        assert victim in (KILLED, 0), f"boundary {boundary}: it ended with {victim}"
        if other is not None:
            assert ended(other) == 0, f"boundary {boundary}: the other process failed"
        self._must_be_sound(place, f"boundary {boundary}, beside={beside}")
        return victim == KILLED

    def _must_be_sound(self, place: str, name: str) -> None:
        ledger = self._open(place)
        try:
            found = ledger.verify()
            assert found.sound, f"{name}: {found}"
            for step in self._steps:
                step(ledger)
            assert told(ledger) == self._complete, f"{name}: the work done again ends in another ledger"
            assert ledger.verify(derived=False).sound, name
        finally:
            ledger.close()

    def full(self, folder: Path, free: int) -> int:
        """One round on a small file system that has `free` bytes left; how many steps were done before it was full."""
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        place, junk = str(folder / "ledger.db"), folder / "junk"
        open_ledger(place, create=True).close()
        left = shutil.disk_usage(folder).free - free
        junk.write_bytes(bytes(max(0, left)))
        done = 0
        try:
            ledger = open_ledger(place)
            try:
                for step in self._steps:
                    step(ledger)
                    done += 1
            finally:
                ledger.close()
        except StoreFault as error:
            assert error.hint, error
        else:
            assert done == len(self._steps)
        junk.unlink()
        self._must_be_sound(place, f"{free} bytes free")
        return done


def mount(folder: Path, kilobytes: int) -> bool:
    """Put a small file system at a folder; whether that is allowed here."""
    folder.mkdir(parents=True, exist_ok=True)
    options = f"size={kilobytes}k"
    return not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "none", folder], check=False, capture_output=True
    ).returncode


def unmount(folder: Path) -> None:
    subprocess.run(["umount", "-l", folder], check=True)


def rounds(matrix: Matrix, number: int, seed: int = 1) -> tuple[int, int]:
    """Rounds over all boundaries, evenly, every third beside another process; how many there were, and in how many the
    process was killed at work."""
    draw = random.Random(seed)
    step = matrix.boundaries / number
    at_work = 0
    for n in range(number):
        boundary = 1 + int(n * step + draw.random() * step)
        at_work += matrix.killed(boundary, beside=n % 3 == 2)
    return number, at_work


def main() -> int:
    """Run the matrix and print what it did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--postgresql", action="store_true", help="on a server that is started for it")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="bouts-crashes-"))
    numbers = iter(range(10**9))
    server = None
    try:
        if asked.postgresql:
            from postgres import Server, programs

            found = programs()
            if found is None:
                sys.stderr.write("no PostgreSQL is installed here; scripts/setup dev installs it\n")
                return 3
            server = Server(found)
            place = server.place
            matrix = Matrix(lambda: place(f"c{next(numbers)}"), folder)
        else:
            matrix = Matrix(lambda: str(folder / f"{next(numbers)}" / "ledger.db"), folder)
        began = time.monotonic()
        done, at_work = rounds(matrix, asked.rounds)
        print(f"killed: {done} rounds over {matrix.boundaries} boundaries, {at_work} of them while at work")
        if not asked.postgresql and mount(folder / "small", 1024):
            try:
                steps = [matrix.full(folder / "small", 4096 * n) for n in range(asked.rounds // 4)]
                print(f"disk full: {len(steps)} rounds, {sum(s < 9 for s in steps)} of them before the work was done")
            finally:
                unmount(folder / "small")
        print(f"nothing lost, nothing twice ({time.monotonic() - began:.0f} s)")
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
