"""Weaknesses: which CWE a scanner's rule stands for and how severe a CWE is. One table for every policy.

ruff's `S` rules carry the numbers of bandit's `B` rules, so both share one row, keyed by the number alone.
"""

from __future__ import annotations

from typing import NamedTuple

from bouts.model.challenge import Severity

_LOW, _MEDIUM, _HIGH, _CRITICAL = Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL
_ORDER = (_LOW, _MEDIUM, _HIGH, _CRITICAL)


class Rule(NamedTuple):
    """What a rule stands for. Severity and confidence are used where the scanner gives none (ruff gives neither)."""

    cwe: str
    severity: Severity
    confidence: Severity


RULES: dict[str, Rule] = {
    "102": Rule("CWE-95", _MEDIUM, _HIGH),  # exec
    "103": Rule("CWE-732", _MEDIUM, _HIGH),  # permissive chmod
    "104": Rule("CWE-605", _MEDIUM, _MEDIUM),  # binds all interfaces
    "105": Rule("CWE-798", _LOW, _MEDIUM),  # password in a string
    "106": Rule("CWE-798", _LOW, _MEDIUM),  # password in an argument
    "107": Rule("CWE-798", _LOW, _MEDIUM),  # password in a default
    "108": Rule("CWE-377", _MEDIUM, _MEDIUM),  # predictable temporary path
    "110": Rule("CWE-703", _LOW, _HIGH),  # try, except, pass
    "112": Rule("CWE-703", _LOW, _HIGH),  # try, except, continue
    "113": Rule("CWE-400", _MEDIUM, _LOW),  # request without a timeout
    "201": Rule("CWE-489", _HIGH, _MEDIUM),  # flask debug
    "202": Rule("CWE-22", _HIGH, _MEDIUM),  # tar members unchecked
    "301": Rule("CWE-502", _MEDIUM, _HIGH),  # pickle
    "302": Rule("CWE-502", _MEDIUM, _HIGH),  # marshal
    "303": Rule("CWE-327", _MEDIUM, _HIGH),  # md5 and kin of a crypto library
    "304": Rule("CWE-327", _HIGH, _HIGH),  # weak cipher
    "305": Rule("CWE-327", _MEDIUM, _HIGH),  # weak cipher mode
    "306": Rule("CWE-377", _MEDIUM, _HIGH),  # mktemp
    "307": Rule("CWE-95", _MEDIUM, _HIGH),  # eval
    "308": Rule("CWE-79", _MEDIUM, _LOW),  # mark_safe; constants too, so rule 703 is the sharper one
    "310": Rule("CWE-939", _MEDIUM, _LOW),  # urlopen: schemes are not checked
    "311": Rule("CWE-338", _LOW, _HIGH),  # random
    "312": Rule("CWE-319", _HIGH, _HIGH),  # telnet
    "313": Rule("CWE-776", _MEDIUM, _HIGH),  # XML parsers that expand entities
    "314": Rule("CWE-776", _MEDIUM, _HIGH),
    "315": Rule("CWE-776", _MEDIUM, _HIGH),
    "316": Rule("CWE-776", _MEDIUM, _HIGH),
    "317": Rule("CWE-776", _MEDIUM, _HIGH),
    "318": Rule("CWE-776", _MEDIUM, _HIGH),
    "319": Rule("CWE-776", _MEDIUM, _HIGH),
    "321": Rule("CWE-319", _HIGH, _HIGH),  # ftp
    "323": Rule("CWE-295", _MEDIUM, _HIGH),  # TLS context that verifies nothing
    "324": Rule("CWE-327", _HIGH, _HIGH),  # md5 or sha1 used for security
    "501": Rule("CWE-295", _HIGH, _HIGH),  # verify=False
    "502": Rule("CWE-327", _HIGH, _HIGH),  # old TLS version
    "503": Rule("CWE-327", _MEDIUM, _MEDIUM),  # old TLS version as a default
    "504": Rule("CWE-327", _LOW, _MEDIUM),  # TLS with no version named
    "505": Rule("CWE-326", _HIGH, _HIGH),  # short key
    "506": Rule("CWE-502", _MEDIUM, _HIGH),  # yaml.load
    "507": Rule("CWE-295", _HIGH, _MEDIUM),  # SSH host key unchecked
    "508": Rule("CWE-319", _MEDIUM, _HIGH),  # SNMP version
    "509": Rule("CWE-319", _MEDIUM, _HIGH),  # SNMP without encryption
    "601": Rule("CWE-78", _MEDIUM, _LOW),  # paramiko: any call, a fixed command too
    "602": Rule("CWE-78", _HIGH, _HIGH),  # shell=True
    "604": Rule("CWE-78", _MEDIUM, _LOW),  # shell=True of an unknown function
    "605": Rule("CWE-78", _HIGH, _HIGH),  # os.system and kin
    "608": Rule("CWE-89", _MEDIUM, _LOW),  # SQL from strings; bandit knows whether it is executed
    "609": Rule("CWE-155", _HIGH, _MEDIUM),  # wildcard in a command
    "610": Rule("CWE-89", _MEDIUM, _MEDIUM),  # django extra
    "611": Rule("CWE-89", _MEDIUM, _MEDIUM),  # django RawSQL
    "612": Rule("CWE-94", _MEDIUM, _HIGH),  # logging listener
    "613": Rule("CWE-838", _HIGH, _MEDIUM),  # bidirectional control characters
    "614": Rule("CWE-502", _MEDIUM, _HIGH),  # torch.load
    "615": Rule("CWE-494", _MEDIUM, _HIGH),  # unpinned download
    "701": Rule("CWE-79", _HIGH, _MEDIUM),  # jinja2 without autoescape
    "702": Rule("CWE-79", _MEDIUM, _HIGH),  # mako
    "703": Rule("CWE-79", _MEDIUM, _HIGH),  # mark_safe of a computed text
    "704": Rule("CWE-79", _MEDIUM, _HIGH),  # Markup of a computed text
}
"""By rule number. A rule that is not listed keeps the CWE that its scanner names."""

IGNORED_RULES: dict[str, str] = {
    "101": "an assert is no weakness by itself",
    "603": "starting a program without a shell is the safe way",
    "606": "starting a program without a shell is the safe way",
    "607": "a program found on the path is no weakness by itself",
    **{
        str(number): "an import does nothing by itself; its use is what counts"
        for number in (*range(401, 412), 412, 413, 414, 415)
    },
}
"""Rule numbers that make no finding, with the reason."""

SAME_AS: dict[str, str] = {"CWE-259": "CWE-798", "CWE-330": "CWE-338", "CWE-80": "CWE-79", "CWE-328": "CWE-327"}
"""A CWE that counts as another, its general or usual form."""

SEVERITIES: dict[str, Severity] = {
    "CWE-78": _CRITICAL,
    "CWE-89": _CRITICAL,
    "CWE-287": _CRITICAL,
    "CWE-798": _CRITICAL,
    "CWE-22": _HIGH,
    "CWE-79": _HIGH,
    "CWE-327": _HIGH,
    "CWE-502": _HIGH,
    "CWE-209": _MEDIUM,
    "CWE-338": _MEDIUM,
    "CWE-352": _MEDIUM,
}
"""Severity by weakness. A CWE that is not listed takes the scanner's severity, at most high."""


def rule_of(rule: str) -> Rule | None:
    """The table's row for `B608` or `S608`."""
    return RULES.get(rule[1:])


def ignored(rule: str) -> bool:
    """Whether the rule makes no finding."""
    return rule[1:] in IGNORED_RULES


def weakness(cwe: str | None) -> str | None:
    """The CWE under which a weakness is counted."""
    return SAME_AS.get(cwe, cwe) if cwe else None


def severity(cwe: str | None, scanner: Severity) -> Severity:
    """How severe a finding is: by its CWE where listed, else as the scanner says, at most high."""
    listed = SEVERITIES.get(weakness(cwe) or "")
    return listed or min(scanner, _HIGH, key=_ORDER.index)


def dangerous(level: Severity, confidence: Severity) -> bool:
    """Proof enough for a violation: severity ≥ high and confidence ≥ medium."""
    return _ORDER.index(level) >= _ORDER.index(_HIGH) and _ORDER.index(confidence) >= _ORDER.index(_MEDIUM)
