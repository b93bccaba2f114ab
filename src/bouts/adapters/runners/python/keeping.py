"""One sandbox for several suites of the same code: it is renewed and parked while more is to come."""

from __future__ import annotations

import socket

from bouts.model.sandbox import Command, Ended, Probe, SandboxPlan, SandboxReport
from bouts.ports import Running, Sandbox, Sandboxes

# Of a parked sandbox nothing is known until it is destroyed; its levels then count.
_NOTHING_YET = SandboxReport(network_level="complete", decoy_level="complete", memory_level="complete")


class KeptSandboxes:
    """A backend in front of another one. Used for one submission alone."""

    def __init__(self, sandboxes: Sandboxes) -> None:
        self.more = False
        """Whether another suite is to come that a sandbox may serve."""
        self._sandboxes = sandboxes
        self._parked: list[KeptSandbox] = []

    def probe(self) -> Probe:
        """What the backend can do."""
        return self._sandboxes.probe()

    def reap_orphans(self) -> tuple[str, ...]:
        """Clear what dead runs left."""
        return self._sandboxes.reap_orphans()

    def create(self, plan: SandboxPlan) -> KeptSandbox:
        """A parked sandbox of the same plan, which is as good as new, or a new one."""
        for kept in self._parked:
            if kept.plan == plan:
                self._parked.remove(kept)
                return kept
        return KeptSandbox(self, self._sandboxes.create(plan), plan)

    def park(self, kept: KeptSandbox) -> bool:
        """Keep a sandbox if another suite may use it and nothing was left in it."""
        if not self.more or not kept.renew():
            return False
        self._parked.append(kept)
        return True

    def close(self) -> list[SandboxReport]:
        """Destroy what is parked."""
        self.more = False
        parked, self._parked = self._parked, []
        return [kept.destroy() for kept in parked]


class KeptSandbox:
    """A sandbox that is parked rather than destroyed; see `ports.Sandbox`."""

    def __init__(self, keeper: KeptSandboxes, sandbox: Sandbox, plan: SandboxPlan) -> None:
        self.plan = plan
        self._keeper = keeper
        self._sandbox = sandbox

    def put(self, path: str, data: bytes) -> None:
        """As the sandbox."""
        self._sandbox.put(path, data)

    def get(self, path: str, limit: int) -> bytes | None:
        """As the sandbox."""
        return self._sandbox.get(path, limit)

    def start(
        self, command: Command, *, channel: bool = False, stdin: bytes = b"", terminal_fd: int | None = None
    ) -> Running:
        """As the sandbox."""
        return self._sandbox.start(command, channel=channel, stdin=stdin, terminal_fd=terminal_fd)

    def exec(self, command: Command, *, stdin: bytes = b"") -> Ended:
        """As the sandbox."""
        return self._sandbox.exec(command, stdin=stdin)

    def connect(self, port: int, seconds: float) -> socket.socket:
        """As the sandbox."""
        return self._sandbox.connect(port, seconds)

    def waited(self) -> float:
        """As the sandbox."""
        return self._sandbox.waited()

    def kill(self) -> None:
        """As the sandbox."""
        self._sandbox.kill()

    def renew(self) -> bool:
        """As the sandbox."""
        return self._sandbox.renew()

    def destroy(self) -> SandboxReport:
        """Park it, which gives no report yet, or destroy it."""
        return _NOTHING_YET if self._keeper.park(self) else self._sandbox.destroy()
