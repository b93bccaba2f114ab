"""Runs for programs that analyse them: as lines of JSON, or as a Parquet table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from bouts.adapters.stores.chain import text
from bouts.adapters.stores.ledger import StoredLedger
from bouts.adapters.stores.moving import whole
from bouts.errors import BadUsage
from bouts.model.ledger import RunEntry
from bouts.model.tallied import Where

_CHUNK = 50_000
RUN_COLUMNS = (
    "run", "agent", "task", "challenge", "attempt", "ended", "status", "outcome", "success", "latency_ms", "cost_usd",
    "steps", "tokens", "turns", "iterations", "seconds", "inside", "card", "source",
)  # fmt: skip
_TYPES = {
    "attempt": "int64", "steps": "int64", "tokens": "int64", "turns": "int64", "iterations": "int64",
    "ended": "float64", "latency_ms": "float64", "cost_usd": "float64", "seconds": "float64",
    "success": "bool_", "inside": "bool_",
}  # fmt: skip


def write_parquet(runs: Iterable[RunEntry], path: Path) -> int:
    """Write runs as a table for other programs. Raises `BadUsage` where the package that does it is not here."""
    if find_spec("pyarrow") is None:
        raise BadUsage("Parquet needs the package pyarrow", hint="pip install 'bouts[parquet]'")
    library: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    schema = library.schema([(name, getattr(library, _TYPES.get(name, "string"))()) for name in RUN_COLUMNS])
    count, rows = 0, iter(runs)
    with whole(path) as out:
        writer = parquet.ParquetWriter(out, schema)
        try:
            while chunk := list(islice(rows, _CHUNK)):
                columns = {name: [getattr(run, name) for run in chunk] for name in RUN_COLUMNS}
                writer.write_table(library.table(columns, schema=schema))
                count += len(chunk)
        finally:
            writer.close()
    return count


def all_runs(ledger: StoredLedger) -> Iterator[RunEntry]:
    """Every run as it counts now, those outside the budgets at the end."""
    for inside in (True, False):
        yield from ledger.runs(Where(inside=inside))


def run_lines(ledger: StoredLedger) -> Iterator[bytes]:
    """The same as lines of JSON."""
    for run in all_runs(ledger):
        yield text({name: getattr(run, name) for name in RUN_COLUMNS}).encode("utf-8", "surrogatepass") + b"\n"
