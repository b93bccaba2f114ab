from __future__ import annotations

import pytest

from bouts.adapters.scanners import python
from bouts.adapters.scanners.sources import EVERYTHING
from bouts.errors import HostFault
from bouts.model.evidence import BuildFacts
from bouts.model.scanning import ScanJob, ScanReport


class Child:
    """A child that announces one step and then answers or dies, as its script says."""

    def __init__(self, messages):
        self._messages = list(messages)

    def receive(self, seconds):
        if not self._messages:
            raise HostFault("a helper process ended without an answer")
        return self._messages.pop(0)

    def kill(self):
        self._messages = []


class Zygote:
    """Starts children that die at the steps in `deadly`, as often as stated, unless told to leave the step out."""

    def __init__(self, steps, deadly, ending="death"):
        self.steps, self.deadly, self.ending, self.started = steps, deadly, ending, 0

    def start(self, target, payload):
        self.started += 1
        if target.endswith(":check"):
            return Child([{"result": {"problems": {}}}])
        messages = []
        for step in self.steps:
            name, _, path = step.partition(":")
            if step in payload["crashed"] or (name != "compiles" and EVERYTHING in payload["crashed"]):
                continue
            messages.append({"step": name, "path": path})
            if self.deadly.get(step, 0) > 0:
                self.deadly[step] -= 1
                return Child(
                    {"death": messages, "memory": [*messages, {"error": "MemoryError: "}], "late": [*messages, None]}[
                        self.ending
                    ]
                )
        build = tuple(BuildFacts(check="compiles", ok=False, detail=why) for why in payload["crashed"].values())
        return Child([*messages, {"result": {"report": ScanReport(build=build).model_dump_json()}}])

    def close(self):
        pass


def scan(zygote, tmp_path):
    return python.PythonScanner(("F",), zygote).scan(ScanJob(given=str(tmp_path), staged=str(tmp_path), changed=()))


@pytest.mark.parametrize("ending", ["death", "memory", "late"])
def test_a_child_that_died_once_may_have_had_bad_luck(tmp_path, ending):
    report = scan(Zygote(["compiles:a.py"], {"compiles:a.py": 1}, ending), tmp_path)
    assert (report.build, report.notices, report.faults) == ((), (), ())


@pytest.mark.parametrize("ending", ["death", "memory"])
def test_a_file_that_kills_two_children_is_left_out_and_named(tmp_path, ending):
    report = scan(Zygote(["compiles:a.py", "compiles:b.py"], {"compiles:a.py": 9}, ending), tmp_path)
    assert [item.detail for item in report.build] == ["breaks the process that reads it (step compiles)"]


def test_many_deadly_files_end_in_bounded_attempts(tmp_path):
    steps = [f"compiles:{number}.py" for number in range(50)]
    zygote = Zygote(steps, dict.fromkeys(steps, 99))
    report = scan(zygote, tmp_path)
    assert [(item.check, item.ok) for item in report.build] == [("compiles", False), ("lint", False)]
    assert report.notices
    assert zygote.started == python.ATTEMPTS


def test_the_last_attempt_is_the_compile_check_alone(tmp_path):
    steps = [f"bandit:{number}.py" for number in range(50)]
    report = scan(Zygote(["compiles:0.py", *steps], dict.fromkeys(steps, 99)), tmp_path)
    assert (report.faults, report.notices) == ((), ())


def test_running_out_of_time_twice_is_a_fault_and_convicts_nobody(tmp_path):
    report = scan(Zygote(["compiles:a.py"], {"compiles:a.py": 9}, "late"), tmp_path)
    assert report.build == ()
    assert [fault.retry for fault in report.faults] == [True]


def test_a_child_that_dies_before_it_did_anything_is_our_fault(tmp_path):
    class Dead(Zygote):
        def start(self, target, payload):
            return Child([])

    with pytest.raises(HostFault):
        scan(Dead([], {}), tmp_path)


def test_an_error_of_our_own_is_told_as_ours(tmp_path):
    class Wrong(Zygote):
        def start(self, target, payload):
            return super().start(target, payload) if target.endswith(":check") else Child([{"error": "KeyError: 'x'"}])

    with pytest.raises(HostFault, match="KeyError"):
        scan(Wrong([], {}), tmp_path)
