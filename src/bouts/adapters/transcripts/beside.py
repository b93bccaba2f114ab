"""The files that a transcript may consist of."""

from __future__ import annotations

from pathlib import Path


def transcript_files(path: Path) -> tuple[Path, ...]:
    """The transcript, and the files of subagents that its reader may look for: in a folder named after it, and beside
    it. Some of them may belong to another session."""
    folders = (path.with_suffix("") / "subagents", path.parent)
    found = [file for folder in folders if folder.is_dir() for file in sorted(folder.glob("agent-*.jsonl"))]
    return (path, *(file for file in found if file.is_file() and file != path))
