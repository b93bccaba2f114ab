"""Whether submitted code starts at the boundaries that its challenge declares."""

from __future__ import annotations

from typing import Any, cast

from bouts.adapters.runners.python.boundary import Crashed
from bouts.adapters.runners.python.calls.session import CallsBoundary, CallsWorker
from bouts.adapters.runners.python.plan import plan_for
from bouts.adapters.runners.python.seats import Watchdog
from bouts.adapters.runners.python.text import escape
from bouts.errors import SandboxFault
from bouts.model.running import StartReport, Target
from bouts.model.sandbox import Look
from bouts.ports import Sandboxes


def starts(target: Target, sandboxes: Sandboxes, folder: str) -> StartReport:
    """Try every declared boundary in a sandbox of its own. Raises `SandboxFault`."""
    reports: list[StartReport] = []
    plan = plan_for(target, Look())
    if target.interface.calls is not None:
        reports.append(_modules_import(target, sandboxes, folder))
    if target.interface.http is not None:
        from bouts.adapters.runners.python.http import service_starts

        reports.append(service_starts(target, sandboxes, plan))
    if target.interface.cli is not None:
        from bouts.adapters.runners.python.cli import command_starts

        reports.append(command_starts(target, sandboxes, plan))
    failed = [report for report in reports if not report.ok]
    return StartReport(ok=not failed, detail="; ".join(report.detail for report in failed or reports))


def _modules_import(target: Target, sandboxes: Sandboxes, folder: str) -> StartReport:
    try:
        return _try_import(target, sandboxes, folder)
    except SandboxFault:
        return _try_import(target, sandboxes, folder)


def _try_import(target: Target, sandboxes: Sandboxes, folder: str) -> StartReport:
    boundary = CallsBoundary(target, Look(), folder)
    calls = target.interface.calls
    assert calls is not None
    sandbox = sandboxes.create(boundary.plan())
    dog = Watchdog(sandbox, target.limits.test_seconds)
    try:
        return imports(boundary.prepare(sandbox), calls.modules, dog, target.limits.test_seconds)
    finally:
        dog.stop()
        sandbox.destroy()


def imports(worker: CallsWorker, modules: tuple[str, ...], dog: Watchdog, limit: float) -> StartReport:
    """Whether a worker can import the public modules before the watchdog bites. Raises `SandboxFault`."""
    try:
        failed = worker.link.ask("import", None, list(modules))
        if type(failed) is not dict:
            raise worker.link.broken("the answer to an import was no table")
    except (Crashed, SandboxFault) as error:
        if dog.expired:
            return StartReport(ok=False, detail=f"importing the public modules did not end within {limit:g} s")
        if isinstance(error, SandboxFault):
            raise
        return StartReport(ok=False, detail=str(error))
    said = "; ".join(f"{name}: {reason}" for name, reason in cast("dict[Any, Any]", failed).items())
    return StartReport(ok=not said, detail=escape(said, 2000) if said else f"{', '.join(modules)} can be imported")
