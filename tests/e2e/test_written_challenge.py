"""The package that the page on writing challenges shows is one that the check passes."""

from __future__ import annotations

import re
from pathlib import Path

from whole import ROOT, Bouts

PAGE = ROOT / "docs" / "how-to" / "write-a-challenge.md"
SHOWN = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OTHERS = ("README.md", "pyproject.toml", ".env.example", ".github/workflows/ci.yml")
"""Files that a codebase must have, whatever is in them."""


def written(folder: Path) -> list[str]:
    shown = SHOWN.findall(PAGE.read_text(encoding="utf-8"))
    for name, text in [*shown, *((f"codebase/{name}", "# empty\n") for name in OTHERS)]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [name for name, _ in shown]


def test_the_smallest_package_passes(bouts: Bouts, tmp_path: Path) -> None:
    folder = tmp_path / "count-vowels"
    names = written(folder)
    assert {"challenge.yaml", "briefing.md", "samples/reference-full/expect.yaml"} < set(names)
    assert len(names) == 7
    frozen = bouts("check", folder, "--freeze")
    assert frozen.status == 0, frozen
    assert "the package passes" in frozen.out
    static = bouts("check", folder, "--static")
    assert static.status == 0, static


def test_what_the_page_names_is_demanded(bouts: Bouts, tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    written(tmp_path)
    for name in OTHERS[1:]:
        assert f"`{name}`" in page
        (tmp_path / "codebase" / name).unlink()
    said = bouts("check", tmp_path, "--static").out
    for lacking in ("a dependency manifest", "an .env.example", "a CI config"):
        assert f"codebase: it lacks {lacking}" in said
