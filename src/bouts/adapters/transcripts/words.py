"""What the words of a simple command name: files, what a search looks for, where the shell goes."""

from __future__ import annotations

import posixpath
import re

_GREP = ("-e", "-f", "-A", "-B", "-C", "-m", "-g", "-t", "-T", "--include", "--exclude", "--glob", "--type")
_WITH_VALUE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"), _GREP),
    **dict.fromkeys(("head", "tail"), ("-n", "-c", "--lines", "--bytes")),
    **dict.fromkeys(("awk", "gawk"), ("-F", "-v", "-f")),
    **dict.fromkeys(("sed", "perl", "ruby"), ("-e", "-f", "--expression", "--file")),
    "cut": ("-d", "-f", "-c", "-b"),
    "sort": ("-k", "-t", "-o"),
    "truncate": ("-s", "--size"),
    **dict.fromkeys(
        ("Set-Content", "Add-Content", "New-Item", "Get-Content", "Remove-Item", "Copy-Item"),
        ("-Value", "-Encoding", "-ItemType", "-TotalCount", "-Tail", "-First", "-Last", "-ErrorAction", "-EA"),
    ),
    "touch": ("-d", "-t", "-r"),
    "install": ("-m", "-o", "-g"),
}
"""Options that take the next word as their value, by program."""
_SCRIPTED = frozenset({"sed", "awk", "gawk", "jq", "yq", "perl", "ruby"})
"""Programs whose first plain word is a script and no file."""


def files(words: list[str]) -> list[str]:
    """Words that name files: no options, no values of options, no script."""
    names: list[str] = []
    skip = scripted = False
    plain_only = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word == "--":
            plain_only = True
        elif word.startswith("-") and len(word) > 1 and not plain_only:
            skip = word in _WITH_VALUE.get(words[0], ())
            scripted = scripted or word in ("-e", "-f", "--expression", "--file")
        elif word:
            names.append(word)
    if words[0] in _SCRIPTED and not scripted:
        names = names[1:]
    return names


def pattern(words: list[str]) -> str | None:
    """What a search looks for."""
    if words[0] in ("find", "fd", "fdfind"):
        for i, word in enumerate(words[:-1]):
            if word in ("-name", "-iname", "-path", "-ipath", "-regex"):
                return words[i + 1]
        return None
    if words[0] == "git" and len(words) > 1:
        words = [words[1], *words[2:]]
    if words[0] in ("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"):
        for i, word in enumerate(words[:-1]):
            if word in ("-e", "--regexp"):
                return words[i + 1]
        return next(iter(files(words)), None)
    return None


def folder_after(target: str, folder: str) -> str:
    """Where the shell stands after `cd target`; empty where that cannot be told."""
    if target.startswith("$") or target in ("-", "~"):
        return ""
    return resolved(target, folder)


def resolved(name: str, folder: str) -> str:
    """A path as seen from where the shell stands."""
    name = name.replace("\\", "/") if re.match(r"[A-Za-z]:\\", name) else name
    if not folder or name.startswith(("/", "~", "$")) or name[1:3] == ":/":
        return name
    return posixpath.normpath(posixpath.join(folder, name))
