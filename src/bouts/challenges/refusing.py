"""Which files of a submission are never staged, by their names. Names are compared folded (see `names.fold`)."""

from __future__ import annotations

import fnmatch
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bouts.challenges import names
from bouts.model.challenge import Challenge
from bouts.model.evidence import RefusalKind

RUNNER_FILES = (
    # Python: pytest and what runs before it, packaging hooks, linters that the grader uses
    *("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg", "setup.py"),
    *("sitecustomize.py", "usercustomize.py", "*.pth", "*.egg-link", "pyvenv.cfg", ".coveragerc", "noxfile.py"),
    *("ruff.toml", ".ruff.toml", ".bandit", ".semgrepignore", "hatch_build.py", "manifest.in"),
    # what picks a toolchain or its environment
    *(".env", ".envrc", ".python-version", ".tool-versions", "mise.toml", ".mise.toml", ".nvmrc", ".node-version"),
    *("rust-toolchain", "rust-toolchain.toml"),
    # JavaScript
    *("package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", ".npmrc", ".yarnrc*"),
    *(".pnp.*", "vitest.config.*", "vitest.workspace.*", "vitest.setup.*", "vite.config.*", "jest.config.*"),
    *(
        "jest.setup.*",
        ".mocharc*",
        "ava.config.*",
        "babel.config.*",
        ".babelrc*",
        "karma.conf.*",
        "playwright.config.*",
    ),
    # Rust, Go, make
    *("build.rs", "cargo.toml", "cargo.lock", "go.mod", "go.sum", "go.work", "go.work.sum", "*_test.go"),
    *("makefile", "gnumakefile", "makefile.*", "*.mk", "justfile"),
)
RUNNER_FOLDERS = ("*.dist-info", "*.egg-info", ".cargo", "__mocks__", ".yarn", ".githooks", ".husky")
TEST_FOLDERS = frozenset({"tests", "test", "__tests__"})
TEST_FILES = (
    "test_*.py",
    "*_test.py",
    "*.test.[jt]s",
    "*.test.[jt]sx",
    "*.test.[cm][jt]s",
    "*.spec.[jt]s",
    "*.spec.[jt]sx",
)
TEST_MODULES = frozenset(
    {
        *("pytest", "_pytest", "pluggy", "iniconfig", "exceptiongroup", "tomli", "py", "hypothesis", "pygments"),
        *("httpx", "httpcore", "anyio", "h11", "certifi", "idna", "sniffio", "packaging", "bouts", "coverage"),
    }
)
"""Modules that tests run on; a file of that name would stand before them on an import path."""
MODULE_SUFFIXES = (".py", ".pyw", ".so", ".pyd", ".zip", ".egg")

_RUNNER = re.compile("|".join(fnmatch.translate(p) for p in RUNNER_FILES))
_RUNNER_FOLDER = re.compile("|".join(fnmatch.translate(p) for p in RUNNER_FOLDERS))
_TEST = re.compile("|".join(fnmatch.translate(p) for p in TEST_FILES))


@dataclass(frozen=True)
class Names:
    """What a challenge's names are held against: folders on the import path, and modules that may not be shadowed."""

    roots: frozenset[str]
    modules: frozenset[str]
    given: frozenset[str]
    """Paths of the codebase as given; a name that the author chose shadows nothing."""


def names_of(manifest: Challenge, given: Iterable[str], lock: str = "") -> Names:
    """Gather them once a challenge. `lock` is the text of its lock file: an installed package may not be replaced by
    an empty look-alike."""
    given = frozenset(given)
    roots = {"."}
    interface = manifest.interface
    if interface.calls:
        roots.update(p.strip("/").removeprefix("./") or "." for p in interface.calls.path)
    commands = [part.command for part in (interface.http, interface.cli) if part]
    for word in (w for command in commands for w in command if w.endswith(".py")):
        roots.add(word.rsplit("/", 1)[0] if "/" in word else ".")
    installed = {m.group(1).casefold().replace("-", "_") for m in re.finditer(r"(?m)^([A-Za-z0-9][\w.-]*)\s*==", lock)}
    modules = {names.fold(m) for m in sys.stdlib_module_names} | TEST_MODULES | installed
    return Names(frozenset(roots), frozenset(modules), given)


def refusal(path: str, known: Names) -> tuple[RefusalKind, str] | None:
    """Why a file is refused by its name alone, whatever `editable` says, or none."""
    folded = names.fold(path)
    parts = folded.split("/")
    if reason := names.odd(path):
        return "bad_name", reason
    if _RUNNER.fullmatch(parts[-1]) or any(_RUNNER_FOLDER.fullmatch(p) for p in parts[:-1]):
        return "runner_config", "it configures a tool that runs or reads the tests; the package's own is used"
    if _TEST.fullmatch(parts[-1]) or any(p in TEST_FOLDERS for p in parts[:-1]):
        return "test_path", "tests come from the package"
    if module := shadowed(folded, path, known):
        return "shadows_module", f"it would stand before the module {module!r}"
    return None


def shadowed(folded: str, path: str, known: Names) -> str | None:
    """The module that a file would stand before on an import path, or none."""
    for root in known.roots:
        start = "" if root == "." else names.fold(root) + "/"
        if not folded.startswith(start) or not folded.endswith(MODULE_SUFFIXES):
            continue
        first, _, rest = folded[len(start) :].partition("/")
        module = first if rest else first.split(".")[0]
        if module in known.modules and not _by_author(path, len(start), known.given):
            return module
    return None


def _by_author(path: str, start: int, given: frozenset[str]) -> bool:
    """Whether the codebase has this module itself, as the same file or the same folder."""
    first, slash, _ = path[start:].partition("/")
    own = path[:start] + first + slash
    return any(g == own or (slash and g.startswith(own)) for g in given)


def pytest_settings(text: bytes) -> object:
    """What a `pyproject.toml` tells pytest, `None` where nothing; an unreadable file counts as telling something."""
    import tomllib

    try:
        tool: Mapping[str, object] = tomllib.loads(text.decode()).get("tool", {})
        return tool.get("pytest")
    except (ValueError, AttributeError, RecursionError):
        return "unreadable"
