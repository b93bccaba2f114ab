from __future__ import annotations

import pytest

from bouts.adapters.scanners.integrity.stubs import hollow, stubbed
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
    assert (proof.other.says, proof.other.line) == ("the package has", 2)
    assert "            result += item.price\n" in proof.other.excerpt


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


STUB = "def area(w, h):\n    raise NotImplementedError\n"
DONE = "def area(w, h):\n    return w * h\n"


def asked(staged, given=STUB, reference=DONE):
    files = [{"a.py": source("a.py", text.encode())} for text in (given, staged, reference)]
    return [(item.name, item.line, item.what) for item in hollow(*files)]


def test_a_constant_where_the_challenge_asks_for_a_function_is_told():
    assert asked("def area(w, h):\n    return 12\n") == [("area", 1, "returns 12")]
    assert asked("def area(w, h):\n    pass\n") == [("area", 1, "does nothing")]


def test_what_is_not_done_at_all_or_done_is_not():
    assert asked(STUB + "\n") == []
    assert asked("def area(w, h):\n    # later\n    raise NotImplementedError('later')\n") == []
    assert asked("def area(w, h):\n    return h * w\n") == []
    assert asked("def area(w, h):\n    return 12\n", reference="def area(w, h):\n    return 12\n") == []
    assert asked("def area(w, h):\n    return 12\n", given=DONE) == []


def test_a_constant_that_the_reference_has_too_replaces_nothing():
    staged, given = "def kind(x):\n    return 1\n", "def kind(x):\n    return len(x) + 1\n"
    files = [{"a.py": source("a.py", text.encode())} for text in (given, staged, staged)]
    assert stubbed(*files[:2]) != ()
    assert stubbed(*files) == ()
