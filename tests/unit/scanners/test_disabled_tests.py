from __future__ import annotations

import pytest

from bouts.adapters.scanners.integrity.disabled_tests import disabled_tests

PATH = "tests/static/unit/test_a.py"
GIVEN = '''\
"""Tests of a."""
import pytest
from solution import add, split


@pytest.mark.parametrize("a, b", [(1, 2), (3, 4), (5, 6)])
def test_add(a, b):
    assert add(a, b) == a + b


class TestSplit:
    def test_words(self):
        """Splits at spaces."""
        words = split("a b")
        assert words == ["a", "b"]
        assert len(words) == 2

    def test_error(self):
        with pytest.raises(ValueError):
            split(None)
'''


def edit(old, new):
    assert old in GIVEN
    return GIVEN.replace(old, new)


WORDS = '''    def test_words(self):
        """Splits at spaces."""
        words = split("a b")
        assert words == ["a", "b"]
        assert len(words) == 2
'''
DISABLED = {
    "removed": edit(WORDS, ""),
    "renamed so that it is not collected": edit("def test_words", "def words"),
    "class renamed": edit("class TestSplit", "class Split"),
    "deleted after": GIVEN + "\ndel test_add\n",
    "replaced after": GIVEN + "\ntest_add = None\n",
    "defined again": GIVEN + "\n\ndef test_add():\n    pass\n",
    "in a dead branch": GIVEN[: GIVEN.index("class")] + "if False:\n    class TestSplit:\n        pass\n",
    "skip": edit("    def test_words", "    @pytest.mark.skip\n    def test_words"),
    "skipif": edit("    def test_words", "    @pytest.mark.skipif(True, reason='x')\n    def test_words"),
    "xfail": edit("@pytest.mark.parametrize", "@pytest.mark.xfail(strict=False)\n@pytest.mark.parametrize"),
    "class skip": edit("class TestSplit", "@pytest.mark.skip\nclass TestSplit"),
    "unittest skip": edit("class TestSplit", "import unittest\n\n\n@unittest.skip('later')\nclass TestSplit"),
    "module mark": edit("from solution", "pytestmark = pytest.mark.skip\nfrom solution"),
    "module skip": edit("from solution", "pytest.skip('no', allow_module_level=True)\nfrom solution"),
    "class mark": edit("class TestSplit:\n", "class TestSplit:\n    pytestmark = [pytest.mark.xfail]\n\n"),
    "not a test": edit("class TestSplit:\n", "class TestSplit:\n    __test__ = False\n\n"),
    "skip call": edit('        words = split("a b")', '        pytest.skip("later")\n        words = split("a b")'),
    "skip raised": edit('        words = split("a b")', '        raise SkipTest\n        words = split("a b")'),
    "case removed": edit("(3, 4), ", ""),
    "case marked": edit("(3, 4)", "pytest.param(3, 4, marks=pytest.mark.skip)"),
    "emptied": edit(WORDS, "    def test_words(self):\n        pass\n"),
    "emptied but for its docstring": edit(WORDS, '    def test_words(self):\n        """Splits."""\n'),
    "assertion removed": edit("        assert len(words) == 2\n", ""),
    "assertions removed": edit(
        '        assert words == ["a", "b"]\n        assert len(words) == 2\n', "        print(words)\n"
    ),
    "raises removed": edit(
        "        with pytest.raises(ValueError):\n            split(None)\n", "        split('a')\n"
    ),
    "assert True": edit("assert add(a, b) == a + b", "assert True"),
    "or True": edit("assert add(a, b) == a + b", "assert add(a, b) == a + b or True"),
    "tuple": edit("assert add(a, b) == a + b", "assert (add(a, b) == a + b, 'no')"),
    "itself": edit("assert len(words) == 2", "assert words == words"),
    "early return": edit('        words = split("a b")', '        return\n        words = split("a b")'),
    "never reached": edit("    assert add(a, b) == a + b", "    if False:\n        assert add(a, b) == a + b"),
    "swallowed": edit(
        "    assert add(a, b) == a + b",
        "    try:\n        assert add(a, b) == a + b\n    except Exception:\n        pass",
    ),
}
HONEST = {
    "untouched": GIVEN,
    "comments and layout": edit("import pytest", "import pytest  # needed\n\n").replace(
        "(1, 2), (3, 4)", "(1, 2),\n    (3, 4)"
    ),
    "crlf": GIVEN.replace("\n", "\r\n"),
    "docstring": edit('"""Splits at spaces."""', '"""Splits a text at its spaces."""'),
    "test added": GIVEN + "\n\ndef test_more():\n    assert add(0, 0) == 0\n",
    "skipped test added": GIVEN + "\n\n@pytest.mark.skip\ndef test_more():\n    assert add(0, 0) == 0\n",
    "case added": edit("(5, 6)", "(5, 6), (7, 8)"),
    "renamed with the same content": edit("def test_words", "def test_splits_words"),
    "class renamed, still a test": edit("class TestSplit", "class TestSplitting"),
    "assertion added": edit(
        "        assert len(words) == 2\n", "        assert len(words) == 2\n        assert words\n"
    ),
    "order": edit(WORDS, "") + "\n" + WORDS,
    "two assertions in a loop": edit(
        '        assert words == ["a", "b"]\n        assert len(words) == 2\n',
        '        for one, two in [(words, ["a", "b"]), (len(words), 2)]:\n            assert one == two\n',
    ),
}


@pytest.mark.parametrize("name", sorted(DISABLED))
def test_it_is_seen(name):
    found = disabled_tests({PATH: GIVEN.encode()}, {PATH: DISABLED[name].encode()}, deletions_count=False)
    assert [item.kind for item in found.observations] == ["disabled_tests"]
    for proof in found.observations[0].proofs:
        assert proof.path == PATH
        assert proof.other
        assert proof.other.says == "the package has"
        assert proof.other.line
        assert "def test_" in proof.other.excerpt


@pytest.mark.parametrize("name", sorted(HONEST))
def test_honest_edits_are_no_violation(name):
    found = disabled_tests({PATH: GIVEN.encode()}, {PATH: HONEST[name].encode()}, deletions_count=True)
    assert found.observations == ()


def test_the_proof_shows_both_versions():
    edited = DISABLED["assertion removed"]
    (observation,) = disabled_tests({PATH: GIVEN.encode()}, {PATH: edited.encode()}, deletions_count=False).observations
    (proof,) = observation.proofs
    assert proof.line == edited.splitlines().index("    def test_words(self):") + 1
    assert "def test_words" in proof.excerpt
    assert "1 of its 2 assertions removed" in proof.detail
    assert '        assert words == ["a", "b"]\n' in proof.other.excerpt


def test_a_missing_file_counts_only_where_deletions_do():
    package = {PATH: GIVEN.encode()}
    assert disabled_tests(package, {}, deletions_count=False).observations == ()
    (observation,) = disabled_tests(package, {}, deletions_count=True).observations
    assert "the file was deleted" in observation.proofs[0].detail


def test_a_file_renamed_with_its_content_is_no_deletion():
    moved = {"tests/static/unit/test_b.py": GIVEN.encode()}
    assert disabled_tests({PATH: GIVEN.encode()}, moved, deletions_count=True).observations == ()


def test_a_changed_expectation_is_a_notice():
    edited = edit("len(words) == 2", "len(words) == 3")
    found = disabled_tests({PATH: GIVEN.encode()}, {PATH: edited.encode()}, deletions_count=False)
    assert found.observations == ()
    assert [notice.kind for notice in found.notices] == ["test_changed"]


@pytest.mark.parametrize("junk", [b"def (", b"\0", b"\xff\xfe", b"# coding: no-such\n", b"x = " + b"-" * 9000 + b"1"])
def test_what_cannot_be_parsed_is_a_notice(junk):
    found = disabled_tests({PATH: GIVEN.encode()}, {PATH: junk}, deletions_count=True)
    assert found.observations == ()
    assert [notice.kind for notice in found.notices] == ["test_unreadable"]


def test_ignored_files_and_hooks():
    conftest = "tests/static/conftest.py"
    ignores = {
        conftest: b"collect_ignore = ['test_a.py']\n\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n"
    }
    found = disabled_tests({PATH: GIVEN.encode()}, ignores, deletions_count=False)
    assert [item.path for item in found.observations[0].proofs] == [conftest]
    assert [notice.kind for notice in found.notices] == ["test_hook_added"]


def test_proofs_are_bounded_and_escaped():
    many = "\n\n".join(f"def test_{number}():\n    assert {number} == f('\u202e')" for number in range(100))
    (observation,) = disabled_tests({PATH: many.encode()}, {PATH: b"x = 1\n"}, deletions_count=False).observations
    assert len(observation.proofs) == 20
    assert "81 more places" in observation.proofs[-1].detail
    assert "\u202e" not in observation.model_dump_json()
