"""Pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; bars in cells are escaped."""
    made = [_row(head), "|" + " --- |" * len(head)]
    return [*made, *(_row(row) for row in rows), ""]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def bullets(rows: Iterable[str]) -> list[str]:
    """A list."""
    return [*(f"- {row}" for row in rows), ""]


def section(title: str, *parts: Sequence[str], level: int = 2) -> list[str]:
    """A heading with what is under it."""
    return [f"{'#' * level} {title}", "", *(line for part in parts for line in part)]


def text(*paragraphs: str) -> list[str]:
    """Paragraphs."""
    return [line for paragraph in paragraphs for line in (paragraph, "")]


def code(*lines: str) -> list[str]:
    """Preformatted lines."""
    return ["```text", *lines, "```", ""]
