"""How well the sandboxes were watched while the suites ran."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bouts.model.evidence import AuditChannel, ChannelName
from bouts.model.running import SuiteReport
from bouts.model.text import clean_line

Level = Literal["complete", "partial", "none"]
_ORDER: dict[str, int] = {"none": 0, "partial": 1, "complete": 2}
SEEN = 50
"""Things seen in one channel that are kept."""


def audit(reports: Iterable[SuiteReport]) -> tuple[AuditChannel, ...]:
    """How well each channel was watched over all runs: as well as in the worst of them."""
    runs = list(reports)
    network = _worst(r.network_level for r in runs)
    files = _worst(r.decoy_level for r in runs)
    memory = _worst(r.memory_level for r in runs)
    addresses = tuple(
        dict.fromkeys(clean_line(f"{n.family} {n.address}", 200) for r in runs for n in r.network if not n.allowed)
    )
    reads = tuple(dict.fromkeys(clean_line(d, 200) for r in runs for d in r.decoy_reads))
    peaks = [r.memory_peak_bytes for r in runs if r.memory_peak_bytes is not None]
    peak = f"; at most {max(peaks) >> 20} MiB used" if peaks else ""
    return (
        _channel("network", network, "every connection and datagram the code tried to send", addresses),
        _channel("files", files, "decoys where hidden tests might be expected", reads),
        _channel("memory", memory, "the whole process tree, bounded and measured by the kernel" + peak, ()),
    )


def _channel(name: ChannelName, level: Level, what: str, seen: tuple[str, ...]) -> AuditChannel:
    detail = (
        what if level == "complete" else f"{what}: watched in part" if level == "partial" else f"{what}: not watched"
    )
    return AuditChannel(channel=name, level=level, detail=detail, seen=seen[:SEEN])


def _worst(levels: Iterable[str]) -> Level:
    found = min(levels, key=lambda level: _ORDER.get(level, 0), default="none")
    return "complete" if found == "complete" else "partial" if found == "partial" else "none"
