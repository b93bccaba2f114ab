"""`bouts report`: what it prints."""

import facts
import pytest

JUNIT = """<testsuite name="a" tests="3"><testcase classname="unit.test_a" name="test_b"/>
<testcase classname="unit.test_a" name="test_c"><failure message="one\u202e&#x9b;">x</failure></testcase></testsuite>"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "junit.xml"
    path.write_text(JUNIT, encoding="utf-8")
    return path


def test_a_report_for_people(bouts, file):
    ran = bouts("report", file)
    assert ran.status == 0
    assert "2 tests told as junit: 1 passed, 1 failed" in ran.out
    assert "suite 'a' says that it has 3 tests, and tells of 2" in ran.out
    assert "failed unit.test_a::test_c" in ran.out.replace("  ", " ").replace("  ", " ")
    assert "\u202e" not in ran.out and "\x9b" not in ran.out


def test_a_report_against_a_card(bouts, file, stored):
    evidence = facts.evidence(tests=(facts.static("test_b", "failed"), facts.static("test_z")))
    card = stored("card", evidence)
    ran = bouts("report", file, "--against", card)
    assert ran.status == 0
    assert "0 of 1 visible tests that it names agree" in ran.out
    assert "unit/test_a.py::test_b: told passed, measured failed" in ran.out
    body = bouts("report", file, "--against", card, "--json").fits("report")
    assert body["held"]["untold"] == ["unit/test_a.py::test_z"]
    assert body["held"]["unknown"] == ["unit.test_a::test_c"]


def test_what_cannot_be_read_is_the_users_mistake(bouts, file, tmp_path):
    for words, said in (
        ((tmp_path / "none",), "there is no none"),
        ((tmp_path,), "not a regular file"),
        ((file, "--format", "tap"), "not a test report"),
        ((file, "--format", "xml"), "no report format is called 'xml'"),
        ((file, "--evidence", file), "--evidence goes with --against"),
    ):
        ran = bouts("report", *words)
        assert ran.status == 2 and said in ran.err
