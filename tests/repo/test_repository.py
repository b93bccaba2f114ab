"""What must hold of the repository as a whole."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bouts"
LONGEST_MODULE = 300
LONGER = {
    "adapters/runners/python/calls/inside/worker.py": 371,
    "adapters/runners/python/calls/link.py": 330,
    "adapters/runners/python/calls/standins.py": 370,
    "adapters/runners/python/calls/values.py": 370,
    "adapters/sandboxes/box.py": 310,
    "model/challenge.py": 340,
}
"""Modules that still want to be split; none may grow further."""


def tracked() -> list[Path]:
    """Files under version control, or in a copy without it, all that such a copy would have."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        names = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
        return [path for path in names if path.is_file() and not path.is_symlink()]
    tops = ("src", "tests", "docs", "challenges", "scripts", "bench")
    return [
        path for top in tops for path in (ROOT / top).rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_no_line_speaks_of_where_it_was_written() -> None:
    """Committed text is about the product: no places of one machine, no trackers, no registries."""
    words = re.compile(
        r"\bissue #?\d|\bissues? show\b|\B#\d{1,4}\b(?= (?:is|was|says|asks))"
        r"|/work/(?:main|shared)\b|(?<![\w.~-])/root/(?!\w+\.py\b|\")[.\w]"
        r"|files\.pythonhosted\.org|\bpypi\.org|registry\.npmjs|index-url|pip\.conf"
        r"|\b(?:this|the|a|another) (?:helper|integrator)(?:'s)? (?:session|brief)|\bas an ai\b|\bco-authored-by\b",
        re.IGNORECASE,
    )
    own = Path(__file__)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked()
        if path != own and "exploits" not in path.parts
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if words.search(line)
    ]
    assert found == []


def test_links_in_documents_lead_somewhere() -> None:
    broken: list[str] = []
    for path in tracked():
        if path.suffix != ".md" or "fixtures" in path.parts or path.is_relative_to(ROOT / "challenges"):
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", text_of(path)):
            place = target.partition("#")[0]
            if not place or re.match(r"[a-z]+:", place):
                continue
            if not (path.parent / place).exists():
                broken.append(f"{path.relative_to(ROOT)}: {target}")
    assert broken == []


def test_paths_that_the_readme_names_exist() -> None:
    named = re.findall(r"`((?:docs|challenges|src|scripts|bench|tests)/[\w./-]+)`", text_of(ROOT / "README.md"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_licence_and_changelog() -> None:
    assert "Apache License" in text_of(ROOT / "LICENSE")
    lines = text_of(ROOT / "CHANGELOG.md").splitlines()
    assert lines[0] == "# Changelog"
    headings = [line for line in lines if line.startswith("## ")]
    assert headings
    assert all(re.fullmatch(r"## (?:Unreleased|\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2})", heading) for heading in headings)
    rest = lines[lines.index(headings[0]) :]
    assert all(not line or line.startswith(("## ", "### ", "- ", "  ")) for line in rest)


def test_one_version() -> None:
    import bouts

    stated = re.search(r'^version = "([^"]+)"', text_of(ROOT / "pyproject.toml"), re.MULTILINE)
    assert stated
    assert stated[1] == bouts.__version__


@pytest.mark.parametrize(
    "path",
    sorted(SOURCE.rglob("*.py")),
    ids=lambda path: str(path.relative_to(SOURCE)) if isinstance(path, Path) else "",
)
def test_modules_are_short(path: Path) -> None:
    limit = LONGER.get(str(path.relative_to(SOURCE)), LONGEST_MODULE)
    assert len(text_of(path).splitlines()) <= limit


def test_generated_documents_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "generate", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


HEAVY = ("pydantic", "rich", "yaml", "jinja2", "pytest", "httpx", "bandit", "asyncio")


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--version"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys, contextlib\nfrom bouts.cli.main import main\nsys.argv = ['bouts', *sys.argv[1:]]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(*[name for name in {HEAVY} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == ""


def test_importing_bouts_loads_nothing() -> None:
    code = "import sys; before = set(sys.modules); import bouts; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("['bouts']", "['__future__', 'bouts']")


def test_every_command_has_an_example_and_json() -> None:
    from typer.main import get_command

    from bouts.cli.app import app

    def walk(command, name=()):
        children = getattr(command, "commands", {})
        if not children:
            yield name, command
        for word, child in children.items():
            yield from walk(child, (*name, word))

    commands = dict(walk(get_command(app)))
    assert len(commands) > 10
    for name, command in commands.items():
        assert "Example" in (command.help or ""), name
        options = {option for parameter in command.params for option in parameter.opts}
        if name != ("shell",):
            assert "--json" in options, name


@pytest.mark.parametrize("name", ["word-tally", "small-counter", "line-sum"])
def test_fixtures_are_whole_packages(name: str) -> None:
    from bouts.challenges.components import component_checks
    from bouts.challenges.reading import read_challenge

    package = read_challenge(ROOT / "tests" / "fixtures" / name)
    assert [check for check in component_checks(package) if check.level == "error"] == []
