"""Every number of a policy as tables, one a section, with the meaning that its field states."""

from __future__ import annotations

from collections.abc import Sequence

from bouts.model.base import Fact
from bouts.render.methodology.markdown import section, table
from bouts.render.policy import PolicyRow, rows


def all_numbers(policy: Fact) -> list[str]:
    """One table for each top-level field of the policy."""
    out: list[str] = []
    single: list[PolicyRow] = []
    groups: list[list[PolicyRow]] = []
    for row in rows(policy):
        if row.depth:
            groups[-1].append(row)
        elif row.value:
            single.append(row)
        else:
            groups.append([row])
    out += table(("field", "value", "meaning"), [_cells(row) for row in single])
    for head, *below in groups:
        out += section(f"`{head.path}`", [head.meaning, ""] if head.meaning else [], _table(below), level=3)
    return out


def _table(below: Sequence[PolicyRow]) -> list[str]:
    return table(("field", "value", "meaning"), [_cells(row) for row in below if row.value or row.meaning])


def _cells(row: PolicyRow) -> tuple[str, str, str]:
    return f"`{row.path}`", f"{row.value}" if row.value else "", row.meaning
