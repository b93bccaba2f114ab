"""Numbers of the policies that texts repeat, and numbers that are none. `check_numbers.py` holds the texts to them."""

from __future__ import annotations

from typing import NamedTuple


class Statement(NamedTuple):
    """A number that a text repeats."""

    files: str
    """Glob of the files."""
    pattern: str
    """Regular expression; its group `n` is the number."""
    source: str
    """`POLICY:path` of the table, or `package.module:NAME`."""
    form: str = ""
    """`percent`: the text says 40 for 0.40; `size`: it leaves out the sign; `without X`: the weight after the share of
    its sibling X was given to the others."""


class Allowance(NamedTuple):
    """Numbers near words of scoring that no policy states."""

    files: str
    pattern: str
    reason: str


GENERATED = frozenset(
    {
        "docs/explanation/methodology.md",
        "docs/explanation/reading-a-card.md",
        "docs/reference/policies/four-judge.md",
        "docs/reference/policies/six-component.md",
        "docs/reference/policies/partial-credit.md",
        "docs/reference/policies/headline.md",
        "docs/reference/policies/statistics.md",
    }
)
"""Pages made from the tables: `scripts/generate --check` holds them, and a test holds their generator to no number."""

_PRINTED = {
    "Static tests": "objective.weights.static",
    "Hidden adversarial tests": "objective.weights.adversarial",
    "Build health": "objective.weights.build",
    "Performance and security": "objective.weights.performance_security",
    "Performance": "objective.halves.performance",
    "Security": "objective.halves.security",
    "Tool use": "process.weights.tool_use",
    "Error recovery": "process.weights.error_recovery",
    "Iteration trajectory": "process.weights.trajectory",
    "Efficiency": "process.weights.efficiency",
    "Scope management": "process.weights.scope",
}
"""Lines of the card that the README shows, by what its weight is. All their siblings were judged."""
_WEIGHT = r"[ █░]+[\d.]+ × (?P<n>[\d.]+)"

STATEMENTS: tuple[Statement, ...] = (
    Statement(
        "docs/explanation/similarity.md", r"\*\*(?P<n>[\d.]+) is where one honest", "four-judge:integrity.similarity"
    ),
    Statement(
        "docs/explanation/similarity.md", r"At the threshold of (?P<n>[\d.]+\d)", "four-judge:integrity.similarity"
    ),
    Statement(
        "docs/explanation/similarity.md",
        r"solutions reached (?P<n>[\d.]+\d) against",
        "four-judge:integrity.similarity",
    ),
    Statement(
        "docs/explanation/similarity.md",
        r"Below a weight of (?P<n>\d+)",
        "bouts.integrity.similarity.calibration:ENOUGH",
    ),
    *(Statement("README.md", rf"(?m)^ +{label}{_WEIGHT}", f"four-judge:{path}") for label, path in _PRINTED.items()),
    Statement("README.md", rf"Objective judge{_WEIGHT}", "four-judge:formats.sprint.objective", "without strategy"),
    Statement("README.md", rf"Process judge{_WEIGHT}", "four-judge:formats.sprint.process", "without strategy"),
    Statement("docs/how-to/write-a-challenge.md", r"limit of a test is (?P<n>\d+) s", "four-judge:limits.test_seconds"),
    Statement("docs/how-to/write-a-challenge.md", r"limit of a test is (?P<n>\d+) s", "six-component:test_seconds"),
    Statement(
        "docs/how-to/write-a-challenge.md",
        r"at least (?P<n>\d+) % of what is attainable",
        "bouts.pipeline.checking:REFERENCE_AT_LEAST",
    ),
    Statement(
        "docs/how-to/write-a-challenge.md",
        r"at least (?P<n>\d+) below the reference",
        "bouts.pipeline.samples:KNOWN_BAD_GAP",
    ),
    Statement("policy four-judge", r"a modifier from (?P<n>−\d+) to", "four-judge:integrity.lowest"),
    Statement("policy four-judge", r"a modifier from −\d+ to \+(?P<n>\d+)", "four-judge:integrity.highest"),
    Statement("docs/reference/*.schema.json", r"to (?P<n>\d+) places", "bouts.scoring.exact:PLACES"),
)
ALLOWED: tuple[Allowance, ...] = (
    Allowance("policy *", r"\(0–1\)", "the range of a share"),
    Allowance("docs/reference/*.schema.json", r"\b0–1\b|From 1;|; 1 is easy", "the range of a share; the first rank"),
    Allowance("policy headline", r"\|2·share passed − 1\|", "the shape of a formula"),
    Allowance("README.md", r"```text\n═[\s\S]*?```", "a printed card: measured; its weights are statements above"),
    Allowance("*.md", r"(?m)^ {4,}(?:bouts|make) .*$", "an example of a call"),
    Allowance("docs/reference/commands.md", r"(?m)^    bouts .*(?:\n    (?!bouts).*)*", "an example of a call"),
    Allowance("docs/reference/commands.md", r"Exit with 1|Exit status: [^\n]*(?:\n[^\n]+)*", "an exit status"),
    Allowance("docs/reference/commands.md", r"\[0<=x<=1\]", "the range of an option"),
    Allowance("docs/decisions/*.md", r"(?m)^# \d+", "the number of a decision"),
    Allowance("*.md", r"(?m)^ {0,3}\d+\. ", "the number of a step"),
    Allowance("docs/reference/transcripts.md", r"(?m)^\|.*$", "counts of a run over example files"),
    Allowance("docs/reference/transcript-phases.md", r"(?m)^.*$", "figures of a measurement"),
    Allowance("docs/how-to/write-a-challenge.md", r"assert total\(3\) == 12", "an example of a test"),
    Allowance(
        "docs/decisions/0006-*.md",
        r"the marks 60, 70, 75 agree, and 60, 70, 80",
        "marks of an example, which the methodology page computes",
    ),
    Allowance(
        "docs/explanation/similarity.md",
        r"\.481 of the renamed halves and \.483 of those as they stand are found; 19 of 9,408 honest pairs\s"
        r"\(0\.20 %\) reach it, against 0\.10 % on "
        r"the tuning half|On the tuning half 1\.4 % of honest\ssolutions reached|with this, 0\.14 % do"
        r"|a weight of more than 160, \.98 were found at 1 %"
        r"|\(names and values as they stand, 70 % of the smaller one's",
        "measured",
    ),
    Allowance(
        "docs/explanation/similarity.md",
        r"(?m)^\| weight of the smaller one .*$|^\| winnowing alone, names .*$|^\| the larger of two percentiles.*$"
        r"|at 1 % false alarms\):",
        "measured",
    ),
    Allowance(
        "docs/explanation/similarity.md",
        r"0\.70 one in a hundred, and\s1 is reserved|stays below 1 even|format 2\."
        r"|256 KiB of a file, 8 MiB and 2,000 files",
        "points of a scale and bounds of the reader",
    ),
    Allowance("docs/explanation/standings.md", r"(?m)^\| (?:rank set|interval) holds .*$", "simulated"),
    Allowance("CHANGELOG.md", r"in 256 rounds of a kill|2 of 579 modules [^.]*, 27 did", "measured"),
    Allowance(
        "docs/decisions/0019-*.md", r"27 of the standard library's 579|2 of \d+ (?:modules )?of[^,]*", "measured"
    ),
    Allowance(
        "docs/explanation/trust.md",
        r"as new code: 2 of 579 have|with 180 modules drawn|ten\stimes its length",
        "measured",
    ),
    Allowance("docs/architecture.md", r"(?m)^    [1-4]  .*$|Decision 15 says", "the order of phases; a decision"),
    Allowance("docs/decisions/0013-*.md", r"took 0\.8 ms where waiting took 5\.", "measured"),
    Allowance(
        "docs/decisions/0013-*.md",
        r"\*\*Exit status 1\*\*[^.]*\.[^.]*\.[^.]*3, then 2, then 1\.",
        "exit statuses",
    ),
    Allowance("docs/how-to/test-the-tests.md", r"(?m)^\| `bouts\.[^\n]*$", "measured"),
    Allowance("docs/how-to/score-many.md", r"(?m)^\| [0-3] \| |costs \$0\.00", "exit statuses; a sum of nothing"),
    Allowance("docs/decisions/0014-*.md", r"200,000 events|40,000", "bounds of the reader"),
    Allowance("docs/reference/transcripts.md", r"at most 40,000 events", "a bound of the reader"),
    Allowance("CHANGELOG.md", r"longer than the 40,000 events", "a bound of the reader"),
    Allowance(
        "docs/reference/transcripts.md",
        r"(?m)^- images and other files written as letters [^|]*?$(?:\n  .*$)*",
        "bounds of the reader",
    ),
    Allowance("docs/decisions/0017-*.md", r"a load of 30|was 96\.15 instead", "measured"),
    Allowance(
        "docs/decisions/0018-*.md",
        r"5 MiB for|64 MiB, the|with status [02]\b|status 2, and",
        "limits of the format; exit statuses",
    ),
    Allowance("docs/decisions/0015-*.md", r"\(MIT, 18 MB\)|\(MIT, 2 MB with Mako\)", "measured"),
    Allowance("docs/how-to/read-standings.md", r"\[60 → 72 → 68\]", "an example of attempts"),
    Allowance("docs/how-to/read-standings.md", r"5,000 cards and 100 agents", "from where figures are kept"),
    Allowance("docs/tutorial/first-leaderboard.md", r"correctness=3,cost=1", "an example of a call"),
    Allowance("docs/tutorial/first-leaderboard.md", r"pass\^5 counts", "the name of a figure"),
    Allowance("docs/reference/variant.schema.json", r"`1\.0\+NAME`", "an example of a version"),
    Allowance("docs/reference/variant.schema.json", r"6 decimals|add up to 1\b", "the form of shares"),
    Allowance("docs/decisions/0009-*.md", r"costs 5 CPU-seconds", "measured"),
    Allowance("docs/decisions/0012-*.md", r"together 350 MB|p = 0\.06", "measured, and computed in a test"),
    Allowance("docs/how-to/write-a-challenge.md", r"points: 2,", "an example of a rubric"),
    Allowance(
        "docs/how-to/write-a-challenge.md",
        r"40–60 in a False Summit|\| at least 80 \||band: \[85, 100\]|such as `\[85, 100\]`",
        "bands of samples, which a package states itself in expect.yaml",
    ),
)
SAME: tuple[tuple[str, str], ...] = (
    ("bouts.pipeline.objective:OBJECTIVE_SECONDS", "four-judge:limits.objective_seconds"),
)
"""Numbers of the code that repeat one of a table, as they act before a policy is chosen."""
DEFAULTS: tuple[tuple[str, str, str], ...] = (
    ("challenge.schema.json", "$defs/Limits/properties/test_seconds/default", "four-judge:limits.test_seconds"),
    ("challenge.schema.json", "$defs/Limits/properties/test_seconds/default", "six-component:test_seconds"),
    ("challenge.schema.json", "$defs/Limits/properties/suite_seconds/default", "four-judge:limits.suite_seconds"),
)
"""Schema file, pointer, source: defaults that repeat a number of a policy."""
