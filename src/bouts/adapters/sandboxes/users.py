"""The users that sandboxes run as where the host is root: one that no other running sandbox has."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path

_FIRST = 0x7B000000
_COUNT = 1 << 23
_FEWEST = 1000
_MAP = Path("/proc/self/uid_map")


def usable_numbers(uid_map: Path = _MAP) -> range:
    """User numbers that this machine or container knows and hardly uses; empty where root may become nobody else."""
    try:
        lines = [line.split() for line in uid_map.read_text(encoding="ascii").splitlines()]
    except OSError:
        return range(0)
    for first, _, count in lines:
        if int(first) <= _FIRST and int(first) + int(count) >= _FIRST + _COUNT:
            return range(_FIRST, _FIRST + _COUNT)
    spans = [range(int(first) + int(count) // 2, int(first) + int(count)) for first, _, count in lines]
    widest = max(spans, key=len, default=range(0))
    return widest if len(widest) >= _FEWEST else range(0)


def is_real_root(uid_map: Path = _MAP) -> bool:
    """Whether user 0 here is user 0 of the whole machine."""
    try:
        return any(line.split()[:2] == ["0", "0"] for line in uid_map.read_text(encoding="ascii").splitlines())
    except OSError:
        return True


@dataclass(slots=True)
class User:
    """A user of one sandbox, and the kernel's mapping from the workspace's owner to it (-1 before there is one)."""

    number: int
    owner: tuple[int, int]
    mapping: int = -1


class Users:
    """Users that were used before come with their mapping, which takes a fork to make."""

    def __init__(self) -> None:
        self._numbers = usable_numbers()
        self._free: dict[tuple[int, int], list[User]] = {}

    def take(self, workspace: str | None) -> User:
        """A user for a sandbox over a workspace."""
        owner = (0, 0)
        if workspace is not None:
            status = Path(workspace).stat()
            owner = (status.st_uid, status.st_gid)
        try:
            return self._free.setdefault(owner, []).pop()
        except IndexError:
            return User(random.choice(self._numbers), owner)  # noqa: S311 - a label, not a secret

    def give_back(self, user: User) -> None:
        """Let another sandbox be this user; all of its processes must be gone."""
        if user.mapping >= 0:
            self._free.setdefault(user.owner, []).append(user)

    def close(self) -> None:
        """Close the mappings that are not in use."""
        for users in self._free.values():
            for user in users:
                os.close(user.mapping)
        self._free.clear()
