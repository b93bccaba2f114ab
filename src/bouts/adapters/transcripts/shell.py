"""A shell line taken apart into its simple commands. Nothing is expanded and nothing is run.

This is no shell: it finds the words, redirections and here-documents that tell what a line does, in time linear in its
length, and takes what it does not understand as a plain word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bouts.adapters.transcripts import powershell

LONGEST = 400_000
"""Characters of a line that are looked at."""
MOST_COMMANDS = 200
"""Simple commands of a line that are looked at."""

_BLANK = re.compile(r"(?:[ \t\r]|\\\r?\n)+")
_HEREDOC = re.compile(r"<<(-?)[ \t]*(?:'([^'\n]*)'|\"([^\"\n]*)\"|\\?([\w.!%+-]+))")
_REDIRECT = re.compile(r"(?:\d{0,2}|&)(>>|>\||>&|<&|<<<|<>|>|<)")
_OPERATOR = re.compile(r"&&|\|\||\|&|;;|[|;&()\n]")
_BARE = re.compile(r"[^\s\"'\\`$|&;<>()#]+")
_IN_QUOTES = re.compile(r"[^\"\\`$]+")
_PARENTHESIS = re.compile(r"[()\\]")


@dataclass(slots=True)
class Command:
    """One simple command."""

    words: list[str] = field(default_factory=list[str])
    writes: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    """Files that output is redirected to, and whether it is appended."""
    heredoc: str | None = None
    """The here-document or here-string it reads."""
    piped: bool = False
    """Whether it reads what the command before it writes."""
    start: int = 0
    end: int = 0
    """Where its text stands in the line."""


class _Lexer:
    """Reads a line from the left to the right, once."""

    def __init__(self, line: str) -> None:
        self.line = powershell.plain(line[:LONGEST])
        self.at = 0
        self.commands: list[Command] = []
        self.current = Command()
        self.waiting: list[tuple[Command, str, bool]] = []
        self.unclosed = False

    def run(self) -> list[Command]:
        line, size = self.line, len(self.line)
        while self.at < size and len(self.commands) < MOST_COMMANDS:
            if (match := _BLANK.match(line, self.at)) is not None:
                self.at = match.end()
            elif line[self.at] == "#":
                end = line.find("\n", self.at)
                self.at = size if end < 0 else end
            elif line.startswith("<<", self.at) and not line.startswith("<<<", self.at) and self._heredoc():
                pass
            elif (match := _REDIRECT.match(line, self.at)) is not None:
                self._redirect(match)
            elif (match := _OPERATOR.match(line, self.at)) is not None:
                self._operator(match[0], match.end())
            else:
                self._start()
                self.current.words.append(self._word())
                self.current.end = self.at
        self._finish(False)
        return self.commands

    def _start(self) -> None:
        if not self.current.words and not self.current.writes:
            self.current.start = self.at

    def _heredoc(self) -> bool:
        match = _HEREDOC.match(self.line, self.at)
        if match is None:
            return False
        word = next((part for part in match.groups()[1:] if part is not None), "")
        self.waiting.append((self.current, word, bool(match[1])))
        self.at = match.end()
        self.current.end = self.at
        return True

    def _redirect(self, match: re.Match[str]) -> None:
        self._start()
        operator, self.at = match[1], match.end()
        blank = _BLANK.match(self.line, self.at)
        self.at = self.at if blank is None else blank.end()
        target = self._word() if self.at < len(self.line) and not _OPERATOR.match(self.line, self.at) else ""
        self.current.end = self.at
        if operator == "<<<":
            self.current.heredoc = target
        elif operator in (">", ">>", ">|") and target and not match[0].startswith("2"):
            self.current.writes.append((target, operator == ">>"))

    def _operator(self, operator: str, end: int) -> None:
        self.at = end
        self._finish(operator in ("|", "|&"))
        if operator == "\n" and self.waiting:
            self._bodies()

    def _finish(self, piping: bool) -> None:
        if self.current.words or self.current.writes:
            self.commands.append(self.current)
            self.current = Command(piped=piping)
        elif piping:
            self.current.piped = True

    def _bodies(self) -> None:
        """The here-documents that were announced on the line that has just ended."""
        for command, word, tabs in self.waiting:
            ending = re.compile(rf"^{'	*' if tabs else ''}{re.escape(word)}[ \t\r]*$", re.MULTILINE)
            match = ending.search(self.line, self.at)
            stop = len(self.line) if match is None else match.start()
            command.heredoc = self.line[self.at : stop]
            self.at = stop if match is None else match.end()
        self.waiting.clear()

    def _word(self) -> str:
        """One word without its quotes."""
        line, size, parts = self.line, len(self.line), list[str]()
        while self.at < size:
            match = _BARE.match(line, self.at)
            if match is not None:
                parts.append(match[0])
                self.at = match.end()
                continue
            character = line[self.at]
            if character == "'":
                parts.append(self._until("'"))
            elif character == '"':
                self.at += 1
                parts.append(self._quoted())
            elif character == "\\":
                parts.append(line[self.at + 1 : self.at + 2].replace("\n", ""))
                self.at += 2
            elif character == "`":
                parts.append(self._until("`"))
            elif character == "$":
                parts.append(self._dollar())
            elif character == "#" and parts:
                parts.append("#")
                self.at += 1
            else:
                break
        if not parts and self.at < size:
            # Never stand still, whatever the character is.
            parts.append(line[self.at])
            self.at += 1
        return "".join(parts)

    def _until(self, mark: str) -> str:
        """From a mark to the next one, both left out; an unclosed one is a plain character."""
        end = self.line.find(mark, self.at + 1)
        if end < 0:
            self.at += 1
            return mark
        found = self.line[self.at + 1 : end]
        self.at = end + 1
        return found

    def _quoted(self) -> str:
        line, size, parts = self.line, len(self.line), list[str]()
        while self.at < size:
            match = _IN_QUOTES.match(line, self.at)
            if match is not None:
                parts.append(match[0])
                self.at = match.end()
                continue
            character = line[self.at]
            if character == '"':
                self.at += 1
                break
            if character == "\\":
                following = line[self.at + 1 : self.at + 2]
                parts.append(following if following in ('"', "\\", "$", "`") else f"\\{following}")
                self.at += 2
            elif character == "$":
                parts.append(self._dollar())
            else:
                parts.append(character)
                self.at += 1
        return "".join(parts)

    def _dollar(self) -> str:
        """A variable or a substitution, as it is written."""
        start = self.at
        self.at += 1
        if self.line.startswith("$(", start) and not self.unclosed:
            depth = 0
            for match in _PARENTHESIS.finditer(self.line, start + 1):
                depth += {"(": 1, ")": -1}.get(match[0], 0)
                if depth == 0:
                    self.at = match.end()
                    return self.line[start : self.at]
            # One unclosed substitution is enough to stop looking for the ends of others.
            self.unclosed = True
        elif self.line.startswith("${", start):
            end = self.line.find("}", start, start + 400)
            self.at = self.at if end < 0 else end + 1
        return self.line[start : self.at]


def commands(line: str) -> list[Command]:
    """The simple commands of a line, in order."""
    return _Lexer(line).run()
