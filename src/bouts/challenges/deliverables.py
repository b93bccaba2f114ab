"""The written parts of a submission: present, and more than a template."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bouts.model.challenge import Deliverable
from bouts.model.evidence import DeliverableFacts

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MARKUP = re.compile(r"#{1,6}\s.*|[=\-*_~`+|:\s]{2,}")
_BULLET = re.compile(r"^\s*(?:[-*+>]|\d{1,3}[.)]|\[[ xX]\])\s*")
_PLACEHOLDER = re.compile(
    r"\b(?:todo|tbd|tba|tbc|fixme|xxx+|n/?a|placeholder|coming soon|"
    r"to be (?:done|written|added|determined|completed|decided)|"
    r"fill (?:this |me )?in|insert (?:text )?here|your (?:text|answer|notes|explanation|summary) (?:goes )?here|"
    r"(?:write|describe|explain|add) (?:\w+ ){0,4}here)\b[.:!…]*",
    re.IGNORECASE,
)
_LOREM = re.compile(r"lorem ipsum|dolor sit amet|consectetur adipiscing", re.IGNORECASE)
_BRACKETED = re.compile(
    r"<[^<>\n]{1,120}>|\{\{[^{}\n]{1,120}\}\}|\[(?:your|insert|describe|todo|tbd)[^\]\n]{0,120}\]", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def deliverable_facts(
    part: Deliverable, path: str, staged: Mapping[str, bytes], given: Mapping[str, bytes]
) -> DeliverableFacts:
    """How one deliverable was found. `staged` and `given` hold at least the bytes of `path` where it exists; `path` is
    where the submission says it lies. A copy of the codebase's template with nothing added is a placeholder."""
    data = staged.get(path)
    if data is None:
        return DeliverableFacts(id=part.id, path=path, title=part.title, present=False, weight=part.weight)
    text = data.decode("utf-8", "replace")
    template = given.get(path, b"").decode("utf-8", "replace")
    return DeliverableFacts(
        id=part.id,
        path=path,
        title=part.title,
        present=True,
        placeholder=not own_words(text, template),
        words=len(_WORD.findall(_COMMENT.sub(" ", text))),
        weight=part.weight,
    )


def own_words(text: str, template: str = "") -> int:
    """Words that are neither headings, markup, placeholder phrases, filler text nor lines of the template."""
    known = {line.strip() for line in template.splitlines()}
    count = 0
    for block in re.split(r"\n\s*\n", _COMMENT.sub(" ", text)):
        if _LOREM.search(block):
            continue
        for line in block.splitlines():
            if line.strip() in known or _MARKUP.fullmatch(line.strip()):
                continue
            rest = _PLACEHOLDER.sub(" ", _BRACKETED.sub(" ", _BULLET.sub("", line)))
            count += len(_WORD.findall(rest))
    return count
