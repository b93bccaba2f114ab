"""Who stands where: tables apart, both denominators, ties, pseudonyms, what was kept from before."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bouts.model.tallied import AgentRow, CardRow, CardTotals, Spread, TaskRow, Totals
from bouts.standings.cells import Cell, final_cells
from bouts.standings.figures import card_figures, run_figures
from bouts.standings.headline_board import headline_board
from bouts.standings.leaderboard import leaderboard, refine
from bouts.standings.trajectories import trajectories

POLICY = ("four-judge", "1.0")
NOTHING = Spread(0, 0, 0, 1)


def cards(agent, finals, state="final", iterations=None, seconds=None, **changes):
    """Totals of cards, one a task."""
    total = sum(finals)
    fields = {
        "agent": agent, "inside": True, "policy": POLICY[0], "version": POLICY[1], "state": state,
        "cards": len(finals), "total": total * 10**6, "squares": sum(f * f for f in finals) * 10**12,
        "tasks": len(finals), "task_sizes": len(finals), "task_crossed": total * 10**6,
        "task_squares": sum(f * f for f in finals) * 10**12,
        "mean_total": Fraction(total), "mean_squares": Fraction(sum(f * f for f in finals)),
        "iterations": iterations, "seconds": None if seconds is None else Fraction(seconds),
    }  # fmt: skip
    return CardTotals(**{**fields, **changes})


def runs(agent, successes, completed, infrastructure=0, **changes):
    fields = {
        "agent": agent, "inside": True, "completed": completed, "infrastructure": infrastructure,
        "outcomes": completed, "successes": successes, "latency": NOTHING, "cost": NOTHING, "steps": NOTHING,
        "tokens": 0, "tasks": {(1, 1): successes, (1, 0): completed - successes},
    }  # fmt: skip
    return Totals(**{**fields, **changes})


def agent(name, shown=True):
    return AgentRow(name, "owner", "model", "scaffold", shown, f"anonymous of {len(name)}")


def board(rows, totals=(), agents=(), **options):
    figures = [card_figures(row) for row in rows], [run_figures(row) for row in totals]
    return leaderboard(*figures, agents, policy=POLICY, **options)


def test_final_and_provisional_apart_held_and_void_counted_and_in_neither():
    found = board(
        [
            cards("a", [80, 90]),
            cards("a", [10], "provisional"),
            cards("b", [70], "provisional"),
            cards("c", [99, 99, 99], "held"),
            cards("d", [0, 0], "void", tasks=0),
        ]
    )
    assert [(r.agent, r.score, r.cards) for r in found.final.rows] == [("a", 85, 2)]
    assert [(r.agent, r.score) for r in found.provisional.rows] == [("b", 70), ("a", 10)]
    assert (found.held, found.void) == (3, 2)


def test_both_denominators():
    (row,) = board([cards("a", [80])], [runs("a", 3, 6, 2)]).final.rows
    assert (row.solved.successes, row.solved.completed, row.solved.infrastructure) == (3, 6, 2)
    assert (row.solved.of_completed, row.solved.of_all) == (0.5, 0.375)
    nothing = board([cards("a", [80])], [runs("a", 0, 0, 2)]).final.rows[0].solved
    assert (nothing.of_completed, nothing.of_all) == (None, 0)


def test_ties_go_by_the_shown_score_then_mean_iterations_then_mean_time():
    found = board(
        [
            cards("many", [85, 85], iterations=6, seconds=10),
            cards("slow", [85], iterations=2, seconds=300),
            cards("fast", [85, 85, 85], iterations=6, seconds=600),
            cards("same", [85], iterations=2, seconds=300),
            cards("silent", [85]),
        ]
    )
    ranks = [(r.rank, r.agent, r.iterations, r.seconds) for r in found.final.rows]
    assert ranks == [(1, "fast", 2, 200), (2, "same", 2, 300), (2, "slow", 2, 300), (4, "many", 3, 5),
                     (5, "silent", None, None)]  # fmt: skip


def test_an_anonymous_agent_stands_under_its_pseudonym_and_nothing_else_tells_it():
    cells = [Cell(name, "t", "t", Fraction(50), 1) for name in ("ada", "secret")]
    found = board(
        [cards("ada", [50]), cards("secret", [50])],
        agents=[agent("ada"), agent("secret", shown=False)],
        refined={"final": refine(cells, "score", 1)},
    )
    assert "secret" not in found.model_dump_json()
    shown, hidden = found.final.rows
    assert (hidden.agent, hidden.model, hidden.scaffold) == ("anonymous of 6", None, None)
    assert (shown.agent, shown.model, shown.tied_with) == ("ada", "model", ("anonymous of 6",))


def test_what_was_kept_adds_rank_sets_and_ratings_and_bars_only_of_the_same_cards():
    rows = [(t, c, value) for t, c, value in (("t1", "c1", 60), ("t2", "c1", 80), ("t3", "c2", 70))]
    cells = [Cell("a", t, c, Fraction(value), 1) for t, c, value in rows]
    cells += [Cell("b", t, c, Fraction(value - 30), 1) for t, c, value in rows]
    kept = {"final": refine(cells, "score", 1, as_of="entry 7")}
    totals = [cards("a", [60, 80, 70]), cards("b", [30, 50, 40])]
    plain, refined = board(totals).final, board(totals, refined=kept).final
    assert [r.score for r in plain.rows] == [r.score for r in refined.rows] == [70, 40]
    # Deviations −10, 10, 0 by task; by challenge they are 0 and 0.
    assert plain.rows[0].error == pytest.approx((200 / 6) ** 0.5)
    assert refined.rows[0].error == 0
    assert (plain.as_of, refined.as_of) == ("", "entry 7")
    assert plain.rows[0].rank_low is None
    assert (refined.rows[0].rank_low, refined.rows[0].rank_high, refined.rows[0].tied_with) == (1, 2, ("b",))
    assert refined.rows[0].rating > 1000 > refined.rows[1].rating
    later = board([cards("a", [60, 80, 70, 90]), totals[1]], refined=kept).final.rows[0]
    assert (later.score, later.tasks, later.rank_high) == (75, 4, 2)
    assert later.error == pytest.approx((500 / 12) ** 0.5)


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(ValueError, match="another policy"):
        board([cards("a", [1], version="0.9")])
    with pytest.raises(ValueError, match="do not mix"):
        board([cards("a", [1], inside=False)])
    with pytest.raises(ValueError, match="do not mix"):
        board([], [runs("a", 1, 1, inside=False)])
    with pytest.raises(ValueError, match="do not mix"):
        headline_board([run_figures(runs("a", 1, 1, inside=False))], ())
    assert board([cards("a", [1], inside=False)], inside=False).final.rows[0].score == 1


def test_agents_by_composite_with_unknown_costs_apart():
    def timed(agent, successes, cost):
        return runs(
            agent, successes, 4,
            latency=Spread(4, 4 * 500 * 10**6, 4 * (500 * 10**6) ** 2, 10**6),
            cost=Spread(4, 4 * 10**6, 4 * 10**12, 10**9) if cost else NOTHING,
        )  # fmt: skip

    rows = [timed("a", 2, True), timed("b", 4, True), timed("c", 4, False), timed("d", 2, True), runs("e", 0, 0)]
    figures = [run_figures(row) for row in rows]
    found = headline_board(figures, [agent("a", shown=False)], filters={"season": "spring"})
    assert [(r.rank, r.agent, r.composite.value) for r in found.final.rows] == [
        (1, "b", 100), (2, "anonymous of 1", 80), (2, "d", 80),
    ]  # fmt: skip
    assert [r.agent for r in found.provisional.rows] == ["c"]
    assert (found.without, found.filters) == (1, {"season": "spring"})
    first = headline_board(figures, (), top=1)
    assert ([r.agent for r in first.final.rows], first.final.agents) == (["b"], 3)
    assert (first.provisional, first.without) == (found.provisional, 1)


def test_the_first_rows_of_a_table_stand_as_in_the_whole_one():
    rows = [cards(name, [score]) for name, score in (("a", 50), ("b", 70), ("c", 70), ("d", 90))]
    totals = [runs(name, 1, 2) for name in "abcd"]
    whole, first = board(rows, totals).final, board(rows, totals, top=2).final
    assert first.rows == whole.rows[:2]
    assert (first.agents, whole.agents, len(whole.rows)) == (4, 4, 4)


def test_a_success_rate_has_an_error_bar_over_tasks():
    (row,) = board([cards("a", [80])], [runs("a", 30, 40)]).final.rows
    assert (row.success.value, row.success.clusters) == (0.75, 40)
    assert 0.59 < row.success.interval.low < 0.61 < 0.85 < row.success.interval.high < 0.87
    assert board([cards("a", [80])]).final.rows[0].success is None


def card(agent, task, final, attempt=1, **changes):
    fields = {
        "card": "sha256:0", "seq": 1, "time": "", "run": "r", "agent": agent, "task": task, "attempt": attempt,
        "ended": 0.0, "inside": True, "policy": "p", "version": "1", "status": "final", "state": "final",
        "outcome": "solved", "final": final, "iterations": None, "seconds": None, "latest": True, "replaced_by": None,
        "appealed": False, "evidence": None,
    }  # fmt: skip
    return CardRow(**{**fields, **changes})


def test_trajectories_go_by_attempt():
    rows = [card("b", "t", 85, 4), card("b", "t", 60), card("b", "t", 72, 2), card("b", "t", 78, 3), card("a", "t", 85),
            card("a", "u", None)]  # fmt: skip
    one, two = trajectories(rows, {"b": "pseudonym"})
    assert (one.agent, one.task, one.shown, one.shape) == ("a", "t", "[85]", "one-shot")
    assert (two.agent, two.shown, two.shape, two.pointed_out) == (
        "pseudonym", "[60 → 72 → 78 → 85]", "rising", False,
    )  # fmt: skip
    (worse,) = trajectories([card("a", "t", 60), card("a", "t", 50, 2)])
    assert worse.pointed_out
    assert "worse" in worse.meaning


def test_cells_of_cards_are_means_of_their_finals_and_know_their_challenge():
    task = TaskRow("t", "c", "1", None, None, None, None, None, None)
    found = final_cells([card("a", "t", 82.1), card("a", "t", 83, 2), card("a", "u", 9), card("a", "v", None)], [task])
    assert found == (Cell("a", "t", "c", Fraction("82.55"), 2), Cell("a", "u", "u", Fraction(9), 1))
