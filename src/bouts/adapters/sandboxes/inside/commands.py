"""Starts commands: fork, join the control groups, limit, drop every privilege, install the filter, exec."""

from __future__ import annotations

# pyright: reportPrivateUsage=false
# ruff: noqa: SIM105, TRY301 - contextlib is one more import to pay for
import _socket
import posix

from . import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Collection
    from typing import Any
else:
    import _signal

_TIOCSCTTY = 0x540E
_FILE_LIMIT = 1 << 30


class Fault(OSError):
    """What had to be done before a command's program is started failed: no act of the command's."""


class Become(BaseException):
    """Raised in a forked child that shall run a file of ours instead of a new program; caught at the very top."""

    def __init__(self, path: str, argv: list[str]) -> None:
        super().__init__(path)
        self.path = path
        self.argv = argv


def reset_signals() -> None:
    """Undo what the interpreter and the agent changed, so that a command starts with the usual dispositions."""
    _signal.set_wakeup_fd(-1)
    for number in (_signal.SIGCHLD, _signal.SIGPIPE, _signal.SIGINT, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_DFL)


def become_user(setup: dict[str, Any]) -> None:
    """Join the control groups, set the limits, and turn this forked child into the sandbox's user for good."""
    for group in setup["groups"]:
        posix.write(group, b"0")
    for resource, soft, hard in setup["rlimits"]:
        kernel.set_limit(resource, soft, hard)
    if setup["root"]:
        posix.setgroups([])
        posix.setresgid(setup["gid"], setup["gid"], setup["gid"])
        posix.setresuid(setup["uid"], setup["uid"], setup["uid"])
    kernel.keep_capabilities()
    posix.umask(0o022)


def start(setup: dict[str, Any], message: dict[str, Any], given: list[int]) -> tuple[int, int]:
    """Start one command. Returns its process id and the listener's descriptor (0 without one).

    Raises OSError whose text says what failed when the command could not be started, and Fault where that was ours.
    """
    ours, theirs = _socket.socketpair()
    child = posix.fork()
    if child == 0:
        try:
            _run(setup, message, given, theirs.fileno())
        except Become:
            # Their descriptors are closed already; as objects they must not close whoever gets those numbers next.
            ours.detach()
            theirs.detach()
            raise
        except BaseException as error:
            mark = b"?" if isinstance(error, Fault) else b"!"
            posix.write(theirs.fileno(), mark + str(error).encode("utf-8", "replace"))
            posix._exit(127)
        posix._exit(127)
    theirs.close()
    try:
        said = posix.read(ours.fileno(), 1000)
        if said[:1] != b"f":
            kind = Fault if said[:1] == b"?" else OSError
            raise kind(said[1:].decode("utf-8", "replace") or "the child ended early")
        listener = 0
        if int(said[1:]):
            handle = posix.pidfd_open(child)
            listener = kernel.call("pidfd_getfd", handle, int(said[1:]), 0)
            posix.close(handle)
        posix.write(ours.fileno(), b"g")
        said = posix.read(ours.fileno(), 1000)
        if said:
            if listener:
                posix.close(listener)
            raise OSError(said[1:].decode("utf-8", "replace"))
    except OSError:
        try:
            posix.kill(child, 9)
        except OSError:
            pass
        raise
    finally:
        ours.close()
    return child, listener


def _run(setup: dict[str, Any], message: dict[str, Any], given: list[int], line: int) -> None:
    reset_signals()
    posix.setsid()
    for number, handle in enumerate(given):
        posix.dup2(handle, number, inheritable=True)
    if len(given) == 3:
        posix.close(3)
    if message["terminal"]:
        kernel.call("ioctl", 0, _TIOCSCTTY, 0)
    try:
        become_user(setup)
    except OSError as error:
        raise Fault(f"preparing the command: {error}") from error
    posix.chdir(message["cwd"])
    try:
        listener = setup["filter"].install(listen=True)
    except OSError:
        # Somebody outside already listens, or the kernel is too old: the empty network leads nowhere all the same.
        listener = 0
        setup["plain_filter"].install(listen=False)
    posix.write(line, b"f%d" % listener)
    if posix.read(line, 1) != b"g":
        posix._exit(127)
    if message["forked"]:
        _become(message["argv"], message["env"])
    _exec(message["argv"], message["env"])


def _become(argv: list[str], env: dict[str, str]) -> None:
    """Make this child what a fresh interpreter would be, but for what it has loaded already."""
    known = {key.encode(): value.encode() for key, value in env.items()}
    for key in set(posix.environ) - set(known):
        posix.unsetenv(key.decode())
    for key, value in known.items():
        posix.putenv(key.decode(), value.decode())
    posix.environ.clear()
    posix.environ.update(known)
    kernel.allow_dumping()
    # The control socket, the filter's listener and the line that tells that all went well, as exec would close them.
    posix.closerange(4, 4096)
    raise Become(argv[1], argv[1:])


def _exec(argv: list[str], env: dict[str, str]) -> None:
    name = argv[0]
    folders = [""] if "/" in name else [f"{folder}/" for folder in env.get("PATH", "").split(":") if folder]
    candidates = [folder + name for folder in folders]
    failure = OSError(2, f"{name}: command not found")
    for candidate in candidates:
        try:
            posix.execve(candidate, argv, env)
        except FileNotFoundError:
            continue
        except OSError as error:
            failure = OSError(error.errno, f"{candidate}: {error.strerror}")
    raise failure


def strays(running: Collection[int]) -> bool:
    """Whether a process runs that left the session of a running command, or that outlived the command it was in."""
    for name in posix.listdir("/proc"):
        if not name.isdigit() or name == "1":
            continue
        try:
            handle = posix.open(f"/proc/{name}/stat", posix.O_RDONLY | posix.O_CLOEXEC)
        except OSError:
            continue
        try:
            state, _, _, session = posix.read(handle, 1024).rpartition(b")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        finally:
            posix.close(handle)
        if state not in {b"Z", b"X"} and int(session) not in running:
            return True
    return False


def transfer(setup: dict[str, Any], path: str, data: int, *, writing: bool) -> int:
    """Fork a child that copies a file in or out as the sandbox's user. Its exit status tells how it went."""
    child = posix.fork()
    if child == 0:
        status = 1
        try:
            reset_signals()
            posix.setsid()
            become_user(setup)
            handle = _open_below(path, writing)
            source, target = (data, handle) if writing else (handle, data)
            while block := posix.read(source, 1 << 16):
                view = memoryview(block)
                while view:
                    view = view[posix.write(target, view) :]
            status = 0
        except BaseException as error:
            status = 2 if isinstance(error, FileNotFoundError) else 1
        finally:
            posix._exit(status)
    return child


def _open_below(path: str, writing: bool) -> int:
    """Open a regular file, following no link in any part of its path."""
    folder = posix.open("/", posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    *parents, name = [part for part in path.split("/") if part not in {"", "."}]
    through = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
    for part in parents:
        try:
            folder = posix.open(part, through, dir_fd=folder)
        except FileNotFoundError:
            if not writing:
                raise
            posix.mkdir(part, 0o755, dir_fd=folder)
            folder = posix.open(part, through, dir_fd=folder)
    flags = posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK
    flags |= posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC if writing else posix.O_RDONLY
    handle = posix.open(name, flags, 0o644, dir_fd=folder)
    if posix.fstat(handle).st_mode & 0o170000 != 0o100000:
        raise OSError("not a regular file")
    return handle
