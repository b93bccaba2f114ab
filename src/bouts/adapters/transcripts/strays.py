"""Files that lie beside transcripts and are none: what to say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bouts.adapters.transcripts.source import Source


_PACKED = (
    (b"\x1f\x8b", "it is compressed by gzip: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is compressed by zstd: unpack it first"),
    (b"\xfd7zXZ\x00", "it is compressed by xz: unpack it first"),
    (b"BZh", "it is compressed by bzip2: unpack it first"),
    (b"PK\x03\x04", "it is a ZIP archive: unpack it first"),
    (b"\xff\xfe", "it is written in UTF-16: write it as UTF-8 first"),
    (b"\xfe\xff", "it is written in UTF-16: write it as UTF-8 first"),
)


def unreadable(source: Source) -> str | None:
    """What a file is, by its first bytes, whose text no reader sees."""
    if not source.head.strip() and source.size <= len(source.head):
        return "it holds nothing but space"
    if source.head[257:262] == b"ustar":
        return "it is a tar archive: unpack it first"
    return next((said for magic, said in _PACKED if source.head.startswith(magic)), None)


def stray(source: Source) -> str | None:  # noqa: PLR0911 - one case a line
    """What a file is that no reader takes, where that can be said."""
    from bouts.adapters.transcripts.values import EMPTY, obj

    rows = source.sample
    first = rows[0] if rows else EMPTY
    value = obj(source.value)
    log = obj(value.get("log"))
    if "entries" in log and "creator" in log:
        return "it is a recording of HTTP requests (HAR); no session is made up from requests"
    if {"projectID", "time"} <= first.keys() and "messages" not in first:
        return (
            "it is the header of an OpenCode session; give the output of `opencode export`, or a message with its parts"
        )
    if {"agent", "execution_status"} <= first.keys() or ("agent" in first and "confirmation_policy" in first):
        return "it is the state of an OpenHands conversation; its events lie beside it"
    if set(first) <= {"agentType", "description", "toolUseId", "name", "spawnDepth"} and "agentType" in first:
        return "it describes a Claude Code subagent; its session is the .jsonl file beside it"
    if "severity_text" in first and "body" in first:
        return "it holds log records of a program, and no spans"
    if {"spanName", "attributes"} <= first.keys() and "startTimeUnixNano" not in first:
        return "it is a single span without times"
    if {"description", "events", "expected"} <= value.keys():
        return "it is a test's skeleton of an Inspect log, with neither calls nor answers of a model"
    if any(row.get("type") == "tool_summary" for row in rows):
        return "it is an export written by hand, which leaves out calls and results"
    head = source.text_head.lstrip()
    if head.startswith(("---", "history:", "- ")) or "\n- role:" in head[:4000] or "\nhistory:\n" in head[:4000]:
        return "it is YAML; trajectories are read as JSON (.traj)"
    return None
