"""Which operation a tool's name stands for."""

from __future__ import annotations

import re

from bouts.adapters.transcripts import acts
from bouts.model.session import Operation

_NAMES: dict[Operation, tuple[str, ...]] = {
    "read": ("read_file", "read", "view", "view_file", "open_file", "open", "cat", "read_files", "read_many_files"),
    "edit": (
        "edit_file",
        "edit",
        "multi_edit",
        "multiedit",
        "str_replace",
        "replace",
        "apply_patch",
        "apply_diff",
        "patch",
        "insert",
        "update_file",
        "delete_file",
        "search_replace",
    ),
    "create": ("create_file", "write_file", "create", "write", "new_file", "save_file"),
    "search": (
        "search",
        "search_files",
        "search_code",
        "codebase_search",
        "grep",
        "grep_search",
        "ripgrep",
        "rg",
        "glob",
        "find",
        "find_files",
        "find_file",
        "file_search",
        "list_files",
        "list_dir",
        "list_directory",
        "ls",
    ),
    "run": (
        "run",
        "bash",
        "shell",
        "sh",
        "terminal",
        "run_command",
        "run_shell_command",
        "run_terminal_cmd",
        "execute",
        "execute_command",
        "execute_bash",
        "execute_code",
        "exec",
        "command",
        "python",
    ),
    "test": ("run_tests", "run_test", "test", "pytest"),
    "message": ("message", "say", "think"),
}
_OPERATIONS: dict[str, Operation] = {name: operation for operation, names in _NAMES.items() for name in names}


def operation(tool: str, target: str | None) -> Operation:
    """The operation of a tool call: by the tool's name, and for a command by whether it runs tests."""
    found = _OPERATIONS.get(re.sub(r"[\s.-]+", "_", tool.strip().lower()), "other")
    if found == "run" and target and any(act.operation == "test" for act in acts.of_line(target)[0]):
        return "test"
    return found
