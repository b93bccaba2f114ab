"""Builds the sandbox's file system: one bounded memory file system holds everything that can be written."""

from __future__ import annotations

# pyright: reportPrivateUsage=false
import posix
import sys

from . import kernel, owners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Setup = dict[str, Any]

_STAGE = "/mnt"
_BUDGET = "/mnt/b"
_LOWER = "/mnt/w"
_MAPPED = "/mnt/i"
_EMPTY_ABOVE = ("overlay", "empty")
"""Ways of making the workspace after which nothing lies in what can be written. Elsewhere a file that is changed in
its place would leave no trace in any folder."""
_COUNTERS = ("dev", "snmp", "snmp6")
_SOCKETS = ("sockstat", "sockstat6")
_OWN_SOCKETS = (b"inuse", b"tw")
"""What these files tell of this network alone; the rest counts for the whole machine."""
_MOST_NUMBERS = 64
"""Process and thread numbers that one test may use up in a sandbox whose count cannot be set back."""
_PLAIN = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NODIRATIME
"""That a folder was looked through leaves no trace, as a later test could read from one that another was before."""
_KERNEL_SETTINGS = ("sys", "sysrq-trigger", "irq", "bus", "fs")


def furnish(setup: Setup) -> str:
    """Mount and write everything, then make the rest read-only. Returns how the workspace was made."""
    uid, gid = int(setup["uid"]), int(setup["gid"])
    posix.umask(0o022)
    _make_folders(_BUDGET)
    kernel.mount("tmpfs", _BUDGET, "tmpfs", _PLAIN, setup["budget"])
    for name, mode in (("u", 0o755), ("k", 0o755), ("t", 0o1777), ("h", 0o755), ("s", 0o1777)):
        posix.mkdir(f"{_BUDGET}/{name}")
        posix.chmod(f"{_BUDGET}/{name}", mode)
        if name in "uh":
            posix.chown(f"{_BUDGET}/{name}", uid, gid)
    for folder in setup["folders"]:
        _make_folders(folder)
    for path, data in setup["files"]:
        _write(path, data)
    for target, path in setup["links"]:
        posix.symlink(target, path)
    kernel.bind(f"{_BUDGET}/t", "/tmp")  # noqa: S108
    kernel.bind(f"{_BUDGET}/s", "/dev/shm")  # noqa: S108
    # One may lie below the other; the outer one comes first.
    home, workspace = setup["home"], setup["workspace"]
    if not home.startswith(workspace + "/"):
        _make_folders(home, uid, gid)
        kernel.bind(f"{_BUDGET}/h", home)
    _make_folders(workspace, uid, gid)
    how = _workspace(setup, uid, gid)
    if home.startswith(workspace + "/"):
        _make_folders(home, uid, gid)
        kernel.bind(f"{_BUDGET}/h", home)
    for source, target, only_if_absent in setup["late"]:
        _late(source, target, only_if_absent, uid, gid)
    _watch_places(setup)
    for name in posix.listdir(_STAGE):
        try:
            kernel.detach(f"{_STAGE}/{name}")
        except OSError:
            continue
    kernel.detach("/opt/init")
    _hide_others()
    setup["numbers"] = _open_numbers()
    kernel.seal(setup["devices"])
    for name in _KERNEL_SETTINGS:
        # A container's root is somebody outside too; nobody may turn the kernel's knobs.
        if _exists(f"/proc/{name}"):
            kernel.bind(f"/proc/{name}", f"/proc/{name}", read_only=True)
    kernel.mount(
        "", "/", flags=kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV
    )
    setup["spoiled"] = how not in _EMPTY_ABOVE
    return how


def untouched(setup: Setup) -> bool:
    """Whether nothing was written, made or removed in any place that commands can write to, and nothing is left of what
    outlives processes. A sandbox in which every process was killed is then as good as new."""
    if setup["spoiled"] or any(_stamp(handle) != stamp for handle, stamp in setup["stamps"]):
        return False
    if any(_read(f"/proc/sysvipc/{name}").count(b"\n") > 1 for name in ("shm", "sem", "msg")):
        return False
    # What the network counted, and connections that wait for their end, would tell the next test of this one.
    counters, sockets = _counts()
    if not any(counters) or counters != setup["counters"] or sockets > setup["sockets"]:
        return False
    # Fewer than before: the one by which bubblewrap brought the network up. The kernel frees that kind some time after
    # it was closed, so it may have been counted when the sandbox was new.
    setup["sockets"] = sockets
    return _number_anew(setup)


def remember_counts(setup: Setup) -> None:
    """Remember how the kernel's counters stand before the first command."""
    setup["counters"], setup["sockets"] = _counts()
    setup["last_number"] = _last_number()


def _counts() -> tuple[list[bytes], int]:
    """What was counted in this network, and how many sockets of every kind there are in it."""
    # The tables of connections would say the same, but the kernel searches the whole machine's for each of them.
    tables = [_read(f"/proc/self/net/{name}") for name in _SOCKETS]
    words = tables[0].split(None, 3)
    sockets = int(words[2]) if words[:2] == [b"sockets:", b"used"] else 0
    return [_read(f"/proc/self/net/{name}") for name in _COUNTERS] + [*map(_own_sockets, tables)], sockets


def _own_sockets(table: bytes) -> bytes:
    kept: list[bytes] = []
    for line in table.split(b"\n"):
        words = line.split()
        kept += words[:1]
        for name, value in zip(words[1::2], words[2::2], strict=False):
            if name in _OWN_SOCKETS:
                kept += (name, value)
    return b" ".join(kept)


def _last_number() -> int:
    return int(_read("/proc/loadavg").rpartition(b" ")[2] or 0)


def _number_anew(setup: Setup) -> bool:
    """Let the next process get the number that the first one got. Where the kernel does not let us, a sandbox in which
    few numbers were used up passes all the same."""
    try:
        posix.pwrite(setup["numbers"], b"%d" % setup["last_number"], 0)
    except OSError:
        used = _last_number() - setup["last_number"]
        setup["last_number"] += used
        return 0 <= used <= _MOST_NUMBERS
    return True


def _open_numbers() -> int:
    """The kernel's setting for the number of the next process, while it is still to be reached; -1 where it is not."""
    try:
        return posix.open("/proc/sys/kernel/ns_last_pid", posix.O_WRONLY | posix.O_CLOEXEC)
    except OSError:
        return -1


def _hide_others() -> None:
    """Show commands no processes of other users: what the agent's own counters say would outlive a test."""
    try:
        flags = kernel.MS_REMOUNT | kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
        kernel.mount("proc", "/proc", "proc", flags, "hidepid=2")
    except OSError:
        return


def _read(path: str) -> bytes:
    try:
        handle = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return posix.read(handle, 1 << 16)
    finally:
        posix.close(handle)


def _stamp(handle: int) -> tuple[int, ...]:
    status = posix.fstat(handle)
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_nlink)


def _watch_places(setup: Setup) -> None:
    """Remember how the writable places look while nothing has been done in them."""
    stamps: list[tuple[int, tuple[int, ...]]] = []
    for name in "utshk":
        handle = posix.open(f"{_BUDGET}/{name}", posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
        stamps.append((handle, _stamp(handle)))
    setup["stamps"] = stamps


def _workspace(setup: Setup, uid: int, gid: int) -> str:
    target = setup["workspace"]
    if not setup["has_lower"]:
        kernel.bind(f"{_BUDGET}/u", target)
        return "empty"
    lower, choices = _LOWER, (",userxattr",)
    if setup["root"]:
        try:
            setup["mapping"] = owners.show_mapped(setup, _LOWER, _MAPPED)
            lower, choices = _MAPPED, (",redirect_dir=on", ",userxattr")
        except OSError:
            # The root of a container may not write the kernel's own attributes, only users'.
            choices = (",redirect_dir=on,metacopy=on", ",userxattr")
    for extra in choices:
        options = f"lowerdir={lower},upperdir={_BUDGET}/u,workdir={_BUDGET}/k{extra}"
        try:
            kernel.mount("overlay", target, "overlay", _PLAIN, options)
        except OSError as error:
            complain(f"overlay: {error}")
            continue
        if setup["root"] and lower == _LOWER:
            owners.own(target, uid, gid)
            return "owned overlay"
        return "overlay"
    _copy(_LOWER, f"{_BUDGET}/u", uid, gid)
    kernel.bind(f"{_BUDGET}/u", target)
    return "copy"


def _copy(source: str, target: str, uid: int, gid: int) -> None:
    with posix.scandir(source) as entries:
        for entry in entries:
            there = f"{target}/{entry.name}"
            if entry.is_symlink():
                posix.symlink(posix.readlink(entry.path), there)
            elif entry.is_dir(follow_symlinks=False):
                posix.mkdir(there)
                _copy(entry.path, there, uid, gid)
            elif entry.is_file(follow_symlinks=False):
                _copy_file(entry.path, there)
            else:
                continue
            posix.chown(there, uid, gid, follow_symlinks=False)


def _copy_file(source: str, target: str) -> None:
    reading = posix.open(source, posix.O_RDONLY | posix.O_CLOEXEC)
    writing = posix.open(target, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o644)
    posix.fchmod(writing, posix.fstat(reading).st_mode & 0o777)
    while block := posix.read(reading, 1 << 20):
        view = memoryview(block)
        while view:
            view = view[posix.write(writing, view) :]
    posix.close(reading)
    posix.close(writing)


def _late(source: str, target: str, only_if_absent: bool, uid: int, gid: int) -> None:
    """Show something below the workspace, which hides what was bound there earlier."""
    if _exists(target):
        if only_if_absent:
            return
    elif posix.stat(source).st_mode & 0o170000 == 0o040000:
        _make_folders(target, uid, gid)
    else:
        _make_folders(target.rpartition("/")[0], uid, gid)
        _write(target, b"")
    kernel.bind(source, target)


def _exists(path: str) -> bool:
    try:
        posix.lstat(path)
    except OSError:
        return False
    return True


def _make_folders(path: str, uid: int = 0, gid: int = 0) -> None:
    made = ""
    for part in path.strip("/").split("/"):
        made += "/" + part
        try:
            posix.mkdir(made, 0o755)
        except FileExistsError:
            continue
        if uid:
            posix.chown(made, uid, gid)


def _write(path: str, data: bytes) -> None:
    _make_folders(path.rpartition("/")[0]) if path.count("/") > 1 else None
    handle = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC, 0o644)
    posix.write(handle, data)
    posix.close(handle)


def complain(text: str) -> None:
    """Write a line to where the host looks when the sandbox failed."""
    posix.write(2, text.encode("utf-8", "replace") + b"\n")


def leave(status: int) -> None:
    """End at once."""
    sys.stderr = None
    posix._exit(status)
