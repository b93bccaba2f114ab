"""Checks of a challenge's shape: format, tier, budget and difficulty profile."""

from __future__ import annotations

from bouts.challenges.checks import Check, error, ok, settled, warning
from bouts.challenges.reading import Package
from bouts.model.challenge import Format

FORMATS = {
    Format.SPRINT: ((15, 20), (3, 10), (1, 2)),
    Format.STANDARD: ((30, 45), (10, 30), (2, 4)),
    Format.MARATHON: ((60, None), (30, None), (5, 7)),
}
"""Minutes, files and iterations by format; none where there is no upper end."""
TIER_FILES = {1: (5, 15), 2: (15, 30), 3: (30, None), 4: (30, None)}
MANIFESTS = ("pyproject.toml", "requirements.txt", "setup.cfg", "requirements.in")
LOCKS = ("requirements.lock", "uv.lock", "poetry.lock", "pdm.lock", "requirements.txt", "pylock.toml")
CI = (
    ".github/workflows/",
    ".gitlab-ci.yml",
    ".ci/",
    ".circleci/",
    "azure-pipelines.yml",
    ".woodpecker",
    "Jenkinsfile",
)


def profile_checks(package: Package) -> list[Check]:
    """A flat profile says nothing; it is usual at tiers 0 and 2 only."""
    values = list(package.manifest.profile.model_dump().values())
    if len(set(values)) == 1 and package.manifest.tier not in (0, 2):
        remedy = "good challenges have two or three high dimensions; rate each on its own"
        return [warning("profile", f"all eight dimensions are {values[0]}", remedy)]
    return [ok("profile", "eight dimensions: " + " ".join(str(v) for v in values))]


def format_checks(package: Package) -> list[Check]:
    """The format's range of files decides; the tier's, and time and iterations, warn."""
    manifest = package.manifest
    minutes, files, iterations = FORMATS[manifest.format]
    paths = sorted(package.below("codebase"))
    every, own = len(paths), len(paths) - len(_artefacts(paths))
    counted = f"{every} files ({own} without README, manifests, CI and such)"
    found: list[Check] = []
    if not _within(every, files) and not _within(own, files):
        said = f"a {manifest.format} has {_said(files)}"
        found.append(
            error("format", f"the codebase has {counted}; {said}", "resize it, or choose the format that fits")
        )
    tier = TIER_FILES.get(manifest.tier)
    if tier and not _within(every, tier) and not _within(own, tier):
        found.append(
            warning(
                "tier",
                f"the codebase has {counted}; tier {manifest.tier} has {_said(tier)}",
                "see whether the tier fits",
            )
        )
    if not _within(manifest.budget.minutes, minutes):
        message = f"the budget is {manifest.budget.minutes:g} minutes; a {manifest.format} has {_said(minutes)}"
        found.append(warning("format", message, "change the budget, or choose the format that fits"))
    if not _within(manifest.budget.iterations, iterations):
        message = f"{manifest.budget.iterations} iterations; a {manifest.format} has {_said(iterations)}"
        found.append(warning("format", message, "change `budget.iterations`, or choose the format that fits"))
    return settled("format", found, f"{manifest.format}, tier {manifest.tier}: {counted}")


def _within(value: float, span: tuple[int, int | None]) -> bool:
    return span[0] <= value and (span[1] is None or value <= span[1])


def _said(span: tuple[int, int | None]) -> str:
    return f"{span[0]} or more" if span[1] is None else f"{span[0]} to {span[1]}"


def _artefacts(paths: list[str]) -> set[str]:
    """Files that every codebase must have and that say nothing about its size."""
    fixed = {*MANIFESTS, *LOCKS, ".env.example"}
    return {p for p in paths if p in fixed or p.lower().startswith("readme") or p.startswith(CI) or p == ".gitignore"}
