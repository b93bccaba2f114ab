"""What `bouts ledger` and `bouts register` print with `--json`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.ledger import Verification


class AgentShown(Fact):
    """An agent."""

    name: str
    owner: str | None
    model: str | None
    scaffold: str | None
    shown: bool
    pseudonym: str


class SeasonShown(Fact):
    """A season; both days belong to it, in UTC."""

    name: str
    first: str
    last: str


class AgentRegisteredOutput(AgentShown):
    """`bouts register agent`."""

    schema_: Literal["bouts.agent-registered/1"] = Field(alias="schema")


class SeasonRegisteredOutput(SeasonShown):
    """`bouts register season`."""

    schema_: Literal["bouts.season-registered/1"] = Field(alias="schema")
    runs: int
    """Runs that ended in it."""


class RegisteredOutput(Fact):
    """`bouts register run` and `bouts register runs`."""

    schema_: Literal["bouts.registered/1"] = Field(alias="schema")
    ledger: str
    runs: int
    """Runs that were told."""
    new: int
    """Those among them that the ledger did not have, corrections included."""


class LedgerMadeOutput(Fact):
    """`bouts ledger init`."""

    schema_: Literal["bouts.ledger-made/1"] = Field(alias="schema")
    ledger: str
    """Its id."""
    place: str
    evidence: str
    """Folder or URL."""


class LedgerShownOutput(Fact):
    """`bouts ledger show`."""

    schema_: Literal["bouts.ledger-shown/1"] = Field(alias="schema")
    ledger: str
    place: str
    created: str
    evidence: str
    entries: int
    head: str
    """Digest of the last entry."""
    kinds: dict[str, int]
    """How many entries there are of each kind."""
    agents: tuple[AgentShown, ...]
    seasons: tuple[SeasonShown, ...]
    waiting: int
    """Cards that wait for a review."""


class LedgerVerifiedOutput(Fact):
    """`bouts ledger verify`."""

    schema_: Literal["bouts.ledger-verified/1"] = Field(alias="schema")
    sound: bool
    """Whether nothing is wrong."""
    found: Verification


class LedgerRebuiltOutput(Fact):
    """`bouts ledger rebuild`."""

    schema_: Literal["bouts.ledger-rebuilt/1"] = Field(alias="schema")
    entries: int


class LedgerMovedOutput(Fact):
    """`bouts ledger backup`, `restore` and `import`."""

    schema_: Literal["bouts.ledger-moved/1"] = Field(alias="schema")
    file: str
    entries: int
    """Entries that were written or read."""
    new: int
    """Those among them that were not there before."""
    evidence: int
    """Files of evidence that were written."""
    missing: int
    """Files of evidence that cards name and that were not there."""


class LedgerExportedOutput(Fact):
    """`bouts ledger export`."""

    schema_: Literal["bouts.ledger-exported/1"] = Field(alias="schema")
    file: str
    rows: int
    """Entries, or with `--runs` runs."""


LEDGER_OUTPUTS: dict[str, type[Fact]] = {
    "agent-registered": AgentRegisteredOutput,
    "season-registered": SeasonRegisteredOutput,
    "registered": RegisteredOutput,
    "ledger-made": LedgerMadeOutput,
    "ledger-shown": LedgerShownOutput,
    "ledger-verified": LedgerVerifiedOutput,
    "ledger-rebuilt": LedgerRebuiltOutput,
    "ledger-moved": LedgerMovedOutput,
    "ledger-exported": LedgerExportedOutput,
}
"""Each shape by the name of its schema file."""
