"""The methodology in one page: what is common to all policies, and where each is described."""

from __future__ import annotations

from bouts.policy.catalogue import DEFAULT, POLICIES, policy_digest
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.headline import Headline
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.render.methodology import examples
from bouts.render.methodology.markdown import bullets, section, table, text
from bouts.scoring.exact import PLACES, show


def page() -> str:
    """The page as Markdown."""
    lines = [
        "# Methodology",
        "",
        *text(
            "How a score comes about, whatever the policy. The numbers of each policy, its formulas, worked "
            "examples and readings are on "
            "its own page; a complete card is added up by hand in [reading a card](reading-a-card.md). This page is "
            "generated from the "
            "tables, and `make check` fails where a document states another number than they do."
        ),
        *section("Policies", _policies()),
        *section("From evidence to score", _steps()),
        *section("What is missing", _missing()),
        *section("Panels of raters", _panels()),
        *section("Beside scores", _beside()),
        *section("Arithmetic", _arithmetic()),
        *section("What always holds, and what does not", _laws()),
        *section("Versions", _versions()),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _policies() -> list[str]:
    rows = [
        (
            f"[{p.name}](../reference/policies/{p.name}.md)",
            p.version,
            "all runs of an agent" if isinstance(p, Headline) else "one submission",
            p.title,
            p.source,
        )
        for p in POLICIES.values()
    ]
    return [
        *table(("policy", "version", "scores", "what it looks at", "restates"), rows),
        *text(
            f"Where none is named, `{DEFAULT}` counts. The same evidence can be scored by any policy that scores a "
            "submission: "
            "`bouts rescore CARD --policy NAME`. `bouts policy diff A B --over CARDS` lists whose score would move."
        ),
    ]


def _steps() -> list[str]:
    return [
        "1. The submission is run and read; what was measured or seen becomes *evidence*, with no points and no "
        "verdict.",
        "2. Raters, where some are configured, give *marks*. They are evidence, too.",
        "3. A *policy*, a literal table of numbers, turns evidence into lines: each with a score, a weight, points "
        "and a reason.",
        "4. The points of the top lines add up to the final score. Caps and clamps are lines of their own.",
        "5. *Flags* say what a reader must know. Some hold the card until a person has looked at it; none changes "
        "the number.",
        "",
        *text(
            "The steps from the policy on touch nothing and run nothing, so a card can be made again at any time, by "
            "anybody who has the evidence."
        ),
    ]


def _missing() -> list[str]:
    return [
        *bullets(
            [
                "*Not judged* (no transcript, no model configured) and *does not apply* (the challenge asks for "
                "nothing of the kind): no "
                "score, never 0 and never full marks. The weight goes to the lines beside it in proportion.",
                "*Lost or failed* (the platform lost the transcript, a configured model failed): neutral, "
                f"{show(FOUR_JUDGE_1.neutral)} "
                f"under `{FOUR_JUDGE_1.name}` and {show(SIX_COMPONENT_1.neutral)} under `{SIX_COMPONENT_1.name}`, "
                "flagged, and it can be "
                "judged again.",
                "*A fault of ours that leaves nothing to be said*: the card is void. A void card is no zero and is "
                "never ranked.",
            ]
        ),
        *text(
            "A card with something missing is *provisional* and says what. Each card also states what it could have "
            "reached: every line "
            "that applies at its best, and no bonus."
        ),
    ]


def _panels() -> list[str]:
    quality, strategy = SIX_COMPONENT_1.code_quality.panel, FOUR_JUDGE_1.strategy.panel
    return [
        *text(
            f"Three raters of different families mark the same thing. {quality.rule} (`{SIX_COMPONENT_1.name}`) "
            "looks at the distances "
            f"between them, {strategy.rule} (`{FOUR_JUDGE_1.name}`) at the distances from the median. Both take the "
            "median where the raters "
            "agree, drop one clear outlier, and otherwise reduce the mean and ask for a person."
        ),
        *examples.panel(quality),
        *examples.panel(strategy),
    ]


def _beside() -> list[str]:
    return text(
        "Error bars, comparisons, rank sets, ratings and item analysis stand beside scores and move none. Their "
        "numbers are a table of their own, with a name and a version like a policy's: [statistics]"
        f"(../reference/policies/{STATISTICS_1.name}.md) {STATISTICS_1.version}. How well the methods keep what they "
        "promise was simulated: see [standings](standings.md)."
    )


def _arithmetic() -> list[str]:
    return text(
        "Exact fractions inside, one rounding (half up) where a number is stored or shown. A card keeps scores and "
        f"points to {PLACES} "
        "decimals. One function is excepted by name: `bouts.score_submission` keeps the float arithmetic of the "
        "article that it restates, "
        "so that it equals it on every input.",
    )


def _laws() -> list[str]:
    return [
        *text("Tested with drawn evidence and drawn tables, not only with the released ones:"),
        *bullets(
            [
                "the points of the lines add up to the final, at every level",
                "a final score lies between the policy's lowest and highest",
                "the order of facts does not matter",
                "one more passed test never lowers the objective score",
                "a violation never raises a score",
                "what has no score counts neither as nothing nor as full marks",
                "rescoring by the same policy gives the same card",
                "supposing a score (`bouts explain --what-if`) gives what scoring by hand gives",
                "pass^k falls with k; the composite is nothing when no run succeeded; viewer weights never move the "
                "composite",
            ]
        ),
        *text("Known not to hold, and kept:"),
        *bullets(
            [
                "*a higher mark never lowers a panel's score*: see above, both rules are not monotonic",
                "*the composite is nothing only when no run succeeded*: one success in very many runs can round to "
                "the same",
            ]
        ),
    ]


def _versions() -> list[str]:
    return [
        *text(
            "A released table is never edited: a change is a new version beside the old one, and old cards are "
            "verified under theirs. A "
            "card carries the digest of its policy's table, and a test pins the digest of every released table."
        ),
        *table(
            ("policy", "version", "digest"), [(p.name, p.version, f"`{policy_digest(p)}`") for p in POLICIES.values()]
        ),
    ]
