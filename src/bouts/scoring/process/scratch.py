"""Which files of a session are the agent's own tools and scratch work, and which commands only keep house."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from bouts.model.session import SessionEvent
from bouts.scoring.process.trace import base

Use = Literal["check", "change", "aside"]
"""What a file of the agent's own is for: to show or check something, to change other files, or to be put aside."""

_RECORDS = re.compile(
    r"\s*(?:git\s+(?:-C\s+\S+\s+)?(?:init|add|commit|push|rm)|(?:python[\d.]*\s+-m\s+)?pip[\d.]*\s+install|pgrep|ps)\b"
)
"""Commands that record, install or wait, and those that only show how that went."""
_STATE = re.compile(
    r"\s*(?:git\s+(?:-C\s+\S+\s+)?(?:status|log|ls-files|diff\s+(?:--cached|--staged))|(?:python[\d.]*\s+-m\s+)?pip[\d.]*"
    r"\s+(?:list|show|freeze)|ls)\b"
)
_ASKS = re.compile(
    r"\s*(?:\w+=\S*\s+)*(?:npx\s+)?[\w./~-]+(?:\s+[\w-]+)?\s+(?:--version|--help|-h|-V|version)"
    r"(?:\s+2>&1)?\s*(?:\|.*)?\Z"
)
_BACKGROUND = re.compile(r"/tasks/\w+\.output\Z")
_WRITES = frozenset({"edit", "create"})
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_OPEN = re.compile(r"(?<![\w'\"])[\"'][^'\"].*\Z", re.DOTALL)
_SEPARATOR = re.compile(r"&&|\|\||[;\n]|\\n")
_CHECKS = re.compile(
    r"(?:test|repro|reproduc\w*|debug|verify|check|scratch)(?:[_-].*|\d*)?\.\w+\Z"
    r"|.*[_-](?:test|repro|debug|check)\.\w+\Z",
    re.IGNORECASE,
)
_CHANGES = re.compile(r"(?:fix|patch|update|apply|modify|replace|rewrite)(?:[_-].*|\d*)?\.\w+\Z", re.IGNORECASE)
_ASIDE = re.compile(r"\.(?:bak|backup|orig|fixed|old|save|patch|diff)\Z|(?:\A|/)(?:patch|diff)\.txt\Z", re.IGNORECASE)
_TEST_FOLDER = re.compile(r"(?:\A|/)(?:tests?|specs?|__tests__|testing|t)/")
_RUNS = re.compile(
    r"(?<![\w.-])(?:python[\d.]*|node|tsx|ts-node|bun|deno run|ruby|php|perl|bash|sh|go run|uv run)\b[^&|;]*"
    r"|(?:\A|[;&|\n(]|\\n)[ \t]*(?:\./|/)[^\s&|;]+[^&|;\n]*"
)
_REMOVAL = re.compile(r"(?:\A|[;&|\n]|\\n)[ \t]*(?:git[ \t]+)?(?:rm|unlink)[ \t][^;&|\n]*")
_MAKING = re.compile(
    r"\s*(?:(?:npx|bunx|pnpm dlx|yarn dlx)(?: -\S+)* (?:@[\w-]+/)?create-[\w-]+|(?:npm|pnpm|yarn|bun) create\b"
    r"|(?:npm|pnpm|yarn|bun)\s+(?:init|pkg\s+set)\b|cargo\s+(?:new|init)\b|go\s+mod\s+init\b|uv\s+init\b"
    r"|poetry\s+(?:new|init)\b"
    r"|(?:django-admin|(?:python[\d.]*\s+)?manage\.py)\s+(?:startproject|startapp|makemigrations)\b"
    r"|rails\s+(?:new|g|generate)\b"
    r"|(?:ng|nest|dotnet|flutter)\s+(?:new|create|generate|g)\b|npx\s+(?:shadcn\S*|sb)\s+(?:init|add)\b)"
)
"""Commands that make files of the result: new projects, and parts of them."""
_FOLDER = re.compile(r"\s*mkdir\b((?:\s+[^\s;&|]+)+)")
_CHORE = re.compile(
    r"\s*(?:"
    r"git\s+(?:-C\s+\S+\s+)?(?:add|commit|push|pull|fetch|tag|init|clone|config|merge|rebase|switch"
    r"|branch(?!\s+-[avr])|remote(?!\s+(?:-v|show|get-url))"
    r"|rm\s+(?:-\S+\s+)*--cached|reset\s+HEAD)\b"
    r"|rm\s+-\w*r\w*\s+(?:(?:\S*/)?(?:node_modules|package-lock\.json|dist|build|target|\.next|\.?venv"
    r"|__pycache__|\S*cache)"
    r"/?(?:\s+|\Z))+\Z"
    r"|gh\s+(?:pr|release|repo|issue|auth)\b|git\s+ls-remote\b|ssh\s[^|;&]*\bgit@"
    r"|(?:winget|choco|scoop)\s+(?:install|uninstall|upgrade)\b"
    r"|(?:python[\d.]*\s+-m\s+)?pip[\d.]*\s+(?:install|uninstall|download)\b"
    r"|uv\s+(?:sync|add|remove|venv|lock|pip\s+install)\b|poetry\s+(?:install|add|lock)\b|conda\s+(?:install|create)\b"
    r"|(?:npm|pnpm|yarn|bun)\s+(?:install|ci|i|add|publish|version|link)\b"
    r"|(?:npm|pnpm|yarn|bun)\s+run\s+(?:publish|release|version)\b"
    r"|(?:sudo\s+)?(?:apt|apt-get|brew|dnf|yum|apk)\b|cargo\s+(?:add|publish|fetch)\b|go\s+(?:get|mod)\b"
    r"|(?:cd|pushd|popd|mkdir|chmod|chown|export|source|\.|sleep|date|echo|true|clear|code|open|kill|pkill|taskkill|touch"
    r"|pgrep|ps|jobs|wait|tasklist)\b"
    r"|(?:python[\d.]*\s+-m\s+venv)\b"
    r")"
)


def is_chore(line: str) -> bool:
    """Whether a shell line only installs, records, publishes, waits or prepares: no part of it looks or checks."""
    parts = _parts(line)
    recorded = any(_RECORDS.match(part) for part in parts)
    return bool(parts) and all(_CHORE.match(part) or (recorded and _STATE.match(part)) for part in parts)


def is_making(line: str) -> bool:
    """Whether a part of a shell line makes files of the result, as commands that begin a project do."""
    return any(_MAKING.match(piece) for part in _parts(line) for piece in part.split("|"))


def is_question(line: str) -> bool:
    """Whether a shell line does nothing but ask a program for its version or how it is used."""
    parts = [part for part in _parts(line) if not _CHORE.match(part)]
    return bool(parts) and all(_ASKS.match(part) for part in parts)


def is_state(line: str) -> bool:
    """Whether a command only shows how recording or installing went."""
    return bool(_STATE.match(line))


def is_progress(path: str) -> bool:
    """Whether a file is the output of a command that was sent to the background: looking at it is waiting."""
    return bool(_BACKGROUND.search(path))


def folders(events: Sequence[SessionEvent]) -> set[int]:
    """Commands that do nothing but make folders in which the session then writes files."""
    found: set[int] = set()
    written: set[str] = set()
    for event in reversed(events):
        if event.operation in _WRITES:
            written.update((event.target or "").replace("\\", "/").split("/")[:-1])
        elif event.operation == "run":
            parts = [part for part in _parts(event.target or "") if not part.strip().startswith("cd ")]
            made = [match for part in parts if (match := _FOLDER.match(part)) is not None]
            if parts and len(made) == len(parts):
                names = {base(name.rstrip("/")) for match in made for name in match[1].split()}
                found.update([event.sequence] if names & written else [])
    return found


def _parts(line: str) -> list[str]:
    # A quote that stands open in a line that was cut goes on to its end.
    bare = _OPEN.sub("", _QUOTED.sub("''", line)) if line.endswith("…") else _QUOTED.sub("''", line)
    return [part for part in _SEPARATOR.split(bare) if part.strip()]


def own_files(events: Sequence[SessionEvent]) -> dict[str, Use]:
    """The agent's own files by base name, with what each is for.

    One is a file that the session created outside a folder for tests and then removed, or ran as a script, by a name
    that says what it is for; or one whose name says that it is a copy or a patch put aside. What was read before it
    was written is none: it was there.
    """
    lines = {event.sequence: event.command or event.target or "" for event in events}
    removed, ran = set[str](), list[str]()
    for event in events:
        line = event.command or lines.get(event.within or 0, "")
        if is_removal(event, line):
            removed.add(base(event.target or ""))
        elif event.operation in ("run", "test"):
            ran += _RUNS.findall(event.target or "")
    scripts = {base(word) for run in ran for word in run.split()[1:]}
    found: dict[str, Use] = {}
    there: set[str] = set()
    for event in events:
        path = event.target or ""
        name = base(path)
        if event.operation in ("read", "edit") and event.status != "error" and name not in found:
            there.add(name)
        if event.operation == "create" and name and name not in found and name not in there:
            use = _use(path, name, name in removed, name in scripts)
            if use is not None:
                found[name] = use
    return found


def is_removal(event: SessionEvent, line: str) -> bool:
    """Whether an event stands for a file that a shell line removed."""
    name = base(event.target or "")
    return event.operation in _WRITES and any(name in removal for removal in _REMOVAL.findall(line))


def is_aside(path: str) -> bool:
    """Whether a name says that the file is a copy or a patch put aside."""
    return bool(_ASIDE.search(path))


def _use(path: str, name: str, removed: bool, ran: bool) -> Use | None:
    if is_aside(path):
        return "aside"
    if _TEST_FOLDER.search(path) and not removed:
        return None
    if ran and _CHANGES.match(name):
        return "change"
    if (removed or ran) and _CHECKS.match(name):
        return "check"
    return "check" if removed else None
