"""Policy six-component: every component, the cap, and what is missing."""

from __future__ import annotations

from fractions import Fraction

import facts
import pytest

from bouts.errors import BadFile
from bouts.model.evidence import Fault
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.scoring.find import find, walk
from bouts.scoring.six_component import combine, dependency_severity

QUALITY = ("readability", "architecture", "robustness", "idiomaticity")
WRITTEN = ("accuracy", "clarity", "completeness", "actionability")
CLEAN = (facts.suite("static", warnings=()), facts.suite("adversarial", warnings=()))


def card(tests=None, **changes):
    return facts.card(facts.evidence(tests, **{"suites": CLEAN, **changes}), SIX_COMPONENT_1)


def deliverables(*found):
    return facts.submission(deliverables=found)


def worked_example(findings=(facts.finding("medium", cwe="CWE-338"),)):
    """18 of 20 visible tests; 14 of 20 weighted points; three raters 72, 68, 76; one deliverable; a clean run."""
    visible = [facts.static(f"test_v{n}", "passed" if n < 18 else "failed") for n in range(20)]
    # 8 of 10 hidden tests: 2·3 + 2·2 + 4·1 = 14 passed; 2·3 = 6 failed.
    plan = [("critical", 2, 2), ("high", 2, 0), ("medium", 4, 0)]
    hidden = [
        facts.hidden(f"test_h{level}{n}", "passed" if n < good else "failed", level)
        for level, good, bad in plan
        for n in range(good + bad)
    ]
    written = facts.marks("deliverable:notes", accuracy=80, clarity=75, completeness=70, actionability=65)
    return card(
        [*visible, *hidden],
        submission=deliverables(facts.deliverable("notes")),
        marks=(*facts.panel("code_quality", QUALITY, 72, 68, 76), *written),
        findings=findings,
    )


def test_the_worked_example_of_the_document():
    made = worked_example()
    scores = {line.key: line.score for line in made.lines}
    assert scores == {
        "static": 90,
        "adversarial": 70,
        "code_quality": 72,
        "deliverables": 74.5,
        "security": 95,
        "stability": 100,
    }
    assert (made.final, made.headline) == (82.075, 82)
    points = [line.points for line in made.lines]
    assert points == [31.5, 10.5, 14.4, 11.175, 9.5, 5.0]


def test_the_worked_example_by_its_scores_alone():
    scores = {"static": 90, "adversarial": 70, "code_quality": 72, "deliverables": 74.5, "security": 95}
    assert combine(SIX_COMPONENT_1, stability=100, **scores) == Fraction("82.075")


def test_a_critical_finding_caps_the_final_and_the_cap_is_a_line():
    capped = worked_example(findings=(facts.finding("critical", cwe="CWE-89"),))
    assert find(capped, "security").score == 75
    assert capped.final == 75
    cap = find(capped, "critical_cap")
    # 82.075 − 2 for the finding's security points.
    assert cap.points == pytest.approx(75 - 80.075)
    assert "at most 75" in cap.because
    assert sum(line.points for line in capped.lines) == pytest.approx(75)


def test_a_cap_that_does_not_bite_is_shown_with_no_points():
    made = card([facts.static("test_a", "failed")], findings=(facts.finding("critical"), facts.finding("critical", 9)))
    cap = find(made, "critical_cap")
    assert (cap.points, made.final < 75) == (0, True)
    assert "2 critical findings" in cap.because
    high = card([facts.static("test_a", "failed")], findings=(facts.finding("high"),))
    assert all(line.key != "critical_cap" for line in high.lines)


@pytest.mark.parametrize(
    ("findings", "score"),
    [
        ([], 100),
        (["critical"], 75),
        (["high", "high"], 70),
        (["medium"] * 3, 85),
        (["low"] * 4, 96),
        (["critical", "high", "medium", "low"], 54),
        (["critical"] * 5, 0),
    ],
)
def test_security(findings, score):
    rows = tuple(facts.finding(level, line) for line, level in enumerate(findings, 1))
    assert find(card(findings=rows), "security").score == score


@pytest.mark.parametrize(
    ("cvss", "severity"), [(10, "critical"), (9, "critical"), (8.9, "high"), (7, "high"), (6.9, "medium"), (3.9, "low")]
)
def test_a_vulnerable_dependency_is_placed_by_its_cvss_score(cvss, severity):
    assert dependency_severity(cvss, SIX_COMPONENT_1.security.dependencies).value == severity
    made = card(findings=(facts.finding("low", cwe=None, cvss=cvss),))
    points = getattr(SIX_COMPONENT_1.security.points, severity)
    assert find(made, "security").score == 100 - points


@pytest.mark.parametrize(
    ("totals", "score", "weights", "flags"),
    [
        ((72, 68, 76), 72, (1, 0, 0), []),
        ((40, 70, 80), 75, (0, 0.5, 0.5), []),
        ((50, 70, 90), 60, (1 / 3, 1 / 3, 1 / 3), ["ambiguous_panel"]),
        ((70, 80, 90), 70, (1 / 3, 1 / 3, 1 / 3), ["ambiguous_panel"]),
        ((60, 70, 75), 70, (0, 1, 0), []),
        ((60, 70, 80), 60, (1 / 3, 1 / 3, 1 / 3), ["ambiguous_panel"]),
        ((60, 75, None), 67.5, (0.5, 0.5), []),
        ((60, None, 76), 58, (0.5, 0.5), ["ambiguous_panel"]),
        ((None, 77, None), 77, (1,), ["one_rater"]),
        ((0, 8, 16), 0, (1 / 3, 1 / 3, 1 / 3), ["ambiguous_panel"]),
    ],
)
def test_code_quality_by_rule_1(totals, score, weights, flags):
    made = card(marks=facts.panel("code_quality", QUALITY, *totals))
    line = find(made, "code_quality")
    assert line.score == score
    raters = [child for child in line.children if child.key != "code_quality.deduction"]
    assert [child.weight for child in raters] == pytest.approx(weights, abs=1e-6)
    assert sum(child.points for child in line.children) == pytest.approx(line.points, abs=1e-5)
    assert sum(child.weight * child.score for child in line.children) == pytest.approx(line.score, abs=1e-4)
    panels = [flag for flag in made.flags if flag.kind in ("ambiguous_panel", "one_rater")]
    assert [flag.kind for flag in panels] == flags
    assert all(flag.holds == (flag.kind == "ambiguous_panel") for flag in panels)
    assert (made.status == "held") == ("ambiguous_panel" in flags)


def test_the_dropped_rater_is_named_on_the_line():
    line = find(card(marks=facts.panel("code_quality", QUALITY, 40, 70, 80)), "code_quality")
    assert "one is the outlier" in line.because
    assert "mean of 70, 80 = 75" in line.formula
    assert find(card(marks=facts.panel("code_quality", QUALITY, 72, 68, 76)), "code_quality").formula == (
        "median of the marks: 72 = 72"
    )


def test_a_deduction_never_goes_below_0_and_is_a_line():
    line = find(card(marks=facts.panel("code_quality", QUALITY, 0, 8, 16)), "code_quality")
    less = line.children[-1]
    assert (less.key, less.score, line.score) == ("code_quality.deduction", -8, 0)


def test_a_raters_total_is_the_mean_of_its_dimensions():
    marks = facts.marks("code_quality", readability=80, architecture=60, robustness=40, idiomaticity=90)
    made = card(marks=marks)
    total = find(made, "code_quality.one")
    assert total.score == 67.5
    assert [child.key for child in total.children] == [f"code_quality.one.{name}" for name in QUALITY]
    assert total.children[0].evidence == ("mark:code_quality.readability/one",)
    assert total.children[0].because == "one says so"


def test_a_dimension_that_a_rater_did_not_mark_leaves_its_weight_to_the_others():
    made = card(marks=facts.marks("code_quality", readability=80, architecture=60))
    total = find(made, "code_quality.one")
    assert total.score == 70
    assert [child.weight for child in total.children] == [0.5, 0.5, None, None]


def test_deliverables_missing_placeholder_and_short():
    found = (
        facts.deliverable("a", present=False),
        facts.deliverable("b", placeholder=True, words=900),
        facts.deliverable("c", words=3),
    )
    made = card(submission=deliverables(*found), marks=facts.panel("deliverable:c", WRITTEN, 90, 90, 90))
    assert [find(made, f"deliverables.{name}").score for name in "abc"] == [0, 0, 90]
    assert find(made, "deliverables").score == 30
    assert "Missing" in find(made, "deliverables.a").because
    assert "placeholder" in find(made, "deliverables.b").because


def test_deliverables_have_weights_of_the_challenge():
    found = (facts.deliverable("a", weight=3.0), facts.deliverable("b", present=False))
    made = card(submission=deliverables(*found), marks=facts.panel("deliverable:a", WRITTEN, 80, 80, 80))
    assert find(made, "deliverables").score == 60
    assert [line.weight for line in find(made, "deliverables").children] == [0.75, 0.25]


def test_a_challenge_without_deliverables_has_no_such_component_and_is_no_worse_for_it():
    made = card(marks=facts.panel("code_quality", QUALITY, 80, 80, 80))
    line = find(made, "deliverables")
    assert (line.score, line.state, line.weight) == (None, "not_applicable", None)
    assert made.status == "final"
    shared = find(made, "static")
    assert (shared.policy_weight, shared.weight) == (0.35, pytest.approx(0.35 / 0.85, abs=1e-6))


@pytest.mark.parametrize(
    ("changes", "score", "said"),
    [
        ({}, 100, "Nothing crashed"),
        ({"suites": (facts.suite("static", warnings=("a.py:1: DeprecationWarning: x",)),)}, 50, "a.py:1: Deprecation"),
        ({"build": facts.build("exceptions")}, 0, "an exception escaped"),
        ({"tests": [facts.static("test_a", "timeout")]}, 0, "a time limit was exceeded in 1 test"),
        ({"tests": [facts.static("test_a", "crashed"), facts.hidden("test_h", "crashed")]}, 0, "died in 2 tests"),
        ({"tests": [facts.hidden("test_h", second="crashed")]}, 0, "the code under test died"),
        ({"tests": [facts.static("test_a", "failed"), facts.static("test_b", "error")]}, 100, "Nothing crashed"),
    ],
)
def test_stability(changes, score, said):
    made = card(changes.pop("tests", None), **changes)
    line = find(made, "stability")
    assert (line.score, line.state) == (score, "measured")
    assert said in line.because
    assert "test_h" not in made.model_dump_json()


def test_each_place_that_warned_is_told_once_and_no_message():
    """A message may repeat the input of a hidden test."""
    told = ("b.py:2: ResourceWarning: unclosed <secret: name>", "a.py:1: DeprecationWarning: secret")
    suites = (facts.suite("static", warnings=told[1:]), facts.suite("adversarial", warnings=told))
    line = find(card(suites=suites), "stability")
    assert line.because.endswith("there were warnings: a.py:1: DeprecationWarning; b.py:2: ResourceWarning.")
    assert set(line.evidence) == {"suite:static", "suite:adversarial"}
    assert line.score == 50


def test_a_suite_that_nobody_listened_to_hides_no_warning_of_the_other():
    suites = (facts.suite("static", warnings=None), facts.suite("adversarial", warnings=("a.py:1: K: m",)))
    assert find(card(suites=suites), "stability").score == 50
    suites = (facts.suite("static", warnings=None), facts.suite("adversarial", warnings=()))
    assert find(card(suites=suites), "stability").score is None


def test_stability_is_not_judged_where_nobody_listened_for_warnings():
    made = facts.card(facts.evidence(), SIX_COMPONENT_1)
    line = find(made, "stability")
    assert (line.score, line.state) == (None, "not_judged")
    assert "nobody listened" in line.because
    assert made.status == "provisional"
    assert "stability: not judged" in made.because


def test_no_model_leaves_the_panels_unjudged_and_the_card_provisional():
    made = card(submission=deliverables(facts.deliverable()))
    assert [find(made, key).state for key in ("code_quality", "deliverables")] == ["not_judged", "not_judged"]
    # 0.35 + 0.15 + 0.10 + 0.05 = 0.65 of the weights are left, and everything else is at 100.
    assert made.final == 100
    assert made.status == "provisional"
    assert "code quality: not judged: no model configured" in made.because


def test_a_deliverable_that_was_not_judged_keeps_the_card_provisional():
    found = (facts.deliverable("a", present=False), facts.deliverable("b"))
    made = card(submission=deliverables(*found), marks=facts.panel("code_quality", QUALITY, 80, 80, 80))
    assert find(made, "deliverables").score == 0
    assert "deliverables: b not judged" in made.because


@pytest.mark.parametrize("part", ["code_quality", "deliverables"])
def test_configured_models_that_failed_give_the_neutral_mark_and_a_flag(part):
    fault = Fault(part=part, message="no answer")
    made = card(submission=deliverables(facts.deliverable()), faults=(fault,))
    line = find(made, part)
    assert (line.score, line.state) == (50, "neutral")
    assert {"neutral", "fault"} <= {flag.kind for flag in made.flags}
    assert not any(flag.holds for flag in made.flags)
    assert made.status == "provisional"


@pytest.mark.parametrize("part", ["telemetry", "strategy.one", "process", "integrity_model"])
def test_faults_of_judges_that_this_policy_lacks_change_nothing(part):
    marks = facts.panel("code_quality", QUALITY, 80, 80, 80)
    made = card(marks=marks, faults=(Fault(part=part, message="no answer"),))
    assert made.model_dump() == card(marks=marks).model_dump()


def test_a_fault_in_running_the_tests_makes_the_card_void():
    made = card(faults=(Fault(part="objective.static", message="the sandbox died"),))
    assert (made.status, made.final, made.outcome) == ("void", None, "infrastructure")
    assert [line.key for line in made.lines] == [
        "static",
        "adversarial",
        "code_quality",
        "deliverables",
        "security",
        "stability",
    ]


def test_violations_are_shown_cost_nothing_and_severe_ones_hold():
    marks = facts.panel("code_quality", QUALITY, 80, 80, 80)
    mild = card(marks=marks, observations=(facts.seen("read_only_modified"),))
    assert (mild.status, mild.violations[0].points, mild.outcome) == ("final", 0, "failed")
    severe = card(marks=marks, observations=(facts.seen("hardcoded_outputs"), facts.seen("plagiarism")))
    assert severe.final == mild.final
    assert severe.status == "held"
    assert {flag.kind for flag in severe.flags if flag.holds} == {"severe_violation", "plagiarism"}


def test_a_measured_panel_says_so_and_is_provisional():
    marks = tuple(
        mark.model_copy(update={"source": "measured"}) for mark in facts.panel("code_quality", QUALITY, 80, 80, 80)
    )
    made = card(marks=marks)
    assert find(made, "code_quality").because.startswith("Measured, no model.")
    assert "code quality: measured, no model" in made.because
    assert made.status == "provisional"


def test_marks_that_no_panel_can_have_given_are_a_bad_file():
    twice = facts.marks("code_quality", readability=80) + facts.marks("code_quality", readability=81)
    with pytest.raises(BadFile, match=r"marked code_quality\.readability more than once"):
        card(marks=twice)
    four = (*facts.panel("code_quality", QUALITY, 1, 2, 3), *facts.marks("code_quality", "four", readability=4))
    with pytest.raises(BadFile, match="at most 3"):
        card(marks=four)


def test_what_a_rater_says_names_no_hidden_test():
    mark = facts.marks("code_quality", readability=80)[0].model_copy(update={"because": "see test_two and test_one"})
    made = card(marks=(mark,))
    assert find(made, "code_quality.one.readability").because == "see (a hidden test) and test_one"


def test_every_line_points_to_records_that_exist():
    made, file = facts.stored(
        facts.evidence(
            submission=deliverables(facts.deliverable("a"), facts.deliverable("b", present=False)),
            marks=(*facts.panel("code_quality", QUALITY, 50, 70, 90), *facts.panel("deliverable:a", WRITTEN, 1, 2, 3)),
            findings=(facts.finding("critical"),),
            suites=CLEAN,
        ),
        SIX_COMPONENT_1,
    )
    known = {record.id for record in file.records}
    assert {name for line in walk(made.lines) for name in line.evidence} <= known
