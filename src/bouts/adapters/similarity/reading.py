"""Files of a submission as readings, whatever language they are in. Nothing is executed; everything is bounded."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from bouts.adapters.similarity.names import Names
from bouts.adapters.similarity.python import read_tree
from bouts.integrity.similarity.shapes import Reading, Shape, Token, key
from bouts.integrity.similarity.winnow import winnow

ENDINGS = {
    ".py": "python", ".pyi": "python",
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx",
    ".go": "go", ".rs": "rust",
}  # fmt: skip
FILE_BYTES = 256 << 10
"""Bytes of one file that are read; what is beyond is left out, and said."""
FILES = 2_000
"""Files of one submission that are read, by path."""
ALL_BYTES = 8 << 20
"""Bytes of one submission that are read, in order of paths; what is beyond is left out, and said."""
SHAPES = 60_000
"""Shapes of one file that are kept."""
_WORDS = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|[^\s\w]")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "if else elif for while return def class fn func function let const var match switch case in not and or try "
        "except catch finally raise throw import from use struct enum impl break continue lambda yield await new with",
    )
)


def language_of(path: str) -> str | None:
    """The language of a file by its ending, or `None` for one that is not read."""
    return ENDINGS.get(PurePosixPath(path).suffix.lower())


def read_files(files: Mapping[str, bytes]) -> tuple[Reading, ...]:
    """Read the files that are in a known language, in order of their paths.

    Names that one file binds say nothing in the others either. Raises `BadUsage` where the library for a language is
    not installed.
    """
    texts, cut = _bounded(files)
    made: dict[str, Reading] = {}
    made |= _python({p: t for p, t in texts.items() if language_of(p) == "python"})
    made |= _trees({p: t for p, t in texts.items() if language_of(p) != "python"})
    return tuple(_with_note(made[path], "only the start was read" if path in cut else "") for path in sorted(made))


def _bounded(files: Mapping[str, bytes]) -> tuple[dict[str, str], set[str]]:
    texts: dict[str, str] = {}
    cut: set[str] = set()
    left = ALL_BYTES
    for path in sorted(p for p in files if language_of(p))[:FILES]:
        most = min(FILE_BYTES, left)
        if len(files[path]) > most:
            cut.add(path)
        texts[path] = _text(files[path][:most])
        left -= min(len(files[path]), most)
    return texts, cut


def text_of(data: bytes) -> str:
    """What is kept of a file for excerpts."""
    return _text(data)


def _text(data: bytes) -> str:
    # As the file is read for its syntax; form feeds and other line ends must not move line numbers apart.
    text = data[:FILE_BYTES].decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\x00", "\ufffd").replace("\x0c", " ")


def _with_note(reading: Reading, note: str) -> Reading:
    notes = "; ".join(n for n in (reading.partial, note) if n)
    return Reading(reading.path, reading.language, reading.shapes, reading.prints, notes)


def _python(texts: Mapping[str, str]) -> dict[str, Reading]:
    names = Names(_modules(texts))
    trees: dict[str, ast.Module | None] = {path: _parsed(text) for path, text in texts.items()}
    bound = {path: names.learn(tree) for path, tree in trees.items() if tree is not None}
    made: dict[str, Reading] = {}
    for path, tree in trees.items():
        if tree is None:
            made[path] = _words(path, texts[path])
            continue
        found = read_tree(tree, names, bound[path])
        note = f"{found.unread} statements nest too deep to be read" if found.unread else ""
        made[path] = _reading(path, "python", found.shapes, found.tokens, note)
    return made


def _modules(paths: Iterable[str]) -> set[str]:
    parts = [PurePosixPath(path) for path in paths]
    return {p.stem for p in parts} | {folder for p in parts for folder in p.parts[:-1]}


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _trees(texts: Mapping[str, str]) -> dict[str, Reading]:
    if not texts:
        return {}
    from bouts.adapters.similarity.trees import NODES, Bound, TreeReader, parser

    bound = Bound(set(), set())
    parsed = {
        path: parser(language_of(path) or "").parse(text.encode("utf-8", "replace")) for path, text in texts.items()
    }
    for tree in parsed.values():
        bound.learn(tree.root_node)
    made: dict[str, Reading] = {}
    for path, tree in parsed.items():
        reader = TreeReader(bound)
        reader.read(tree.root_node)
        language = "typescript" if language_of(path) == "tsx" else language_of(path) or ""
        note = "it has errors of syntax" if tree.root_node.has_error else ""
        if reader.nodes > NODES:
            note = "it is too large to be read whole"
        made[path] = _reading(path, language, reader.shapes, reader.tokens, note)
    return made


def _words(path: str, text: str) -> Reading:
    """A file that does not parse, word by word: names and values are all alike, so only its structure counts."""
    tokens: list[Token] = []
    for number, line in enumerate(text.splitlines(), 1):
        code = line.partition("#")[0]
        for word in _WORDS.findall(code)[:500]:
            kind = word if word in _KEYWORDS or not (word[0].isalnum() or word[0] in "_\"'") else word[0].isdigit()
            tokens.append(Token(key(str(kind)), number))
    return _reading(path, "text", [], tokens[:SHAPES], "it does not parse")


def _reading(path: str, language: str, shapes: list[Shape], tokens: list[Token], note: str) -> Reading:
    if len(shapes) > SHAPES:
        note = "; ".join(n for n in (note, f"{len(shapes) - SHAPES} shapes were left out") if n)
    return Reading(path, language, tuple(shapes[:SHAPES]), winnow(tokens[: 2 * SHAPES]), note)
