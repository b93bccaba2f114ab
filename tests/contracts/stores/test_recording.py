"""Runs, cards, agents and reviews: nothing lost, nothing twice, and what is derived follows each of them."""

from __future__ import annotations

import pytest
from making import DAY, DIGEST, JANUARY, TASK, card, challenge, many, run
from sqlalchemy import text
from storing import Open

from bouts.adapters.stores.ledger import StoredLedger
from bouts.errors import BadUsage, NotFound
from bouts.model.ledger import BatchEntry, ChallengeEntry, card_digest
from bouts.model.records import from_records
from bouts.model.tallied import Where
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.scoring.card import score
from bouts.standings.composite import composite
from bouts.standings.figures import card_figures, run_figures
from bouts.standings.repeatability import repeatability


def test_a_run_with_its_card(ledger: StoredLedger) -> None:
    made, _ = card()
    done = ledger.record(run(), made, b"evidence", challenge())
    assert done.run.new and done.card is not None and done.card.new
    assert (done.attempt, done.inside) == (1, True)
    (row,) = ledger.cards(Where())
    assert (row.final, row.state, row.agent, row.task, row.latest) == (made.final, made.status, "someone", TASK, True)
    assert ledger.evidence(row.evidence or "") == b"evidence"
    stored_row, stored_card = ledger.card(row.card[:15])
    assert stored_row == row
    assert stored_card == made.model_copy(update={"evidence": made.evidence.model_copy(update={"path": None})})
    (kept,) = ledger.runs(Where())
    assert kept == run(card=card_digest(made))
    (task,) = ledger.tasks()
    assert (task.challenge, task.language, task.family) == ("seat-holds", "python", "other")
    assert ledger.verify().sound


def test_the_same_again_changes_nothing(opened: Open) -> None:
    made, _ = card()
    first = opened()
    first.record(run(), made, b"evidence", challenge())
    head = first.head()
    again = opened().record(run(ended=JANUARY + 5), made, b"evidence", challenge())
    assert not again.run.new and again.card is not None and not again.card.new
    assert again.attempt == 1
    assert first.head() == head


def test_attempts_are_numbered(ledger: StoredLedger) -> None:
    ledger.add_runs(
        [run("a"), run("b", inside=False), run("other", agent="else"), run("c", status="infrastructure", success=None)]
    )
    rows = (*ledger.runs(Where(agents=("someone",))), *ledger.runs(Where(inside=False)))
    assert {row.run: row.attempt for row in rows} == {"a": 1, "b": 2, "c": 3}


def test_a_fault_of_the_platform_is_made_good_by_the_next_measurement(ledger: StoredLedger) -> None:
    made, _ = card()
    ledger.add_runs([run(status="infrastructure", success=None, outcome="infrastructure", latency_ms=None)])
    ledger.record(run(outcome="solved"), made, None, challenge())
    (total,) = ledger.totals(Where())
    assert (total.completed, total.infrastructure, total.successes) == (1, 0, 1)
    assert len(list(ledger.entries(kinds=("run",)))) == 2
    assert ledger.verify().sound


def test_other_figures_need_the_word_replace(ledger: StoredLedger) -> None:
    ledger.add_runs([run(cost_usd=1.0)])
    with pytest.raises(BadUsage, match="other figures"):
        ledger.add_runs([run("two"), run(cost_usd=2.0)])
    assert len(ledger.runs(Where())) == 1
    ledger.add_runs([run(cost_usd=2.0)], replace=True)
    ledger.add_runs([run(cost_usd=1.0)], replace=True)
    (total,) = ledger.totals(Where())
    assert (total.completed, total.cost.mean) == (1, 1)
    assert [entry.body["cost_usd"] for entry in ledger.entries(kinds=("run",))] == [1.0, 2.0, 1.0]


def test_an_agent_is_made_by_its_run_and_keeps_its_pseudonym(ledger: StoredLedger) -> None:
    ledger.add_runs([run()])
    (made,) = ledger.agents()
    changed = ledger.agent("someone", owner="Team", model="m", shown=False)
    assert (changed.pseudonym, changed.title, changed.owner) == (made.pseudonym, made.pseudonym, "Team")
    kept = ledger.agent("someone", scaffold="s")
    assert (kept.owner, kept.model, kept.scaffold, kept.shown) == ("Team", "m", "s", False)
    head = ledger.head()
    ledger.agent("someone", scaffold="s")
    assert ledger.head() == head
    ledger.agent("someone", shown=True)
    ledger.agent("someone", shown=False)
    assert [entry.body.get("shown", True) for entry in ledger.entries(kinds=("agent",))][-2:] == [True, False]


def test_pseudonyms_differ_between_ledgers(opened: Open, tmp_path: object) -> None:
    one = opened().agent("someone").pseudonym
    other = opened(f"{tmp_path}/other.db").agent("someone").pseudonym
    assert one != other


def test_totals_are_those_of_the_runs(ledger: StoredLedger) -> None:
    rows = many(120)
    for start in range(0, 120, 40):
        ledger.add_runs(rows[start : start + 40])
    ledger.add_runs([row.model_copy(update={"cost_usd": 0.5, "task": "task 0"}) for row in rows[::7]], replace=True)
    ledger.season("winter", "2026-01-10", "2026-02-10")
    ledger.add_runs(many(20, seed=2))
    for where in (Where(), Where(inside=False), Where(season="winter"), Where(task="task 1")):
        kept = ledger.runs(where)
        totals = ledger.totals(where)
        assert [t.agent for t in totals] == sorted({row.agent for row in kept})
        for total in totals:
            mine = [row for row in kept if row.agent == total.agent]
            figures = composite(mine, HEADLINE_2026_07.composite)
            assert (total.completed, total.successes) == (figures.runs, figures.successes)
            assert total.infrastructure == sum(row.status == "infrastructure" for row in mine)
            repeats = repeatability(mine, HEADLINE_2026_07.repeatability.model_copy(update={"outcomes": 1}))
            shapes = sorted((task.outcomes, task.successes) for task in repeats.tasks)
            assert shapes == sorted(shape for shape, count in total.tasks.items() for _ in range(count))
            known = [row.latency_ms for row in mine if row.latency_ms is not None and row.status != "infrastructure"]
            assert total.latency.count == len(known)
            assert total.latency.mean is None or float(total.latency.mean) == pytest.approx(sum(known) / len(known))
            tokens = sum(row.tokens or 0 for row in mine if row.status != "infrastructure")
            assert total.tokens == tokens
    found = ledger.verify()
    assert found.sound, found


def _described(ledger: StoredLedger) -> list[ChallengeEntry]:
    """Six challenges of two families, formats and languages; of the last two something is not told."""
    told = [
        ("x", "sprint", "python"), ("x", "standard", "go"), ("y", "sprint", "go"), ("y", "sprint", "python"),
        (None, "standard", "python"), ("x", None, None),
    ]  # fmt: skip
    about = [
        ChallengeEntry(
            id=f"task {n}", version="1", digest=f"sha256:{n:064x}", title="T", family=family, format=form, language=lang
        )
        for n, (family, form, lang) in enumerate(told)
    ]
    ledger.add_challenges(about)
    return about


def test_figures_of_every_combination_of_filters_are_kept_and_those_of_the_runs(ledger: StoredLedger) -> None:
    about = _described(ledger)
    ledger.season("s", "2026-01-10", "2026-02-10")
    ledger.season("S", "2026-02-01", "2026-02-28")
    rows = [row.model_copy(update={"challenge": about[int(row.task[-1])].digest}) for row in many(150)]
    ledger.add_runs(rows[:100])
    ledger.add_runs(rows[100:])
    ledger.add_runs([row.model_copy(update={"cost_usd": 0.5}) for row in rows[::9]], replace=True)
    ledger.season("s", "2026-01-10", "2026-02-12")
    made, _ = card(passed=2)
    ledger.record(run("carded", task="task 1", challenge=about[1].digest), made)
    asked = [
        Where(family=family, format=form, language=language, season=season, inside=inside)
        for family in (None, "x") for form in (None, "sprint") for language in (None, "go", "python")
        for season in (None, "s", "S") for inside in (True, False)
    ]  # fmt: skip
    for where in asked:
        kept = ledger.runs(where)
        found = ledger.run_figures(where)
        assert [row.agent for row in found] == sorted({row.agent for row in kept})
        for row in found:
            mine = [one for one in kept if one.agent == row.agent]
            assert row.composite == composite(mine, HEADLINE_2026_07.composite), where
            assert row.levels == repeatability(mine, HEADLINE_2026_07.repeatability).levels
        assert found == tuple(run_figures(row) for row in ledger.totals(where))
        assert ledger.card_figures(where) == tuple(card_figures(row) for row in ledger.card_totals(where))
    assert [row.cards for row in ledger.card_figures(Where(format="standard", language="go"))] == [1]
    assert ledger.verify().sound


def test_figures_that_other_rules_made_are_made_anew(ledger: StoredLedger) -> None:
    made, _ = card()
    ledger.record(run(), made)
    before = ledger.run_figures(Where()), ledger.card_figures(Where())
    with ledger.transaction() as connection:
        for table in ("ledger_totals", "ledger_card_totals"):
            connection.execute(text(f"UPDATE {table} SET figures = 'other rules' || substr(figures, 12)"))
    assert (ledger.run_figures(Where()), ledger.card_figures(Where())) == before
    assert ledger.verify().sound
    ledger.rebuild()
    with ledger.transaction() as connection:
        connection.execute(text("UPDATE ledger_totals SET figures = replace(figures, 'succeeded', 'failed')"))
    assert not ledger.verify().sound


def test_a_season_that_is_moved_is_counted_anew(ledger: StoredLedger) -> None:
    made, _ = card()
    ledger.record(run("a", ended=JANUARY), made)
    ledger.record(run("b", ended=JANUARY + 40 * DAY), made)
    ledger.season("s", "2026-01-01", "2026-01-01")
    assert [t.completed for t in ledger.totals(Where(season="s"))] == [1]
    assert [t.cards for t in ledger.card_totals(Where(season="s"))] == [1]
    ledger.season("s", "2025-12-31", "2026-12-31")
    assert [t.completed for t in ledger.totals(Where(season="s"))] == [2]
    assert [t.cards for t in ledger.card_totals(Where(season="s"))] == [2]
    with pytest.raises(NotFound, match="no season"):
        ledger.totals(Where(season="summer"))
    assert ledger.verify().sound


def test_filters(ledger: StoredLedger) -> None:
    made, _ = card()
    ledger.record(run("a"), made, None, challenge())
    ledger.add_runs([run("b", agent="else", task="outside", challenge=None)])
    ledger.agent("else", model="m")
    for where, agents in (
        (Where(), ["else", "someone"]),
        (Where(model="m"), ["else"]),
        (Where(challenge="seat-holds"), ["someone"]),
        (Where(family="other"), ["someone"]),
        (Where(family="other", language="python"), ["someone"]),
        (Where(language="go"), []),
        (Where(agents=("else",)), ["else"]),
        (Where(inside=False), []),
    ):
        assert [t.agent for t in ledger.totals(where)] == agents, where
        assert sorted({r.agent for r in ledger.runs(where)}) == agents
        assert [t.agent for t in ledger.tallies(where)] == agents


def test_what_is_told_of_a_challenge_later_counts(ledger: StoredLedger) -> None:
    made, _ = card()
    ledger.record(run(), made)
    assert ledger.totals(Where(language="python")) == ()
    ledger.append(challenge(), key="the challenge")
    assert [t.completed for t in ledger.totals(Where(language="python"))] == [1]
    assert [t.cards for t in ledger.card_totals(Where(language="python"))] == [1]
    assert ledger.verify().sound


def test_the_latest_card_of_a_policy_counts(ledger: StoredLedger) -> None:
    first, _ = card(passed=1)
    second, evidence = card(passed=2)
    ledger.record(run(), first)
    ledger.record(run(), second)
    ledger.add_card("one", score(from_records(evidence.records), SIX_COMPONENT_1, second.evidence))
    rows = ledger.cards(Where(policy="four-judge"))
    assert [row.card for row in rows] == [card_digest(second)]
    assert len(ledger.cards(Where(latest=False))) == 3
    totals = {t.policy: t for t in ledger.card_totals(Where())}
    assert set(totals) == {"four-judge", "six-component"}
    assert totals["four-judge"].cards == 1
    assert float(totals["four-judge"].mean or 0) == second.final
    assert ledger.verify().sound
    with pytest.raises(NotFound):
        ledger.add_card("nobody", second)


def test_card_totals_are_those_of_the_cards(ledger: StoredLedger) -> None:
    for n in range(12):
        made, _ = card(passed=n % 4, agent=f"a{n % 2}", digest=f"sha256:{n}")
        ledger.record(
            run(f"r{n}", agent=f"a{n % 2}", task=f"t{n % 3}", challenge=None, seconds=None if n == 3 else 1.5), made
        )
    for total in ledger.card_totals(Where()):
        mine = [r for r in ledger.cards(Where(agents=(total.agent,))) if r.state == total.state]
        assert total.cards == len(mine)
        finals = [round(1e6 * (r.final or 0)) for r in mine]
        by_task = [
            [f for f, r in zip(finals, mine, strict=True) if r.task == t] for t in sorted({r.task for r in mine})
        ]
        assert (total.total, total.squares) == (sum(finals), sum(f * f for f in finals))
        assert total.tasks == len(by_task)
        assert total.task_sizes == sum(len(t) ** 2 for t in by_task)
        assert total.task_crossed == sum(len(t) * sum(t) for t in by_task)
        assert total.task_squares == sum(sum(t) ** 2 for t in by_task)
        mean = sum(sum(t) / len(t) for t in by_task) / len(by_task) / 1e6
        assert float(total.mean_total / total.tasks) == pytest.approx(mean)
        assert (
            total.seconds is None
            if total.agent == "a1"
            else float(total.seconds or 0) == pytest.approx(1.5 * total.cards)
        )
        assert total.iterations == 2 * total.cards


def test_a_held_card_waits_and_is_confirmed(ledger: StoredLedger) -> None:
    made, _ = card(held=True)
    assert made.status == "held"
    ledger.record(run(), made)
    (waits,) = ledger.queue()
    assert waits.why == ("severe_violation", "objective_above_integrity")
    ledger.review(waits.card.card, "confirm", by="Reviewer")
    assert ledger.queue() == ()
    (row,) = ledger.cards(Where())
    assert (row.status, row.final) == ("held", made.final)
    assert row.state == ("provisional" if "provisional" in made.because else "final")
    assert [t.state for t in ledger.card_totals(Where())] == [row.state]
    assert ledger.verify().sound


def test_an_appeal_is_answered_by_a_second_card(ledger: StoredLedger) -> None:
    first, _ = card(held=True)
    second, _ = card()
    ledger.record(run(), first)
    name = card_digest(first)
    with pytest.raises(BadUsage, match="reason"):
        ledger.review(name, "appeal", by="Owner")
    ledger.review(name, "confirm", by="Reviewer")
    ledger.review(name, "appeal", by="Owner", reason="that was the example of the briefing")
    again = ledger.review(name, "appeal", by="Owner", reason="that was the example of the briefing")
    assert not again.new
    (waits,) = ledger.queue()
    assert waits.why == ("appeal",)
    ledger.review(name[:15], "adjust", by="Reviewer", reason="so it was", second=second)
    assert ledger.queue() == ()
    (row,) = ledger.cards(Where())
    assert row.card == card_digest(second)
    (old,) = [r for r in ledger.cards(Where(latest=False)) if r.card == name]
    assert old.replaced_by == row.card
    assert [review.action for review in ledger.reviews(name)] == ["confirm", "appeal", "adjust"]
    with pytest.raises(BadUsage, match="second card"):
        ledger.review(name, "void", by="Reviewer", reason="late")
    assert ledger.verify().sound


def test_a_final_is_adjusted_or_voided(ledger: StoredLedger) -> None:
    made, _ = card(held=True)
    ledger.record(run(), made)
    name = card_digest(made)
    ledger.review(name, "adjust", by="R", reason="half of it", final=50.5)
    assert [row.final for row in ledger.cards(Where())] == [50.5]
    ledger.review(name, "void", by="R", reason="wrong package")
    (row,) = ledger.cards(Where())
    assert (row.state, row.final) == ("void", None)
    ledger.review(name, "confirm", by="R")
    assert [r.final for r in ledger.cards(Where())] == [made.final]
    with pytest.raises(BadUsage):
        ledger.review(name, "confirm", by="R", final=3.0)
    with pytest.raises(BadUsage):
        ledger.review(name, "adjust", by="R", reason="both", final=3.0, second=made)
    with pytest.raises(NotFound):
        ledger.review("sha256:" + "0" * 64, "confirm", by="R")
    assert ledger.verify().sound


def test_a_card_follows_its_run_out_of_the_budgets(ledger: StoredLedger) -> None:
    made, _ = card()
    ledger.record(run(), made)
    ledger.add_runs([run(card=card_digest(made), inside=False, outside=("too long",))], replace=True)
    assert ledger.cards(Where()) == ()
    assert ledger.card_totals(Where()) == ()
    assert [t.cards for t in ledger.card_totals(Where(inside=False))] == [1]
    assert ledger.verify().sound


def test_the_latest_runs(ledger: StoredLedger) -> None:
    ledger.add_runs([run(f"r{n}", ended=JANUARY + n) for n in range(9)])
    ledger.add_runs([run("i", ended=JANUARY + 99, status="infrastructure", success=None)])
    assert [row.run for row in ledger.runs(Where(), last=3)] == ["r6", "r7", "r8"]


def test_batches_are_entries(ledger: StoredLedger) -> None:
    planned = ledger.append(BatchEntry(batch="b", event="planned", data={"items": 3}))
    assert not ledger.append(BatchEntry(batch="b", event="planned", data={"items": 3})).new
    assert [e.body["event"] for e in ledger.entries(after=planned.seq - 1, kinds=("batch",))] == ["planned"]
    with pytest.raises(BadUsage):
        ledger.append(run())


def test_rebuilding_gives_the_same(ledger: StoredLedger) -> None:
    made, _ = card(held=True)
    ledger.season("s", "2026-01-01", "2026-01-31")
    ledger.record(run(), made, None, challenge())
    ledger.add_runs(many(40))
    ledger.review(card_digest(made), "confirm", by="R")
    asked = [Where(), Where(inside=False), Where(season="s"), Where(family="other")]
    before = [
        (ledger.totals(w), ledger.tallies(w), ledger.card_totals(w), ledger.cards(w), ledger.runs(w)) for w in asked
    ]
    assert ledger.rebuild() == ledger.head()[0]
    after = [
        (ledger.totals(w), ledger.tallies(w), ledger.card_totals(w), ledger.cards(w), ledger.runs(w)) for w in asked
    ]
    assert before == after
    assert (DIGEST, ledger.verify().sound) == (DIGEST, True)
