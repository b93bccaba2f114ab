"""What stands where inside a sandbox: bubblewrap's arguments and the agent's instructions."""

from __future__ import annotations

import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bouts.adapters.sandboxes.users import User
from bouts.errors import BadUsage, NotFound
from bouts.model.sandbox import Look, SandboxLimits, SandboxPlan

PYTHON = "/opt/python"
_SYSTEM = ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share/zoneinfo")
_TOP = ("bin", "sbin", "lib", "lib32", "lib64")
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_FROM_ETC = ("ld.so.cache", "localtime", "alternatives")
DECOY_PLACES = ("/tests", "/grader/tests", "{workspace}/tests/adversarial")

_DEVICE_LINKS = (
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
)
# Unroutable on purpose (TEST-NET-1), so that a name look-up shows up as a datagram.
_RESOLVER = "nameserver 192.0.2.53\noptions timeout:1 attempts:1\n"

_CPU, _FSIZE, _STACK, _CORE, _NPROC, _NOFILE, _AS, _MSGQUEUE = 0, 1, 3, 4, 6, 7, 9, 12


@dataclass(frozen=True, slots=True)
class Python:
    """An interpreter of the host and how it is shown inside."""

    prefix: Path
    version: str

    @staticmethod
    def running() -> Python:
        """The interpreter that runs Bouts, outside any virtual environment."""
        return Python(Path(sys.base_prefix).resolve(), f"{sys.version_info.major}.{sys.version_info.minor}")

    @property
    def inside(self) -> str:
        """Its path in a sandbox."""
        return f"{PYTHON}/bin/python{self.version}"

    @property
    def environment(self) -> dict[str, str]:
        """What its loader needs where its shared library lies beside it."""
        shared = sysconfig.get_config_var("Py_ENABLE_SHARED") and self.prefix != Path("/usr")
        return {"LD_LIBRARY_PATH": f"{PYTHON}/lib"} if shared else {}

    def arguments(self, empty: Path) -> list[str]:
        """Mount arguments that show it."""
        if self.prefix == Path("/usr"):
            return ["--symlink", "/usr", PYTHON]
        name = f"python{self.version}"
        arguments = ["--ro-bind", f"{self.prefix}/bin/{name}", f"{PYTHON}/bin/{name}"]
        arguments += ["--symlink", name, f"{PYTHON}/bin/python3", "--symlink", name, f"{PYTHON}/bin/python"]
        arguments += ["--ro-bind", f"{self.prefix}/lib", f"{PYTHON}/lib"]
        for folder in _installed(self.prefix / "lib"):
            arguments += ["--ro-bind", str(empty), f"{PYTHON}/lib/{folder.relative_to(self.prefix / 'lib')}"]
        return arguments


def _installed(library: Path) -> list[Path]:
    """Folders of installed packages below a library folder; Bouts, its tests or its challenges may be among them."""
    patterns = ("python3*/site-packages", "python3*/dist-packages")
    return sorted(folder for pattern in patterns for folder in library.glob(pattern) if folder.is_dir())


def system_arguments(python: Python, empty: Path) -> list[str]:
    """The part of bubblewrap's arguments that is the same for every sandbox."""
    arguments: list[str] = []
    for folder in _SYSTEM:
        if Path(folder).is_dir() and not Path(folder).is_symlink():
            arguments += ["--ro-bind", folder, folder]
    for library in ("/usr/lib", "/usr/lib64"):
        if not Path(library).is_symlink():
            for folder in _installed(Path(library)):
                arguments += ["--ro-bind", str(empty), str(folder)]
    for name in _TOP:
        path = Path("/") / name
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    for name in _FROM_ETC:
        if (Path("/etc") / name).exists():
            arguments += ["--ro-bind", f"/etc/{name}", f"/etc/{name}"]
    for name in _DEVICES:
        arguments += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return arguments + python.arguments(empty)


def with_parents(arguments: list[str]) -> list[str]:
    """The arguments with each target's parent folders made first: bubblewrap's own are closed to other users."""
    made: set[str] = set()
    full: list[str] = []
    at = 0
    while at < len(arguments):
        size = 2 if arguments[at] == "--dir" else 3
        target = arguments[at + size - 1]
        parents = [str(parent) for parent in reversed(PurePosixPath(target).parents)][1:]
        for parent in parents:
            if parent not in made:
                made.add(parent)
                full += ["--dir", parent]
        made.add(target)
        full += arguments[at : at + size]
        at += size
    return full


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def plan_arguments(plan: SandboxPlan, decoys: dict[str, Path]) -> tuple[list[str], list[tuple[str, str, bool]]]:
    """Mount arguments for one sandbox, and what the agent must show later because it lies below the workspace.

    Raises NotFound where a mount's source is missing, BadUsage for a target that is no clean absolute path.
    """
    look = plan.look
    arguments = ["--dir", "/mnt"]
    late: list[tuple[str, str, bool]] = []
    if plan.workspace is not None:
        arguments += ["--ro-bind", plan.workspace, "/mnt/w"]
    shown = [(mount.source, mount.target, False) for mount in plan.mounts]
    shown += [(str(source), target, True) for target, source in decoys.items()]
    for number, (source, target, only_if_absent) in enumerate(shown):
        check_path(target)
        if not Path(source).exists():
            raise NotFound("a mount's source does not exist", where=source)
        if any(_below(target, folder) for folder in (look.workspace, look.home, "/tmp", "/dev")):  # noqa: S108
            arguments += ["--ro-bind", source, f"/mnt/m{number}"]
            late.append((f"/mnt/m{number}", target, only_if_absent))
        else:
            arguments += ["--ro-bind", source, target]
    return arguments, late


def check_path(path: str) -> None:
    """Raise BadUsage unless a path inside is absolute and plain."""
    if not path.startswith("/") or path == "/" or ".." in path.split("/") or "\0" in path:
        raise BadUsage("a path inside the sandbox must be absolute and without '..'", where=path)


def identity_files(look: Look, number: int) -> list[tuple[str, bytes]]:
    """The few files of /etc."""
    user = look.user
    return [
        ("/etc/passwd", f"root:x:0:0:root:/:/bin/sh\n{user}:x:{number}:{number}::{look.home}:/bin/sh\n".encode()),
        ("/etc/group", f"root:x:0:\n{user}:x:{number}:\n".encode()),
        ("/etc/hosts", f"127.0.0.1 localhost {look.host}\n::1 localhost\n".encode()),
        ("/etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n"),
        ("/etc/resolv.conf", _RESOLVER.encode()),
    ]


def resource_limits(limits: SandboxLimits, *, grouped: bool, root: bool) -> list[tuple[int, int, int]]:
    """Limits of each process: (resource, soft, hard)."""
    stack = 8 << 20
    # Where a control group counts, it must be hit first: it remembers that it was.
    # Without privileges the agent is of the same user and counts.
    processes = limits.processes + (16 if grouped else 0 if root else 1)
    chosen = [
        (_CPU, limits.cpu_seconds, limits.cpu_seconds + 1),
        (_FSIZE, limits.disk_bytes, limits.disk_bytes),
        (_STACK, stack, stack * 8),
        # One byte: no file is that small, and a dump handler on the host is not even started. With 0 it would be.
        (_CORE, 1, 1),
        (_NPROC, processes, processes),
        (_NOFILE, limits.open_files, limits.open_files),
        (_MSGQUEUE, 0, 0),
    ]
    return chosen if grouped else [*chosen, (_AS, limits.memory_bytes, limits.memory_bytes)]


def budget_options(limits: SandboxLimits) -> str:
    """Options of the one file system that can be written. The kernel counts whole pages and our own few inodes."""
    return f"size={limits.disk_bytes},nr_inodes={limits.inodes + 16},mode=755"


def command_environment(plan: SandboxPlan, python: Python) -> dict[str, str]:
    """Variables of every command."""
    look = plan.look
    return {
        "PATH": f"{PYTHON}/bin:/usr/bin:/bin",
        "HOME": look.home,
        "USER": look.user,
        "LOGNAME": look.user,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        **python.environment,
        **look.variables,
        **plan.variables,
    }


def setup_message(
    plan: SandboxPlan,
    late: list[tuple[str, str, bool]],
    *,
    root: bool,
    user: User,
    programs: tuple[bytes, bytes],
) -> dict[str, object]:
    """What the agent is told first."""
    look = plan.look
    return {
        "op": "setup",
        "root": root,
        "uid": user.number,
        "gid": user.number,
        "mapped": user.mapping >= 0,
        "budget": budget_options(plan.limits),
        "workspace": look.workspace,
        "home": look.home,
        "has_lower": plan.workspace is not None,
        "folders": ["/tmp", "/dev/shm", "/var/empty", "/run"],  # noqa: S108
        "files": identity_files(look, user.number),
        "links": list(_DEVICE_LINKS),
        "devices": [f"/dev/{name}" for name in _DEVICES],
        "late": late,
        "filter": programs[0],
        "plain_filter": programs[1],
        "preload": plan.preload,
        "preload_modules": list(plan.preload_modules),
    }
