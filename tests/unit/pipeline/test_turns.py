"""Turns: no more submissions run at the same time than there are places."""

from __future__ import annotations

import threading
import time
from typing import Any

from bouts.model.running import SuiteReport
from bouts.pipeline.turns import Place, Places, Waiting


def test_a_place_is_taken_once_and_left_once() -> None:
    places = Places(1)
    mine, other = Place(places), Place(places)
    mine.begin()
    mine.begin()
    got = threading.Event()
    waiting = threading.Thread(target=lambda: (other.begin(), got.set()))
    waiting.start()
    assert not got.wait(0.05)
    mine.end()
    assert got.wait(10)
    mine.end()
    other.end()
    other.end()
    waiting.join()
    mine.begin()
    mine.end()


def test_a_place_given_back_twice_makes_no_second_one() -> None:
    places = Places(1)
    mine, other, third = Place(places), Place(places), Place(places)
    mine.begin()
    mine.end()
    mine.end()
    other.begin()
    got = threading.Event()
    waiting = threading.Thread(target=lambda: (third.begin(), got.set()), daemon=True)
    waiting.start()
    assert not got.wait(0.05)
    other.end()
    assert got.wait(10)


def test_who_waits_longest_is_next_and_nobody_slips_in() -> None:
    places = Places(1)
    first = Place(places)
    first.begin()
    order: list[int] = []
    threads: list[threading.Thread] = []

    def take(number: int) -> None:
        place = Place(places)
        place.begin()
        order.append(number)
        place.end()

    for number in range(5):
        threads.append(threading.Thread(target=take, args=(number,)))
        threads[-1].start()
        while len(places._waiting) <= number:  # it waits now
            pass
    # Whoever leaves and comes back at once is behind all of them.
    first.end()
    first.begin()
    order.append(99)
    first.end()
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4, 99]


def test_whatever_runs_code_waits_and_what_only_asks_does_not() -> None:
    seen: list[str] = []

    class Turn:
        def begin(self) -> None:
            seen.append("begin")

        def end(self) -> None:
            seen.append("end")

    report = SuiteReport(tests=(), seconds=9.0, put_off=2.5)

    class Runner:
        def __getattr__(self, name: str) -> Any:
            def call(*given: Any) -> Any:
                seen.append(f"{name} {len(given)}")
                return (report, report) if name == "run_all" else report

            return call

    runner: Any = Waiting(Runner(), Turn())  # type: ignore[arg-type]
    runner.plan(1, 2)
    assert seen == ["plan 2"]
    for call in (lambda: runner.run(1, 2), lambda: runner.starts(1), lambda: runner.load(1)):
        seen.clear()
        call()
        assert seen[0] == "begin"
        assert len(seen) == 2
    seen.clear()
    runner.run_all((), None)
    assert seen == ["run_all 3"], "the runner itself begins the turn, when all is ready"
    assert time.monotonic() - runner.clock() > 7.4, "what others took of the machine counts in no limit"
