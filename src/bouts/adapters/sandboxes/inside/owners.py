"""Makes the workspace's files belong to the sandbox's user, where the agent is root and that user is somebody else."""

from __future__ import annotations

# pyright: reportPrivateUsage=false
import posix
import sys

from . import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CLONE_NEWUSER = 0x10000000
_HERE, _EMPTY_PATH = -100, 0x1000
_CLONE_TREE, _CLOSE_ON_EXEC = 1, posix.O_CLOEXEC
_MAPPED = 0x00100000
_FROM_EMPTY_PATH = 4


def show_mapped(setup: dict[str, Any], source: str, target: str) -> int:
    """Show a folder with its owner's files as the sandbox user's own. Returns the mapping's descriptor, which works for
    every sandbox with the same two users. Raises OSError where the kernel or the file system cannot."""
    mapping = setup["mapping"]
    if mapping < 0:
        owner = posix.stat(source)
        mapping = _new_mapping(owner.st_uid, setup["uid"], owner.st_gid, setup["gid"])
    tree = kernel.call("open_tree", _HERE, source.encode(), _CLONE_TREE | _CLOSE_ON_EXEC)
    try:
        attributes = b"".join(value.to_bytes(8, sys.byteorder) for value in (_MAPPED, 0, 0, mapping))
        kernel.call("mount_setattr", tree, b"", _EMPTY_PATH, attributes, len(attributes))
        posix.mkdir(target)
        kernel.call("move_mount", tree, b"", _HERE, target.encode(), _FROM_EMPTY_PATH)
    finally:
        posix.close(tree)
    return mapping


def _new_mapping(from_user: int, to_user: int, from_group: int, to_group: int) -> int:
    """A user namespace that holds a mapping; its only process ends at once."""
    ready, go = posix.pipe2(posix.O_CLOEXEC), posix.pipe2(posix.O_CLOEXEC)
    child = posix.fork()
    if child == 0:
        try:
            kernel.call("unshare", _CLONE_NEWUSER)
            posix.write(ready[1], b"u")
            posix.close(go[1])
            posix.read(go[0], 1)
        finally:
            posix._exit(0)
    posix.close(ready[1])
    try:
        if posix.read(ready[0], 1) != b"u":
            raise OSError("no user namespace can be made")
        for name, line in (("uid_map", f"{from_user} {to_user} 1"), ("gid_map", f"{from_group} {to_group} 1")):
            handle = posix.open(f"/proc/{child}/{name}", posix.O_WRONLY | posix.O_CLOEXEC)
            posix.write(handle, line.encode())
            posix.close(handle)
        return posix.open(f"/proc/{child}/ns/user", posix.O_RDONLY | posix.O_CLOEXEC)
    finally:
        for handle in (ready[0], *go):
            posix.close(handle)
        posix.waitpid(child, 0)


def own(folder: str, uid: int, gid: int) -> None:
    """Give a folder and all below to a user, one by one."""
    posix.chown(folder, uid, gid)
    with posix.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                own(entry.path, uid, gid)
            else:
                posix.chown(entry.path, uid, gid, follow_symlinks=False)
