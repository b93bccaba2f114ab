"""Ledgers on the move: exported and imported as lines of JSON, backed up into one file and restored from it."""

from __future__ import annotations

import gzip
import io
import json
import os
import secrets
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from sqlalchemy import insert, select, update

from bouts.adapters.stores import tables
from bouts.adapters.stores.chain import Row, entry_digest, origin, text
from bouts.adapters.stores.evidence import checked, sha256
from bouts.adapters.stores.ledger import StoredLedger, open_ledger
from bouts.adapters.stores.reading import entry_rows
from bouts.adapters.stores.rebuilding import read_body, rebuild
from bouts.adapters.stores.troubles import ROOM
from bouts.errors import BadFile, BadUsage, BoutsError, NotFound, StoreFault
from bouts.model.ledger import LEDGER_SCHEMA

_CHUNK = 5_000
MAX_LINE = 64 << 20
"""Bytes of one line; a card with everything on it has some tens of thousands."""
_ENTRIES, _FACTS, _EVIDENCE = "entries.jsonl.gz", "ledger.json", "evidence/"
BACKUP_SCHEMA = "bouts.ledger-backup/1"


class Moved(NamedTuple):
    """What was written or read."""

    entries: int
    """Entries, those among them that were there already included."""
    new: int
    evidence: int = 0
    missing: int = 0
    """Evidence that cards name and that is not there."""


@contextmanager
def whole(path: Path) -> Generator[IO[bytes]]:
    """A file that is at its place when all of it is written, and not at all before. Raises `StoreFault`."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreFault(f"it cannot be written: {error.strerror or error}", where=str(path), hint=ROOM) from error
    finally:
        part.unlink(missing_ok=True)


def export_lines(ledger: StoredLedger) -> Iterator[bytes]:
    """The ledger as lines of JSON: a head, then every entry, as they are at one moment."""
    with ledger.reading() as connection:
        head = connection.execute(select(tables.head)).one()
        about = {"schema": LEDGER_SCHEMA, "ledger": ledger.id, "entries": int(head.seq), "head": str(head.digest)}
        yield text(about).encode() + b"\n"
        for row in entry_rows(connection, upto=int(head.seq)):
            yield line_of(row)


def line_of(row: Row) -> bytes:
    """An entry as a line. Its body is canonical, so the digest can be made anew from what is read."""
    body = {**row._asdict(), "body": json.loads(row.body)}
    return text(body).encode("utf-8", "surrogatepass") + b"\n"


def read_lines(file: IO[bytes], where: str) -> tuple[dict[str, Any], Iterator[Row]]:
    """Head and entries of an export, each checked against the one before. Raises `BadFile` at the first that does not
    fit, and where lines are missing at the end."""
    head = _json(file.readline(MAX_LINE), where, 1)
    if head.get("schema") != LEDGER_SCHEMA or not isinstance(head.get("ledger"), str):
        hint = "`bouts ledger export` writes them; runs of your own are registered by `bouts register runs`"
        raise BadFile("not an export of a ledger", where=f"{where}:1", hint=hint)
    return head, _rows(file, head, where)


def _rows(file: IO[bytes], head: dict[str, Any], where: str) -> Iterator[Row]:
    previous, seq = origin(head["ledger"]), 0
    for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), 2):
        body = _json(line, where, number)
        try:
            said: dict[str, Any] = {**body, "body": text(body["body"])}
            row = Row(**said)
            good = row.digest == entry_digest(*row[:-1])
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise BadFile(f"no entry of a ledger: {error}", where=f"{where}:{number}") from error
        if not good or row.previous != previous or row.seq != seq + 1:
            raise BadFile("the entry was edited, or does not follow the one before", where=f"{where}:{number}")
        previous, seq = row.digest, row.seq
        yield row
    if (seq, previous) != (head.get("entries"), head.get("head")):
        raise BadFile(f"entries are missing: {seq} of {head.get('entries')} are there", where=where)


def _json(line: bytes, where: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"not a line of JSON: {error}", where=f"{where}:{number}") from error
    if not isinstance(value, dict):
        raise BadFile("not a JSON object", where=f"{where}:{number}")
    return value  # pyright: ignore[reportUnknownVariableType]


def import_lines(ledger: StoredLedger, file: IO[bytes], where: str) -> Moved:
    """Take in the entries of an export; what is there already is passed over. All of it, or nothing."""
    _, rows = read_lines(file, where)
    count = new = 0
    with ledger.writing() as work:
        while chunk := list(islice(rows, _CHUNK)):
            bodies = [_body(row, where) for row in chunk]
            work.look_up(row.key for row in chunk)
            work.deriver.prepare(bodies)
            for row, body in zip(chunk, bodies, strict=True):
                try:
                    new += work.add(body, row.key, row.time).new
                except ValueError as error:
                    raise BadFile(f"the entry says what cannot be: {error}", where=f"{where}:{row.seq + 1}") from error
            work.write()
            count += len(chunk)
    return Moved(count, new)


def _body(row: Row, where: str) -> Any:
    try:
        return read_body(row.seq, row.kind, row.body)
    except StoreFault as error:
        raise BadFile(error.message, where=f"{where}:{row.seq + 1}") from error


def backup(ledger: StoredLedger, path: Path, *, evidence: bool = True) -> Moved:
    """Write entries, facts and evidence into one file, from which any kind of store can be restored.

    Evidence that is missing or damaged is left out and counted. Raises `StoreFault`.
    """
    with tempfile.TemporaryDirectory(prefix="bouts-backup-") as folder, whole(path) as out:
        packed = Path(folder, _ENTRIES)
        digests: dict[str, None] = {}
        count = -1  # the head is a line, and no entry
        with gzip.GzipFile(packed, "wb", compresslevel=6, mtime=0) as lines:
            for line in export_lines(ledger):
                count += 1
                lines.write(line)
                if b'"kind":"card"' in line:
                    kept = json.loads(line)["body"].get("evidence")
                    if kept:
                        digests[kept] = None
        facts = {"schema": BACKUP_SCHEMA, "ledger": ledger.id, **{k: ledger.meta[k] for k in ("secret", "created")}}
        found = missing = 0
        with tarfile.open(fileobj=out, mode="w") as tar:
            _put(tar, _FACTS, text(facts).encode())
            tar.add(packed, _ENTRIES, filter=_plain)
            for digest in sorted(digests) if evidence else ():
                try:
                    _put(tar, _EVIDENCE + digest.removeprefix("sha256:"), checked(ledger.evidence_store, digest))
                    found += 1
                except BoutsError:
                    missing += 1
    return Moved(count, count, found, missing)


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = 0
    info.mode = 0o600
    return info


def _put(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    info = _plain(tarfile.TarInfo(name))
    info.size = len(data)
    tar.addfile(info, io.BytesIO(data))


def restore(path: Path, place: str, open_new: Callable[[str], StoredLedger]) -> Moved:
    """Make a ledger from a backup, entry for entry as it was. Raises `BadFile` for what is no whole backup, and
    `BadUsage` where a ledger with entries is there."""
    _refuse_taken(place)
    try:
        with tarfile.open(path, "r:") as tar:
            facts, packed = _opened(tar, path)
            with gzip.GzipFile(fileobj=packed) as plain:
                head, rows = read_lines(cast("IO[bytes]", plain), f"{path}!{_ENTRIES}")
                if head["ledger"] != facts.get("ledger"):
                    raise BadFile("entries and facts are those of two ledgers", where=str(path))
                ledger = open_new(place)
                try:
                    # Entries come last and at once: a restoring that was cut short can simply be done again.
                    evidence = _take_evidence(ledger, tar, path)
                    count = _fill(ledger, facts, rows)
                    return Moved(count, count, evidence)
                finally:
                    ledger.close()
    except FileNotFoundError as error:
        raise NotFound("no such backup", where=str(path)) from error
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error, KeyError) as error:
        raise BadFile(f"not a whole backup: {error}", where=str(path)) from error
    except OSError as error:
        raise BadFile(f"the backup cannot be read: {error.strerror or error}", where=str(path)) from error


def _refuse_taken(place: str) -> None:
    try:
        there = open_ledger(place)
    except NotFound:
        return
    try:
        if there.head()[0]:
            hint = "name a new place: --ledger NEW; to join two ledgers: bouts ledger export, then import"
            raise BadUsage("a ledger with entries is there", where=place, hint=hint)
    finally:
        there.close()


def _opened(tar: tarfile.TarFile, path: Path) -> tuple[dict[str, Any], IO[bytes]]:
    facts, packed = tar.extractfile(_FACTS), tar.extractfile(_ENTRIES)
    if facts is None or packed is None:
        raise BadFile("not a backup of a ledger", where=str(path))
    about = _json(facts.read(MAX_LINE), f"{path}!{_FACTS}", 1)
    if about.get("schema") != BACKUP_SCHEMA:
        raise BadFile("not a backup of a ledger that this Bouts knows", where=str(path))
    return about, packed


def _fill(ledger: StoredLedger, facts: dict[str, Any], rows: Iterator[Row]) -> int:
    """Write the entries as they are, in one transaction, and derive the rest."""
    count, digest = 0, origin(str(facts["ledger"]))
    with ledger.transaction() as connection:
        for name, value in (("ledger", facts["ledger"]), ("secret", facts["secret"]), ("created", facts["created"])):
            connection.execute(update(tables.meta).where(tables.meta.c.name == name).values(value=str(value)))
        while chunk := list(islice(rows, _CHUNK)):
            connection.execute(insert(tables.entries), [row._asdict() for row in chunk])
            count, digest = chunk[-1].seq, chunk[-1].digest
        connection.execute(update(tables.head).values(seq=count, digest=digest))
        rebuild(connection)
    return count


def _take_evidence(ledger: StoredLedger, tar: tarfile.TarFile, path: Path) -> int:
    count = 0
    for info in tar:
        if not info.name.startswith(_EVIDENCE):
            continue
        file = tar.extractfile(info)
        data = file.read() if file else b""
        if sha256(data) != f"sha256:{info.name.removeprefix(_EVIDENCE)}":
            raise BadFile("evidence in the backup is damaged", where=f"{path}!{info.name}")
        ledger.evidence_store.put(data)
        count += 1
    return count


def copy_out(lines: Iterable[bytes], path: Path) -> int:
    """Write lines into a file, packed where its name ends in .gz; how many."""
    count = 0
    with whole(path) as out:
        target: Any = gzip.GzipFile(fileobj=out, mode="wb", mtime=0) if path.suffix == ".gz" else out
        for line in lines:
            target.write(line)
            count += 1
        if target is not out:
            target.close()
    return count


@contextmanager
def reading_file(path: Path) -> Generator[IO[bytes]]:
    """A file of lines, unpacked where it is packed. Raises `NotFound` or `BadFile`."""
    try:
        with path.open("rb") as file:
            if file.peek(2)[:2] == b"\x1f\x8b":
                with gzip.GzipFile(fileobj=file) as plain:
                    yield cast("IO[bytes]", plain)
            else:
                yield file
    except FileNotFoundError as error:
        raise NotFound("no such file", where=str(path)) from error
    except (OSError, EOFError, zlib.error) as error:
        raise BadFile(f"it cannot be read: {error}", where=str(path)) from error
