"""The public functions of the package, as `bouts.NAME`: what the command line does, for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bouts.challenges.reading import Package
    from bouts.model.card import Card
    from bouts.model.session import Session
    from bouts.pipeline.evaluate import Scored
    from bouts.policy.catalogue import CardPolicy


def evaluate(
    challenge: str | Path,
    submission: str | Path,
    *,
    policy: str | CardPolicy = "four-judge",
    agent: str | None = None,
    transcript: str | Path | None = None,
    fresh: bool = False,
) -> Scored:
    """Score one submission in a sandbox: its `card` and the `evidence` that the card rests on. Nothing is stored but
    the cache of measurements, which `fresh` leaves unread.

    `challenge` is a folder or a known name, `submission` a folder, archive or patch, and `policy` as in `rescore`.
    Raises `UserError` for what cannot be taken, and `WorldError` where the machine is at fault, such as
    `SandboxUnavailable`.
    """
    from bouts import assemble
    from bouts.pipeline.evaluate import Options
    from bouts.pipeline.evaluate import evaluate as score

    options = Options(policy=_policy(policy), fresh=fresh)
    package = assemble.challenge(str(challenge))
    with assemble.world() as world:
        return score(
            package,
            Path(submission),
            world,
            options,
            agent=agent,
            transcript=None if transcript is None else Path(transcript),
        )


def rescore(card: str | Path, policy: str | CardPolicy, *, evidence: str | Path | None = None) -> Card:
    """The card that a stored card's evidence gives under another policy; nothing is run again, nothing is written.

    `policy` is a name, the path of a variant file, or a table. Raises `NotFound` where the evidence lies neither beside
    the card nor at `evidence`, `BadFile` where it is not that of the card, and `BadUsage` for a policy that scores
    whole cohorts of runs.
    """
    from bouts.pipeline.cards import load_card, load_evidence
    from bouts.pipeline.rescoring import rescore as again

    place = Path(card)
    found = load_card(place)
    file = load_evidence(found, place, None if evidence is None else Path(evidence))
    return again(found, file, _policy(policy))


def _policy(policy: str | CardPolicy) -> CardPolicy:
    from bouts.pipeline.variants import card_policy_named
    from bouts.policy.catalogue import for_cards

    return card_policy_named(policy) if isinstance(policy, str) else for_cards(policy)


def read_transcript(path: str | Path, *, format: str | None = None, sample: str | None = None) -> Session:
    """An agent's session, whatever agent wrote it. The format is told by the file's content where none is named, and
    `sample` names one of several sessions in a file. Raises `BadFile` for a file of no known format."""
    from bouts import assemble

    return assemble.transcript(Path(path), format, sample)


def read_challenge(path: str | Path) -> Package:
    """A challenge package. Raises `BadChallenge` with every place where it breaks the format."""
    from bouts.challenges.reading import read_challenge as read

    return read(Path(path))
