"""Read-only files: files of the package outside the editable scope that the submission changed."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from bouts.integrity.proofs import PACKAGE, bounded, counterpart, proof
from bouts.model.evidence import Notice, Observation, Proof
from bouts.model.text import clean_line

_COMPARED = 256 << 10
_NEVER = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "__pycache__", "node_modules"}
    | {".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox"}
)
_BYTECODE = frozenset({".pyc", ".pyo"})


def read_only_modified(
    read_only: Mapping[str, bytes], handed_in: Mapping[str, bytes], deleted: Collection[str]
) -> tuple[tuple[Observation, ...], tuple[Notice, ...]]:
    """Compare the package's read-only files with what was handed in at their paths.

    `read_only` holds the files outside the editable scope; visible tests are left out by the caller, as they are the
    business of `disabled_tests`. `deleted` names files that a patch or a complete folder took away. Version control,
    environments, caches and bytecode never count. A change of white space or line ends alone is a notice.
    """
    proofs: list[Proof] = []
    notices: list[Notice] = []
    for path, data in sorted(read_only.items()):
        if _never(path):
            continue
        if path in handed_in:
            if b"".join(handed_in[path].split()) == b"".join(data.split()):
                if handed_in[path] != data:
                    why = f"{path} is read-only; its white space or line ends were changed"
                    notices.append(Notice(kind="read_only_reformatted", why=clean_line(why, 300)))
                continue
            proofs.append(_changed(path, data, handed_in[path]))
        elif path in deleted:
            other = counterpart(PACKAGE, path, 1, "\n".join(_text(data)[:4]))
            proofs.append(proof(path, None, "", "a read-only file was deleted", other=other))
    if not proofs:
        return (), tuple(notices)
    count = len(proofs)
    because = (
        f"{count} file{'s' if count > 1 else ''} outside the editable scope {'were' if count > 1 else 'was'} changed"
    )
    return (Observation(kind="read_only_modified", because=because, proofs=bounded(proofs)),), tuple(notices)


def _never(path: str) -> bool:
    pure = PurePosixPath(path)
    return any(part in _NEVER for part in pure.parts) or pure.suffix in _BYTECODE


def _changed(path: str, ours: bytes, theirs: bytes) -> Proof:
    """The first place that differs, both versions."""
    old, new = _text(ours), _text(theirs)
    position = next(
        (index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    there = "\n".join(new[position : position + 4])
    here = "\n".join(old[position : position + 4])
    same = difflib.SequenceMatcher(None, old[:500], new[:500], autojunk=False).ratio()
    detail = f"a read-only file was changed; {same:.0%} of it is the same"
    return proof(
        path, position + 1, there, detail, other=counterpart(PACKAGE, path, min(position + 1, max(1, len(old))), here)
    )


def _text(data: bytes) -> list[str]:
    return data[:_COMPARED].decode("utf-8", "replace").splitlines()
