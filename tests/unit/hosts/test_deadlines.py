"""Limits that move by time in which the one who is limited could not work, and how that time is counted."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.hosts import crowded
from bouts.hosts.crowded import Crowd, _kept_from, _Seen, tells
from bouts.hosts.deadlines import MOST, Deadline, readable

SECOND = 1_000_000_000
TASKS = st.lists(st.tuples(st.floats(0, 2), st.floats(0, 30)), max_size=8)


def looks(*tasks: tuple[float, float], busy: float, gone: float = 0.0, span: float = 1.0) -> tuple[_Seen, _Seen]:
    """Two looks between which these threads ran and waited for so many seconds, and all processors worked."""
    before = {str(n): (n * SECOND, n * SECOND) for n in range(len(tasks))}
    after = {str(n): (int((n + r) * SECOND), int((n + w) * SECOND)) for n, (r, w) in enumerate(tasks)}
    return _Seen(10.0, before, 3.0, 100.0), _Seen(10.0 + span, after, 3.0 + gone, 100.0 + busy)


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowded.os, "sched_getaffinity", lambda _: {0, 1})


@pytest.mark.parametrize(
    ("tasks", "busy", "kept"),
    [
        ([(0.25, 0.75)], 2.0, 0.75),  # it got a quarter of what it wanted
        ([(0.05, 0.15)], 2.0, 0.15),  # it mostly slept
        ([(1.0, 0.0)], 2.0, 0.0),  # others were busy, too, but not in its way
        ([(0.25, 0.75), (0.25, 0.75)], 2.0, 0.75),  # two at once waited, not one after the other
        ([(0.04, 0.96)] * 50, 2.0, 0.0),  # fifty threads that fill the machine keep one another waiting
        ([(0.02, 0.98)] * 50, 2.0, 0.5),  # half of it was taken by others
        ([(0.5, 0.5), (0.5, 0.5)], 1.0, 0.0),  # they share one processor while the other one stands still
        ([], 2.0, 0.0),
    ],
)
def test_what_others_took_is_counted_and_waiting_for_itself_is_not(
    tasks: list[tuple[float, float]], busy: float, kept: float
) -> None:
    assert _kept_from(*looks(*tasks, busy=busy)) == pytest.approx(kept, abs=1e-6)


def test_what_children_ran_that_are_gone_was_taken_by_nobody_else() -> None:
    few = [(0.01, 0.9)] * 4
    assert _kept_from(*looks(*few, busy=2.0)) > 0.5
    assert _kept_from(*looks(*few, busy=2.0, gone=1.96)) == pytest.approx(0.0, abs=1e-6)


@given(tasks=TASKS, busy=st.floats(0, 4), gone=st.floats(0, 4), span=st.floats(0.1, 3))
def test_nothing_is_counted_twice(tasks: list[tuple[float, float]], busy: float, gone: float, span: float) -> None:
    kept = _kept_from(*looks(*tasks, busy=busy, gone=gone, span=span))
    assert 0 <= kept <= span + 1e-9
    assert kept <= sum(w for _, w in tasks) + 1e-6
    assert kept <= busy + 1e-6, "no more than others, together, worked"


def test_a_thread_with_the_number_of_another_counts_from_its_own_beginning() -> None:
    before = _Seen(0.0, {"7": (50 * SECOND, 50 * SECOND)}, 0.0, 0.0)
    after = _Seen(1.0, {"7": (SECOND // 4, SECOND // 4)}, 0.0, 2.0)
    assert _kept_from(before, after) == pytest.approx(0.25)


@pytest.mark.skipif(not tells(), reason="this kernel does not tell how long threads wait")
def test_a_process_among_too_many_is_kept_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    busy = [sys.executable, "-c", "while True: pass"]
    mine = min(os.sched_getaffinity(0))
    pin = lambda: os.sched_setaffinity(0, {mine})  # noqa: E731
    others = [subprocess.Popen(busy, preexec_fn=pin) for _ in range(3)]
    # What is asked about is a child of the process that is named.
    nested = f"import subprocess, sys; subprocess.run({busy!r})"
    one = subprocess.Popen([sys.executable, "-c", nested], preexec_fn=pin, start_new_session=True)
    try:
        crowd, ends = Crowd(one.pid), time.monotonic() + 60
        while crowd.waited() < 0.05 and time.monotonic() < ends:
            time.sleep(0.2)
        assert crowd.waited() >= 0.05
    finally:
        os.killpg(one.pid, 9)
        for process in (one, *others):
            process.kill()
            process.wait()


def test_who_is_gone_is_kept_from_nothing() -> None:
    crowd = Crowd()
    crowd.follow(2**22 + 1)
    assert crowd.waited() == 0.0


class Telling:
    """Tells more each time it is asked."""

    def __init__(self, *told: float) -> None:
        self.told = list(told)

    def __call__(self) -> float:
        return self.told.pop(0) if len(self.told) > 1 else self.told[0]


def test_a_limit_is_put_off_by_what_others_took_since_the_first_look() -> None:
    deadline = Deadline(0.2, Telling(100.0, 100.5, 100.5))
    assert not deadline.wait(threading.Event().wait)
    assert deadline.put_off == pytest.approx(0.5)


def test_a_limit_ends_whatever_others_take() -> None:
    total = 0.0

    def waited() -> float:
        nonlocal total
        total += 1.0
        return total

    deadline = Deadline(0.05, waited)
    assert not deadline.wait(threading.Event().wait)
    assert deadline.put_off == pytest.approx((MOST - 1) * 0.05)


def test_being_stopped_puts_it_off_without_end_and_once() -> None:
    deadline = Deadline(5.0, lambda: 0.0)
    before = deadline.ends
    deadline.look(3600.0)
    assert deadline.ends - before == pytest.approx(3600.0)
    assert deadline.put_off == 0.0
    deadline.extend(1.0)
    assert deadline.ends - before == pytest.approx(3601.0)


def test_what_comes_in_time_is_taken_and_the_first_of_several_limits_counts() -> None:
    event = threading.Event()
    event.set()
    assert Deadline(60).wait(event.wait, Deadline(60))
    assert not Deadline(600).wait(threading.Event().wait, Deadline(0.05))
    ours, theirs = socket.socketpair()
    assert not readable(ours.fileno(), 0.05)
    theirs.close()
    assert readable(ours.fileno(), 60)
    ours.close()
