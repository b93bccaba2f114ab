"""What this machine can do, and what Bouts keeps on it."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any

from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.model.sandbox import Probe, ProbeItem
from bouts.pipeline import scratch as stages
from bouts.settings import load, must_be_folders, unwritable


def doctor() -> Probe:
    """What works on this machine: sandboxes, and the folders that Bouts writes to."""
    here = load()
    folders = [
        _folder("home", here.home, "BOUTS_HOME"),
        _folder("cache", here.cache, "BOUTS_HOME"),
        _folder("scratch", here.scratch, "BOUTS_SCRATCH"),
    ]
    probe = Bubblewrap(here.scratch).probe() if folders[-1].ok else Probe(backend="bubblewrap", usable=False, items=())
    usable = probe.usable and all(item.ok for item in folders)
    return probe.model_copy(update={"items": (*probe.items, *folders), "usable": usable})


def _folder(name: str, path: Path, variable: str) -> ProbeItem:
    why = unwritable(path)
    if why is None:
        return ProbeItem(name=name, ok=True, detail=f"{path} can be written")
    remedy = f"make room or mend the permissions, or set {variable} to another folder"
    return ProbeItem(name=name, ok=False, detail=f"{path}: {why}", remedy=remedy)


def clean(*, cache: bool, environments: bool, left_overs: bool) -> list[dict[str, Any]]:
    """What is kept on this machine, with sizes in bytes; what was asked for is removed. Cards, batches and
    the ledger are never removed."""
    here = load()
    must_be_folders(here)
    rows: list[dict[str, Any]] = []
    for name, path, remove in (
        ("cache", here.cache, cache),
        ("environments", here.environments, environments),
        ("cards", here.cards, False),
        ("batches", here.batches, False),
        ("ledger", here.home / "ledger.db", False),
        ("evidence", here.home / "ledger.evidence", False),
        ("left-overs", here.scratch, left_overs),
    ):
        size, there = _size(path), path.is_dir()
        if remove and name == "left-overs":
            stages.reap(path)
            Bubblewrap(path).reap_orphans()
        elif remove:
            shutil.rmtree(path, ignore_errors=True)
        # Left-overs of runs that live stay, and their folder with them.
        gone = there and (name == "left-overs" or not path.exists())
        rows.append({"name": name, "path": str(path), "bytes": size, "removed": remove and gone})
    return rows


def _size(path: Path) -> int:
    if not path.is_dir():
        return path.stat().st_size if path.is_file() else 0
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(folder, name).lstat().st_size
    return total
