"""bandit, in-process. Import this module only in a child that may be lost."""

from __future__ import annotations

import importlib
import logging
from pathlib import Path
from typing import Any

from bouts.adapters.scanners.rows import Row
from bouts.policy.weaknesses import IGNORED_RULES

_manager: Any = importlib.import_module("bandit.core.manager")
_config: Any = importlib.import_module("bandit.core.config")
_IGNORED = ["B" + number for number in IGNORED_RULES]
_CONSTANT_COMMAND = frozenset({"B602", "B605"})
"""Rules whose rows of low severity are commands with no part that could be injected."""


class Bandit:
    """A scanner with no configuration; comments that silence it have no effect."""

    def __init__(self) -> None:
        logging.disable(logging.CRITICAL)
        self._manager: Any = _manager.BanditManager(
            _config.BanditConfig(), "file", quiet=True, profile={"exclude": _IGNORED}, ignore_nosec=True
        )

    def read(self, root: Path, path: str) -> tuple[list[Row], str]:
        """The rows of one file, and why it could not be read (empty where it could)."""
        manager = self._manager
        skipped: list[tuple[str, str]] = []
        issues: list[Any] = []
        manager.results, manager.skipped, manager.scores = issues, skipped, []
        manager.files_list = [str(root / path)]
        manager.run_tests()
        if skipped:
            return [], str(skipped[0][1])
        return [_row(issue, path) for issue in issues if not _harmless(issue)], ""


def _harmless(issue: Any) -> bool:
    return issue.test_id in _CONSTANT_COMMAND and issue.severity == "LOW"


def _row(issue: Any, path: str) -> Row:
    lines: list[int] = [int(issue.lineno), *issue.linerange]
    return Row(
        tool="bandit",
        rule=str(issue.test_id),
        path=path,
        line=int(issue.lineno),
        start=min(lines),
        end=max(lines),
        message=str(issue.text),
        severity=str(issue.severity).lower(),
        confidence=str(issue.confidence).lower(),
        cwe=f"CWE-{issue.cwe.id}" if issue.cwe.id else "",
    )
