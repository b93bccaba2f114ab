"""The load client against real services in real sandboxes. What is asserted are laws, never speeds."""

import pytest

from bouts.adapters.runners.python.load import measure
from bouts.adapters.runners.python.plan import plan_for
from bouts.errors import SandboxFault
from bouts.model.challenge import Performance, Request
from bouts.model.running import LoadJob
from bouts.model.sandbox import Look

METRICS = ("p95_ms", "memory_mb", "throughput_rps")


@pytest.fixture
def load(target, sandboxes):
    def run(requests, program="app.py", *, target_options=None, **options):
        values = {"metrics": METRICS, "seconds": 0.3, "repeats": 1, "clients": 2, **options}
        aim = target(program, **(target_options or {}))
        job = LoadJob(target=aim, performance=Performance(requests=tuple(requests), **values))
        return measure(job, sandboxes, plan_for(aim, Look()))

    return run


def by_name(report):
    return {facts.metric: facts for facts in report.metrics}


def test_every_metric_of_a_good_service_is_measured_in_every_repeat(load):
    report = load([Request(path="/health"), Request(path="/items?x={n}")], repeats=2)
    assert (report.problem, report.fault) == ("", "")
    metrics = by_name(report)
    assert set(metrics) == set(METRICS)
    for facts in metrics.values():
        assert len(facts.values) == 2
        assert 0 < facts.low <= facts.value <= facts.high
    assert metrics["memory_mb"].high < 512


def test_each_repeat_gets_a_service_with_no_past(load):
    setup = (Request(method="POST", path="/items", body={"id": "{n}"}, expect=201),)
    report = load([Request(path="/first?{n}")], setup=setup, repeats=2)
    assert report.problem == ""
    assert len(by_name(report)["throughput_rps"].values) == 2


def test_only_the_metrics_that_were_asked_for(load):
    assert set(by_name(load([Request(path="/health")], metrics=("throughput_rps",)))) == {"throughput_rps"}


def test_services_that_close_every_connection_are_measured_too(load):
    report = load([Request(path="/")], "stubborn.py", target_options={"health": "/"})
    assert report.problem == ""
    assert by_name(report)["throughput_rps"].value > 0


def test_answers_with_another_status_do_not_count(load):
    report = load([Request(path="/health"), Request(path="/unavailable")])
    assert "requests failed (50.0 %): GET /unavailable: 503 instead of 200" in report.problem
    assert set(by_name(report)) == set(METRICS)


def test_nothing_is_reported_where_nothing_succeeded(load):
    report = load([Request(path="/garbage")])
    assert report.metrics == ()
    assert "requests failed (100.0 %): connection closed within an answer" in report.problem
    assert "not measured: p95_ms, memory_mb, throughput_rps" in report.problem


def test_a_hanging_request_counts_with_its_time_limit(load):
    report = load([Request(path="/health"), Request(path="/hang")], target_options={"seconds": 0.5})
    assert "no whole answer within 0.5 s" in report.problem
    assert by_name(report)["p95_ms"].value == 500


@pytest.mark.parametrize("path", ["/exit", "/flood"])
def test_a_service_that_dies_under_load_has_no_metrics(load, path):
    report = load([Request(path="/health"), Request(path=path)])
    assert report.metrics == ()
    assert "the service ended under load" in report.problem


@pytest.mark.parametrize(("program", "word"), [("broken.py", "no such table"), ("never.py", "not ready within 0.5 s")])
def test_a_service_that_does_not_start_has_no_metrics(load, program, word):
    report = load([Request(path="/health")], program, target_options={"ready_seconds": 0.5})
    assert report.metrics == ()
    assert word in report.problem
    assert report.fault == ""


def test_setup_that_fails_is_told(load):
    report = load([Request(path="/health")], setup=(Request(path="/nowhere"),))
    assert report.metrics == ()
    assert "setup request GET /nowhere: 404 instead of 200" in report.problem


class Failing:
    """Sandboxes of which the first few break."""

    def __init__(self, sandboxes, times):
        self.sandboxes = sandboxes
        self.times = times

    def create(self, plan):
        if self.times:
            self.times -= 1
            raise SandboxFault("it broke")
        return self.sandboxes.create(plan)


@pytest.mark.parametrize(("times", "fault", "values"), [(1, "", 2), (2, "it broke", 0)])
def test_a_broken_sandbox_is_replaced_once(target, sandboxes, times, fault, values):
    aim = target()
    performance = Performance(
        metrics=("throughput_rps",), requests=(Request(path="/health"),), seconds=0.1, repeats=2, clients=1
    )
    report = measure(LoadJob(target=aim, performance=performance), Failing(sandboxes, times), plan_for(aim, Look()))
    assert report.fault == fault
    assert sum(len(facts.values) for facts in report.metrics) == values
