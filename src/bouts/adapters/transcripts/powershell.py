"""Lines of PowerShell, made alike enough to those of other shells to be taken apart with them."""

from __future__ import annotations

import re

_VERBS = (
    "Add|Clear|ConvertFrom|ConvertTo|Copy|Expand|Export|ForEach|Format|Get|Import|Invoke|Join|Measure|Move|New|Out|Push"
    "|Remove|Rename|Resolve|Select|Set|Sort|Split|Start|Stop|Tee|Test|Wait|Where|Write"
)
_TOLD = re.compile(
    rf"(?:\A|[;|{{(=&\n])[ \t]*(?:{_VERBS})-[A-Z]\w+"
    r"|\$env:\w|\$(?:ErrorActionPreference|PSScriptRoot|LASTEXITCODE)\b|2>\$null"
)
_VARIABLE = re.compile(r"\$\{[^}\n]{0,200}\}")
_ASSIGNED = re.compile(r"(\A|[;{}()|\n])([ \t]*\$[\w:.]{1,100}[ \t]*[+-]?=(?!=)[ \t]*)")
_KEYWORD = re.compile(
    r"(\A|[;{}()\n])([ \t]*(?:if|elseif|else|foreach|while|do|try|catch|finally|switch|return|param)\b)(?![-\w])",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(\A|[;{}()|\n])([ \t]*(?:'[^'\n]*'|\"[^\"\n]*\"|\$[\w:.]+|@|-\w+|\[[\w.]+\])[^;{}()|\n]*)")
_MARKS = str.maketrans({"\\": "/", "{": ";", "}": ";"})


def plain(line: str) -> str:
    """A line of PowerShell with its blocks as commands in a row and without what only computes values; each character
    that is left stands where it stood. Any other line as it is."""
    if ("-" not in line and "$" not in line) or not _TOLD.search(line):
        return line
    text = _VARIABLE.sub(lambda found: "_" * len(found[0]), line)
    for pattern in (_KEYWORD, _ASSIGNED, _VALUE):
        text = pattern.sub(lambda found: found[1] + " " * len(found[2]), text)
    return text.translate(_MARKS)
