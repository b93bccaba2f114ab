"""Every size that reading a package or a submission is held to, in one table."""

from __future__ import annotations

from typing import Final

MIB: Final = 1024 * 1024

# --- what an author writes
MANIFEST_BYTES: Final = 1 * MIB
"""`challenge.yaml`, `expect.yaml`, `submission.yaml`."""
MANIFEST_DEPTH: Final = 40
"""Nesting of a YAML file."""
INVENTORY_BYTES: Final = 4 * MIB
BRIEFING_BYTES: Final = MIB // 4
PACKAGE_FILES: Final = 10_000
PACKAGE_FILE_BYTES: Final = 64 * MIB
PACKAGE_BYTES: Final = 512 * MIB

# --- what is handed in
FILES: Final = 5_000
"""Files of a submission, folders that never count left out."""
FILE_BYTES: Final = 5 * MIB
"""One file that may be staged, and any file of an archive. A larger one refuses the whole."""
TOTAL_BYTES: Final = 64 * MIB
"""All files together, as they are after unpacking; of a folder those that may be staged, and any one of the others."""
DEPTH: Final = 24
"""Folders above a file."""
PATH_CHARACTERS: Final = 300
NAME_BYTES: Final = 200
ARCHIVE_BYTES: Final = 64 * MIB
"""The archive file itself."""
MEMBERS: Final = 20_000
"""Entries of an archive, folders included."""
RATIO: Final = 200
"""Bytes after unpacking over bytes before, counted once `RATIO_FLOOR` is passed."""
RATIO_FLOOR: Final = 4 * MIB
PATCH_BYTES: Final = 16 * MIB

# --- what is put down in evidence
LISTED: Final = 200
"""Rows of one kind (changes, refusals) that are kept; a notice says how many there were."""
KEPT_BYTES: Final = 1 * MIB
"""A handed-in copy of a read-only file or a test that is kept for the integrity checks."""
SCANNED_BYTES: Final = 1 * MIB
"""A text file that is scanned for hidden characters and for text aimed at judges."""


def mebibytes(count: int) -> str:
    """A size for people: `64 MiB`."""
    return f"{count / MIB:.0f} MiB" if count >= MIB else f"{count / 1024:.0f} KiB"
