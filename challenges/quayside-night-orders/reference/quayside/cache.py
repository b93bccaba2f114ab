"""A small cache in the process's memory.

A value that was read before a change may arrive here after that change has been announced. Each reader therefore
takes a `ticket` before it reads, and `put` drops the value when anything was forgotten since.
"""

import threading
import time

from quayside import settings

_lock = threading.Lock()
_entries = {}
_changes = 0


def ticket():
    return _changes


def get(key):
    entry = _entries.get(key)
    if entry is None or entry[0] < time.monotonic():
        return None
    return entry[1]


def put(key, value, ticket):
    with _lock:
        if ticket == _changes:
            _entries[key] = (time.monotonic() + settings.CACHE_SECONDS, value)


def forget(keys):
    """Call it after the commit; before it, a reader could put the old value back."""
    global _changes
    with _lock:
        _changes += 1
        for key in keys:
            _entries.pop(key, None)
