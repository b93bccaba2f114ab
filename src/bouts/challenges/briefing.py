"""Checks of the briefing: four parts in order, files that exist, nothing given away.

Whether a briefing is deliberately ambiguous, or names the solution in other words, cannot be checked here; a person
must.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bouts.challenges.checks import Check, error, settled, warning
from bouts.challenges.given import BRIEFING
from bouts.challenges.reading import Package

NAME = "briefing"
PARTS = (
    ("context", r"context|situation|background|the system|where things stand|what we know"),
    ("deliverables", r"deliverables?|hand in|what (?:we|you) (?:need|want|deliver)|your task|expected"),
    ("constraints", r"constraints?|rules|limits|boundaries|ground rules|do not"),
)
"""The parts that follow the hook, each with the words that its heading may hold."""

_HEADING = re.compile(r"^(?:#{1,6}\s+(?P<a>.+?)\s*#*|(?P<b>\*\*[^*\n]{2,60}\*\*):?)\s*$")
_CODE = re.compile(r"`([^`\n]+)`")
_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(
    r"(?:[\w.@-]+/)*[\w.@-]*\.(?:py|pyi|md|rst|toml|txt|json|ya?ml|sql|cfg|ini|sh|lock|html|css|js|ts|csv|env|example|conf)"
    r"|(?:[\w.@-]+/)+[\w.@-]*"
)
_LEAKS = (
    (r"\brubrics?\b", "the rubric"),
    (r"\bhidden (?:tests?|suite|cases?)\b", "hidden tests"),
    (r"\badversarial\b", "the adversarial suite"),
    (r"\breference solution\b", "the reference solution"),
    (r"\bCWE-\d+\b", "a weakness class"),
)


def briefing_checks(package: Package) -> list[Check]:
    """Every check of `briefing.md`."""
    if BRIEFING not in package.files:
        return [error(NAME, "there is no briefing.md", "write it: hook, context, deliverables, constraints")]
    text = package.read(BRIEFING).decode("utf-8", "replace")
    if not text.strip():
        return [error(NAME, "briefing.md is empty", "write it: hook, context, deliverables, constraints")]
    found = _parts(text) + _files(text, package) + _leaks(text, package)
    return settled(NAME, found, "four parts in order, every file that it names exists, nothing is given away")


def _parts(text: str) -> list[Check]:
    sections = _sections(_FENCE.sub("", text))
    found: list[Check] = []
    places: list[int] = []
    for part, words in PARTS:
        place = next((n for n, (title, _) in enumerate(sections) if re.search(words, title, re.IGNORECASE)), None)
        if place is None:
            found.append(
                error(NAME, f"no heading says where the {part} begin", f"add a heading such as `## {part.title()}`")
            )
        elif not sections[place][1].strip() and not _has_inner(sections, place):
            found.append(
                error(NAME, f"the part {sections[place][0]!r} is empty", "say what belongs there, or take it out")
            )
        if place is not None:
            places.append(place)
    if places != sorted(places):
        found.append(error(NAME, "the parts are out of order", "put them as hook, context, deliverables, constraints"))
    hook = " ".join(body for _, body in sections[: min(places, default=1)])
    sentences = len(re.findall(r"[.!?…](?:\s|$)", hook))
    if not hook.strip():
        found.append(
            error(NAME, "there is no hook before the context", "begin with two or three sentences that draw one in")
        )
    elif sentences > 5:
        found.append(warning(NAME, f"the hook has {sentences} sentences", "two or three are enough"))
    return found


def _sections(text: str) -> list[tuple[str, str]]:
    """Title and body of each part; the first has no title where text comes before any heading."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            sections.append(((heading["a"] or heading["b"]).strip("* :"), []))
        else:
            sections[-1][1].append(line)
    return [(title, "\n".join(lines)) for title, lines in sections]


def _has_inner(sections: Sequence[tuple[str, str]], place: int) -> bool:
    """Whether a heading without text of its own is followed by another that is none of the parts."""
    if place + 1 >= len(sections):
        return False
    title, body = sections[place + 1]
    return bool(body.strip()) and not any(re.search(words, title, re.IGNORECASE) for _, words in PARTS)


def mentioned_files(text: str) -> list[str]:
    """What stands in backticks and looks like a path of the workspace, without its line number."""
    found: dict[str, None] = {}
    for raw in _CODE.findall(_FENCE.sub("", text)):
        name = re.sub(r":\d+(?:-\d+)?$", "", raw.strip()).removeprefix("./")
        if _FILE.fullmatch(name) and ".." not in name:
            found[name] = None
    return list(found)


def _files(text: str, package: Package) -> list[Check]:
    known = {*package.given, *(d.path for d in package.manifest.deliverables)}
    folders = {"/".join(p.split("/")[:n]) for p in known for n in range(1, p.count("/") + 1)}
    bare = {p.rsplit("/", 1)[-1] for p in known}
    tops = {f.split("/")[0] for f in folders}
    found: list[Check] = []
    for name in mentioned_files(text):
        plain = name.rstrip("/")
        if plain in known or plain in folders or plain in bare:
            continue
        is_file = bool(re.search(r"\.\w+$", plain))
        if not is_file and plain.split("/")[0] not in tops:
            continue  # `text/plain`, `orders/items`: words with a slash, not files
        where = "the codebase, the visible tests or the deliverables"
        found.append(error(NAME, f"it mentions `{name}`, which is not in {where}", "correct the name, or add the file"))
    return found


def _leaks(text: str, package: Package) -> list[Check]:
    found = [
        error(NAME, f"it speaks of {what}", "an agent must not know how it is graded; take it out")
        for pattern, what in _LEAKS
        if re.search(pattern, text, re.IGNORECASE)
    ]
    ids = package.inventory.adversarial if package.inventory else ()
    hidden = {name for name in (t.split("[")[0].split("::")[-1] for t in ids) if name.startswith("test")}
    found += [
        error(NAME, f"it names the hidden test {name}", "take it out")
        for name in sorted(hidden)
        if re.search(rf"\b{re.escape(name)}\b", text)
    ]
    return found
