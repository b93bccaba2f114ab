"""Runs, built by hand."""

from __future__ import annotations

from typing import Any

from bouts.model.run import Run


def run(success: bool | None = True, **changes: Any) -> Run:
    fields: dict[str, Any] = {"task": "t", "ended": 0.0, "status": "completed", "latency_ms": 1000.0, "cost_usd": 0.01}
    return Run(**{**fields, "success": success, **changes})
