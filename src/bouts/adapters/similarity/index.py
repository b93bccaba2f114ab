"""The similarity index: add submissions, ask for the nearest, judge one, list all pairs of a task."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bouts.adapters.similarity.reading import language_of, read_files, text_of
from bouts.adapters.similarity.store import Entry, Store, opened
from bouts.errors import BadUsage, NotFound
from bouts.integrity.similarity.findings import Named, counts, may_name, plagiarism
from bouts.integrity.similarity.matches import Match, matches
from bouts.integrity.similarity.measure import (
    Counts,
    Likeness,
    Normal,
    Weighed,
    Weights,
    likeness,
    normal,
    overlap,
    pairs_of,
)
from bouts.integrity.similarity.pairs import all_pairs
from bouts.integrity.similarity.shapes import Bag, Reading, bag
from bouts.model.evidence import Observation
from bouts.model.text import clean_line

SAMPLE = 45
"""Submissions of a task whose pairs show what is normal: 990 pairs."""
NAME = 200
LAST = 1 << 62
"""Number of code that is only looked at: later than all."""
_Wanted = Callable[[Named], bool]


@dataclass(frozen=True)
class Neighbour:
    """A submission or known solution, and how like it the one is that was asked for."""

    named: Named
    likeness: Likeness


@dataclass(frozen=True)
class Pair:
    """Two entries that are alike; `later` was added after `other`, or `other` is a known solution."""

    later: Named
    other: Named
    likeness: Likeness


@dataclass(frozen=True)
class Added:
    """What became of a submission that was added."""

    named: Named
    new: bool
    """False where the same code of the same agent was there already."""
    readings: tuple[Reading, ...]


class Index:
    """An open index."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self,
        task: str,
        files: Mapping[str, bytes],
        *,
        agent: str | None,
        label: str,
        given: Mapping[str, bytes] | None = None,
    ) -> Added:
        """Add what somebody handed in for a task, or with `agent=None` a known solution, such as a published one.

        `given` is what everybody was given: codebase and visible tests. It is subtracted. Code that is there already,
        by the same agent, is not added twice. Raises `BadUsage` where nothing can be read or a library is missing.
        """
        readings = read_files(files)
        if not readings:
            raise BadUsage(
                "there is no source code in it that can be compared",
                hint="Python, JavaScript, TypeScript, Go and Rust files are read",
            )
        own = bag(readings, _given_bag(given or {}))
        texts = {path: text_of(files[path]) for path in files if language_of(path)}
        digest = _digest({r.path: texts[r.path] for r in readings})
        name = None if agent is None else clean_line(agent, NAME)
        named, new = self._store.add(
            clean_line(task, NAME), name, clean_line(label, NAME), digest, own, readings, texts
        )
        return Added(named, new, readings)

    def reads(self, path: str) -> bool:
        """Whether a file is in a language that can be compared."""
        return language_of(path) is not None

    def tasks(self) -> dict[str, int]:
        """Entries by task."""
        return self._store.tasks()

    def look(
        self,
        task: str,
        files: Mapping[str, bytes],
        *,
        agent: str | None,
        label: str,
        given: Mapping[str, bytes] | None = None,
        most: int = 10,
    ) -> tuple[tuple[Neighbour, ...], tuple[Match, ...], dict[str, str]]:
        """What of a task's entries is most like some code that is not added; other agents' and known ones only. The
        matched ranges with the first of them and its texts by path come with it."""
        readings = read_files(files)
        own = bag(readings, _given_bag(given or {}))
        this = Entry(Named(LAST, agent, label), _digest({p: text_of(files[p]) for p in files if language_of(p)}), own)
        scene = self._scene(task, this)
        near = self._nearest(scene, this, most, lambda other: other.agent is None or other.agent != agent)
        if not near:
            return (), (), {}
        number = near[0].named.number
        theirs, texts = self._store.files(number)
        found = matches(_left(readings, own), _left(theirs, scene.entry(number).bag), scene.weights)
        return near, found, texts

    def nearest(self, task: str, number: int, most: int = 10) -> tuple[Neighbour, ...]:
        """The entries of a task that are most like one of it, other agents' and known ones only. Raises `NotFound`."""
        scene = self._scene(task)
        this = scene.entry(number)
        return self._nearest(scene, this, most, lambda other: other.agent is None or other.agent != this.named.agent)

    def judge(
        self, task: str, number: int, *, similarity: float, percentile: float
    ) -> tuple[Observation | None, tuple[Neighbour, ...]]:
        """Whether a submission is too like an earlier one by another agent or a known solution, by the thresholds of
        the policy. The observation is of the most alike; all that it was compared with and could be blamed for are
        returned, at most ten, the most alike first."""
        scene = self._scene(task)
        this = scene.entry(number)
        near = self._nearest(scene, this, 10, lambda other: may_name(this.named, other))
        if not near or not counts(near[0].likeness, similarity, percentile):
            return None, near
        found, ours, theirs = self._side_by_side(scene, number, near[0].named.number)
        return plagiarism(near[0].named, near[0].likeness, found, ours, theirs), near

    def pairs(self, task: str, *, at_least: float, most: int = 1_000) -> tuple[Pair, ...]:
        """All pairs of a task from a similarity on, the most alike first; never two of one agent."""
        scene = self._scene(task)
        entries = {e.named.number: e.named for e in scene.entries()}
        usual, weights = scene.usual, scene.weights
        weighed = ((e.named.number, weights.weigh(e.bag)) for e in scene.entries())
        found: list[tuple[float, int, int, Likeness]] = []
        for one, two, shared in all_pairs(weighed):
            first, second = entries[one], entries[two]
            if (first.agent is not None and first.agent == second.agent) or first.agent is second.agent is None:
                continue
            like = likeness(shared, usual)
            if like.similarity >= at_least:
                found.append((like.similarity, one, two, like))
        best = heapq.nlargest(most, found, key=lambda row: (row[0], row[3].overlap.shared, -row[1], -row[2]))
        return tuple(Pair(*_later(entries[one], entries[two]), like) for _, one, two, like in best)

    def side_by_side(
        self, task: str, number: int, other: int
    ) -> tuple[tuple[Match, ...], dict[str, str], dict[str, str]]:
        """Where two entries are alike, and the texts of both by path."""
        return self._side_by_side(self._scene(task), number, other)

    def _side_by_side(
        self, scene: _Scene, number: int, other: int
    ) -> tuple[tuple[Match, ...], dict[str, str], dict[str, str]]:
        ours, our_texts = self._store.files(number)
        theirs, their_texts = self._store.files(other)
        one, two = scene.entry(number).bag, scene.entry(other).bag
        return matches(_left(ours, one), _left(theirs, two), scene.weights), our_texts, their_texts

    def _nearest(self, scene: _Scene, this: Entry, most: int, wanted: _Wanted) -> tuple[Neighbour, ...]:
        own = scene.weights.weigh(this.bag)
        found = (
            Neighbour(e.named, likeness(overlap(own, scene.weights.weigh(e.bag)), scene.usual))
            for e in scene.entries()
            if e.named.number != this.named.number and wanted(e.named)
        )
        return tuple(
            heapq.nlargest(
                most, found, key=lambda n: (n.likeness.similarity, n.likeness.overlap.shared, -n.named.number)
            )
        )

    def _scene(self, task: str, more: Entry | None = None) -> _Scene:
        return _Scene(self._store, clean_line(task, NAME), more)


class _Scene:
    """A task as it is now: counts, weights and what is normal. Bags are streamed, so that memory does not grow with
    the number of submissions."""

    def __init__(self, store: Store, task: str, more: Entry | None) -> None:
        self._store, self._task = store, task
        table = Counts()
        known = False
        sample: list[tuple[bytes, str | None, Bag]] = []
        for entry in store.entries(task):
            table.add(entry.bag)
            known = known or (more is not None and (entry.digest, entry.named.agent) == (more.digest, more.named.agent))
            # Chosen by digest: the same whatever the order of adding.
            rank = sha256(f"{entry.digest}{entry.named.agent}".encode()).digest()
            sample.append((rank, entry.named.agent, entry.bag))
            if len(sample) >= 2 * SAMPLE:
                sample = _first(sample)
        if not table.submissions:
            raise NotFound(
                f"the index has nothing for the task {task!r}", hint="`bouts similarity report INDEX` lists them"
            )
        if more is not None and not known:
            table.add(more.bag)
        self.weights = Weights(table)
        chosen: list[tuple[str | None, Weighed]] = [(a, self.weights.weigh(b)) for _, a, b in _first(sample)]
        self.usual: Normal = normal(pairs_of(chosen))

    def entries(self) -> Iterable[Entry]:
        return self._store.entries(self._task)

    def entry(self, number: int) -> Entry:
        for entry in self.entries():
            if entry.named.number == number:
                return entry
        raise NotFound(f"the task has no entry {number}")


def _first(sample: list[tuple[bytes, str | None, Bag]]) -> list[tuple[bytes, str | None, Bag]]:
    return sorted(sample, key=lambda row: row[0])[:SAMPLE]


@contextlib.contextmanager
def open_index(path: Path, *, create: bool = False) -> Generator[Index]:
    """Open an index file; raises as `store.opened` does."""
    with opened(path, create=create) as store:
        yield Index(store)


def _given_bag(given: Mapping[str, bytes]) -> Bag | None:
    readings = read_files(given)
    return bag(readings) if readings else None


def _digest(texts: Mapping[str, str]) -> str:
    whole = sha256()
    for path, text in sorted(texts.items()):
        for part in (path, text):
            data = part.encode("utf-8", "replace")
            whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def _left(readings: Iterable[Reading], own: Bag) -> tuple[Reading, ...]:
    """Readings without what was given out: the bag no longer has it."""
    return tuple(
        Reading(
            r.path,
            r.language,
            tuple(s for s in r.shapes if s.key in own.shapes),
            tuple(p for p in r.prints if p.key in own.prints),
            r.partial,
        )
        for r in readings
    )


def _later(one: Named, two: Named) -> tuple[Named, Named]:
    """Which of two can be named: the later one, and never a known solution."""
    if one.agent is None or (two.agent is not None and two.number > one.number):
        return two, one
    return one, two
