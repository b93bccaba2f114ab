"""What one call across the boundary `calls` costs, after start: the test's side and a worker in its sandbox.

Both are pinned to one processor each where there are two, as a call is a conversation of two processes.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

CALLS = 3_000
ROUNDS = 5
CODE = """
class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        self.items.append((name, price))
        return len(self.items)


def add(a, b):
    return a + b


def total(rows):
    return sum(row["price"] * row["count"] for row in rows)
"""


def figures(folder: Path) -> Iterator[tuple[str, float, str, str]]:
    """Name, value, unit and note of each figure."""
    from bouts.adapters.runners.python.calls.payload import worker_folder
    from bouts.adapters.runners.python.calls.session import CallsBoundary
    from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
    from bouts.model.challenge import CallsInterface, Interface
    from bouts.model.running import Target
    from bouts.model.sandbox import Look

    work = folder / "work"
    work.mkdir()
    work.chmod(0o755)
    (work / "solution.py").write_text(CODE)
    backend = Bubblewrap(folder / "scratch")
    target = Target(workspace=str(work), interface=Interface(calls=CallsInterface(modules=("solution",))))
    boundary = CallsBoundary(target, Look(), str(worker_folder(folder / "worker")))
    sandbox = backend.create(boundary.plan())
    worker = boundary.prepare(sandbox)
    boundary.begin("unit/test_a.py::test", sandbox, worker)
    try:
        boundary.open(lambda: worker)
        from solution import Cart, add, total  # pyright: ignore  # a stand-in

        boundary.collected()
        pinned = _pin()
        cart = Cart()
        rows = [{"name": "pen", "price": 3, "count": n} for n in range(10)]
        note = f"{ROUNDS * CALLS} calls, {pinned}, load {os.getloadavg()[0]:.1f}"
        for name, call in (
            ("call, two numbers", lambda: add(2, 3)),
            ("call, ten rows", lambda: total(rows)),
            ("call of a method", lambda: cart.add("pen", 3)),
        ):
            median, fast = _seconds(call)
            yield name, 1000 * median, "ms", f"median of {note}; the fastest tenth below {1000 * fast:.3f} ms"
    finally:
        boundary.end()
        sandbox.destroy()
        backend.close()


def _seconds(call: Callable[[], object]) -> tuple[float, float]:
    """The median, and the first decile, which other programs disturb less."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        for _ in range(CALLS):
            started = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - started)
    return statistics.median(seconds), statistics.quantiles(seconds, n=10)[0]


def _pin() -> str:
    """Put this process and the worker onto processors of their own. Says what was done."""
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) < 2:
        return "one processor"
    os.sched_setaffinity(0, {mine[0]})
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            child = int(path.parent.name)
            if b"/opt/init" in path.read_bytes():
                os.sched_setaffinity(child, {mine[1]})
        except OSError:
            continue
    return "a processor each"
