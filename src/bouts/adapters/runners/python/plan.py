"""The sandbox that submitted code runs in: the staged workspace, the challenge's dependencies, limits and variables."""

from __future__ import annotations

from bouts.model.running import Target
from bouts.model.sandbox import Look, Mount, SandboxLimits, SandboxPlan

ENVIRONMENT = "/opt/env"
"""Where the installed dependencies are seen inside."""


def plan_for(target: Target, look: Look) -> SandboxPlan:
    """The plan for a sandbox with this code in it.

    Dependencies are on `PYTHONPATH`, after what the challenge itself puts there; bytecode is never written.
    """
    variables = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", **target.variables}
    mounts: tuple[Mount, ...] = ()
    if target.environment is not None:
        mounts = (Mount(source=target.environment, target=ENVIRONMENT),)
        given = variables.get("PYTHONPATH")
        variables["PYTHONPATH"] = f"{given}:{ENVIRONMENT}" if given else ENVIRONMENT
    limits = target.limits
    return SandboxPlan(
        workspace=target.workspace,
        mounts=mounts,
        limits=SandboxLimits(
            memory_bytes=limits.memory_mb << 20,
            processes=limits.processes,
            disk_bytes=limits.disk_mb << 20,
            output_bytes=limits.output_kb << 10,
        ),
        variables=variables,
        look=look,
        decoys=target.decoys,
    )
