"""The code that a submission brought, looked at as text."""

from __future__ import annotations

from collections.abc import Mapping

from bouts.model.evidence import ProducedCode

_DOCSTRING, _HANDLING = b'"""', b"try"
_SOURCES = (".py", ".pyw")


def produced_code(changed: Mapping[str, bytes]) -> ProducedCode:
    """Two marks over the source files that were added or changed, by path; nothing is parsed."""
    sources = [data for path, data in changed.items() if path.endswith(_SOURCES)]
    return ProducedCode(
        files=len(sources),
        docstring=any(_DOCSTRING in data for data in sources),
        handling=any(_HANDLING in data for data in sources),
    )
