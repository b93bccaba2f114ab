"""One thread watches over all tests."""

from __future__ import annotations

import threading
import time

from bouts.adapters.runners.python.seats import Watchdog


class Killed:
    """A sandbox that only knows whether it was killed."""

    def __init__(self) -> None:
        self.dead = threading.Event()

    def kill(self) -> None:
        self.dead.set()

    def waited(self) -> float:
        return 0.0


def test_what_is_over_in_time_is_left_alone_and_what_is_not_is_killed() -> None:
    early, late, long = Killed(), Killed(), Killed()
    patient = Watchdog(long, 600)  # type: ignore[arg-type]
    done = Watchdog(early, 0.2)  # type: ignore[arg-type]
    overdue = Watchdog(late, 0.05)  # type: ignore[arg-type]
    assert done.stop() is False
    assert late.dead.wait(10), "a shorter time than the one waited for was not noticed"
    assert overdue.stop() is True
    time.sleep(0.3)
    assert not early.dead.is_set()
    assert not long.dead.is_set()
    assert patient.stop() is False


def test_many_at_once_are_each_killed() -> None:
    boxes = [Killed() for _ in range(20)]
    dogs = [Watchdog(box, 0.02 * (number % 5)) for number, box in enumerate(boxes)]  # type: ignore[arg-type]
    assert all(box.dead.wait(10) for box in boxes)
    assert all(dog.stop() for dog in dogs)


def test_threads_do_not_grow_with_tests() -> None:
    Watchdog(Killed(), 60).stop()  # type: ignore[arg-type]
    before = threading.active_count()
    for _ in range(50):
        Watchdog(Killed(), 60).stop()  # type: ignore[arg-type]
    assert threading.active_count() <= before
