"""Instructions to judges in comments and docstrings, where no program has a use for them."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Mapping

from bouts.adapters.scanners.sources import Source, parse
from bouts.challenges.changes import changed_lines
from bouts.challenges.notices import instructions_to_judges
from bouts.integrity.proofs import bounded, proof
from bouts.model.evidence import Observation, Proof

_LINES = 8


def judge_manipulation(given: Mapping[str, Source], staged: Mapping[str, Source]) -> tuple[Observation, ...]:
    """Comments and docstrings, new against the given file, that address a judge and demand a result or overrule what it
    was told. Other texts of the code are data: a filter of such words, or a test of one, may hold them."""
    proofs: list[Proof] = []
    for path, item in sorted(staged.items()):
        if item.text is None or not instructions_to_judges(item.text):
            continue
        before = given[path].data if path in given else None
        fresh = changed_lines(before, item.data)
        for first, last in instructions_to_judges(_prose(item)):
            if any(line in fresh for line in range(first, last + 1)):
                shown = "\n".join(item.lines[first - 1 : min(last, first + _LINES - 1)])
                proofs.append(proof(path, first, shown, "tells whoever judges this what to decide"))
    if not proofs:
        return ()
    because = f"text that instructs the judges in {len(proofs)} place{'s' if len(proofs) > 1 else ''}"
    return (Observation(kind="judge_manipulation", because=because, proofs=bounded(proofs)),)


def _prose(item: Source) -> str:
    """The comments and docstrings on their lines; everything else is left blank."""
    lines = [""] * len(item.lines)
    try:
        for token in tokenize.generate_tokens(io.StringIO(item.text or "").readline):
            if token.type == tokenize.COMMENT and token.start[0] <= len(lines):
                lines[token.start[0] - 1] += token.string
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ""
    tree = parse(item.data)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or not node.body:
            continue
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            for number in range(first.lineno, min(first.end_lineno or first.lineno, len(lines)) + 1):
                lines[number - 1] += item.lines[number - 1]
    return "\n".join(lines)
