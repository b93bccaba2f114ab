"""What was measured once is kept under the digest of what it was made from."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bouts.model.records import digest
from bouts.pipeline.files import clear_parts, holding, write_whole


@dataclass(frozen=True)
class Entry:
    """Something kept, and how it came about."""

    value: dict[str, Any]
    seconds: float | None = None
    """What making it took, in seconds."""
    attempt: str = ""
    """Name of the attempt that made it."""


class Cache:
    """Measurements by content key, each file whole or absent, each under a digest of its own content.

    Thread-safe, and safe for several processes: the same key always has the same content, the last writer wins. What is
    put here is there for whoever comes after this process, however that ends; after a loss of power an entry may be
    damaged, which its digest tells, and it then counts as absent.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """The kept value, or `None`; a file that was damaged counts as absent."""
        found = self.entry(key)
        return None if found is None else found.value

    def entry(self, key: str) -> Entry | None:
        """The same with what is known of its making."""
        try:
            kept = cast("dict[str, Any]", json.loads(gzip.decompress(self._path(key).read_bytes())))
            value = cast("dict[str, Any]", kept["value"])
            if kept["digest"] != digest(value):
                return None
            seconds, attempt = kept.get("seconds"), kept.get("attempt")
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError, zlib.error):
            return None
        return Entry(
            value, seconds if isinstance(seconds, int | float) else None, attempt if isinstance(attempt, str) else ""
        )

    def put(
        self,
        key: str,
        value: dict[str, Any],
        *,
        seconds: float | None = None,
        attempt: str = "",
        durable: bool = False,
    ) -> None:
        """Keep `value`. Raises `StoreFault` when the disk refuses; nothing kept before is touched.

        With `durable` it also outlives a loss of power, which takes some milliseconds.
        """
        body: dict[str, Any] = {"digest": digest(value), "value": value}
        if seconds is not None:
            body["seconds"] = round(seconds, 4)
        if attempt:
            body["attempt"] = attempt
        data = json.dumps(body, separators=(",", ":"), allow_nan=False)
        with holding(self._parts, shared=True):
            write_whole(self._path(key), gzip.compress(data.encode(), 1, mtime=0), parts=self._parts, sync=durable)

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
