"""Everything that writes a ledger into files, or reads it from them."""

from __future__ import annotations

from bouts.adapters.stores.moving import backup, copy_out, export_lines, import_lines, reading_file, restore
from bouts.adapters.stores.tabling import all_runs, run_lines, write_parquet

__all__ = [
    "all_runs",
    "backup",
    "copy_out",
    "export_lines",
    "import_lines",
    "reading_file",
    "restore",
    "run_lines",
    "write_parquet",
]
