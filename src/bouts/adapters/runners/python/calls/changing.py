"""Arguments that code changes in place: which can be, whether they were, and making the same change here."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import io
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from bouts.adapters.runners.python.calls.inside.plain import Malformed

_MAPPINGS = (dict, OrderedDict, Counter, defaultdict)
_BUFFERS = (io.StringIO, io.BytesIO)
_MUTABLE = frozenset((list, set, bytearray, deque, *_MAPPINGS, *_BUFFERS))
_ATOMS = frozenset((type(None), bool, int, float, str, bytes, bytearray))


def holds_mutable(value: Any) -> bool:
    """Whether a call can change the value in place."""
    kind = type(value)
    if kind in _MUTABLE:
        return True
    return kind is tuple and any(holds_mutable(item) for item in value)


def alike(old: Any, new: Any) -> bool:
    """Whether an argument is as the test gave it. No object of the submission is asked: it is alike to itself alone."""
    kind = type(old)
    if old is new or kind is not type(new):
        return old is new
    if kind in (list, tuple, deque):
        return len(old) == len(new) and all(map(alike, old, new))
    if kind in _MAPPINGS:
        return len(old) == len(new) and all(map(alike, old.items(), new.items()))
    if kind in (set, frozenset):
        return all(type(item) in _ATOMS for one in (old, new) for item in one) and old == new
    if kind in _BUFFERS:
        return old.tell() == new.tell() and old.getvalue() == new.getvalue()
    return kind in _ATOMS and old == new


def change_in_place(old: Any, new: Any) -> None:
    """Make `old` equal to `new`, keeping the containers inside it where they are of the same kind and place."""
    kind = type(old)
    if kind is not type(new):
        raise Malformed("an argument that changed its type")
    if kind is tuple:
        for mine, theirs in zip(old, new, strict=False):
            if type(mine) in _MUTABLE and type(theirs) is type(mine):
                change_in_place(mine, theirs)
    elif kind in (list, deque):
        kept = [_merged(old[place], item) if place < len(old) else item for place, item in enumerate(new)]
        old.clear()
        old.extend(kept)
    elif kind in (set, bytearray):
        old.clear()
        old.update(new) if kind is set else old.extend(new)
    elif kind in _MUTABLE and hasattr(old, "items"):
        kept = {key: _merged(old[key], item) if key in old else item for key, item in new.items()}
        old.clear()
        dict.update(old, kept)
    elif kind in _MUTABLE:
        old.seek(0)
        old.truncate()
        old.write(new.getvalue())
        old.seek(new.tell())


def _merged(old: Any, new: Any) -> Any:
    if type(old) in _MUTABLE and type(new) is type(old):
        change_in_place(old, new)
        return old
    return new
