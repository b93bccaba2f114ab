#!/usr/bin/env python3
"""Fail where a document, a JSON Schema or a page template states another number than the tables of the policies.

Three ways lead from a text to a table:

1. a mark in Markdown or HTML, invisible when rendered:
   `<!-- policy four-judge objective.weights.static -->0.40<!-- /policy -->`; `as percent` behind the path makes it 40;
2. a statement of `stated_numbers.py`: a pattern whose group `n` is the number, and where it comes from (for texts that
   cannot hold comments: schemas, help, printed cards);
3. an allowance of `stated_numbers.py`: a pattern with the reason why its numbers are no policy's.

Every other number in a sentence that speaks of scores is an error: it is bound to nothing and would drift. So is a
statement or an allowance that matches nothing any more. `code_numbers.py` looks for numbers in the code of scores that
stand in no table.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from code_numbers import stray
from stated_numbers import ALLOWED, DEFAULTS, GENERATED, SAME, STATEMENTS, Statement

from bouts.errors import BoutsError
from bouts.policy.beside_all import BESIDE_SCORES
from bouts.policy.catalogue import POLICIES, Policy, get
from bouts.policy.fields import field, fields
from bouts.render.numbers import weight

ROOT = Path(__file__).resolve().parent.parent
WORDS = re.compile(
    r"\b(?:scor\w*|weigh\w*|share[sd]?|points?|penalt\w*|bonus\w*|cap(?:s|ped)?|clamp\w*|attainable|thresholds?|bands?|neutral|"
    r"modifier|deduct\w*|"
    r"spread|outlier|final|severit\w*|anchors?|reference|naive|violation|hold[s]?|judges?|pass rate|composite|"
    r"pass\^k|panel|median|integrity|objective|strategy|process|limit)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"(?<![\w.#/:@-])[−-]?\d+(?:\.\d+)?(?![\w/]|\.\d|-\d)")
MARK = re.compile(r"<!-- policy (\S+) (\S+?)(?: as (percent))? -->(.*?)<!-- /policy -->", re.DOTALL)
SCALE = re.compile(r"(?<![\d.])(?:0|100)(?:\.0)?(?![\d.]*\d)")
"""The ends of the scale, which are no policy's choice."""


class Text(NamedTuple):
    """A piece of text that a person reads."""

    where: str
    body: str


def texts(root: Path = ROOT) -> Iterator[Text]:
    """Every text that is looked at."""
    for path in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")]):
        name = str(path.relative_to(root))
        if name not in GENERATED:
            yield Text(name, path.read_text(encoding="utf-8"))
    for path in sorted(root.glob("docs/reference/*.schema.json")):
        body = json.loads(path.read_text(encoding="utf-8"))
        yield Text(str(path.relative_to(root)), "\n\n".join(dict.fromkeys(_said(body))))
    for path in sorted([*root.glob("src/bouts/render/templates/*"), *root.glob("src/bouts/web/templates/**/*.html")]):
        yield Text(str(path.relative_to(root)), _readable(path.read_text(encoding="utf-8")))
    for policy in POLICIES.values():
        yield Text(f"policy {policy.name}", "\n\n".join(dict.fromkeys(_own_words(policy))))


def _own_words(policy: Policy) -> Iterator[str]:
    """What a table says of itself in words: its title, what its fields mean, and its texts."""
    for row in fields(policy):
        yield row.meaning
        if isinstance(row.value, str) and not row.path.startswith(("version", "source")):
            yield row.value


def _said(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("description", "title") and isinstance(inner, str):
                yield inner
            else:
                yield from _said(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _said(inner)


def _readable(page: str) -> str:
    """What a page says: no style, no markup, no template code; comments stay, as they may be marks."""
    page = re.sub(r"<style.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL)
    page = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", page, flags=re.DOTALL)
    return re.sub(r"<(?!!--)[^>]*>", " ", page)


def problems(found: Iterable[Text]) -> list[str]:
    """One sentence for each number that is wrong, bound to nothing, or promised and not there."""
    out: list[str] = []
    used: set[object] = set()
    for text in found:
        bound = list(_marks(text, out))
        for statement in STATEMENTS:
            bound += _statement(text, statement, used, out)
        for allowance in ALLOWED:
            if fnmatch(text.where, allowance.files):
                spans = [m.span() for m in re.finditer(allowance.pattern, text.body)]
                used |= {allowance} if spans else set()
                bound += spans
        out += _unbound(text, bound)
    out += [
        f"stated_numbers.py: nothing is matched by {row.pattern!r} in {row.files}"
        for row in (*STATEMENTS, *ALLOWED)
        if row not in used
    ]
    return out


def _marks(text: Text, out: list[str]) -> Iterator[tuple[int, int]]:
    for mark in MARK.finditer(text.body):
        policy, path, form, said = mark.groups()
        yield mark.span()
        _hold(text, mark.start(), f"{policy}:{path}", form or "", said, out)


def _statement(text: Text, row: Statement, used: set[object], out: list[str]) -> list[tuple[int, int]]:
    if not fnmatch(text.where, row.files):
        return []
    spans: list[tuple[int, int]] = []
    for match in re.finditer(row.pattern, text.body):
        used.add(row)
        spans.append(match.span("n"))
        _hold(text, match.start("n"), row.source, row.form, match["n"], out)
    return spans


def _hold(text: Text, at: int, source: str, form: str, said: str, out: list[str]) -> None:
    place = f"{text.where}:{text.body.count(chr(10), 0, at) + 1}"
    try:
        value = float(looked_up(source))
    except (BoutsError, AttributeError, ImportError, TypeError, ValueError) as error:
        out.append(f"{place}: {source} is no number of a table: {error}")
        return
    if form.startswith("without "):
        value = _shared(source, value, form.removeprefix("without "))
    value = value * 100 if form == "percent" else abs(value) if form == "size" else value
    try:
        stated = float(said.strip().replace("−", "-").rstrip("%").strip())
    except ValueError:
        out.append(f"{place}: {said!r} is no number, and {source} is {value:g}")
        return
    if abs(stated - value) > 1e-9:
        out.append(f"{place}: says {said.strip()}, and {source} is {value:g}")


def _shared(source: str, value: float, missing: str) -> float:
    """A weight after the share of one sibling was given to the others, as a card shows it."""
    head, _, path = source.partition(":")
    over = path.rpartition(".")[0]
    shares = {f.path: float(str(f.value)) for f in fields(get(head)) if f.path.rpartition(".")[0] == over}
    live = sum(share for name, share in shares.items() if name != f"{over}.{missing}")
    return float(weight(value * sum(shares.values()) / live))


def looked_up(source: str) -> Any:
    """The value of `POLICY:path`, or of `package.module:NAME` for a number that stands in code. Raises `NotFound`."""
    head, _, path = source.partition(":")
    if head.startswith("bouts."):
        return getattr(importlib.import_module(head), path)
    return field(BESIDE_SCORES.get(head) or get(head), path)


def _unbound(text: Text, bound: list[tuple[int, int]]) -> Iterator[str]:
    bound += [m.span() for m in SCALE.finditer(text.body)]
    for start, end in _sentences(text.body):
        sentence = text.body[start:end]
        if not WORDS.search(sentence):
            continue
        for number in NUMBER.finditer(text.body, start, end):
            if not any(a <= number.start() and number.end() <= b for a, b in bound):
                line = text.body.count("\n", 0, number.start()) + 1
                yield f"{text.where}:{line}: {number[0]} is bound to no table: {' '.join(sentence.split())[:120]}"


def _sentences(body: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, items of lists and rows of tables; a table's row is read with its head."""
    at = 0
    for block in re.split(r"(\n\s*\n|\n(?=\s*[-|#]|\s*\d+\. ))", body):
        if block.strip():
            yield at, at + len(block)
        at += len(block)


def defaults(root: Path = ROOT) -> list[str]:
    """Defaults of schemas, and constants of the code, that repeat a number of a policy."""
    out: list[str] = []
    for name, pointer, source in DEFAULTS:
        value: Any = json.loads((root / "docs" / "reference" / name).read_text(encoding="utf-8"))
        for part in pointer.strip("/").split("/"):
            value = value.get(part) if isinstance(value, dict) else None
        if value != looked_up(source):
            out.append(f"docs/reference/{name}#/{pointer}: says {value}, and {source} is {looked_up(source)}")
    out += [
        f"{name}: is {looked_up(name)}, and {source} is {looked_up(source)}"
        for name, source in SAME
        if looked_up(name) != looked_up(source)
    ]
    return out


def main() -> int:
    """Entry point."""
    found = problems(texts()) + defaults() + stray(ROOT)
    for problem in found:
        sys.stderr.write(problem + "\n")
    if found:
        sys.stderr.write(
            f"{len(found)} numbers do not follow from the tables\nhint: see docs/how-to/change-a-number.md\n"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
