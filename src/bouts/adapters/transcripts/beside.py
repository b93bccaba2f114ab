"""The files that a transcript may consist of, and the one of several sessions that is named with it."""

from __future__ import annotations

from pathlib import Path


def transcript_files(path: Path) -> tuple[Path, ...]:
    """The transcript, and the files of subagents that its reader may look for: in a folder named after it, and beside
    it. Some of them may belong to another session."""
    path, _ = file_and_part(path)
    folders = (path.with_suffix("") / "subagents", path.parent)
    found = [file for folder in folders if folder.is_dir() for file in sorted(folder.glob("agent-*.jsonl"))]
    return (path, *(file for file in found if file.is_file() and file != path))


def file_and_part(path: Path) -> tuple[Path, str | None]:
    """A file, and the session in it that FILE#PART names. A file whose own name holds a # is that file."""
    said = str(path)
    places = [at for at, letter in enumerate(said) if letter == "#"]
    for at in places if not _is_file(path) else ():
        if _is_file(Path(said[:at])):
            return Path(said[:at]), said[at + 1 :]
    return path, None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
