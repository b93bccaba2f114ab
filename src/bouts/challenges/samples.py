"""Checks of the samples: submissions filed by what they must get."""

from __future__ import annotations

import re
from pathlib import Path

from bouts.challenges.checks import Check, error, settled, warning
from bouts.challenges.reading import Package, read_expectation
from bouts.errors import BoutsError

NAME = "samples"
KINDS = ("reference", "naive", "bad", "alternative", "cheat", "partial")
NEEDED = ("reference", "naive", "bad", "alternative", "cheat")
"""Kinds without which a gate of calibration cannot be judged; the gates say which."""


def kind_of(sample: Path) -> str | None:
    """The kind in a sample's folder name, or none where the name is not `<kind>-<name>`."""
    found = re.fullmatch(rf"({'|'.join(KINDS)})-[a-z0-9]+(?:-[a-z0-9]+)*", sample.name)
    return found[1] if found else None


def submission_of(package: Package, sample: Path) -> Path:
    """The folder that is handed in for a sample: its own, or `reference/` for a reference sample that has none."""
    own = sample / "submission"
    if own.is_dir() or kind_of(sample) != "reference":
        return own
    return package.root / "reference"


def sample_checks(package: Package) -> list[Check]:
    """Every check of `samples/`."""
    samples = package.samples
    if not samples:
        remedy = "add samples/<kind>-<name>/ for: " + ", ".join(NEEDED)
        return [error(NAME, "there are no samples, so nothing shows that the challenge measures anything", remedy)]
    found = [check for sample in samples for check in _one(package, sample)]
    present = {kind_of(s) for s in samples}
    found += [
        warning(NAME, f"there is no sample of the kind {kind!r}", f"add samples/{kind}-<name>/")
        for kind in NEEDED
        if kind not in present
    ]
    return settled(NAME, found, f"{len(samples)} samples, each with its expectation and transcript")


def _one(package: Package, sample: Path) -> list[Check]:
    where = f"samples/{sample.name}"
    found: list[Check] = []
    if kind_of(sample) is None:
        found.append(error(NAME, f"{where} is not named <kind>-<name>", "the kinds are: " + ", ".join(KINDS)))
    if not submission_of(package, sample).is_dir():
        found.append(error(NAME, f"{where} has no submission/", "put the changed files there"))
    try:
        expected = read_expectation(sample / "expect.yaml")
        if expected.band is None and not expected.violations and not expected.flags:
            found.append(error(NAME, f"{where}/expect.yaml expects nothing", "give a band, a violation or a flag"))
        if expected.band and expected.band[0] > expected.band[1]:
            found.append(
                error(NAME, f"{where}/expect.yaml has a band that is upside down", "write the lower end first")
            )
    except BoutsError as problem:
        place = where if (problem.where or "/").startswith("/") else f"samples/{problem.where}"
        found.append(error(NAME, f"{place}: {problem.message}", "see the schema of expect.yaml"))
    if not (sample / "transcript.json").is_file():
        found.append(warning(NAME, f"{where} has no transcript.json", "without one no process can be judged"))
    return found
