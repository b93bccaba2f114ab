"""The agent's loop: obey the host, reap children, answer the network filter. Ends with its control socket."""

from __future__ import annotations

# pyright: reportPrivateUsage=false
# ruff: noqa: SIM105 - contextlib is one more import to pay for
import _socket
import errno
import gc
import marshal
import posix
import select
import sys

from . import beginning, commands, kernel, rooms, watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from typing import Any
else:
    import _signal

_BIGGEST = 1 << 18
_MOST_FDS = 16
_MOST_NOTES = 256


def quote(text: str) -> str:
    """A JSON string in printable ASCII."""
    shown = "".join(
        character if " " <= character <= "~" and character not in '"\\' else f"\\u{min(ord(character), 0xFFFD):04x}"
        for character in text
    )
    return f'"{shown}"'


class Agent:
    """State of the one agent in a sandbox."""

    def __init__(self, control: _socket.socket) -> None:
        self.control = control
        self.setup: dict[str, Any] = {}
        self.running: dict[int, tuple[int, int]] = {}
        self.listeners: set[int] = set()
        self.notes: set[tuple[str, str, bool]] = set()
        self.poll = select.poll()

    def receive(self) -> tuple[dict[str, Any], list[int]]:
        """One message and its descriptors. Ends the agent when the host is gone."""
        data, extra, _, _ = self.control.recvmsg(_BIGGEST, _socket.CMSG_SPACE(4 * _MOST_FDS), _socket.MSG_CMSG_CLOEXEC)
        if not data:
            rooms.leave(0)
        given: list[int] = []
        for level, kind, packed in extra:
            if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS:
                given += [
                    int.from_bytes(packed[place : place + 4], sys.byteorder)
                    for place in range(0, len(packed) // 4 * 4, 4)
                ]
        message: dict[str, Any] = marshal.loads(data)  # noqa: S302 - the host is the trusted side
        if message["op"] == "long":
            size = posix.fstat(given[0]).st_size
            message = marshal.loads(posix.pread(given[0], size, 0))  # noqa: S302
            posix.close(given.pop(0))
        return message, given

    def say(self, text: str) -> None:
        """Tell the host something; what it is too slow to take is lost and counted as a gap by it."""
        try:
            self.control.send(text.encode("ascii"), _socket.MSG_DONTWAIT)
        except OSError:
            return

    def say_ready(self, how: str) -> None:
        """Tell the host that the sandbox stands, and hand out the mapping of owners for others like this one."""
        mapping = self.setup["mapping"]
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, mapping.to_bytes(4, sys.byteorder))] if mapping >= 0 else []
        self.control.sendmsg([f'{{"ready":{quote(how)}}}'.encode("ascii")], rights)
        if mapping >= 0:
            posix.close(mapping)

    def note(self, family: str, address: str, allowed: bool) -> None:
        """Report a connection attempt once."""
        seen = (family, address, allowed)
        if seen in self.notes or len(self.notes) >= _MOST_NOTES:
            return
        self.notes.add(seen)
        self.say(f'{{"net":[{quote(family)},{quote(address)},{"true" if allowed else "false"}]}}')

    def spoil(self) -> None:
        """From now on the sandbox is as good as new no more."""
        self.setup["spoiled"] = True

    def reap(self) -> None:
        """Collect every ended child; tell those who wait for a command's end."""
        while True:
            try:
                child, status, usage = posix.wait4(-1, posix.WNOHANG)
            except ChildProcessError:
                return
            if child == 0:
                return
            known = self.running.pop(child, None)
            if known is None:
                continue
            code = posix.waitstatus_to_exitcode(status)
            _tell(known[1], b"exit %d %d" % (code, usage.ru_maxrss))

    def obey(self) -> None:
        """Take one message and do what it says."""
        message, given = self.receive()
        operation = message["op"]
        if operation == "start":
            self._start(message, given)
            return
        if operation == "kill":
            self._kill(message["id"])
        elif operation == "terminate":
            self._terminate(message["id"])
        elif operation == "connect":
            _connect(message["port"], given[0])
        elif operation == "renew":
            self._look_for_strays()
            self.kill_all()
            _tell(given[0], b"clean" if rooms.untouched(self.setup) else b"used")
            given = []
        elif operation in {"put", "get"}:
            try:
                child = commands.transfer(self.setup, message["path"], given[0], writing=operation == "put")
            except OSError:
                _tell(given[1], b"exit 1 0")
            else:
                self.running[child] = (0, given[1])
            given = given[:1]
        for handle in given:
            posix.close(handle)

    def _look_for_strays(self) -> None:
        try:
            if commands.strays(self.running):
                self.say('{"strays":true}')
        except OSError:
            return  # without /proc nobody can tell

    def kill_all(self) -> None:
        """Kill every process but this one, and collect them all. A process that is being killed cannot fork."""
        while True:
            try:
                posix.kill(-1, 9)
            except ProcessLookupError:
                pass
            try:
                child, status, usage = posix.wait4(-1, 0)
            except ChildProcessError:
                return
            known = self.running.pop(child, None)
            if known is not None:
                _tell(known[1], b"exit %d %d" % (posix.waitstatus_to_exitcode(status), usage.ru_maxrss))

    def _start(self, message: dict[str, Any], given: list[int]) -> None:
        status, *handles = given
        try:
            child, listener = commands.start(self.setup, message, handles)
        except commands.Become:
            self.control.detach()
            raise
        except OSError as error:
            word = "fault" if isinstance(error, commands.Fault) else "fail"
            _tell(status, f"{word} {error}".encode("utf-8", "replace"))
        else:
            self.running[child] = (message["id"], status)
            if not listener:
                self.say('{"deaf":true}')
                self.spoil()  # nobody would tell
            else:
                self.listeners.add(listener)
                self.poll.register(listener, select.POLLIN)
        for handle in handles:
            posix.close(handle)

    def _kill(self, command: int) -> None:
        """Kill a command: everything when it is the only one, else its session's first process group."""
        for child, (known, _) in self.running.items():
            if known == command:
                try:
                    posix.kill(-1 if len(self.running) == 1 else -child, 9)
                except OSError:
                    continue

    def _terminate(self, command: int) -> None:
        """Ask a command to end: its session's first process group."""
        for child, (known, _) in self.running.items():
            if known == command:
                try:
                    posix.kill(-child, 15)
                except OSError:
                    continue

    def serve(self, wake: int) -> None:
        """Work until the control socket closes."""
        self.poll.register(self.control.fileno(), select.POLLIN)
        self.poll.register(wake, select.POLLIN)
        while True:
            for handle, events in self.poll.poll():
                if handle == wake:
                    posix.read(wake, 4096)
                elif handle in self.listeners:
                    if events & select.POLLIN:
                        watch.answer(handle, self.note, self.spoil)
                    else:
                        self.poll.unregister(handle)
                        self.listeners.discard(handle)
                        posix.close(handle)
                elif handle == self.control.fileno():
                    self.obey()
            self.reap()


def _tell(handle: int, line: bytes) -> None:
    try:
        posix.write(handle, line)
    except OSError:
        pass
    posix.close(handle)


def _connect(port: int, reply: int) -> None:
    """Begin a connection inside and hand the socket out; the host waits for it."""
    with_reply = _socket.socket(fileno=posix.dup(reply))
    connecting = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    connecting.setblocking(False)
    code = connecting.connect_ex(("127.0.0.1", port))
    text = b"ok" if code in {0, errno.EINPROGRESS} else b"no"
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, connecting.fileno().to_bytes(4, sys.byteorder))]
    try:
        with_reply.sendmsg([text], rights if text == b"ok" else [])
    except OSError:
        pass
    connecting.close()
    with_reply.close()


def main(control: int) -> None:
    """Set the sandbox up as the first message says, then serve."""
    control = beginning.tidy_descriptors(control)
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    kernel.forbid_dumping()
    agent = Agent(_socket.socket(fileno=control))
    agent.setup, groups = agent.receive()
    setup = agent.setup
    setup["mapping"] = groups.pop() if setup["mapped"] else -1
    setup["groups"] = groups
    for name in ("filter", "plain_filter"):
        setup[name] = kernel.Program(setup[name])
    how = rooms.furnish(setup)
    kernel.drop_bounding_set()
    if setup["root"]:
        kept = (kernel.CAP_KILL, kernel.CAP_SETGID, kernel.CAP_SETUID, kernel.CAP_SYS_PTRACE)
    else:
        kept = (kernel.CAP_SYS_PTRACE,)
    try:
        kernel.keep_capabilities(*kept, kernel.CAP_CHECKPOINT_RESTORE)
    except OSError:
        kernel.keep_capabilities(*kept)
    kernel.forbid_dumping()
    read_end, write_end = posix.pipe2(posix.O_CLOEXEC | posix.O_NONBLOCK)
    _signal.set_wakeup_fd(write_end)
    _signal.signal(_signal.SIGCHLD, lambda number, frame: None)
    for name in setup["preload_modules"]:
        __import__(name)
    if setup["preload"]:
        beginning.preload(setup["preload"])
    rooms.remember_counts(setup)
    # A collection in a forked command would touch, and so copy, every page that holds an object of this process.
    gc.freeze()
    gc.enable()
    agent.say_ready(how)
    agent.serve(read_end)
