"""The one base of all facts: frozen, closed to unknown keys, no NaN and no infinity."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Fact(BaseModel):
    """An immutable record. Unknown keys, NaN and infinity are refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        defer_build=True,
        populate_by_name=True,
        serialize_by_alias=True,
    )
