import pytest

from bouts.errors import BadFile
from bouts.reports.collecting import DEPTH, TESTS
from bouts.reports.reading import read_report


def read(text, form=None):
    data = text if isinstance(text, bytes) else text.encode()
    return read_report(data, form, where="report")


def cases(body, attributes=""):
    return read(f"<testsuites><testsuite name='s' {attributes}>{body}</testsuite></testsuites>")


def test_outcomes_times_and_messages():
    told = cases(
        '<testcase classname="unit.test_a" name="test_b" time="0.25"/>'
        '<testcase classname="unit.test_a" name="test_c" time="1,234.5">'
        '<failure message="assert 1 == 2">E assert 1 == 2\nmore</failure></testcase>'
        '<testcase name="test_d"><error type="E">boom</error></testcase>'
        '<testcase name="test_e"><skipped message="no"/></testcase>',
        'tests="4"',
    )
    assert told.format == "junit" and told.discrepancies == ()
    assert [(t.id, t.outcome, t.seconds, t.message) for t in told.tests] == [
        ("unit.test_a::test_b", "passed", 0.25, ""),
        ("unit.test_a::test_c", "failed", 1234.5, "E assert 1 == 2\nmore"),
        ("test_d", "error", None, "boom"),
        ("test_e", "skipped", None, "no"),
    ]


def test_an_error_beside_a_failure_is_an_error():
    told = cases('<testcase name="a"><failure message="f"/><error message="e"/></testcase>')
    assert (told.tests[0].outcome, told.tests[0].message) == ("error", "e")


def test_what_lies_within_output_decides_nothing():
    told = cases('<testcase name="a"><system-out><failure>no</failure></system-out></testcase>')
    assert told.tests[0].outcome == "passed"


def test_a_test_that_is_told_twice_has_its_worst_outcome_and_is_named():
    told = cases('<testcase name="a"><failure message="f"/></testcase><testcase name="a"/>')
    assert [(t.id, t.outcome, t.times) for t in told.tests] == [("a", "failed", 2)]
    assert told.discrepancies == ("1 tests are told more than once: a",)


@pytest.mark.parametrize("time", ["nan", "inf", "-1", "1e999", "0x1", "٣", "1" * 100, "1_0"])
def test_a_time_that_is_no_number_of_seconds_is_none(time):
    told = cases(f'<testcase name="a" time="{time}"/>')
    assert told.tests[0].seconds is None
    assert told.discrepancies == ("some durations are no numbers of seconds",)


def test_a_suite_that_counts_otherwise_is_said():
    told = cases('<testcase name="a"/>', 'tests="10"')
    assert told.discrepancies == ("suite 's' says that it has 10 tests, and tells of 1",)


def test_entities_are_neither_expanded_nor_fetched():
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'
    fetched = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite><testcase name="a"/></testsuite>'
    for text in (bomb, fetched):
        with pytest.raises(BadFile, match="document type"):
            read(text, "junit")


def test_bounds():
    deep = "<testsuite>" * (DEPTH + 1) + "<testcase name='a'/>" + "</testsuite>" * (DEPTH + 1)
    with pytest.raises(BadFile, match="nested deeper"):
        read(deep)
    many = "".join(f"<testcase name='{n}'/>" for n in range(TESTS + 1))
    with pytest.raises(BadFile, match="100,000 tests"):
        cases(many)
    with pytest.raises(BadFile, match="larger than 16 MB"):
        read(b"<testsuite>" + b" " * (16 << 20))


def test_long_names_are_cut_and_stay_apart():
    told = cases(f"<testcase name='{'x' * 9_000}a'/><testcase name='{'x' * 9_000}b'/>")
    assert len({t.id for t in told.tests}) == 2 and all(len(t.id) <= 500 for t in told.tests)


def test_everything_is_escaped():
    told = cases('<testcase name="a\u202eb"><failure message="\u200b&#x9b;2J"/></testcase>')
    assert told.tests[0].id == "a\\u202eb" and told.tests[0].message == "\\u200b\\x9b2J"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"<html/>",
        b"<testsuite>",
        b"<testsuite/>",
        b"\xff\xfe<",
        b'<?xml version="1.0" encoding="nonsense"?><testsuite><testcase name="a"/></testsuite>',
        b"<testsuite><testcase name='a'><testcase name='b'/></testcase></testsuite>",
    ],
)
def test_what_is_no_report_is_refused(text):
    with pytest.raises(BadFile, match="not a test report"):
        read(text, "junit")
