"""Markers in handed-in text that a reader should see: characters that hide something, and words aimed at judges.

A marker never convicts. Each has honest uses (right-to-left languages, a test of a prompt filter), so it becomes a
notice with a place and nothing more, and only for lines that are new against the given file.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from bouts.challenges import limits
from bouts.challenges.changes import changed_lines
from bouts.model.evidence import Notice

PLACES = 5
"""Places that one notice names."""
COUNTED = 1000
"""Finds in one file that are looked at."""
_HIDDEN = re.compile(
    "[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u0084\u0086-\u009f"  # control characters, escape sequences among them
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    "\u00ad\u115f\u1160\u180e\u200b\u200c\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"  # no width
    "\U000e0000-\U000e01ef\U0001d173-\U0001d17a]"  # tags and other characters that show nothing
)
_JOINERS = "\u200c\u200d"

_GAP = r"[\s#*/'\"_.,:;!-]{1,8}"
_JUDGE = r"(?:graders?|judges?|evaluators?|reviewers?|raters?|scorers?|grading|judging|evaluation|assessors?)"
_JUDGE_ROOTS = ("grad", "judg", "evaluat", "review", "rater", "scorer", "assessor")
_MODEL = r"(?:ai|llm|language|automated|automatic|model)"
_PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (
    # overruling instructions (no `\b` in front where it costs more than it tells)
    (
        ("ignore", "disregard", "forget", "override"),
        rf"(?:ignore|disregard|forget|override){_GAP}(?:all{_GAP}|any{_GAP})?(?:of{_GAP})?"
        rf"(?:the{_GAP}|your{_GAP}|my{_GAP})?(?:previous|prior|above|earlier|preceding){_GAP}"
        r"(?:instructions?|rubric|prompts?|criteria|guidelines|rules)\b",
    ),
    # speaking to the judge
    (
        _JUDGE_ROOTS,
        r"(?:note|notice|message|instructions?|attention|info|information)"
        rf"{_GAP}(?:to|for){_GAP}(?:the{_GAP}|all{_GAP}|any{_GAP})?(?:{_MODEL}{_GAP}){{0,2}}{_JUDGE}\b",
    ),
    (_JUDGE_ROOTS, rf"(?:dear|hello|hey|attention){_GAP}(?:{_MODEL}{_GAP}){{0,2}}{_JUDGE}\b"),
    (_JUDGE_ROOTS, rf"you{_GAP}are{_GAP}(?:an?|the){_GAP}(?:{_MODEL}{_GAP}){{0,2}}{_JUDGE}\b"),
    # asking for a result
    (
        ("full", "max", "perfect", "top", "highest", "best"),
        rf"\b(?:give|award|assign|grant){_GAP}(?:this|the|it|me){_GAP}"
        rf"(?:submission{_GAP}|solution{_GAP}|code{_GAP}|work{_GAP})?(?:an?{_GAP}|the{_GAP})?"
        rf"(?:full|maximum|max|perfect|top|highest|best){_GAP}(?:possible{_GAP})?"
        r"(?:marks?|scores?|points|grades?|credit|rating)\b",
    ),
    (
        ("score", "rate", "grade", "mark"),
        rf"\b(?:score|rate|grade|mark){_GAP}(?:this|it|the{_GAP}(?:submission|solution|code)){_GAP}"
        rf"(?:as{_GAP}|at{_GAP}|with{_GAP})?(?:100|10/10|perfect|passing|full)\b",
    ),
    # closing the fence that judged text stands in
    (
        ("submission>", "code>", "rubric>", "grading>", "judge>", "evaluation>"),
        r"</?(?:submission|submitted[_-]code|rubric|grading|judge|evaluation)>",
    ),
    (("<|",), r"<\|(?:im_start|im_end|endoftext|system|assistant)\|>"),
)
"""Words of which one must be there at all, and the pattern; both in lower case."""
_AIMED = tuple((words, re.compile(pattern)) for words, pattern in _PATTERNS)
_ROLES = ("overrules", "speaks", "speaks", "speaks", "demands", "demands", "overrules", "overrules")
"""What each pattern is a sign of; closing the fence is overruling, too."""
_VERDICT = re.compile(
    r"\b(?:answer|verdict|result|score|grade|outcome)\s{0,3}[:=]\s{0,3}(?:pass(?:ed)?|full|perfect|100)\b"
)
NEAR = 6
"""Lines within which words belong together."""


@dataclass
class _Place:
    count: int = 0
    shown: list[str] = field(default_factory=list[str])

    def add(self, text: str) -> None:
        self.count += 1
        if len(self.shown) < PLACES:
            self.shown.append(text)


def text_notices(path: str, before: bytes | None, after: bytes) -> list[Notice]:
    """Notices `hidden_unicode` and `judge_directed_text` on one staged file, with `path:line`; at most one of each."""
    if len(after) > limits.SCANNED_BYTES or b"\0" in after[:8192]:
        return []
    text = after.decode("utf-8", "replace")
    suspicious = list(islice(_hidden(text), COUNTED))
    aimed = list(_aimed(text))
    if not suspicious and not aimed:
        return []
    fresh = changed_lines(before, after)
    hidden, directed = _Place(), _Place()
    for line, column, name in suspicious:
        if line in fresh:
            hidden.add(f"{path}:{line}:{column} {name}")
    for first, last, words in aimed:
        if any(n in fresh for n in range(first, last + 1)):
            directed.add(f"{path}:{first} “{words}”")
    found = (
        ("hidden_unicode", "characters that do not show", hidden),
        ("judge_directed_text", "text aimed at judges", directed),
    )
    return [_notice(kind, what, place) for kind, what, place in found if place.count]


def instructions_to_judges(text: str) -> list[tuple[int, int]]:
    """First and last lines where a text instructs whoever judges it: at least two of addressing a judge, demanding a
    result, and overruling what the judge was told, close together. One alone is a marker and no more."""
    signs: list[tuple[int, int, str]] = []
    plain = text.lower() if text.isascii() else "".join(map(_plain, text))
    ends = [m.start() for m in re.finditer(r"\r\n|\r|\n", plain)]
    patterns = [(words, pattern, role) for (words, pattern), role in zip(_AIMED, _ROLES, strict=True)]
    for words, pattern, role in [*patterns, (("pass", "full", "perfect", "100"), _VERDICT, "demands")]:
        if any(word in plain for word in words):
            for found in islice(pattern.finditer(plain), COUNTED):
                first, last = bisect_left(ends, found.start()) + 1, bisect_left(ends, found.end() - 1) + 1
                signs.append((first, last, role))
    signs.sort()
    places: list[tuple[int, int]] = []
    for number, (first, last, role) in enumerate(signs):
        others = [sign for sign in signs[number + 1 :] if sign[0] - last <= NEAR and sign[2] != role]
        if others and (not places or first > places[-1][1]):
            places.append((first, max(last, others[0][1])))
    return places


def _notice(kind: str, what: str, place: _Place) -> Notice:
    rest = place.count - len(place.shown)
    more = f" and {'many' if place.count >= COUNTED else rest} more" if rest else ""
    return Notice(kind=kind, why=f"{what}: {'; '.join(place.shown)}{more}")


def _hidden(text: str) -> Iterator[tuple[int, int, str]]:
    if not _HIDDEN.search(text):
        return
    # Lines as `bytes.splitlines` counts them: line feeds and carriage returns alone.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        for found in _HIDDEN.finditer(line):
            character = found.group()
            if (character == "\ufeff" and number == 1 and found.start() == 0) or _joins(line, found.start()):
                continue
            name = unicodedata.name(character, "control character")
            yield number, found.start() + 1, f"U+{ord(character):04X} {name}"


def _joins(line: str, at: int) -> bool:
    """Whether a joiner stands where writing needs it: between emoji, or in a script that is not Latin."""
    if line[at] not in _JOINERS or not 0 < at < len(line) - 1:
        return False
    before = line[at - 1] if line[at - 1] != "\ufe0f" or at < 2 else line[at - 2]
    return all(
        ord(c) > 0x2FF and unicodedata.category(c) in ("So", "Sk", "Lo", "Mn", "Mc") for c in (before, line[at + 1])
    )


def _aimed(text: str) -> Iterator[tuple[int, int, str]]:
    plain = text.lower() if text.isascii() else "".join(map(_plain, text))
    ends = [m.start() for m in re.finditer(r"\r\n|\r|\n", plain)]
    for words, pattern in _AIMED:
        if not any(word in plain for word in words):
            continue
        for found in islice(pattern.finditer(plain), COUNTED):
            first, last = bisect_left(ends, found.start()) + 1, bisect_left(ends, found.end() - 1) + 1
            said = " ".join(text[found.start() : found.end()].split())
            yield first, last, "".join(c for c in said if c.isprintable())[:100]


def _plain(character: str) -> str:
    """The plain lower-case letter that a compatibility form (full width and such) stands for; always one character."""
    if character.isascii():
        return character.lower()
    return (unicodedata.normalize("NFKC", character) or character)[0].lower()[:1]
