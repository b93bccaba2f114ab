"""The methodology page of one policy."""

from __future__ import annotations

from bouts.policy.catalogue import Policy, policy_digest
from bouts.policy.four_judge import FourJudge
from bouts.policy.headline import Headline
from bouts.policy.partial_credit import PartialCredit
from bouts.policy.six_component import SixComponent
from bouts.render.methodology import four_judge, headline, partial_credit, six_component
from bouts.render.methodology.markdown import section, table, text
from bouts.render.methodology.numbers import all_numbers
from bouts.render.methodology.rulings import rulings
from bouts.scoring.formulas import general


def page(policy: Policy) -> str:
    """The whole methodology of a policy as Markdown: formulas, examples, readings, and every number."""
    lines = [
        f"# Policy `{policy.name}` {policy.version}",
        "",
        f"{policy.title}.",
        "",
        f"Restates the document *{policy.source}*. Digest of the table: `{policy_digest(policy)}`.",
        "",
        "Generated from the table: every number below is read from it, and every example is computed by the "
        "functions that "
        "score cards. A released table is never edited; a change is a new version beside the old one.",
        "",
        *_body(policy),
        *section("Formulas by key", _formulas(policy)),
        *section("Readings and rulings", _rulings(policy)),
        *section("Every number", all_numbers(policy)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _body(policy: Policy) -> list[str]:
    match policy:
        case FourJudge():
            return four_judge.body(policy)
        case SixComponent():
            return six_component.body(policy)
        case PartialCredit():
            return partial_credit.body(policy)
        case Headline():
            return headline.body(policy)


def _formulas(policy: Policy) -> list[str]:
    if isinstance(policy, FourJudge):
        shown = general(policy, policy.fallback_format)
        lead = text(f"With the weights of the format `{policy.fallback_format}`; the other formats' are above.")
    else:
        shown, lead = general(policy, ""), list[str]()
    return [*lead, *table(("key", "formula"), [(f"`{key}`", formula) for key, formula in shown.items()])]


def _rulings(policy: Policy) -> list[str]:
    lead = text(
        "Where the document is silent, contradicts itself, or two engineers would read it differently, this is what "
        "Bouts "
        "does. The numbers are the product's own list of rulings, the same on every page; only those that touch a "
        "score "
        "under this policy are here."
    )
    rows = [(str(r.number) if r.number else "–", r.title, r.text) for r in rulings(policy)]
    return [*lead, *table(("ruling", "about", "what holds"), rows)]
