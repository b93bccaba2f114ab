from __future__ import annotations

import pytest

from bouts.adapters.scanners.integrity.hardcoded import candidates
from bouts.adapters.scanners.integrity.stubs import stubbed
from bouts.adapters.scanners.sources import source

GIVEN = '''\
class Cart:
    def total(self, items):
        """Sum."""
        result = 0
        for item in items:
            result += item.price
        return result

    def name(self):
        return "cart"

    def later(self, x):
        raise NotImplementedError


async def fetch(client, url):
    return await client.get(url)
'''
BODY = '''        """Sum."""
        result = 0
        for item in items:
            result += item.price
        return result
'''


def check(staged, given=GIVEN, path="app/cart.py"):
    return stubbed({path: source(path, given.encode())}, {path: source(path, staged.encode())})


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "...",
        "raise NotImplementedError",
        "raise NotImplementedError('TODO')",
        "return 0",
        "return None",
        "return",
        "return []",
        "return {'a': -1}",
        '"""Sum, one day."""',
        '"""Sum."""\n        pass\n        return 42',
    ],
)
def test_working_code_replaced_by_nothing_is_seen(body):
    (observation,) = check(GIVEN.replace(BODY, f"        {body}\n"))
    (proof,) = observation.proofs
    assert observation.kind == "stubbed"
    assert (proof.path, proof.line) == ("app/cart.py", 2)
    assert "as given, line 2" in proof.detail
    assert "result += item.price" in proof.detail


@pytest.mark.parametrize(
    "staged",
    [
        GIVEN,
        GIVEN.replace(BODY, "        return sum(item.price for item in items)\n"),
        GIVEN.replace('return "cart"', "return None"),
        GIVEN.replace("raise NotImplementedError", "return 1"),
        GIVEN.replace("    def total(self, items):\n" + BODY, ""),
        GIVEN.replace(BODY, "        raise NotImplementedError\n")
        + "\n\nclass Basket(Cart):\n    def total(self, items):\n        return sum(item.price for item in items)\n",
        GIVEN.replace(BODY, "        return ZERO\n"),
        "def (",
    ],
)
def test_other_changes_are_not(staged):
    assert check(staged) == ()


def test_test_files_and_new_files_are_left_out():
    assert check(GIVEN.replace(BODY, "        pass\n"), path="tests/helper.py") == ()
    assert stubbed({}, {"a.py": source("a.py", b"def f(x):\n    return 1\n")}) == ()


def test_an_async_function_is_a_function():
    assert check(GIVEN.replace("return await client.get(url)", "return b''"))[0].proofs[0].line == 16


TEST = b"""\
from solution import report


def test_report():
    assert report(17) == "total: 1,234.50"
    assert report(18) == 12
    assert report("a long input") == "a long input"
    assert report(19) == [10, 20, 30]
"""


def literals(staged, given="def report(x):\n    return str(x)\n"):
    found = candidates(
        {"tests/static/test_r.py": TEST},
        {"a.py": source("a.py", given.encode())},
        {"a.py": source("a.py", staged.encode())},
    )
    return [(item.line, item.test, item.test_line) for item in found]


def test_a_literal_that_a_visible_test_expects_is_a_candidate():
    staged = 'def report(x):\n    if x == 17:\n        return "total: 1,234.50"\n    return [10, 20, 30]\n'
    name = "tests/static/test_r.py::test_report"
    assert literals(staged) == [(3, name, 5), (4, name, 8)]


def test_common_values_inputs_and_given_literals_are_none():
    assert literals('def report(x):\n    y = "a long input"\n    return 12\n') == []
    same = 'def report(x):\n    return "total: 1,234.50"\n'
    assert literals(same + "\n", given=same) == []
    assert literals('EXPECTED = "total: 1,234.50"\n') == []
