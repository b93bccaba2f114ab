import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.runners.python.load_figures import (
    Measurement,
    figure,
    metric_facts,
    nearest_rank,
    problem_text,
)

METRICS = ("p95_ms", "memory_mb", "throughput_rps")


def one(**changes) -> Measurement:
    values = {"latencies": (0.1, 0.2), "answered": 2, "seconds": 2.0, "memory_bytes": 64 << 20}
    return Measurement(**{"memory_level": "complete", **values, **changes})


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([15, 20, 35, 40, 50], 5, 15),
        ([15, 20, 35, 40, 50], 30, 20),
        ([15, 20, 35, 40, 50], 40, 20),
        ([15, 20, 35, 40, 50], 50, 35),
        ([15, 20, 35, 40, 50], 100, 50),
        (list(range(1, 101)), 95, 95),
        (list(range(1, 21)), 95, 19),
        ([7], 95, 7),
    ],
)
def test_percentiles_by_nearest_rank(values, percent, expected):
    assert nearest_rank(values, percent) == expected


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(1, 100))
def test_a_percentile_is_the_smallest_value_with_that_share_at_or_below(values, percent):
    found = nearest_rank(values, percent)
    assert found in values
    assert 100 * sum(v <= found for v in values) >= percent * len(values)
    assert 100 * sum(v < found for v in values) < percent * len(values)


@pytest.mark.parametrize(("values", "percent"), [([], 95), ([1], 0), ([1], 101)])
def test_no_percentile_of_nothing(values, percent):
    with pytest.raises(ValueError, match="percentile"):
        nearest_rank(values, percent)


def test_figures_in_their_units():
    assert figure("p95_ms", one()) == pytest.approx(200)
    assert figure("throughput_rps", one()) == 1.0
    assert figure("memory_mb", one()) == 64.0


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("broken", [one(problem="never ready"), one(latencies=(), answered=0)])
def test_nothing_is_made_up_where_nothing_succeeded(metric, broken):
    assert metric_facts(metric, [broken]) is None


def test_failed_requests_count_as_slow():
    mixed = one(latencies=(0.1,) * 90, answered=90, failures={"status 409": 10})
    assert figure("p95_ms", mixed) == 10_000
    few = one(latencies=(0.1,) * 98, answered=98, failures={"status 409": 2})
    assert figure("p95_ms", few) == pytest.approx(100)


def test_a_repeat_that_measured_nothing_is_not_left_out():
    good, broken = one(latencies=(0.1,), answered=60), one(problem="never ready")
    facts = metric_facts("p95_ms", [good, broken, broken])
    assert facts is not None and facts.value == 10_000
    facts = metric_facts("throughput_rps", [good, broken, broken])
    assert facts is not None and facts.value == 0


def test_unknown_memory_is_left_out():
    assert figure("memory_mb", one(memory_bytes=None, memory_level="none")) is None


def test_facts_hold_every_repeat_and_the_median():
    facts = metric_facts("throughput_rps", [one(answered=60), one(answered=20), one(answered=200)])
    assert facts is not None
    assert (facts.value, facts.values, facts.low, facts.high) == (30.0, (30.0, 10.0, 100.0), 10.0, 100.0)


def test_memory_that_only_covers_single_processes_says_so():
    facts = metric_facts("memory_mb", [one(memory_level="partial")])
    assert facts is not None
    assert "not the tree" in facts.detail


def test_no_problem_where_up_to_one_percent_fails():
    assert problem_text(METRICS, [one(answered=99, failures={"GET /: 503 instead of 200": 1})]) == ""


def test_more_failures_are_told_with_their_kinds():
    text = problem_text(METRICS, [one(answered=90, failures={"a": 7, "b": 3}), one(answered=90, failures={"a": 10})])
    assert text == "20 of 200 requests failed (10.0 %): a (17), b (3)"


def test_problems_of_repeats_and_missing_metrics_are_told():
    broken = one(problem="never ready")
    assert problem_text(METRICS, [one(), broken, broken]) == "2 times: never ready"
    text = problem_text(("p95_ms", "memory_mb"), [broken])
    assert text == "once: never ready; not measured: p95_ms, memory_mb"
