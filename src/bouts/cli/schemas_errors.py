"""The shape of an error that `--json` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bouts.model.base import Fact


class ErrorBody(Fact):
    """What is wrong, where, and what to do."""

    code: str
    message: str
    where: str | None
    hint: str | None


class ErrorOutput(Fact):
    """Any command that failed."""

    schema_: Literal["bouts.error/1"] = Field(alias="schema")
    error: ErrorBody
