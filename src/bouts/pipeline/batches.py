"""How far batches are, in files that survive whatever happens to the process: one a batch, a line added a change.

A line is written at once; one that was cut off by a crash is no line. Whoever works on a batch holds a lock on its
file, which the kernel gives back when that process ends, in whatever way.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import re
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from pydantic import ValidationError

from bouts.errors import BadFile, BadUsage, NotFound, StoreFault
from bouts.model.batch import BatchHead, BatchState, ItemState, Verdict

ENDING = ".jsonl"
MOST = 1000
"""Batches that nobody named are cleared away where there are more; those that are not over stay."""
HISTORY = 50
"""Batches that are looked through for what was scored before, the latest first."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
Listener = Callable[[str, str, str | None, Mapping[str, Any]], None]
"""Is told of each event: the batch, the event's name, the item if it is about one, and what there is to say."""


class Batch:
    """A batch that this process works on. Thread-safe."""

    def __init__(self, path: Path, handle: int, state: BatchState, listener: Listener | None = None) -> None:
        self.state = state
        """How far it was when this process began."""
        self._path, self._handle, self._listener = path, handle, listener
        self._lock = threading.Lock()
        self._start = b""

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._handle)

    def now(self) -> BatchState:
        """How far it is now. Raises `BadFile`."""
        return read_state(self._path)

    def tell(self, event: str, item: str | None = None, **data: Any) -> None:
        """Write down that something happened. Raises `StoreFault`."""
        row = {"event": event, **({} if item is None else {"item": item}), **data}
        text = json.dumps(row, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"
        line = text.encode("utf-8", "backslashreplace")  # JSON's own escape, for names that are no UTF-8
        with self._lock:
            try:
                written = os.write(self._handle, self._start + line)
            except OSError as error:
                raise _fault(self._path, error) from error
            short = written < len(self._start + line)
            self._start = b"\n" if short else b""
            if short:
                raise _fault(self._path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        if self._listener is not None:
            self._listener(self.state.head.name, event, item, data)


def fit_name(name: str) -> str:
    """The name that a user gave a batch. Raises `BadUsage` where a batch cannot be called so."""
    if not _NAME.fullmatch(name):
        hint = "up to 80 letters, digits, dots, dashes and underscores, the first a letter or digit"
        raise BadUsage("no batch can be called so", where=f"--batch {name}", hint=hint)
    return name


class Batches:
    """The batches of an installation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, head: BatchHead, listener: Listener | None = None) -> Batch:
        """Begin a batch. One that nobody named gets a number where its name is taken. Raises `BadUsage` where a given
        name is, `StoreFault` where nothing can be written."""
        self._clear()
        taken = self._numbers(head.name)
        if head.named and taken:
            raise BadUsage(
                f"there is a batch called {head.name!r}",
                hint=f"go on with it: --resume {head.name}; score it anew: --regrade {head.name}; or take another name",
            )
        number = max(taken, default=0) + 1
        while True:
            name = head.name if number == 1 else f"{head.name}-{number}"
            path = self.folder / f"{name}{ENDING}"
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            except FileExistsError:
                number += 1
                continue
            except OSError as error:
                raise _fault(path, error) from error
            break
        # Nobody else can have it: it was made now.
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        made = head.model_copy(update={"name": name, "attempt": secrets.token_hex(8)})
        batch = Batch(path, handle, BatchState(head=made, items=tuple(ItemState(item=i) for i in made.items)), listener)
        batch.tell("planned", head=made.model_dump(mode="json"))
        return batch

    def resume(self, name: str, listener: Listener | None = None) -> Batch:
        """Go on with a batch. Raises `NotFound`, `BadFile`, and `BadUsage` where another process is at it."""
        path = self._path(name)
        if not path.is_file():
            raise NotFound(f"no batch is called {name!r}", hint="bouts batches lists them")
        try:
            handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        except OSError as error:
            raise _fault(path, error) from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadUsage("another process is working on this batch", where=name, hint="wait for it") from None
            except OSError:
                pass
            state = self.read(name)
            _mend(handle)
        except BaseException:
            os.close(handle)
            raise
        return Batch(path, handle, state, listener)

    def unfinished(self, head: BatchHead) -> str | None:
        """The batch that the same command began and that is not over, if nobody works on it: the latest one, or that
        of the name which a user gave."""
        numbers = self._numbers(head.name)
        if not numbers:
            return None
        last = 1 if head.named else max(numbers)
        name = head.name if last == 1 else f"{head.name}-{last}"
        try:
            state = self.read(name)
        except (NotFound, BadFile):
            return None
        same = (state.head.command, state.head.challenge_digest, state.head.grader)
        if state.ended or same != (head.command, head.challenge_digest, head.grader) or self.busy(name):
            return None
        return name

    def busy(self, name: str) -> bool:
        """Whether a process works on a batch."""
        try:
            with self._path(name).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def read(self, name: str) -> BatchState:
        """How far a batch is. Raises `NotFound` or `BadFile`."""
        return read_state(self._path(name))

    def names(self) -> tuple[str, ...]:
        """All batches, the latest first."""
        if not self.folder.is_dir():
            return ()
        found = [(path.stat().st_mtime_ns, path.name.removesuffix(ENDING)) for path in self.folder.glob(f"*{ENDING}")]
        return tuple(name for _, name in sorted(found, reverse=True))

    def history(self, challenge_id: str) -> tuple[Verdict, ...]:
        """What was scored at a challenge, the latest first."""
        found: list[Verdict] = []
        looked = 0
        for name in self.names():
            try:
                state = self.read(name)
            except (NotFound, BadFile):
                continue
            if state.head.challenge_id == challenge_id:
                looked += 1
                found += [one.verdict for one in reversed(state.items) if one.verdict is not None]
            if looked == HISTORY:
                break
        return tuple(found)

    def _numbers(self, base: str) -> list[int]:
        """The numbers of the batches of a name; the one without has number 1."""
        if not self.folder.is_dir():
            return []
        own = re.compile(rf"{re.escape(base)}(?:-(\d+))?{re.escape(ENDING)}")
        return [int(found[1] or 1) for name in os.listdir(self.folder) if (found := own.fullmatch(name))]  # noqa: PTH208

    def _clear(self) -> None:
        names = self.names()
        for name in names[MOST:]:
            with contextlib.suppress(NotFound, BadFile, OSError):
                state = self.read(name)
                if state.ended and not state.head.named:
                    self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise NotFound(f"no batch is called {name!r}", hint="bouts batches lists them")
        return self.folder / f"{name}{ENDING}"


def read_state(path: Path) -> BatchState:
    """How far the batch in a file is. Raises `NotFound` or `BadFile`."""
    rows = list(_rows(path))
    if not rows or rows[0].get("event") != "planned":
        raise BadFile("this is no batch", where=str(path))
    try:
        head = BatchHead.model_validate(rows[0]["head"])
        items = {item.name: ItemState(item=item) for item in head.items}
        ended = False
        for row in rows[1:]:
            ended = row["event"] == "finished"
            known = items.get(row.get("item", ""))
            if known is not None:
                items[known.item.name] = _after(known, row)
    except (ValidationError, KeyError, TypeError) as error:
        raise BadFile(f"the batch cannot be read: {str(error).splitlines()[0]}", where=str(path)) from error
    return BatchState(head=head, items=tuple(items.values()), ended=ended)


def _after(known: ItemState, row: Mapping[str, Any]) -> ItemState:
    match row["event"]:
        case "started":
            return ItemState(item=known.item, state="started", mark=str(row.get("mark", "")))
        case "done":
            verdict = Verdict.model_validate(row["verdict"])
            return ItemState(item=known.item, state="done", mark=known.mark, verdict=verdict)
        case "failed":
            return ItemState(item=known.item, state="failed", mark=known.mark, error=row["error"])
        case _:
            return known


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The lines that are whole. Raises `NotFound` or `BadFile`."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NotFound(
            f"no batch is called {path.name.removesuffix(ENDING)!r}", hint="bouts batches lists them"
        ) from None
    except OSError as error:
        raise BadFile(f"the batch cannot be read: {error.strerror}", where=str(path)) from error
    for line in data.split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            if isinstance(row, dict) and isinstance(cast("dict[str, Any]", row).get("event"), str):
                yield cast("dict[str, Any]", row)


def _mend(handle: int) -> None:
    """End a line that a crash cut off, so that the next one stands by itself."""
    size = os.fstat(handle).st_size
    if size and os.pread(handle, 1, size - 1) != b"\n":
        os.write(handle, b"\n")


def _fault(path: Path, error: OSError) -> StoreFault:
    return StoreFault(
        f"the batch's state cannot be written: {error.strerror or error}",
        where=str(path),
        hint="make room or mend the permissions, then go on with it",
    )
