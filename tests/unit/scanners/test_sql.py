from __future__ import annotations

import ast

import pytest

from bouts.adapters.scanners.sql import verdict

SAFE = [
    'db.execute(f"SELECT * FROM t LIMIT {int(n)}")',
    "db.execute(f\"SELECT * FROM t WHERE id IN ({','.join('?' * len(ids))})\", ids)",
    "db.execute(\"SELECT * FROM t WHERE id IN (%s)\" % ','.join(['?'] * len(ids)), ids)",
    "marks = ', '.join('?' for _ in ids)\n    db.execute('SELECT * FROM t WHERE id IN (' + marks + ')', ids)",
    'order = "ASC" if up else "DESC"\n    db.execute(f"SELECT * FROM t ORDER BY a {order}")',
    'db.execute(f"SELECT * FROM {TABLE}")',
    'db.execute(f"SELECT * FROM t ORDER BY {COLUMNS[key]}")',
    'db.execute("SELECT * FROM {} WHERE a = ?".format(self.TABLE), (key,))',
    'extra = " AND a = ?"\n    sql = "SELECT * FROM t WHERE 1 = 1" + extra\n    db.execute(sql, (key,))',
]
EXECUTED = [
    "db.execute(f\"SELECT * FROM t WHERE a = '{key}'\")",
    "db.execute(\"SELECT * FROM t WHERE a = '%s'\" % key)",
    "db.execute(\"SELECT * FROM t WHERE a = '{}'\".format(key))",
    'sql = "SELECT * FROM t WHERE a = " + key\n    db.executescript(sql)',
    'sql = "SELECT * FROM t"\n    sql += f" WHERE a = {key}"\n    db.execute(sql)',
    'name = key.strip()\n    db.execute(f"SELECT * FROM t WHERE a = {name}")',
    'for name in ids:\n        db.execute(f"SELECT * FROM {name}")',
    'db.execute("SELECT * FROM t WHERE a IN (" + key * 3 + ")")',
    'db.execute("SELECT * FROM t WHERE a = " + request.GET["a"])',
    'parts = []\n    parts.append("a = " + key)\n    db.execute("SELECT * FROM t WHERE " + " AND ".join(parts))',
    'parts = ["a"]\n    parts[0] = key\n    db.execute("SELECT * FROM t WHERE " + " AND ".join(parts))',
    'TABLE = key\n    db.execute(f"SELECT * FROM {TABLE}")',
]
OPEN = ['return f"SELECT * FROM t WHERE a = {key}"', 'log(f"SELECT * FROM t WHERE a = {key}")']


def judge(body):
    text = f"TABLE = 'a'\nCOLUMNS = {{'a': 'b'}}\n\n\ndef f(self, db, key, ids, n, up, request):\n    {body}\n"
    return verdict(ast.parse(text), 6, text.count("\n"))


@pytest.mark.parametrize("body", SAFE)
def test_what_holds_only_constants_numbers_and_placeholders_is_safe(body):
    assert judge(body) == "safe"


@pytest.mark.parametrize("body", EXECUTED)
def test_what_comes_from_outside_and_is_executed_is_told(body):
    assert judge(body) == "executed"


@pytest.mark.parametrize("body", OPEN)
def test_what_is_executed_elsewhere_or_never_stays_open(body):
    assert judge(body) == "open"
