"""How the sandbox looks from inside, twice: code that answers differently in the second look is found out."""

from __future__ import annotations

import hashlib

from bouts.model.sandbox import Look

FIRST = Look()
SECOND = Look(
    user="builder",
    host="ci-runner-7",
    home="/var/lib/builder",
    workspace="/srv/app",
    # Nothing that honest code may depend on: no other language, no other time zone.
    variables={"PWD": "/srv/app", "SHLVL": "3", "EDITOR": "vi", "CI_JOB": "17"},
)


def seed(challenge_digest: str, submission_digest: str, purpose: str) -> int:
    """The seed of a suite's order: it comes from both digests, so that it is the same on every machine."""
    return int.from_bytes(
        hashlib.sha256(f"{challenge_digest}|{submission_digest}|{purpose}".encode()).digest()[:4], "big"
    )
