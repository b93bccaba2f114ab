"""From rows of bandit and ruff to findings: one weakness, one finding, with the severity of the policy's table."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from bouts.adapters.scanners import misuse, sql
from bouts.adapters.scanners.rows import Row
from bouts.adapters.scanners.sources import Source, parse
from bouts.model.challenge import Severity
from bouts.model.evidence import Finding
from bouts.model.text import clean, clean_line
from bouts.policy import weaknesses as table

MESSAGE = 300
EXCERPT = 400
_EXCERPT_LINES = 5
_ORDER = [Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM, Severity.LOW]
_PASSWORDS = frozenset({"105", "106", "107"})
_SQL = "608"
_QUOTED = re.compile(r"hardcoded password: '(.*)'\s*$", re.DOTALL)
_NOT_A_SECRET = re.compile(
    r"""\s* | \S*\s.*  # nothing, or several words
    | [\W_]*([^\W_][\W_]*){0,2} | none | null | true | false | yes | off | \d{3}  # punctuation, a switch, a code
    | [a-z]+://[^@]* | /.* | \.\.\.  # an address without credentials, a path
    | <.*> | \{.*\} | \[.*\].* | %\(.*\)s | \$\{?\w+\}? | \*+  # a place to be filled in, a pattern
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_NOT_A_SECRET_NAME = re.compile(
    r"(field|name|header|param|url|uri|type|path|file|label|prompt|message|error|format|regex|pattern|column|env|var|arg"
    r"|state|status|kind)s?$",
    re.IGNORECASE,
)
_LOOKED_AT = 1_000
"""Characters of a line, or of a message, by which a text is told to be no secret. What lies further on stays a finding;
the time that these patterns take grows with the square of what they read."""
_TARGET = re.compile(r"(\w+)['\"\]]*\s*(?::[^=]*=|[!=]=|=|:)\s*[furbFURB]*['\"]")
_WORD_OF_TOKEN = re.compile(r"\w*tokens?\W*\s*(?::[^=]*=|[!=]=|=|:)\s*[furb]*['\"][A-Za-z_-]+['\"]", re.IGNORECASE)
"""A token that is one word with no digit: as often a kind or a mark as a secret."""
_COMPARED_TOKEN = re.compile(r"token\w*\s*[!=]=\s*['\"][#A-Za-z_-]+['\"]", re.IGNORECASE)
"""A parser's question for the kind of a token."""


def confirmed(rows: Sequence[Row], sources: Mapping[str, Source]) -> list[Row]:
    """Rows after a closer look: those that evidently are no weakness left out, the certainty of others raised, or
    lowered where a dangerous function is used and nothing shows that it is misused."""
    trees: dict[str, ast.Module | None] = {}
    kept: list[Row] = []
    for row in rows:
        number, source = row.rule[1:], sources.get(row.path)
        if table.ignored(row.rule) or "seems safe" in row.message:
            continue
        if number in _PASSWORDS and source is not None and _no_secret(row, source):
            continue
        if source is not None and row.path not in trees:
            trees[row.path] = parse(source.data)
        tree = trees.get(row.path)
        looked_at = row if tree is None or source is None else _looked_at(row, tree, source)
        if looked_at is not None:
            kept.append(looked_at)
    return kept


def _looked_at(row: Row, tree: ast.Module, source: Source) -> Row | None:
    """The row with the certainty that its code gives it; none where the code is evidently no weakness."""
    if row.rule[1:] == _SQL:
        seen = sql.verdict(tree, row.start, row.end)
        if seen == "executed":
            return row._replace(severity=row.severity or "medium", confidence="medium")
        return None if seen == "safe" else row
    if row.rule[1:] in _PASSWORDS and _WORD_OF_TOKEN.search(_line(row, source)):
        return row._replace(confidence="low")
    use = misuse.verdict(tree, row)
    if use == "used":
        return row._replace(confidence="low")
    return None if use == "own" else row


def findings(rows: Sequence[Row], sources: Mapping[str, Source]) -> tuple[Finding, ...]:
    """One finding for each weakness and line, the most severe first. What both tools see is told as bandit tells it."""
    kept: list[tuple[Row, str | None]] = []
    also: dict[int, list[str]] = {}
    for row in sorted(rows, key=lambda row: (row.path, row.tool, row.line, row.rule)):
        cwe = _cwe(row)
        twin = next((index for index, (other, same) in enumerate(kept) if _same(row, cwe, other, same)), None)
        if twin is None:
            kept.append((row, cwe))
        elif row.tool != kept[twin][0].tool and row.rule not in also.setdefault(twin, []):
            also[twin].append(row.rule)
    found = [_finding(row, cwe, also.get(index, []), sources) for index, (row, cwe) in enumerate(kept)]
    return tuple(sorted(found, key=lambda item: (_ORDER.index(item.severity), item.path, item.line, item.rule)))


def _same(row: Row, cwe: str | None, other: Row, same: str | None) -> bool:
    if row.path != other.path or cwe != same:
        return False
    return row.line == other.line or (row.tool != other.tool and row.start <= other.end and other.start <= row.end)


def _cwe(row: Row) -> str | None:
    listed = table.rule_of(row.rule)
    return table.weakness(listed.cwe if listed else row.cwe or None)


def _finding(row: Row, cwe: str | None, also: Sequence[str], sources: Mapping[str, Source]) -> Finding:
    listed = table.rule_of(row.rule)
    told = Severity(row.severity) if row.severity else listed.severity if listed else Severity.LOW
    confidence = Severity(row.confidence) if row.confidence else listed.confidence if listed else Severity.LOW
    level = table.severity(cwe, told)
    lines = sources[row.path].lines if row.path in sources else ()
    excerpt = "\n".join(lines[row.start - 1 : min(row.end, row.start + _EXCERPT_LINES - 1)])
    message = row.message + (f" (ruff reports it too: {', '.join(also)})" if also else "")
    return Finding(
        tool=row.tool,
        rule=row.rule,
        cwe=cwe,
        severity=level,
        confidence=confidence,
        path=clean_line(row.path, MESSAGE),
        line=row.line,
        message=clean_line(message, MESSAGE),
        excerpt=clean(excerpt, EXCERPT),
        dangerous=table.dangerous(level, confidence),
    )


def _line(row: Row, source: Source) -> str:
    return source.lines[row.line - 1][:_LOOKED_AT] if row.line <= len(source.lines) else ""


def _no_secret(row: Row, source: Source) -> bool:
    """Whether the text is evidently none that keeps anything safe, by itself or by the name that holds it."""
    quoted = _QUOTED.search(row.message[:_LOOKED_AT])
    if quoted and _NOT_A_SECRET.fullmatch(quoted.group(1)):
        return True
    line = _line(row, source)
    target = _TARGET.search(line)
    if _COMPARED_TOKEN.search(line):
        return True
    if target is None:
        return False
    literal = re.match(r"([^'\"]*)['\"]", line[target.end() :])
    if literal and _NOT_A_SECRET.fullmatch(literal.group(1)):
        return True
    return _NOT_A_SECRET_NAME.search(target.group(1)) is not None
