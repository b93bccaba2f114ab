"""What is asked of a sandbox and what it answers. Paths are strings: facts do not touch the file system."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact

EndKind = Literal["exit", "timeout", "oom", "output_limit", "killed", "sandbox_error"]


class Mount(Fact):
    """A folder or file of the host, shown read-only inside."""

    source: str
    target: str


class SandboxLimits(Fact):
    """Limits of the whole process tree in the sandbox."""

    memory_bytes: int = 512 << 20
    processes: int = 64
    disk_bytes: int = 64 << 20
    """Everything that can be written anywhere, together."""
    inodes: int = 20_000
    output_bytes: int = 1 << 20
    """Standard output and standard error of one command, together."""
    open_files: int = 256
    cpu_seconds: int = 600


class Look(Fact):
    """How the sandbox looks from inside. Two looks must give the same answers."""

    user: str = "agent"
    host: str = "workspace"
    home: str = "/home/agent"
    workspace: str = "/work"
    variables: dict[str, str] = {}
    clock_offset_seconds: int = 0
    """Kept for backends that can shift the clock; 0 where the backend cannot."""


class SandboxPlan(Fact):
    """A sandbox to be made."""

    workspace: str | None
    """Host folder that appears at `look.workspace` with a fresh copy-on-write layer above it."""
    mounts: tuple[Mount, ...] = ()
    limits: SandboxLimits = SandboxLimits()
    variables: dict[str, str] = {}
    look: Look = Look()
    decoys: str | None = None
    """Host folder with decoy files, shown where hidden tests might be expected."""
    preload: str | None = None
    """A bytecode file of ours, seen inside, that the sandbox's own interpreter runs once; forked commands find what it
    imported."""
    preload_modules: tuple[str, ...] = ()
    """Modules of the standard library that it imports, too."""


class Command(Fact):
    """What to run inside: an argument vector, never a shell string."""

    argv: Annotated[tuple[str, ...], Field(min_length=1)]
    """`python` as the first word means the sandbox's Python."""
    cwd: str | None = None
    """The workspace by default."""
    variables: dict[str, str] = {}
    forked: bool = False
    """Run a bytecode file of ours, `("python", PATH, …)`, in a fork of the sandbox's own interpreter: it starts in a
    fraction of the time. Its flags are those of `-I -S -E -B`."""
    seconds: Annotated[float, Field(gt=0)] = 10.0


class Ended(Fact):
    """How a command ended."""

    kind: EndKind
    status: int | None = None
    """Exit status, or minus the signal's number."""
    seconds: float
    stdout: bytes = b""
    stderr: bytes = b""
    detail: str = ""


class NetworkAttempt(Fact):
    """A connection or datagram that the code tried to send somewhere."""

    family: str
    address: str
    allowed: bool
    """True for the sandbox's own loopback and its own unix sockets."""


class SandboxReport(Fact):
    """What the watchers of one sandbox saw until it was destroyed."""

    network: tuple[NetworkAttempt, ...] = ()
    network_level: Literal["complete", "partial", "none"] = "none"
    decoy_reads: tuple[str, ...] = ()
    """Decoy files whose content was opened."""
    decoy_level: Literal["complete", "partial", "none"] = "none"
    memory_peak_bytes: int | None = None
    memory_level: Literal["complete", "partial", "none"] = "none"
    """`complete`: the kernel bounds and measures the tree; `partial`: each process alone."""
    oom: bool = False
    processes_denied: bool = False
    """Whether the process limit was hit, where that can be known."""
    processes_left: bool = False
    """Whether processes that had outlived their command, or had left its session, were ended with the sandbox."""


class ProbeItem(Fact):
    """One thing that a backend needs."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


class Probe(Fact):
    """What a backend can do on this machine."""

    backend: str
    usable: bool
    items: tuple[ProbeItem, ...]
