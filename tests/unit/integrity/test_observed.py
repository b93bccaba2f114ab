from __future__ import annotations

import pytest

from bouts.integrity.observed import (
    CONFIRMATIONS,
    PATIENCE,
    environment_differences,
    grader_tampering,
    hidden_test_access,
    network_access,
    one_cause,
    second_look,
    vulnerabilities,
)
from bouts.integrity.read_only import read_only_modified
from bouts.model.challenge import Severity
from bouts.model.evidence import Finding, Observation, Proof
from bouts.model.sandbox import NetworkAttempt


def kinds(found):
    observations, notices = found
    return [item.kind for item in observations], [item.kind for item in notices]


def attempt(address, allowed=False, family="inet"):
    return NetworkAttempt(family=family, address=address, allowed=allowed)


def test_nothing_seen_nothing_said():
    for check in (hidden_test_access, grader_tampering, environment_differences, vulnerabilities):
        assert check([]) == ()
    assert network_access([]) == read_only_modified({}, {}, ()) == ((), ())


def test_each_sight_has_its_kind():
    assert [item.kind for item in hidden_test_access(["/decoy/a"])] == ["hidden_test_access"]
    assert [item.kind for item in grader_tampering(["a forged answer"])] == ["grader_tampering"]
    assert [item.kind for item in environment_differences(["input/test_a.py::test_b"])] == ["grader_tampering"]
    assert kinds(network_access([attempt("192.0.2.1:80")])) == (["network_access"], [])


def test_what_is_allowed_or_done_by_the_given_code_is_no_network_access():
    network = (attempt("127.0.0.1:80", allowed=True), attempt("192.0.2.1:80"))
    assert kinds(network_access(network, ["192.0.2.1:80"])) == ([], [])


def test_a_name_lookup_alone_is_a_notice():
    assert kinds(network_access([attempt("192.0.2.1:53")])) == ([], ["name_lookup"])
    (observation,), _ = network_access([attempt("192.0.2.1:53"), attempt("192.0.2.2:443")])
    assert [proof.detail for proof in observation.proofs] == ["tried to reach 192.0.2.2:443 (inet)"]


READ_ONLY = {"config.toml": b"a = 1\nb = 2\n", ".venv/x.py": b"x", "app/__pycache__/a.pyc": b"x"}


@pytest.mark.parametrize(
    ("handed_in", "deleted", "expected"),
    [
        ({}, (), ([], [])),
        (READ_ONLY, (), ([], [])),
        ({"config.toml": b"a = 1\r\nb  =  2"}, (), ([], ["read_only_reformatted"])),
        ({"config.toml": b"a = 1\nb = 3\n"}, (), (["read_only_modified"], [])),
        ({}, ("config.toml", ".venv/x.py", "app/__pycache__/a.pyc"), (["read_only_modified"], [])),
        ({".venv/x.py": b"y", "app/__pycache__/a.pyc": b"y", "new.py": b"y"}, (), ([], [])),
    ],
)
def test_read_only_files(handed_in, deleted, expected):
    assert kinds(read_only_modified(READ_ONLY, handed_in, deleted)) == expected


def test_a_changed_read_only_file_is_shown_where_it_differs():
    (observation,), _ = read_only_modified(READ_ONLY, {"config.toml": b"a = 1\nb = 3\n"}, ())
    (proof,) = observation.proofs
    assert (proof.path, proof.line, proof.excerpt) == ("config.toml", 2, "b = 3")
    assert (proof.other.says, proof.other.line, proof.other.excerpt) == ("the package has", 2, "b = 2")


def finding(cwe, line, dangerous=True):
    return Finding(
        tool="bandit",
        rule="B1",
        cwe=cwe,
        severity=Severity.HIGH,
        confidence=Severity.HIGH,
        path="a.py",
        line=line,
        message="bad",
        dangerous=dangerous,
    )


def test_a_weakness_counts_once_however_often_it_occurs():
    found = vulnerabilities(
        [finding("CWE-89", 1), finding("CWE-78", 2), finding("CWE-89", 3), finding("CWE-79", 4, False)]
    )
    assert [(item.because, [proof.line for proof in item.proofs]) for item in found] == [
        ("CWE-78: bad", [2]),
        ("CWE-89: bad", [1, 3]),
    ]


def test_agreement_needs_no_confirmation():
    assert second_look([{"a": "passed", "b": "failed"}], [{"a": "passed", "b": "error"}]) == ((), (), ())


def test_a_difference_is_first_confirmed():
    first, second = {"a": "passed", "b": "passed"}, {"a": "failed", "b": "passed"}
    found = second_look([first], [second])
    assert found.confirm == ("a",)
    assert found.observations == ()
    again = {"a": "passed"}
    found = second_look([first] + [again] * (CONFIRMATIONS - 1), [second] + [{"a": "failed"}] * (CONFIRMATIONS - 1))
    assert found.confirm == ()
    assert [item.kind for item in found.observations] == ["grader_tampering"]


@pytest.mark.parametrize("third", ["failed", "error"])
def test_a_flaky_test_convicts_nobody(third):
    found = second_look([{"a": "passed"}, {"a": third}], [{"a": "failed"}, {"a": "failed"}])
    assert (found.confirm, found.observations) == ((), ())
    assert [notice.kind for notice in found.notices] == ["flaky_test"]


def test_a_test_that_cannot_be_run_again_is_given_up():
    nothing = {"a": "infrastructure"}
    more = [nothing] * (PATIENCE - 1)
    runs = [{"a": "passed"}, *more], [{"a": "failed"}, *more]
    assert second_look(runs[0][:-1], runs[1][:-1]).confirm == ("a",)
    found = second_look(*runs)
    assert (found.confirm, found.observations) == ((), ())
    assert [notice.kind for notice in found.notices] == ["unsettled_test"]


@pytest.mark.parametrize("outcome", ["timeout", "infrastructure", "missing", "skipped"])
def test_a_slow_machine_is_no_difference(outcome):
    assert second_look([{"a": "passed"}], [{"a": outcome}]) == ((), (), ())


def seen(kind, *places, because="because"):
    return Observation(kind=kind, because=because, proofs=tuple(Proof(path=path, line=line) for path, line in places))


def test_one_cause_is_told_once():
    found = one_cause(
        [
            seen("read_only_modified", ("tests/test_a.py", None), ("config.toml", 1)),
            seen("stubbed", ("a.py", 3)),
            seen("disabled_tests", ("tests/test_a.py", 4)),
            seen("stubbed", ("a.py", 3), ("b.py", 1), because="more"),
            seen("hardcoded_outputs", ("a.py", 3)),
            seen("vulnerability_introduced", ("a.py", 3), because="CWE-89: x"),
            seen("vulnerability_introduced", ("a.py", 3), because="CWE-78: x"),
        ]
    )
    assert [(item.kind, item.because, [proof.path for proof in item.proofs]) for item in found] == [
        ("disabled_tests", "because", ["tests/test_a.py"]),
        ("hardcoded_outputs", "because", ["a.py"]),
        ("stubbed", "because; more", ["b.py"]),
        ("vulnerability_introduced", "CWE-78: x", ["a.py"]),
        ("vulnerability_introduced", "CWE-89: x", ["a.py"]),
        ("read_only_modified", "because", ["config.toml"]),
    ]
    assert one_cause(found) == found


def test_constraints_stay_apart_and_a_place_of_a_graver_cause_is_left_out():
    def seen(kind, because, *lines):
        proofs = tuple(Proof(path="a.py", line=line) for line in lines)
        return Observation(kind=kind, because=because, proofs=proofs)

    found = one_cause(
        [
            seen("constraint_violated", "not kept: no regular expressions", 3, 4),
            seen("constraint_violated", "not kept: recursive", 9),
            seen("constraint_violated", "not kept: no literals", 20),
            seen("hardcoded_outputs", "literals decide", 20, 21),
            seen("stubbed", "a constant", 21),
        ]
    )
    assert [(one.kind, one.because) for one in found] == [
        ("hardcoded_outputs", "literals decide"),
        ("constraint_violated", "not kept: no regular expressions"),
        ("constraint_violated", "not kept: recursive"),
    ]
