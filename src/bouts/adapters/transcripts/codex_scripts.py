"""Scripts in which Codex calls its tools: the calls that stand in them."""

from __future__ import annotations

import re

from bouts.adapters.transcripts import calls, patches
from bouts.adapters.transcripts.acts import Act, of_line

_TOOL = re.compile(r"tools\.(\w+)\(")
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`")
_COMMAND = re.compile(r"\b(?:cmd|command)\s*:\s*(\[[^\]]{0,20000}\]|[\"'`])")
_NESTED_MOST = 50


def acts_of(source: str) -> list[Act]:
    """The calls in a script that calls tools itself."""
    found: list[Act] = []
    starts = [match for _, match in zip(range(_NESTED_MOST), _TOOL.finditer(source), strict=False)]
    for at, match in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(source)
        body = source[match.end() : end]
        if match[1] == "apply_patch":
            said = _STRING.search(body)
            patch = _unescaped(next((g for g in said.groups() if g is not None), "")) if said else ""
            found += [Act(e.change, e.path, e.lines, e.basis) for e in patches.apply_patch(patch)] or [
                Act("edit", None)
            ]
            continue
        command = _COMMAND.search(body)
        if match[1] in ("exec_command", "shell", "shell_command") and command is not None:
            strings = [next(g for g in m.groups() if g is not None) for m in _STRING.finditer(body, command.start(1))]
            words = strings if command[1].startswith("[") else strings[:1]
            if command[1].startswith("["):
                inside = command[1]
                words = [next(g for g in m.groups() if g is not None) for m in _STRING.finditer(inside)]
            line = calls.joined([_unescaped(w) for w in words]) if len(words) > 1 else _unescaped("".join(words))
            found += of_line(line)[0]
            continue
        found += calls.acts(match[1], {})
    return found


def _unescaped(said: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), said, flags=re.DOTALL)
