"""What was measured once is kept under the digest of what it was made from."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from pathlib import Path
from typing import Any, cast

from bouts.model.records import digest
from bouts.pipeline.files import clear_parts, holding, write_whole


class Cache:
    """Measurements by content key, each file whole or absent, each under a digest of its own content.

    Thread-safe, and safe for several processes: the same key always has the same content, the last writer wins.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """The kept value, or `None`; a file that was damaged counts as absent."""
        try:
            kept = cast("dict[str, Any]", json.loads(gzip.decompress(self._path(key).read_bytes())))
            value = cast("dict[str, Any]", kept["value"])
            return value if kept["digest"] == digest(value) else None
        except (OSError, ValueError, KeyError, TypeError, EOFError, RecursionError, zlib.error):
            return None

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Keep `value`. Raises `StoreFault` when the disk refuses; nothing kept before is touched."""
        data = json.dumps({"digest": digest(value), "value": value}, separators=(",", ":"), allow_nan=False)
        with holding(self._parts, shared=True):
            write_whole(self._path(key), gzip.compress(data.encode(), 6, mtime=0), parts=self._parts)

    def reap(self) -> None:
        """Remove what writers that died left half-written; nothing while somebody writes."""
        clear_parts(self._parts)

    def size(self) -> int:
        """Bytes of all that is kept."""
        return sum(p.stat().st_size for p in self.folder.rglob("*") if p.is_file()) if self.folder.is_dir() else 0

    def clear(self) -> None:
        """Forget everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _parts(self) -> Path:
        return self.folder / "parts"

    def _path(self, key: str) -> Path:
        name = key.removeprefix("sha256:")
        return self.folder / name[:2] / f"{name[2:]}.json.gz"
