"""The one table of what a shell command is: a test run, an edit, a search, a read, or just a command.

Programs are written without their folder. What a program does by its options is a pattern over its words, joined by
spaces; the first row of `PATTERNS` that matches counts, then `PROGRAMS`.
"""

from __future__ import annotations

import re
from typing import Literal

from bouts.model.session import Operation

What = Operation | Literal["aside"]
"""`aside`: shell housekeeping, told only where a line holds nothing else."""

PROGRAMS: dict[What, str] = {
    "test": (
        "pytest py.test tox nox nosetests nose2 trial green jest vitest mocha ava uvu rspec phpunit pest"
        " ctest gotestsum"
        " bats prove karma cypress runtests.py"
    ),
    "read": (
        "cat nl head tail less more bat batcat od xxd hexdump strings wc file stat jq yq awk gawk sed"
        " cut sort uniq diff"
        " cmp column tac Get-Content gc type"
    ),
    "search": (
        "grep egrep fgrep zgrep rg ag ack find fd fdfind ls ll tree locate which whereis dir du Get-ChildItem gci"
        " Select-String"
    ),
    "edit": "patch apply_patch applypatch tee ed ex rm unlink mv truncate Set-Content Add-Content Remove-Item",
    "create": "touch cp install Copy-Item New-Item",
    "aside": (
        "cd pushd popd echo printf export set unset source . true false : sleep pwd clear wait exit return alias local"
        " declare typeset read shopt ulimit mkdir chmod chown test [ [[ trap umask hash fi done esac then do else break"
        " continue date"
        " Set-Location Write-Output Write-Host Test-Path Join-Path Split-Path Resolve-Path Get-Location Out-Null"
        " Where-Object ForEach-Object Sort-Object Select-Object Measure-Object Format-Table Format-List"
        " ConvertFrom-Json ConvertTo-Json"
    ),
}

PATTERNS: tuple[tuple[What, str], ...] = (
    # Asking a test tool about itself runs no test, and listing tests is a look around.
    ("run", r"\S+ (?:.* )?(?:--version|--help)"),
    ("search", r"(?:pytest|py\.test|jest|vitest) (?:.* )?(?:--collect-only|--co|--listTests|list)(?: .*)?"),
    (
        "test",
        r"python (?:-\S+ )*-m (?:pytest|unittest|tox|nox|nose2?|doctest|django test|twisted\.trial|green)(?: .*)?",
    ),
    ("test", r"(?:python )?(?:\S*/)?(?:manage\.py|django-admin) test(?: .*)?"),
    ("test", r"(?:python )(?:-\S+ )*(?:\S*/)?(?:runtests?|run_tests?|test_\w+|\w+_test|conftest|tests)\.py(?: .*)?"),
    ("test", r"(?:npm|pnpm|yarn|bun)(?: -\S+| --\S+(?: \S+)?)* (?:t|tst|test)(?: .*)?"),
    (
        "test",
        r"(?:npm|pnpm|yarn|bun|deno)(?: -\S+)* (?:run |run-script |task )?"
        r"(?:-\S+ )*(?:\S+[:_-])?(?:tests?|spec|e2e)(?:[:_-]\S+)?(?: .*)?",
    ),
    (
        "test",
        r"(?:deno|swift|mix|sbt|stack|cabal|dart|flutter|rails|dotnet|bazel|bazelisk|buck2?|zig build|hardhat"
        r"|forge|anchor|truffle|ng|nx|turbo|lerna|moon|pants|melos|react-scripts|craco|elm-test|lein|composer)"
        r" (?:.* )?test(?: .*)?",
    ),
    ("test", r"go (?:-C \S+ )?test(?: .*)?"),
    ("test", r"cargo (?:\+\S+ )?(?:-\S+ )*(?:test|t|nextest(?: run)?|tarpaulin)(?: .*)?"),
    ("test", r"(?:mvn|mvnw|mvnd) (?:.* )?(?:test|verify|integration-test|surefire:test|failsafe:\S+)(?: .*)?"),
    ("test", r"(?:gradle|gradlew|gradlew\.bat) (?:.* )?(?:\S*[tT]est|check)(?: .*)?"),
    (
        "test",
        r"(?:make|gmake|just|task|rake|invoke|inv|ninja)"
        r" (?:.* )?(?:\S+[:_-])?(?:tests?|check|spec)(?:[:_-]\S+)?(?: .*)?",
    ),
    ("test", r"node (?:-\S+ )*--test(?:[ =-].*)?"),
    ("test", r"(?:node|tsx|ts-node|bun|deno run)(?: -\S+)* (?:\S*/)?\S+\.(?:test|spec)\.[cm]?[jt]sx?(?: .*)?"),
    ("test", r"(?:playwright|wdio) test(?: .*)?"),
    ("test", r"(?:run_?tests?|test)\.(?:sh|bash|py|js)(?: .*)?"),
    ("test", r"(?:bash|sh|zsh) (?:-\S+ )*(?:\S*/)?(?:run[_-]?tests?|tests?)\.(?:sh|bash)(?: .*)?"),
    ("edit", r"(?:sed|perl|ruby) (?:.* )?(?:-i\S*|--in-place\S*|-[a-zA-Z]*i[a-zA-Z.]*|-pi|-ni)(?: .*)?"),
    ("edit", r"g?awk (?:.* )?-i inplace(?: .*)?"),
    ("run", r"git (?:.* )?rm (?:.* )?--cached(?: .*)?"),
    ("edit", r"git (?:-C \S+ |-c \S+ )*(?:apply|am|mv|rm)(?: .*)?"),
    # A whole folder that is removed is rubbish far more often than it is source.
    ("run", r"rm (?:.* )?(?:-[a-zA-Z]*[rR]\S*|--recursive)(?: .*)?"),
    ("run", r"Remove-Item (?:.* )?-Recurse(?: .*)?"),
    ("search", r"git (?:-C \S+ |-c \S+ |--no-pager )*(?:grep|ls-files|ls-tree)(?: .*)?"),
    ("read", r"git (?:-C \S+ |-c \S+ |--no-pager )*(?:diff|show|log|blame|cat-file)(?: .*)?"),
    ("search", r"(?:fd|find) .*"),
)

WRAPPERS: tuple[str, ...] = (
    r"(?:sudo|doas)(?: -u \S+| -\S+)* ",
    r"env(?: -\S+| \w+=\S*)* ",
    r"g?timeout(?: (?:-k|-s) \S+| -\S+)* [\d.]+[smhd]? ",
    r"(?:time|nohup|exec|command|builtin|caffeinate|unbuffer|stdbuf|ionice|nice|setsid|xvfb-run|eatmydata|strace)"
    r"(?: -\S+)* ",
    r"(?:uv|poetry|pipenv|hatch|pdm|rye|pixi|mise|dotenv|doppler|nix-shell)(?: -\S+)* (?:run|exec|x)"
    r"(?: (?:--with|--extra|--group|--python|-p|--project|--directory|--env-file|--package) \S+| -\S+)* ",
    r"uvx (?:-\S+ )*",
    r"(?:conda|mamba|micromamba) run(?: (?:-n|-p|--name|--prefix) \S+| -\S+)* ",
    r"(?:npx|bunx|pnpx)(?: -\S+)* ",
    r"(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)(?: -\S+)* ",
    r"bundle exec ",
    r"python -m coverage run(?: -(?!m)\S+)* (?:-m )?",
    r"coverage run(?: -(?!m)\S+)* (?:-m )?",
    r"docker(?: compose|-compose)? (?:exec|run)(?: -\S+)* \S+ ",
    r"kubectl exec(?: \S+)*? -- ",
    r"xargs(?: -(?:[IPnLd] ?\S+|\S+))* ",
    r"(?:if|then|else|elif|while|until|do|!|\{|time) ",
)
"""What stands before the command that counts, over the same joined words."""

SHELLS = re.compile(r"(?:bash|sh|zsh|dash|ksh|fish|powershell|pwsh|cmd)(?:\.exe)?\Z")
LOOPS = frozenset({"for", "case", "select", "function"})
"""Words that begin a segment which runs nothing by itself."""
WRITERS = frozenset({"cat", "echo", "printf", ":", "tee"})
"""Programs whose redirected output is a file that was written; other programs' output in a file is a log."""
TRANSFORMERS = frozenset({"sed", "awk", "gawk", "jq", "yq", "head", "tail", "tr", "sort", "base64", "envsubst", "tac"})
"""Programs whose redirected output is a file that was written, unless it goes to a place for scratch."""

_PROGRAMS: dict[str, What] = {name: what for what, names in PROGRAMS.items() for name in names.split()}
_PATTERNS: tuple[tuple[What, re.Pattern[str]], ...] = tuple((what, re.compile(pattern)) for what, pattern in PATTERNS)
_WRAPPERS = tuple(re.compile(pattern) for pattern in WRAPPERS)
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*(?:w|\.exe)?\Z")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
LONGEST = 500
"""Characters of joined words that patterns see."""


def normal(words: list[str]) -> list[str]:
    """Words with assignments and wrappers before the program taken off, and the program without its folder."""
    for _ in range(12):
        while words and _ASSIGNED.match(words[0]):
            words = words[1:]
        if not words:
            return []
        words = [_program(words[0]), *words[1:]]
        joined = " ".join(words)[:LONGEST]
        match = next((found for wrapper in _WRAPPERS if (found := wrapper.match(joined)) is not None), None)
        if match is None or not match.end():
            return words
        # Quoted words may hold spaces, so words are counted off by their length.
        left = match.end()
        while words and left > 0:
            left -= len(words[0]) + 1
            words = words[1:]
    return words


def _program(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2] or word
    return "python" if _PYTHON.match(name) else name.removesuffix(".exe")


def what(words: list[str]) -> What:
    """What a command with normal words does."""
    joined = " ".join(words)[:LONGEST].replace("\n", " ")
    for found, pattern in _PATTERNS:
        if pattern.fullmatch(joined):
            return found
    return _PROGRAMS.get(words[0], "run")
