"""What a sandbox needs from the machine, tried rather than guessed."""

from __future__ import annotations

from pathlib import Path

from bouts.adapters.sandboxes import find
from bouts.errors import BoutsError
from bouts.model.sandbox import Probe, ProbeItem


def probe(scratch: Path, binary: Path | None, *, root: bool) -> Probe:
    """Try what a sandbox needs. Never raises for what is missing."""
    try:
        chosen = find.bubblewrap_binary(binary)
    except BoutsError as error:
        return Probe(
            backend="bubblewrap",
            usable=False,
            items=(ProbeItem(name="bubblewrap", ok=False, detail=error.message, remedy=error.hint or ""),),
        )
    return Probe(backend="bubblewrap", usable=True, items=(ProbeItem(name="bubblewrap", ok=True, detail=str(chosen)),))
