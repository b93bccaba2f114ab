"""System calls that the `posix` module lacks, by way of libc. Importing `ctypes` or `os` would double the start-up."""

from __future__ import annotations

import _ctypes
import posix
import sys


class _Long(_ctypes._SimpleCData):  # pyright: ignore
    _type_ = "l"


class _Call(_ctypes.CFuncPtr):  # pyright: ignore
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Long


_libc = _ctypes.dlopen(None, 2)  # pyright: ignore
_syscall = _Call(_ctypes.dlsym(_libc, "syscall"))  # pyright: ignore

_ARM = posix.uname().machine == "aarch64"
# name: (x86-64, aarch64)
_NUMBERS = {
    "mount": (165, 40),
    "umount2": (166, 39),
    "prctl": (157, 167),
    "capset": (126, 91),
    "prlimit64": (302, 261),
    "seccomp": (317, 277),
    "ioctl": (16, 29),
    "process_vm_readv": (310, 270),
    "pidfd_getfd": (438, 438),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
}

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_NODIRATIME, MS_BIND, MS_REC, MS_PRIVATE = 2048, 4096, 16384, 1 << 18
MNT_DETACH = 2

CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE = 5, 6, 7, 19, 40


def call(name: str, *arguments: int | bytes) -> int:
    """Make one system call. Raises OSError with the call's name."""
    number = _NUMBERS[name][_ARM]
    wrapped = [_Long(item) if isinstance(item, int) else item for item in arguments]
    answer: int = _syscall(_Long(number), *wrapped)
    if answer < 0:
        code: int = _ctypes.get_errno()  # pyright: ignore
        raise OSError(code, f"{name}: {posix.strerror(code)}")
    return answer


def is_arm() -> bool:
    """Whether system calls have the numbers of 64-bit ARM."""
    return _ARM


class Memory:
    """A fixed piece of memory that system calls can read and write by its address."""

    def __init__(self, size: int) -> None:
        self._array = _byte_array(size)()
        self.address: int = _ctypes.addressof(self._array)  # pyright: ignore
        self.view = memoryview(self._array).cast("B")


class _Byte(_ctypes._SimpleCData):  # pyright: ignore
    _type_ = "B"


def _byte_array(size: int) -> type:
    return type("Bytes", (_ctypes.Array,), {"_length_": size, "_type_": _Byte})  # pyright: ignore


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount; `data` is what the file system takes as options."""
    call("mount", source.encode(), target.encode(), kind.encode(), flags, data.encode())


def bind(source: str, target: str, *, read_only: bool = False) -> None:
    """Show `source` at `target` too."""
    mount(source, target, flags=MS_BIND)
    if read_only:
        mount("", target, flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def seal(devices: list[str]) -> None:
    """Let nobody set the times of the machine's devices, which every sandbox would see. They can be read and written
    all the same."""
    for path in devices:
        kept = posix.statvfs(path).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
        mount("", path, flags=MS_REMOUNT | MS_BIND | MS_RDONLY | kept)


def detach(target: str) -> None:
    """Unmount; what is in use lives on unseen."""
    call("umount2", target.encode(), MNT_DETACH)


def forbid_dumping() -> None:
    """Make this process unreadable for others of its own user."""
    call("prctl", 4, 0, 0, 0, 0)


def allow_dumping() -> None:
    """Undo `forbid_dumping`, as an exec would."""
    call("prctl", 4, 1, 0, 0, 0)


def drop_bounding_set() -> None:
    """Give up every capability that a later exec could bring back, and the ambient ones."""
    for capability in range(64):
        try:
            call("prctl", 24, capability, 0, 0, 0)
        except OSError:
            break
    call("prctl", 47, 4, 0, 0, 0)


def keep_capabilities(*kept: int) -> None:
    """Reduce this process to the named capabilities."""
    mask = sum(1 << capability for capability in kept)
    low = (mask & 0xFFFFFFFF).to_bytes(4, sys.byteorder)
    high = (mask >> 32).to_bytes(4, sys.byteorder)
    none = bytes(4)
    header = (0x20080522).to_bytes(4, sys.byteorder) + none
    call("capset", header, low + low + none + high + high + none)


def set_limit(resource: int, soft: int, hard: int) -> None:
    """Set a resource limit of this process."""
    both = soft.to_bytes(8, sys.byteorder) + hard.to_bytes(8, sys.byteorder)
    call("prlimit64", 0, resource, both, 0)


class Program:
    """A seccomp filter where the kernel can read it. Made once: a command would wait for it."""

    def __init__(self, code: bytes) -> None:
        self._memory = Memory(len(code))
        self._memory.view[:] = code
        self._header = (len(code) // 8).to_bytes(8, sys.byteorder) + self._memory.address.to_bytes(8, sys.byteorder)

    def install(self, *, listen: bool) -> int:
        """Filter this process and its children. Returns the listener's descriptor, or 0."""
        call("prctl", 38, 1, 0, 0, 0)
        return call("seccomp", 1, 8 if listen else 0, self._header)


def read_memory(process: int, address: int, size: int, into: Memory) -> bytes:
    """Read another process's memory."""
    local = into.address.to_bytes(8, sys.byteorder) + size.to_bytes(8, sys.byteorder)
    remote = address.to_bytes(8, sys.byteorder) + size.to_bytes(8, sys.byteorder)
    got = call("process_vm_readv", process, local, 1, remote, 1, 0)
    return bytes(into.view[:got])
