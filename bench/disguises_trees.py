"""Disguises for JavaScript, TypeScript, Go and Rust: everything renamed, comments taken out, functions moved."""

from __future__ import annotations

import random

from disguises import word

from bouts.adapters.similarity.grammar import ROLES
from bouts.adapters.similarity.reading import language_of
from bouts.adapters.similarity.trees import Bound, parser


def disguised(text: str, ending: str, seed: str, *, move: bool) -> str:
    """The code with every name that it binds changed and without comments; with `move` top-level functions in another
    order."""
    chance = random.Random(seed)
    data = text.encode()
    root = parser(language_of("a." + ending) or "").parse(data).root_node
    bound = Bound(set(), set())
    bound.learn(root)
    new = {name: word(chance).rstrip("_") + "Q" for name in sorted(bound.names | bound.fields) if name.isidentifier()}
    edits: list[tuple[int, int, bytes]] = []
    stack = [root]
    while stack:
        node = stack.pop()
        role = ROLES.get(node.type)
        if "comment" in node.type:
            edits.append((node.start_byte, node.end_byte, b" "))
        elif role in {"name", "field"} and node.child_count == 0:
            own = bound.names if role == "name" else bound.fields
            name = data[node.start_byte : node.end_byte].decode()
            if name in own and name in new:
                edits.append((node.start_byte, node.end_byte, new[name].encode()))
        else:
            stack += node.children
    parts: list[bytes] = []
    functions: list[int] = []
    for child in root.children:
        if ROLES.get(child.type) == "function":
            functions.append(len(parts))
        parts.append(_edited(data, child.start_byte, child.end_byte, edits))
    if move:
        moved = [parts[i] for i in functions]
        chance.shuffle(moved)
        for place, part in zip(functions, moved, strict=True):
            parts[place] = part
    return b"\n".join(parts).decode() + "\n"


def _edited(data: bytes, start: int, end: int, edits: list[tuple[int, int, bytes]]) -> bytes:
    made, at = b"", start
    for first, last, text in sorted(e for e in edits if start <= e[0] and e[1] <= end):
        made += data[at:first] + text
        at = last
    return made + data[at:end]
