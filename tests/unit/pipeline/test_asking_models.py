"""What was paid for is written down before it is used: killed at any point, nobody pays twice for an answer."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from stepping import in_child

from bouts.errors import StoreFault
from bouts.pipeline.asking import Asking, Down, Late, Replies, Reply, forget, panel, replies_of


class FakeModel:
    """Counts calls in a file, as a provider's bill does; answers, is late or is down as it is told, call by call."""

    def __init__(self, bill: Path, name: str = "one", orders: tuple[str, ...] = (), die: str = "") -> None:
        self.bill, self.name, self.orders, self.die = bill, name, list(orders), die
        self.digest = f"sha256:{name}"
        self.seconds: list[float] = []

    def reply(self, question: str, *, seconds: float, key: str) -> Reply:
        self.seconds.append(seconds)
        order = self.orders.pop(0) if self.orders else "answer"
        if order == "down":
            raise Down("connection refused")
        if order == "late":
            raise Late("too slow")
        if self.die == "before the call":
            os.kill(os.getpid(), signal.SIGKILL)
        with self.bill.open("a") as file:
            file.write(f"{self.name} {question} {key}\n")
        if self.die == "before the answer is written down":
            os.kill(os.getpid(), signal.SIGKILL)
        return Reply(text=f"{self.name} on {question}", cost_usd=0.01)


def bill(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def asking(replies: Replies, step: Any = "strategy", **more: Any) -> Asking:
    return Asking(step, replies, seconds=300.0, **more)


@pytest.mark.parametrize("step", ["process", "strategy", "integrity_model"])
@pytest.mark.parametrize(
    ("die", "calls"),
    [
        ("before the call", 1),
        ("before the answer is written down", 2),  # with the same key, by which the provider knows the call
        ("before it is used", 1),
        ("", 1),
    ],
)
def test_killed_anywhere_it_is_paid_once(tmp_path: Path, step: Any, die: str, calls: int) -> None:
    paid = tmp_path / "bill"

    def first() -> None:
        asking(replies_of(tmp_path / "replies", "a"), step).ask(FakeModel(paid, die=die), "q")
        if die == "before it is used":
            os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(first) == (signal.SIGKILL if die else 0)
    answer = asking(replies_of(tmp_path / "replies", "a"), step).ask(FakeModel(paid), "q")
    assert answer.text == "one on q"
    assert len(bill(paid)) == calls
    assert len(set(bill(paid))) == 1, "the same question goes with the same key"


def test_what_is_kept_for_an_attempt_is_asked_again_in_the_next_and_the_rest_is_not(tmp_path: Path) -> None:
    paid = tmp_path / "bill"
    for attempt in ("a", "a", "b"):
        for step in ("process", "strategy"):
            asking(replies_of(tmp_path / "replies", attempt), step).ask(FakeModel(paid), step)
    assert sorted(line.split()[1] for line in bill(paid)) == ["process", "strategy", "strategy"]


def test_what_a_dead_attempt_left_goes_and_that_of_living_ones_stays(tmp_path: Path) -> None:
    home, paid = tmp_path / "replies", tmp_path / "bill"
    for attempt in ("dead", "living"):
        asking(replies_of(home, attempt)).ask(FakeModel(paid), "q")
    asking(replies_of(home, "over")).ask(FakeModel(paid), "q")
    replies_of(home, "over").over()
    forget(home, frozenset({"living"}))
    assert sorted(p.name for p in home.glob("attempt-*")) == ["attempt-living"]


def test_an_answer_that_cannot_be_written_down_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "replies").write_text("a file in the way")
    with pytest.raises(StoreFault):
        asking(replies_of(tmp_path / "replies", "a")).ask(FakeModel(tmp_path / "bill"), "q")


def test_an_endpoint_that_is_down_is_tried_after_one_two_and_four_seconds(tmp_path: Path) -> None:
    slept: list[float] = []
    model = FakeModel(tmp_path / "bill", orders=("down", "down", "down"))
    assert asking(replies_of(tmp_path, "a"), sleep=slept.append).ask(model, "q").text == "one on q"
    assert slept == [1, 2, 4]
    with pytest.raises(Down, match="one cannot be reached: connection refused"):
        asking(replies_of(tmp_path, "b"), sleep=slept.append).ask(
            FakeModel(tmp_path / "bill", orders=("down",) * 4), "q"
        )
    assert slept == [1, 2, 4, 1, 2, 4]


def test_a_slow_model_is_asked_once_more(tmp_path: Path) -> None:
    assert asking(replies_of(tmp_path, "a")).ask(FakeModel(tmp_path / "bill", orders=("late",)), "q").text
    with pytest.raises(Late, match="longer than 300 s, twice"):
        asking(replies_of(tmp_path, "b")).ask(FakeModel(tmp_path / "bill", orders=("late", "late")), "q")


def test_a_call_gets_no_more_time_than_the_panel_has_left(tmp_path: Path) -> None:
    model = FakeModel(tmp_path / "bill")
    asking(replies_of(tmp_path, "a")).ask(model, "q", lambda: 17.0)
    assert model.seconds == [17.0]
    with pytest.raises(Late, match="time is up"):
        asking(replies_of(tmp_path, "b")).ask(model, "q", lambda: 0.0)


@pytest.mark.parametrize(
    ("orders", "answers", "failed"),
    [
        (("", "", ""), 3, False),
        (("late", "", ""), 2, False),
        (("late", "down", ""), 1, True),
        (("late", "down", "late"), 0, True),
    ],
)
def test_a_panel_goes_without_one_model_and_fails_without_two(
    tmp_path: Path, orders: tuple[str, ...], answers: int, failed: bool
) -> None:
    models = [
        FakeModel(tmp_path / "bill", name, (order,) * 9 if order else ())
        for name, order in zip(("one", "two", "three"), orders, strict=True)
    ]
    said = panel(asking(replies_of(tmp_path, "a"), sleep=lambda _: None), models, "q", 900.0)
    assert (len(said.replies), len(said.left_out), said.failed) == (answers, 3 - answers, failed)


def test_who_never_answers_is_left_out_and_a_late_answer_is_written_down_all_the_same(tmp_path: Path) -> None:
    free, done = threading.Event(), threading.Event()

    class Hanging(FakeModel):
        def reply(self, question: str, *, seconds: float, key: str) -> Reply:
            free.wait(60)
            done.set()
            return super().reply(question, seconds=seconds, key=key)

    replies = replies_of(tmp_path / "replies", "a")
    models = [FakeModel(tmp_path / "bill", "quick"), Hanging(tmp_path / "bill", "slow")]
    said = panel(asking(replies), models, "q", 0.3)
    assert set(said.replies) == {"quick"}
    assert "had not answered" in said.left_out["slow"]
    free.set()
    done.wait(60)
    for _ in range(200):
        if replies.get("strategy", replies.key("strategy", models[1], "q")):
            break
        threading.Event().wait(0.05)
    assert len(bill(tmp_path / "bill")) == 2
    assert panel(asking(replies), models, "q", 60.0).left_out == {}
    assert len(bill(tmp_path / "bill")) == 2
