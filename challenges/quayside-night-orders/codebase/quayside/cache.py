"""A small cache in the process's memory."""

import time

from quayside import settings

_entries = {}


def get(key):
    entry = _entries.get(key)
    if entry is None or entry[0] < time.monotonic():
        return None
    return entry[1]


def put(key, value):
    _entries[key] = (time.monotonic() + settings.CACHE_SECONDS, value)


def forget(key):
    _entries.pop(key, None)
