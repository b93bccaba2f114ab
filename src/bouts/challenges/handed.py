"""One entry of a submission, and what never counts in one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

from bouts.challenges import names
from bouts.model.evidence import Refusal, RefusalKind


@dataclass(frozen=True)
class Handed:
    """One entry as handed in. `data` is none where it was not read: too large, no regular file, of no interest."""

    path: str
    data: bytes | None = field(repr=False)
    size: int
    executable: bool | None
    """None where the form of the submission does not say."""
    problem: tuple[RefusalKind, str] | None = None
    """Why it can never be staged, whatever its name."""

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the data in hexadecimal; of nothing where it was not read."""
        return hashlib.sha256(self.data or b"").hexdigest()


@dataclass
class Dropped:
    """Counts what never counts while a submission is read: version control and bytecode are shown, caches are not."""

    vcs: dict[str, None] = field(default_factory=dict[str, None])
    bytecode: dict[str, None] = field(default_factory=dict[str, None])

    def enters(self, path: str) -> bool:
        """Whether a folder is looked into."""
        return not self.drops(path)

    def drops(self, path: str) -> bool:
        """Whether an entry is left out, with note of it where it must be shown."""
        if not names.never_counts(path):
            return False
        parts = path.split("/")
        folded = [names.fold(p) for p in parts]
        for number, part in enumerate(folded):
            here = "/".join(parts[: number + 1])
            if part in names.VCS_FOLDERS:
                self.vcs[here] = None
                return True
            if part in names.IGNORED_FOLDERS:
                return True
            if part == names.BYTECODE_FOLDER or part.endswith(names.BYTECODE_SUFFIXES):
                self.bytecode[here] = None
                return True
        return True

    def refusals(self) -> tuple[Refusal, ...]:
        """One row a version-control folder, one for all bytecode."""
        rows = [
            Refusal(path=names.shown(p), kind="vcs_dir", detail="version control is never read or staged")
            for p in list(self.vcs)[:20]
        ]
        if self.bytecode:
            first, count = next(iter(self.bytecode)), len(self.bytecode)
            more = f"; {count - 1} more like it" if count > 1 else ""
            rows.append(
                Refusal(path=names.shown(first), kind="bytecode", detail=f"compiled code is never staged{more}")
            )
        return tuple(rows)
