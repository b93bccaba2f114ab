"""The users that sandboxes run as where the host is root: one that no other running sandbox has."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path

_FIRST = 0x7B000000
_COUNT = 1 << 23


@dataclass(slots=True)
class User:
    """A user of one sandbox, and the kernel's mapping from the workspace's owner to it (-1 before there is one)."""

    number: int
    owner: tuple[int, int]
    mapping: int = -1


class Users:
    """Users that were used before come with their mapping, which takes a fork to make."""

    def __init__(self) -> None:
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
            return User(_FIRST + random.randrange(_COUNT), owner)  # noqa: S311 - a label, not a secret

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
