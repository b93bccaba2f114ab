"""Starts bubblewrap and waits until the agent inside has set the sandbox up."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from bouts.errors import SandboxFault
from bouts.hosts.deadlines import readable

_SECONDS = 20.0


@dataclass(slots=True)
class Started:
    """A bubblewrap that runs."""

    process: subprocess.Popen[bytes]
    first: int
    """Descriptor of the process that is number 1 inside."""
    control: socket.socket
    complaints: int
    """Memory file with what bubblewrap and the agent wrote to standard error."""


def launch(binary: Path, arguments: list[str], python: str, starter: Executor) -> Started:
    """Start bubblewrap with our agent. Raises SandboxFault."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    told = os.memfd_create("arguments", os.MFD_CLOEXEC)
    complaints = os.memfd_create("complaints", os.MFD_CLOEXEC)
    info_r, info_w = os.pipe2(os.O_CLOEXEC)
    try:
        try:
            os.write(told, b"\0".join(os.fsencode(item) for item in arguments) + b"\0")
            os.lseek(told, 0, os.SEEK_SET)
            argv = [str(binary), "--args", str(told), "--info-fd", str(info_w), "--"]
            argv += [python, "-I", "-S", "-E", "-B", "/opt/init", str(theirs.fileno())]
            spawn = _spawner(argv, complaints, (told, info_w, theirs.fileno()))
            process = starter.submit(spawn).result()
        finally:
            theirs.close()
            os.close(told)
            os.close(info_w)
        return Started(process, _first_process(info_r, process, complaints), ours, complaints)
    except BaseException as error:
        os.close(complaints)
        ours.close()
        if isinstance(error, OSError):
            raise SandboxFault(f"bubblewrap could not be started: {error}", hint="run `bouts doctor`") from error
        raise
    finally:
        os.close(info_r)


def _spawner(argv: list[str], complaints: int, passed: tuple[int, ...]) -> Callable[[], subprocess.Popen[bytes]]:
    def spawn() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            pass_fds=passed,
            env={},
            cwd="/",
            # An interrupt at the terminal is for the host, which then ends its sandboxes in order.
            start_new_session=True,
        )

    return spawn


def _complaint(complaints: int) -> str:
    return os.pread(complaints, 4000, 0).decode("utf-8", "replace").strip() or "no reason was given"


def _first_process(info: int, process: subprocess.Popen[bytes], complaints: int) -> int:
    """A descriptor of the process that becomes number 1 inside."""
    text = b""
    while readable(info, _SECONDS) and (block := os.read(info, 4096)):
        text += block
        if b"}" in text:
            break
    try:
        return os.pidfd_open(int(json.loads(text)["child-pid"]))
    except (ValueError, KeyError, OSError) as error:
        process.kill()
        process.wait()
        raise SandboxFault(
            "bubblewrap could not start: " + _complaint(complaints), hint="run `bouts doctor`"
        ) from error


def await_ready(control: socket.socket, complaints: int) -> tuple[str, int]:
    """How the agent made the workspace, and the mapping of owners that it used, or -1. Raises SandboxFault."""
    line, handles = b"", []
    if readable(control.fileno(), _SECONDS):
        with contextlib.suppress(OSError):
            line, handles, _, _ = socket.recv_fds(control, 4096, 1)
    if not line:
        raise SandboxFault("the sandbox could not be set up: " + _complaint(complaints), hint="run `bouts doctor`")
    return str(json.loads(line)["ready"]), handles[0] if handles else -1
