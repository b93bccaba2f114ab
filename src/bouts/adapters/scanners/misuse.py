"""A closer look at rules that name a dangerous function: is it misused here, or is it merely used?

Scanners report every call of `os.system`, `pickle.loads` or `md5`. That is worth a line in the list of findings, but it
proves no weakness: code whose purpose is to run the caller's command is honest. What is asked for here before such a
row may count as proof:

- *commands*: text that the function does not make itself, unquoted, after text that it does. Who gives the whole
  command, or its beginning, commands anyway.
- *deserialising*: bytes that the function was given, or took from a connection, a request or its own input, with no
  signature compared. Files that it opens itself, and `marshal`, which runs nothing, are no proof.
- *weak digests*: of a password, a token or a key, or in a function that is named for signing or for such things.
- *unpacking*: no filter at all.
- *markup*: something unescaped put into text that is then declared safe. Who declares the whole knows what it is.
- *raw parts of queries*: where the method is given any.
- *old protocols*: never; which protocol is spoken is the task's choice.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator
from typing import Literal

from bouts.adapters.scanners.rows import Row
from bouts.adapters.scanners.strings import DEPTH, Names, Owner, builds, is_text, own, pieces

Verdict = Literal["own", "used", "misused"]

_COMMAND = frozenset({"602", "604", "605"})
_LOADED = frozenset({"301", "506", "614"})
_DIGEST = frozenset({"303", "324"})
_UNPACKED = frozenset({"202"})
_MARKUP = frozenset({"308", "703", "704"})
_RAW = frozenset({"610"})
_NEVER = frozenset({"302", "312", "321"})
_OF_FUNCTIONS = frozenset({"3", "6"})
"""First digits of the rules that name a function."""
_SECRET = re.compile(
    r"passw|passphrase|pwd|secret|token(?!i[sz])|credential|api_?key|private_?key|session_?(id|key)", re.IGNORECASE
)
_SIGNS = re.compile(
    rf"{_SECRET.pattern}|(^|_)sign(ed|ature)?(_|$)|(^|_)(hmac|mac|authenticate|login)(_|$)", re.IGNORECASE
)
_FROM_OUTSIDE = frozenset(
    {"recv", "recvfrom", "recvmsg", "rfile", "stdin", "cookies", "request", "urlopen", "get_data", "environ", "argv"}
)
_DECODES = frozenset(
    {"b64decode", "urlsafe_b64decode", "standard_b64decode", "b32decode", "b85decode", "a85decode", "unhexlify"}
    | {"a2b_base64", "a2b_hex", "fromhex", "decompress", "bytes", "bytearray", "encode", "decode", "strip", "BytesIO"}
)
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def verdict(tree: ast.Module, row: Row) -> Verdict:
    """`own` where the function that the row is about is the file's own and merely has the name of a dangerous one,
    `used` where nothing shows the misuse. `misused` is what else there is: code that shows it, every rule that is not
    one of those above, and calls that cannot be found in the tree."""
    number = row.rule[1:]
    look = next((found for numbers, found in _LOOKS if number in numbers), None)
    named = number[:1] in _OF_FUNCTIONS
    calls = _calls(tree, row) if look is not None or named else []
    if named and _own(tree, [call for _, call in calls if call.lineno == row.line]):
        return "own"
    if number in _NEVER or (look is not None and calls and not any(look(tree, owner, call) for owner, call in calls)):
        return "used"
    return "misused"


def _own(tree: ast.Module, calls: list[ast.Call]) -> bool:
    names = {node.name for node in tree.body if isinstance(node, _FUNCTIONS | ast.ClassDef)}
    return bool(calls) and all(isinstance(call.func, ast.Name) and call.func.id in names for call in calls)


def _calls(tree: ast.Module, row: Row) -> list[tuple[Owner, ast.Call]]:
    """Calls that begin on the row's lines, each with the function around it."""
    return [(owner, call) for owner, call in _every_call(tree) if row.start <= call.lineno <= row.end]


@functools.lru_cache(maxsize=1)  # the rows of one file stand together
def _every_call(tree: ast.Module) -> list[tuple[Owner, ast.Call]]:
    found: list[tuple[Owner, ast.Call]] = []
    pending: list[tuple[ast.AST, Owner]] = [(tree, tree)]
    while pending:
        node, owner = pending.pop()
        if isinstance(node, ast.Call):
            found.append((owner, node))
        inside = node if isinstance(node, _FUNCTIONS) else owner
        pending.extend((child, inside) for child in ast.iter_child_nodes(node))
    return found


def _called(call: ast.expr) -> str:
    return _word(call.func) if isinstance(call, ast.Call) else ""


def _word(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


# Commands


def _injected(tree: ast.Module, owner: Owner, call: ast.Call) -> bool:
    given = [item.value for item in call.keywords if item.arg in {"args", "cmd", "command"}]
    if not (call.args or given) or (is_text(call.func.value) if isinstance(call.func, ast.Attribute) else False):
        return False
    command = call.args[0] if call.args else given[0]
    names = Names(tree, owner, _quoted)
    if not isinstance(command, ast.Name):
        return _put_in(names, command)
    # Each text that the name may be, and what is added to it.
    begins = [value for value in names.bound(command.id) or () if value is not None]
    if any(_put_in(names, value) for value in begins if not isinstance(value, ast.Name)):
        return True
    added = [
        node.value
        for node in own(owner)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == command.id
    ]
    fixed = any(isinstance(next(_leaves(value), None), ast.Constant) for value in begins if value not in added)
    return fixed and any(not names.safe(leaf, DEPTH) for value in added for leaf in _leaves(value))


def _put_in(names: Names, node: ast.expr) -> bool:
    """Whether something unsafe stands behind text that is fixed."""
    fixed = False
    for leaf in _leaves(node):
        if isinstance(leaf, ast.Constant):
            fixed = fixed or bool(str(leaf.value).strip(" \t\n'\"("))
        elif names.safe(leaf, DEPTH) or _quoted_itself(names, leaf):
            fixed = True
        else:
            return fixed
    return False


def _quoted_itself(names: Names, node: ast.expr) -> bool:
    """Whether a parameter is quoted under its own name before it is used."""
    bound = names.bound(node.id) or () if isinstance(node, ast.Name) else ()
    return any(value is not None and _quoted(value) for value in bound)


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """What a text is made of, from left to right."""
    match node:
        case ast.JoinedStr(values=values):
            for value in values:
                yield value.value if isinstance(value, ast.FormattedValue) else value
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _leaves(left)
            yield from _leaves(right)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            yield ast.Constant(text.partition("%")[0])
            yield from right.elts if isinstance(right, ast.Tuple) else [right]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            yield ast.Constant(text.partition("{")[0])
            yield from (*node.args, *(item.value for item in node.keywords))
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join"), args=[ast.List(elts=parts)]):
            for part in parts:
                yield from _leaves(part)
        case _:
            yield node


def _quoted(node: ast.expr) -> bool:
    """Text that a shell takes as one word, or that the machine made up."""
    match node:
        case ast.Call(func=ast.Attribute(attr="replace"), args=[ast.Constant(value="'" | '"'), ast.Constant()]):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="tempfile"))):
            return True
        case ast.Attribute(value=inner, attr="name"):
            return _quoted(inner)
        case ast.Call():
            return _called(node) in {"quote", "list2cmdline", "mkstemp", "mkdtemp"} or (
                _called(node) == "join" and isinstance(node.func, ast.Attribute) and _is_shlex(node.func.value)
            )
        case _:
            return False


def _is_shlex(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "shlex"


# Deserialising


def _loaded(tree: ast.Module, owner: Owner, call: ast.Call) -> bool:
    given = call.args or [item.value for item in call.keywords if item.arg in {"data", "stream", "f", "file"}]
    if not given or (isinstance(owner, _FUNCTIONS) and any("compare_digest" in _called(n) for n in _own_calls(owner))):
        return False
    names = Names(tree, owner)
    whole = _called(call) not in {"load", "Unpickler"} or (
        isinstance(call.func, ast.Attribute) and _word(call.func.value) == "yaml"
    )
    return _outside(names, given[0], _parameters(owner) if whole else frozenset(), DEPTH)


def _own_calls(owner: Owner) -> Iterator[ast.Call]:
    return (node for node in own(owner) if isinstance(node, ast.Call))


def _parameters(owner: Owner) -> frozenset[str]:
    if isinstance(owner, ast.Module):
        return frozenset()
    given = owner.args
    names = [item.arg for item in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return frozenset(names) - {"self", "cls"}


def _outside(names: Names, node: ast.expr, parameters: frozenset[str], depth: int) -> bool:
    """Whether the bytes are the function's parameter, or came from a connection, a request or its input."""
    if depth <= 0:
        return False
    for part in ast.walk(node):
        word = _word(part)
        if word in _FROM_OUTSIDE or (word == "input" and isinstance(part, ast.Name)):
            return True
    return any(_outside(names, item, parameters, depth - 1) for item in _comes_from(names, node)) or (
        isinstance(node, ast.Name) and node.id in parameters
    )


def _comes_from(names: Names, node: ast.expr) -> list[ast.expr]:
    """What the same bytes were before: under another name, in a larger whole, or in another encoding."""
    match node:
        case ast.Name(id=name):
            return [value for value in names.bound(name) or () if value is not None]
        case ast.Subscript(value=inner) | ast.Await(value=inner):
            return [inner]
        case ast.Call() if _called(node) in _DECODES:
            return [node.func.value] if isinstance(node.func, ast.Attribute) and not node.args else node.args[:1]
        case _:
            return []


# Digests


def _secret(tree: ast.Module, owner: Owner, call: ast.Call) -> bool:
    if isinstance(owner, _FUNCTIONS) and _SIGNS.search(owner.name):
        return True
    names = Names(tree, owner)
    return any(_names_secret(names, item, 3) for item in call.args)


def _names_secret(names: Names, node: ast.expr, depth: int) -> bool:
    for part in ast.walk(node):
        word = _word(part)
        if word and _SECRET.search(word):
            return True
        if depth and isinstance(part, ast.Name):
            bound = [value for value in names.bound(word) or () if value is not None and value is not node]
            if any(_names_secret(names, value, depth - 1) for value in bound):
                return True
    return False


# Archives


def _all(tree: ast.Module, owner: Owner, call: ast.Call) -> bool:
    """Whether nothing chooses among the members of the archive."""
    chosen = [item.value for item in call.keywords if item.arg in {"filter", "members"}]
    return _called(call) in {"extractall", "extract"} and not any(
        not (isinstance(value, ast.Constant) and value.value in {None, "fully_trusted"}) for value in chosen
    )


# Markup and raw queries


def _unescaped(tree: ast.Module, owner: Owner, call: ast.Call) -> bool:
    names = Names(tree, owner, lambda node: _called(node) in {"escape", "quote", "conditional_escape", "urlencode"})
    texts = [
        value
        for item in call.args[:1]
        for value in ((names.bound(item.id) or ()) if isinstance(item, ast.Name) else (item,))
        if value is not None
    ]
    return any(not names.safe(piece, DEPTH) for text in texts if builds(text) for piece in pieces(text))


def _given_raw(tree: ast.Module, owner: Owner, call: ast.Call) -> bool:
    return any(item.arg in {"select", "where", "tables", "order_by", "select_params"} for item in call.keywords)


_LOOKS: tuple[tuple[frozenset[str], Callable[[ast.Module, Owner, ast.Call], bool]], ...] = (
    (_COMMAND, _injected),
    (_LOADED, _loaded),
    (_DIGEST, _secret),
    (_UNPACKED, _all),
    (_MARKUP, _unescaped),
    (_RAW, _given_raw),
)
