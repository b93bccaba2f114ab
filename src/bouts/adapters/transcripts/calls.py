"""What a tool call does, by the tool's name and its arguments: shell tools, editors, readers, searchers."""

from __future__ import annotations

import re

from bouts.adapters.transcripts import patches
from bouts.adapters.transcripts.acts import MOST_FILES, Act
from bouts.adapters.transcripts.values import EMPTY, Object, first_text, objects, rows, text
from bouts.model.session import Basis, Operation

TOOLS: dict[Operation, str] = {
    "run": (
        "bash shell sh terminal run runcommand runshellcommand runterminalcmd runterminalcommand runinterminal execute"
        " executecommand executebash executecode exec execcommand shellcommand localshell localshellcall command python"
        " pythonexecute runipython executeipythoncell executeipython bashcommand commandexecution containerexec"
        " executebashcommand runinpty powershell monitor bashtool terminalaction ipythonruncellaction"
    ),
    "read": (
        "read readfile readfiles readmanyfiles view viewfile viewimage viewcode viewcodeitem open openfile cat goto"
        " scrollup scrolldown notebookread readnotebook readmediafile getfilecontents fetchfile"
        " readtextfile readmultiplefiles"
        " readlints listcodedefinitionnames viewfileoutline"
    ),
    "edit": (
        "edit editfile multiedit multieditfile strreplace strreplaceinfile replace replaceinfile replacestringinfile"
        " multireplacestringinfile applypatch applydiff patch insert inserteditintofile insertcontent"
        " updatefile deletefile"
        " searchreplace searchandreplace notebookedit editnotebook editnotebookfile append undoedit delete"
        " editedexistingfile applieddiff filechange codeedit replacefilecontent multireplacefilecontent editwrite"
    ),
    "create": "write writefile writetofile create createfile newfile savefile newfilecreated fullrewrite",
    "search": (
        "search searchfiles searchfile searchcode searchdir codebasesearch grep grepsearch searchfilecontent ripgrep rg"
        " glob find findfiles findfile filesearch globfilesearch findbyname listfiles listdir ls list listdirectory"
        " listfilestoplevel listfilesrecursive directorytree websearch googlewebsearch toolsearch semanticsearch"
        " webfetch fetchurl fetchwebpage webread urlfetch readwebpage"
        " symbolsearch viewdirectory searchfilecontents findsymbol readdir"
    ),
    "test": "runtests runtest test pytest runtestsuite",
    "message": "",
}
"""Names of tools in lower case with letters and digits only."""
_OPERATIONS: dict[str, Operation] = {name: what for what, names in TOOLS.items() for name in names.split()}
_VERB = re.compile(
    r"(?:(?P<searches>search|find|list|query|lookup)|get|read|fetch|view|show|describe|inspect)(?:_|-|(?=[A-Z]))"
)
_EDITORS = re.compile(r"strreplace(?:based)?edit(?:or|tool)*|fileeditor|texteditor\d*|fileeditoraction|editor|memory")
_PATHS = (
    *(
        "file_path",
        "filePath",
        "path",
        "absolute_path",
        "target_file",
        "filename",
        "file_name",
        "file",
        "notebook_path",
    ),
    *("relative_workspace_path", "TargetFile", "AbsolutePath", "abs_path", "uri", "fileName", "File", "filepath"),
)
_FOLDERS = ("target_directory", "directory", "dir_path", "DirectoryPath", "dir", "folder", "directory_path", "root")
_PATTERNS = (
    *("pattern", "query", "regex", "glob_pattern", "search_term", "search_query", "Query", "Pattern", "q", "glob"),
    *("globPattern", "search", "url", "symbol", "name"),
)
_OLD = ("old_string", "old_str", "oldText", "oldString", "old_text", "old_content", "oldStr", "TargetContent", "search")
_NEW = (
    "new_string",
    "new_str",
    "newText",
    "newString",
    "new_text",
    "new_content",
    "newStr",
    "replace",
    "ReplacementContent",
)
_CONTENT = ("content", "file_text", "contents", "new_source", "code_edit", "newContent", "CodeContent", "text", "data")
_PATCH = ("patch", "input", "diff", "patchText", "patch_text", "code_edit")
_EDITS = ("edits", "replacements", "changes", "ReplacementChunks", "diffs")
_COMMANDS = ("command", "cmd", "commandLine", "CommandLine", "script", "bash_command", "shell_command", "keystrokes")
_SEARCHED = 10_000
"""Characters of a command that are searched for programs; the time grows with the square of a word's length."""
_SCRIPTS = re.compile(
    r"(?:^|[\s/;&])(?:\./\S+|\S+\.(?:sh|py|bash|js|ts|rb|pl)|make|docker|npm|pnpm|yarn|just|task|uv|poetry|cargo"
    r"|invoke|rake|ant|bazel|tox)\b"
)


def name(tool: str) -> str:
    """A tool's name in lower case, letters and digits only, without the server it comes from."""
    plain = tool.rpartition("__")[2] if tool.startswith("mcp__") else tool
    plain = plain.rpartition(".")[2] or plain
    return re.sub(r"[^a-z0-9]", "", plain.lower()[:200])


def operation(tool: str) -> Operation:
    """The operation that a tool's name stands for; of a name that is not known, the one of its verb where that only
    looks."""
    known = _OPERATIONS.get(name(tool))
    if known is not None:
        return known
    verb = _VERB.match(tool.rpartition("__")[2] if tool.startswith("mcp__") else tool)
    return "other" if verb is None else "search" if verb["searches"] else "read"


def line(tool: str, arguments: Object) -> str | None:
    """The shell line of a call; `None` where it is none."""
    if operation(tool) != "run" or _EDITORS.fullmatch(name(tool)):
        return None
    for key in _COMMANDS:
        found = arguments.get(key)
        if isinstance(found, str) and found.strip():
            return found
        words = [word for word in rows(found) if isinstance(word, str)]
        if words:
            return joined(words)
    code = first_text(arguments, "code", "input", "source")
    if code is None:
        return None
    return f"python - <<'{_MARK}'\n{code}\n{_MARK}" if "python" in name(tool) else code


_MARK = "END_OF_CODE"


def joined(words: list[str]) -> str:
    """Words as one shell line: the script itself where they hand one to a shell."""
    if len(words) >= 3 and re.search(r"(?:^|[\\/])(?:ba|z|da|k|)sh(?:\.exe)?$|powershell|pwsh", words[0]):
        at = next((i for i, word in enumerate(words[1:], 1) if word.lower() in ("-c", "-lc", "-ic", "-command")), 0)
        if at and at + 1 < len(words):
            return words[at + 1]
    quoted = (
        word if re.fullmatch(r"[\w@%+=:,./-]+", word) else "'" + word.replace("'", "'\\''") + "'" for word in words
    )
    return " ".join(quoted)


def folder(arguments: Object) -> str:
    """The folder that a call says it is run in."""
    return first_text(arguments, "workdir", "cwd", "working_directory", "working_dir", "Cwd") or ""


def may_test(command: str) -> bool:
    """Whether a command runs something whose output may be that of tests, and does not just show a text."""
    return _SCRIPTS.search(command[:_SEARCHED]) is not None


def acts(tool: str, arguments: Object) -> list[Act]:  # noqa: PLR0911 - one case a line
    """What a call of a tool that is no shell does."""
    plain = name(tool)
    if _EDITORS.fullmatch(plain):
        return _editor(arguments)
    what = operation(tool)
    if what == "edit":
        return _edits(arguments, plain)
    if what == "create":
        return [_created(arguments)]
    if what == "read":
        return _reads(arguments)
    if what == "search":
        return [Act("search", first_text(arguments, *_PATTERNS) or first_text(arguments, *_FOLDERS, *_PATHS))]
    if what == "test":
        return [Act("test", first_text(arguments, *_COMMANDS, *_PATHS, *_PATTERNS), runs=1)]
    target = first_text(
        arguments, *_COMMANDS, "description", "prompt", "query", "url", *_PATHS, "subject", "text", "code"
    )
    return [Act(what, target)]


def _reads(arguments: Object) -> list[Act]:
    several = [path for key in ("paths", "files", "file_paths", "include") for path in rows(arguments.get(key))]
    named = [path if isinstance(path, str) else first_text(_object(path), *_PATHS) for path in several]
    paths = [path for path in named if path] or [first_text(arguments, *_PATHS, *_FOLDERS)]
    return [Act("read", path) for path in list(dict.fromkeys(paths))[:MOST_FILES]]


def _object(value: object) -> Object:
    return next(objects(value), EMPTY)


def _created(arguments: Object) -> Act:
    content = first_text(arguments, *_CONTENT)
    lines, basis = (None, None) if content is None else patches.written(content)
    return Act("create", first_text(arguments, *_PATHS), lines, basis)


def _edits(arguments: Object, plain: str) -> list[Act]:
    path = first_text(arguments, *_PATHS)
    patch = first_text(arguments, *_PATCH)
    if patch is not None:
        found = patches.apply_patch(patch) or patches.unified(patch, path) or _blocks(patch, path)
        if found:
            return [Act(e.change, e.path or path, e.lines, e.basis, e.ranges) for e in found[:MOST_FILES]]
    if plain in ("delete", "deletefile", "undoedit"):
        return [Act("edit", path)]
    by_file: dict[str | None, list[tuple[int, Basis] | None]] = {}
    for body in [row for key in _EDITS for row in objects(arguments.get(key))] or [arguments]:
        by_file.setdefault(first_text(body, *_PATHS) or path, []).append(_replaced(body))
    return [_sum(target, counted) for target, counted in list(by_file.items())[:MOST_FILES]]


def _sum(path: str | None, counted: list[tuple[int, Basis] | None]) -> Act:
    known = [row for row in counted if row is not None]
    if len(known) < len(counted):
        return Act("edit", path)
    basis: Basis = "estimated" if any(row[1] == "estimated" for row in known) else "exact"
    return Act("edit", path, sum(row[0] for row in known), basis)


def _replaced(body: Object) -> tuple[int, Basis] | None:
    """Lines changed by a replacement of one text by another; `None` where the two are not there."""
    old = next((v for key in _OLD if (v := text(body.get(key))) is not None), None)
    new = next((v for key in _NEW if (v := text(body.get(key))) is not None), None)
    if old is None or new is None:
        content = first_text(body, *_CONTENT)
        return None if content is None else patches.written(content)
    lines, basis = patches.replaced(old, new)
    # How often the text was replaced is not told.
    return lines, ("estimated" if body.get("replace_all") or body.get("replaceAll") else basis)


def _blocks(diff: str, path: str | None) -> list[patches.Edit]:
    """Search-and-replace blocks, as some editors take them."""
    counted = [patches.replaced(old, new) for old, new in patches.blocks(diff)]
    if not counted:
        return []
    basis: Basis = "estimated" if any(row[1] == "estimated" for row in counted) else "exact"
    return [patches.Edit(path, "edit", sum(row[0] for row in counted), basis)]


def _editor(arguments: Object) -> list[Act]:
    """A tool that has commands of its own: view, create, str_replace, insert, undo_edit."""
    command, path = text(arguments.get("command")) or "", first_text(arguments, *_PATHS)
    if command == "view":
        return [Act("read", path)]
    if command == "create":
        return [_created(arguments)]
    if command == "insert":
        inserted = first_text(arguments, "new_str", "insert_text", "insert_line_text")
        return [
            Act("edit", path, None if inserted is None else len(inserted.splitlines()), "exact" if inserted else None)
        ]
    if command in ("str_replace", "replace"):
        counted = _replaced({"new_str": "", **arguments})
        return [_sum(path, [counted])]
    if command in ("undo_edit", "delete", "rename"):
        return [Act("edit", path)]
    return [Act("other", path or command or None)]
