"""What a sandbox needs from the machine, tried in a real sandbox rather than guessed."""

from __future__ import annotations

import os
import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bouts.adapters.sandboxes import cgroups, decoys, find, seccomp
from bouts.errors import BoutsError
from bouts.hosts import crowded
from bouts.model.sandbox import Command, Ended, Probe, ProbeItem, SandboxPlan, SandboxReport

if TYPE_CHECKING:
    from bouts.adapters.sandboxes.bubblewrap import Bubblewrap

_NAME = "bubblewrap"
# Reads a decoy, tries to reach an address that nobody has, and writes over a file of the workspace.
_TRIAL = (
    "import os, socket\n"
    "open('/tests/test_hidden.py').read()\n"
    "open('given.txt', 'a').write('more')\n"
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect_ex(('192.0.2.1', 9))\n"
    "print(os.path.isdir('/proc/self'))\n"
)


def probe(backend: Bubblewrap, binary: Path | None, mode: find.Mode) -> Probe:
    """Try what a sandbox needs. Never raises for what is missing; `usable` says whether sandboxes can be made."""
    if platform.system() != "Linux" or not seccomp.supported(platform.machine()):
        return Probe(backend=_NAME, usable=False, items=(_elsewhere(),))
    try:
        found, root = find.choose(binary, mode)
    except BoutsError as error:
        item = ProbeItem(name=_NAME, ok=False, detail=error.message, remedy=error.hint or "")
        return Probe(backend=_NAME, usable=False, items=(item,))
    items = [
        ProbeItem(name=_NAME, ok=True, detail=str(found)),
        ProbeItem(name="privileges", ok=True, detail="root, dropped inside" if root else "user namespace"),
    ]
    try:
        with tempfile.TemporaryDirectory() as folder:
            items += _trial(backend, Path(folder))
    except BoutsError as error:
        items.append(ProbeItem(name="trial sandbox", ok=False, detail=error.message, remedy=error.hint or ""))
        return Probe(backend=_NAME, usable=False, items=tuple(items))
    items += [_memory(), _time()]
    usable = all(item.ok for item in items if item.name in {_NAME, "trial sandbox"})
    return Probe(backend=_NAME, usable=usable, items=tuple(items))


def _elsewhere() -> ProbeItem:
    return ProbeItem(
        name="platform",
        ok=False,
        detail=f"{platform.system()} on {platform.machine()}: sandboxes need Linux on x86-64 or 64-bit ARM",
        remedy="run Bouts in a Linux virtual machine or container to grade; stored cards can be shown, verified, "
        "compared and scored again here",
    )


def _trial(backend: Bubblewrap, folder: Path) -> list[ProbeItem]:
    workspace = folder / "given"
    workspace.mkdir()
    (workspace / "given.txt").write_text("given", encoding="utf-8")
    decoys.write(folder / "decoys")
    sandbox = backend.create(SandboxPlan(workspace=str(workspace), decoys=str(folder / "decoys")))
    try:
        ended = sandbox.exec(Command(argv=("python", "-I", "-S", "-c", _TRIAL), seconds=20))
    finally:
        report = sandbox.destroy()
    return [_ran(ended), _workspace(sandbox.workspace_by), _proc(ended), _network(report), _reads(report)]


def _ran(ended: Ended) -> ProbeItem:
    fine = ended.kind == "exit" and ended.status == 0
    detail = (
        "Python runs inside" if fine else ended.detail or ended.stderr.decode("utf-8", "replace")[-300:] or ended.kind
    )
    remedy = "" if fine else "use an interpreter that other users may read, with its standard library below its prefix"
    return ProbeItem(name="trial sandbox", ok=fine, detail=detail, remedy=remedy)


def _workspace(how: str) -> ProbeItem:
    if how == "overlay":
        return ProbeItem(name="workspace", ok=True, detail="copy-on-write by overlay")
    if how == "owned overlay":
        return ProbeItem(
            name="workspace",
            ok=False,
            detail="copy-on-write by overlay; owners are changed file by file, which is slow for thousands of files",
            remedy="a kernel from 5.19 on, and scratch folders on a file system that can map owners (ext4, xfs, btrfs)",
        )
    return ProbeItem(
        name="workspace",
        ok=False,
        detail="each sandbox copies the workspace, which is slower and counts against its disk limit",
        remedy="a kernel from 5.11 on allows overlays in user namespaces",
    )


def _proc(ended: Ended) -> ProbeItem:
    there = ended.stdout.startswith(b"True")
    return ProbeItem(
        name="/proc",
        ok=there,
        detail="mounted inside"
        if there
        else "this container masks /proc, so there is none inside; some programs miss it",
        remedy="" if there else "start the container with an unmasked /proc (--security-opt systempaths=unconfined)",
    )


def _network(report: SandboxReport) -> ProbeItem:
    seen = any(attempt.address.startswith("192.0.2.1") for attempt in report.network)
    return ProbeItem(
        name="network log",
        ok=seen,
        detail="attempts are blocked and logged" if seen else "attempts are blocked but cannot be logged",
        remedy="" if seen else "needs seccomp user notification (kernel 5.6 or newer, not already used by a container)",
    )


def _reads(report: SandboxReport) -> ProbeItem:
    seen = bool(report.decoy_reads)
    return ProbeItem(
        name="decoys",
        ok=seen,
        detail="reads are seen" if seen else "reads of decoys cannot be seen",
        remedy="" if seen else "raise fs.inotify.max_user_instances and max_user_watches",
    )


def _memory() -> ProbeItem:
    places = cgroups.find()
    if places is not None:
        return ProbeItem(name="control groups", ok=True, detail=f"version {places.version} at {places.memory}")
    scope = "systemd-run --user --scope -p Delegate=yes -- bouts …"
    return ProbeItem(
        name="control groups",
        ok=False,
        detail="memory is bounded for each process alone and its peak is not measured",
        remedy="run as root" if os.path.exists("/sys/fs/cgroup/memory") else f"start it as `{scope}`",  # noqa: PTH110
    )


def _time() -> ProbeItem:
    told = crowded.tells()
    return ProbeItem(
        name="processors",
        ok=told,
        detail="what other work here takes from a test puts its limit off"
        if told
        else "this kernel does not tell how long processes wait, so other work here may make tests run out of time",
        remedy="" if told else "a kernel with scheduler statistics (CONFIG_SCHED_INFO), or a quiet machine",
    )
