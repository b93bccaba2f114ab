"""What one test leaves to objects of the submission, so that they, and not plain data, may decide it."""

from __future__ import annotations

from typing import Any, cast

from bouts.model.judging import Judged, Judgement


class Judging:
    """The account of one test. Kept while it runs; thread-safe, as it only ever adds to sets."""

    def __init__(self, own: tuple[type, ...]) -> None:
        """`own`: types of this side that stand for objects of the submission."""
        self._own = own
        self._asked: set[Judgement] = set()
        self._noted: set[Judgement] = set()
        self.told = False
        """Whether anything came from the submission but objects and what they decided."""

    def asks(self, kind: Judgement) -> None:
        """The submission's process decides."""
        self._asked.add(kind)

    def notes(self, kind: Judgement) -> None:
        """An object of the submission is asked, and this side answers."""
        self._noted.add(kind)

    def saw(self, value: Any) -> None:
        """A value came from the submission."""
        self.told = self.told or self._says(value)

    def account(self) -> Judged | None:
        """All of it; none where nothing was left to objects."""
        put = self._asked | self._noted
        if not put:
            return None
        return Judged(asked=tuple(sorted(self._asked)), put=tuple(sorted(put)), alone=not self.told)

    def _says(self, value: Any) -> bool:
        """Whether there is anything in a value but objects of the submission."""
        kind = cast("Any", type(value))
        if kind in (list, tuple, set, frozenset) and value:
            return any(self._says(item) for item in value)
        if kind is dict and value:
            return any(self._says(key) or self._says(item) for key, item in cast("dict[Any, Any]", value).items())
        return not (value is None or isinstance(value, self._own))
