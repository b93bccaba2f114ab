from bouts.integrity.reported import held
from bouts.model.evidence import TestFacts
from bouts.model.reports import Reported, ReportedTest


def fact(name, outcome, suite="static"):
    return TestFacts(suite=suite, id=name, outcome=outcome)


def report(*tests):
    return Reported(format="junit", tests=tuple(ReportedTest(id=name, outcome=outcome) for name, outcome in tests))


def test_names_of_runners_stand_for_ours():
    ours = [fact("unit/test_a.py::test_b[a.b/c]", "passed"), fact("unit/test_a.py::TestC::test_d", "failed")]
    told = report(("tests.static.unit.test_a::test_b[a.b/c]", "passed"), ("unit.test_a.TestC::test_d", "passed"))
    found = held(told, ours)
    assert found.agree == 1 and not found.untold and not found.unknown
    assert [(d.id, d.told, d.measured) for d in found.differ] == [("unit/test_a.py::TestC::test_d", "passed", "failed")]


def test_a_name_that_fits_two_tests_stands_for_none():
    ours = [fact("unit/test_a.py::test_x", "failed"), fact("more/test_a.py::test_x", "failed")]
    found = held(report(("test_x", "passed")), ours)
    assert found.agree == 0 and not found.differ
    assert found.untold == ("unit/test_a.py::test_x", "more/test_a.py::test_x") and found.unknown == ("test_x",)


def test_hidden_tests_are_not_looked_at():
    found = held(report(("input.test_h::test_y", "failed")), [fact("input/test_h.py::test_y", "passed", "adversarial")])
    assert found.unknown == ("input.test_h::test_y",) and not found.untold and found.agree == 0


def test_failing_by_both_in_other_ways_agrees():
    found = held(report(("a::b", "error")), [fact("a.py::b", "timeout")])
    assert found.agree == 1 and not found.differ
