"""The list of a package's tests, `inventory.json`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.judging import Judgement


class Inventory(Fact):
    """The tests of a package as the reference run reported them; written by `bouts check --freeze`."""

    schema_: Annotated[Literal["bouts.inventory/1"], Field(alias="schema")] = "bouts.inventory/1"
    tests_digest: str
    """Digest of the `tests/` folder that the list was made from."""
    static: tuple[str, ...]
    """Ids relative to `tests/static/`, sorted."""
    adversarial: tuple[str, ...]
    """Ids relative to `tests/adversarial/`, sorted."""
    judged: dict[str, tuple[Judgement, ...]] | None = None
    """What tests (`static/…`, `adversarial/…`) at the boundary `calls` leave to objects of the reference; those of a
    submission may decide no more than that. None: it was never looked at."""
    rest_on_code: tuple[str, ...] = ()
    """Those of them to which nothing else came from the reference: no plain data, no exception, no output."""
