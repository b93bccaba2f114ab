"""A variant file: the weights of `partial-credit` for one problem."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bouts.model.base import Fact

Dimension = Literal["correctness", "tool_usage", "code_quality", "safety", "efficiency"]


class Variant(Fact):
    """The weights of one problem, under a name: the policy's version on a card is then `1.0+NAME`."""

    schema_: Annotated[Literal["bouts.variant/1"], Field(alias="schema")] = "bouts.variant/1"
    policy: str = "partial-credit"
    """The policy that is varied, in its current version or a named one: `partial-credit@1.0`. No other policy has
    weights that a problem may set."""
    name: Annotated[str, StringConstraints(max_length=60, pattern=r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$")]
    """Name of the variant: letters, digits and dashes."""
    weights: Annotated[dict[Dimension, Annotated[float, Field(ge=0, le=1)]], Field(min_length=1)]
    """Shares of the final score, at most 6 decimals each. A dimension that is not named keeps its share; all five
    together add up to 1."""
