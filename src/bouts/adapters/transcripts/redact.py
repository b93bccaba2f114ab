"""What must not be stored: secrets and home folders in the texts of a transcript."""

from __future__ import annotations

import re
from typing import NamedTuple

from bouts.model.text import clean, clean_line

OUTPUT = 2000
"""Characters kept of what a tool answered."""
LINE = 400
"""Characters kept of a path, command or name."""
_WINDOW = 16_384
"""Characters looked at: more than a secret that begins within the kept part can be long."""

REMOVED = "[redacted]"


class Secret(NamedTuple):
    """A kind of secret: texts that give it away, one of which must occur, and what it looks like."""

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    replacement: str = REMOVED


SECRETS = (
    Secret(
        "private key",
        ("-----BEGIN ",),
        re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|\Z)"),
    ),
    Secret(
        "token with a known prefix",
        ("sk-", "k_live_", "glpat-", "hf_", "npm_", "pypi-"),
        re.compile(r"\b(?:sk-|pk_live_|rk_live_|sk_live_|glpat-|hf_|npm_|pypi-)[\w-]{16,}"),
    ),
    Secret("GitHub token", ("gh", "github_pat_"), re.compile(r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,})")),
    Secret("AWS key id", ("AKIA", "ASIA"), re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    Secret("Google key", ("AIza",), re.compile(r"\bAIza[\w-]{30,}")),
    Secret("Slack token", ("xox",), re.compile(r"\bxox[abeoprs]-[\w-]{10,}")),
    Secret("JSON web token", ("eyJ",), re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")),
    Secret("bearer token", ("earer ", "EARER "), re.compile(r"(?i)(?<=\bbearer )[\w.~+/=-]{12,}")),
    Secret(
        "basic authorization",
        ("asic ", "ASIC "),
        re.compile(r"(?i)(\bauthorization\"?'?\s{0,3}[:=]\s{0,3}\"?'?basic )[A-Za-z0-9+/=]{6,}"),
        rf"\1{REMOVED}",
    ),
    Secret("password in an address", ("://",), re.compile(r"(?<=://)[^\s/:@]{1,200}:[^\s/@]{1,200}(?=@)")),
    Secret(
        "assigned secret",
        ("assw", "ASSW", "ecret", "ECRET", "key", "KEY", "Key", "oken", "OKEN"),
        re.compile(
            r"(?i)\b([\w-]{0,40}(?:password|passwd|secret|api[_-]?key|(?:access|account)[_-]?key|[_-]token|authtoken))"
            r"(\"?'?\s{0,3}[=:]\s{0,3}\"?'?)([^\s\"'(){}\[\],;]{6,})"
        ),
        rf"\1\2{REMOVED}",
    ),
    Secret(
        "home folder",
        ("/home/", "/Users/", "/root", "\\Users\\"),
        re.compile(
            # Below /mnt or a letter stand the drives of Windows; its names of users may hold spaces.
            r"(?<![\w.~-])(?:(?:(?:(?:/mnt)?/[A-Za-z]|[A-Za-z]:)?/Users|/home)/[^/\s:\"',;]+|/root(?![\w.-]))"
            r"|[A-Za-z]:\\{1,2}Users\\{1,2}(?:[^\\/\s:*?\"',;<>|&]+(?: [^\\/\s:*?\"',;<>|&]+){1,2}(?=\\)"
            r"|[^\\\s:\"',;]+)"
        ),
        "~",
    ),
)
"""What is taken out, in this order. Each pattern is linear in the length of the text."""
_HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def output(text: str) -> str:
    """The beginning of an output, with no secret, no home folder, and nothing that steers a terminal."""
    text = _redact(text[:_WINDOW])[: OUTPUT + 1]
    # What `clean` would leave as it is, told at once: characters that are printed, and none that draws nothing.
    if text.replace("\n", "").replace("\t", "").isprintable() and (text.isascii() or not _HIDDEN.search(text)):
        return text if len(text) <= OUTPUT else f"{text[: OUTPUT - 1]}…"
    return clean(text, OUTPUT)


def line(text: str) -> str:
    """A path, command or name on one line, treated alike."""
    text = _redact(text[:_WINDOW])
    if text.isascii() and text.isprintable() and len(text) <= LINE:
        return text
    return clean_line(text, LINE)


def _redact(text: str) -> str:
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    # The hints are there for speed alone: most texts hold none of them.
    for secret in SECRETS:
        for hint in secret.hints:
            if hint in text:
                text = secret.pattern.sub(secret.replacement, text)
                break
    return text
