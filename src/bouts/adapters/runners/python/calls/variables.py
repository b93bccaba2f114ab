"""Variables of the environment that a test changes: its worker must have them, too."""

from __future__ import annotations

import os
from typing import Any, cast

_HIDDEN = frozenset(("PYTEST_CURRENT_TEST",))


class Variables:
    """What a worker knows of this process's environment."""

    def __init__(self) -> None:
        self._raw: dict[Any, Any] | None = None
        self._known: dict[str, str] = {}

    def begin(self) -> None:
        """Changes are counted from the environment as it is now."""
        self._known = _shown()
        self._raw = None

    def changes(self) -> dict[str, str | None]:
        """What was changed since the last time; `None` where a variable is gone."""
        # Comparing what `os.environ` holds is far cheaper than reading it, and nearly always enough.
        data = cast("dict[Any, Any]", vars(os.environ)["_data"])
        if data == self._raw:
            return {}
        self._raw = dict(data)
        before, self._known = self._known, _shown()
        gone = dict.fromkeys(key for key in before if key not in self._known)
        return {**{key: value for key, value in self._known.items() if before.get(key) != value}, **gone}


def _shown() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in _HIDDEN}
