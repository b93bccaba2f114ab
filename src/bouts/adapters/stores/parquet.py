"""Runs as a Parquet table, for programs that analyse them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from bouts.adapters.stores.moving import whole
from bouts.errors import BadUsage
from bouts.model.ledger import RunEntry

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
