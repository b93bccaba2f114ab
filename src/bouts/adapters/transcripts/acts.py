"""What a shell line does: its test runs, edits, searches, reads and other commands, each with what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, pairwise

from bouts.adapters.transcripts import patches, shapes, shell
from bouts.adapters.transcripts import words as words_
from bouts.adapters.transcripts.shapes import What
from bouts.adapters.transcripts.shell import Command
from bouts.model.session import Basis, Operation

MOST_FILES = 40
"""Files that one line is told to read or to edit."""
_ORDER = ("test", "edit", "create", "run", "search", "read", "other", "message")
_SCRATCH = ("/tmp/", "/var/tmp/", "/dev/")  # noqa: S108 - told apart, never written
_NO_FILE = re.compile(r"/dev/|&|-\Z|\Z")
_WRITTEN = re.compile(
    r"open\(\s*[rbuf]?(?P<q>['\"])(?P<open>[^'\"\n]{1,400})(?P=q)\s*,\s*(?:mode\s*=\s*)?['\"](?P<mode>[waxr]\+?[bt]*\+?)['\"]"
    r"|Path\(\s*[rf]?['\"](?P<path>[^'\"\n]{1,400})['\"]\s*\)"
    r"|(?:writeFile|appendFile|writeFileSync|appendFileSync)\(\s*['\"`](?P<js>[^'\"`\n]{1,400})['\"`]"
)
_WRITING = re.compile(r"\.write(?:_text|_bytes|lines)?\(|writeFile|appendFile|json\.dump\(|\.unlink\(")
_HEAD = re.compile(r"^[A-Za-z_][\w-]*$")


@dataclass(slots=True)
class Act:
    """One thing that a line does."""

    operation: Operation
    target: str | None
    lines: int | None = None
    basis: Basis | None = None
    ranges: list[tuple[int, int]] | None = None
    runs: int = 0
    """How many test commands it stands for."""
    hidden_exit: bool = False
    """Whether the line's exit status is that of another command."""


@dataclass(slots=True)
class _State:
    folder: str
    """Where the shell stands; empty where the line has not said so."""
    depth: int = 0


def of_line(line: str, folder: str = "") -> tuple[list[Act], str]:
    """The acts of a line in their order, and the folder that the shell is in afterwards."""
    state = _State(folder)
    acts = _line(line, state)
    return _together(acts, line), state.folder


def _line(line: str, state: _State) -> list[Act]:
    acts: list[Act] = []
    for pipeline in _pipelines(shell.commands(line)):
        for before, after in pairwise(pipeline):
            # What a pipe carries, such as a patch, is known where it stands in the line.
            after.heredoc = before.heredoc if after.heredoc is None else after.heredoc
        found = [act for command in pipeline for act in _command(command, line, state)]
        acts += _pipeline(found, len(pipeline) > 1)
    return acts


def _pipelines(commands: list[Command]) -> list[list[Command]]:
    number = 0
    rows: list[tuple[int, Command]] = []
    for command in commands:
        number += not command.piped
        rows.append((number, command))
    return [[command for _, command in group] for _, group in groupby(rows, key=lambda row: row[0])]


def _pipeline(acts: list[Act], several: bool) -> list[Act]:
    """What a pipeline is about: filters behind the first command change nothing but a read into a search."""
    if not several or not acts:
        return acts
    strong = [act for act in acts if act.operation in ("test", "edit", "create")]
    for act in strong:
        act.hidden_exit = act.operation == "test"
    if strong:
        return strong
    runs = [act for act in acts if act.operation == "run"]
    if runs:
        return runs[:1]
    searches = [act for act in acts if act.operation == "search"]
    return searches[:1] or [act for act in acts if act.operation == "read"] or acts[:1]


def _command(command: Command, line: str, state: _State) -> list[Act]:  # noqa: PLR0911 - one case a line
    """The acts of one simple command."""
    words = shapes.normal(command.words)
    written = _redirected(command, words, state)
    if not words:
        return written
    program = words[0]
    if program in shapes.LOOPS:
        return written
    if program in ("cd", "pushd", "Set-Location"):
        state.folder = words_.folder_after(words[1] if len(words) > 1 else "~", state.folder)
        return []
    if shapes.SHELLS.match(program):
        inner = _inner(words, command)
        if inner is not None and state.depth < 3:
            state.depth += 1
            acts = _line(inner, state)
            state.depth -= 1
            return acts + written
    text = line[command.start : command.end].strip()
    patched = _patched(program, words, command, state)
    if patched is not None:
        return patched + written
    what = shapes.what(words)
    if written and what in ("read", "aside", "create", "edit"):
        return written
    return _acts(what, words, text, command, state) + written


def _inner(words: list[str], command: Command) -> str | None:
    """The line that is handed to a shell: after -c and its like, or as a here-document."""
    for i, word in enumerate(words[1:], 1):
        if word in ("-c", "-lc", "-ic", "-lic", "-cl", "-Command", "-command", "/c", "/C", "-ec", "-xc", "-euc"):
            return words[i + 1] if i + 1 < len(words) else None
        if not word.startswith(("-", "/")):
            return None
    return command.heredoc


def _patched(program: str, words: list[str], command: Command, state: _State) -> list[Act] | None:
    """The files of a patch that stands in the line itself."""
    if program in ("apply_patch", "applypatch"):
        text = command.heredoc or " ".join(words[1:])
        return [_edited(edit, state) for edit in patches.apply_patch(text)[:MOST_FILES]] or None
    is_patch = program == "patch" or (program == "git" and "apply" in words[:4])
    if is_patch and command.heredoc:
        return [_edited(edit, state) for edit in patches.unified(command.heredoc)[:MOST_FILES]] or None
    return None


def _edited(edit: patches.Edit, state: _State) -> Act:
    path = None if edit.path is None else words_.resolved(edit.path, state.folder)
    return Act(edit.change, path, edit.lines, edit.basis, edit.ranges)


def _redirected(command: Command, words: list[str], state: _State) -> list[Act]:
    """Files that a command writes by redirection or with tee."""
    program = words[0] if words else ":"
    targets = list(command.writes)
    appends = "-a" in words or "--append" in words
    if program == "tee":
        targets += [(word, appends) for word in words[1:] if not word.startswith("-")]
    elif program not in shapes.WRITERS:
        if program not in shapes.TRANSFORMERS:
            return []
        targets = [row for row in targets if not row[0].startswith(_SCRATCH)]
    acts: list[Act] = []
    for target, appended in targets:
        if _NO_FILE.match(target):
            continue
        content = command.heredoc
        if content is None and program in ("echo", "printf"):
            content = " ".join(word for word in words[1:] if word not in ("-e", "-n", "-ne", "-en")).replace(
                "\\n", "\n"
            )
        lines = None if content is None else len(content.splitlines())
        basis: Basis | None = None if lines is None else ("exact" if appended else "estimated")
        acts.append(Act("edit" if appended else "create", words_.resolved(target, state.folder), lines, basis))
    return acts


def _acts(what: What, words: list[str], text: str, command: Command, state: _State) -> list[Act]:  # noqa: PLR0911 - one case a line
    if what == "aside":
        return [Act("other", text)]
    if what == "test":
        return [Act("test", text, runs=1)]
    if what == "run":
        return _script(words, text, command, state)
    if what == "search":
        return [Act("search", words_.pattern(words) or text)]
    if words[0] == "git":
        kept = words[1:] if len(words) > 1 and words[1] in ("mv", "rm") else []
        names = words_.files(kept)[-1 if words[1:2] == ["mv"] else 0 :] if kept else []
        return [Act("edit", words_.resolved(n, state.folder)) for n in names] if names else [Act(*_git(what, text))]
    files = [words_.resolved(name, state.folder) for name in words_.files(words)][:MOST_FILES]
    if what == "read":
        return [Act("read", name) for name in files]
    # Edits and creations: of what is copied or moved, the last name is the new one.
    if words[0] == "patch":
        files = []
    elif words[0] in ("mv", "cp", "install", "Copy-Item"):
        files = files[-1:] if len(files) > 1 else []
    operation: Operation = "create" if what == "create" else "edit"
    return [Act(operation, name) for name in files] or [Act(operation, None)]


def _git(what: What, text: str) -> tuple[Operation, str | None]:
    return ("edit", None) if what == "edit" else ("read", text)


def _script(words: list[str], text: str, command: Command, state: _State) -> list[Act]:
    """A command; a script that stands in the line itself and writes files is an edit of those."""
    source = command.heredoc
    if source is None:
        flag = next((i for i, word in enumerate(words) if word in ("-c", "-e", "--eval")), 0)
        source = words[flag + 1] if flag and flag + 1 < len(words) else None
    if source is None or words[0] not in ("python", "node", "ruby", "perl", "bun", "deno"):
        return [Act("run", text)]
    if not _WRITING.search(source):
        return [Act("run", text)]
    named: dict[str, bool] = {}
    for match in _WRITTEN.finditer(source[: shell.LONGEST]):
        name = match["open"] or match["path"] or match["js"] or ""
        writes = bool(match["js"]) or "w" in (match["mode"] or "") or "a" in (match["mode"] or "")
        named[name] = (
            named.get(name, False) or writes or bool(match["mode"] and ("x" in match["mode"] or "+" in match["mode"]))
        )
    chosen = [name for name, writes in named.items() if writes] or (list(named) if len(named) == 1 else [])
    return [Act("edit", words_.resolved(name, state.folder)) for name in chosen[:MOST_FILES]] or [Act("run", text)]


def _together(acts: list[Act], line: str) -> list[Act]:
    """One act for all tests, one for all other commands, one for all searches, one a file; asides only where there is
    nothing else."""
    made: list[Act] = []
    for act in acts:
        known = next((other for other in made if _same(act, other)), None)
        if known is None:
            made.append(act)
            continue
        known.runs += act.runs
        known.hidden_exit = known.hidden_exit or act.hidden_exit
        if act.operation in ("edit", "create"):
            known.lines = None if None in (known.lines, act.lines) else (known.lines or 0) + (act.lines or 0)
            known.basis = "estimated" if "estimated" in (known.basis, act.basis) else known.basis
            known.ranges = None
        elif act.operation in ("test", "run"):
            known.target = f"{known.target}; {act.target}"
    strong = [act for act in made if act.operation != "other"]
    if not strong:
        return [Act("run", line.strip())]
    for act in strong:
        act.hidden_exit = act.hidden_exit or (act.operation == "test" and act is not strong[-1])
    if len(strong) == 1 and strong[0].operation in ("run", "test"):
        strong[0].target = line.strip()
    return strong


def weightiest(acts: list[Act]) -> int:
    """Position of the act that stands for the whole call."""
    return min(range(len(acts)), key=lambda i: _ORDER.index(acts[i].operation))


def _same(act: Act, other: Act) -> bool:
    if act.operation in ("test", "run", "search", "other"):
        return act.operation == other.operation
    writes = ("edit", "create")
    alike = act.operation == other.operation or (act.operation in writes and other.operation in writes)
    return alike and act.target == other.target
