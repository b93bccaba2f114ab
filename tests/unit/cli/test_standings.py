"""Leaderboard, agent, compare, items and badge on a real ledger."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import standing
from standing import Book

from bouts.render.columns import cells

HOSTILE = "</title><script>x</script>\u202e\u200b & \"quoted' ]]>"
HUNDRED = "An agent whose name is a hundred characters long, as long as any name in a ledger can be, or so it se"[:100]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger that tests only read."""
    path = tmp_path_factory.mktemp("book") / "ledger.db"
    book = standing.filled(path)
    book.ledger.season("before", "2020-01-01", "2020-12-31")
    book.ledger.season("spring", "2026-05-01", "2026-06-30")
    book.ledger.close()
    return path


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: Path) -> None:
    monkeypatch.setenv("BOUTS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOUTS_LEDGER", str(place))


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Book:
    """A ledger of the test's own."""
    made = Book(tmp_path / "own.db")
    monkeypatch.setenv("BOUTS_LEDGER", str(made.path))
    return made


def test_final_and_provisional_cards_have_tables_of_their_own(bouts) -> None:
    done = bouts("leaderboard", "--json")
    board = done.fits("leaderboard")["leaderboard"]
    assert [row["agent"] for row in board["final"]["rows"]][::2] == ["alpha", "beta"]
    assert [(row["agent"], row["score"]) for row in board["provisional"]["rows"]] == [("beta", 71.5)]
    assert (board["held"], board["void"]) == (1, 1)
    first = board["final"]["rows"][0]
    assert first["score"] == pytest.approx((87 + 89 + 88 + 87 + 86 + 85) / 6)
    assert first["interval"]["low"] < first["score"] < first["interval"]["high"]
    assert (first["rank_low"], first["rank_high"]) == (1, 1)
    shy = board["final"]["rows"][1]
    assert shy["model"] is None
    assert shy["solved"] == {
        "successes": 0,
        "completed": 6,
        "infrastructure": 1,
        "of_completed": 0.0,
        "of_all": 0.0,
    }


def test_an_anonymous_agent_is_nowhere_named(bouts, tmp_path: Path) -> None:
    shown = ""
    for words in (
        ("leaderboard", "--challenge", "seat-holds", "--ratings", "--plot", tmp_path / "a.svg"),
        ("leaderboard", "--json"),
        ("leaderboard", "--policy", "headline", "--json"),
        ("agent", "shy", "--json", "--plot", tmp_path / "b.svg"),
        ("agent", "shy"),
        ("compare", "shy", "alpha", "--json", "--plot", tmp_path / "c.svg"),
        ("compare", "alpha", "shy"),
        ("badge", "shy", "--of", "rank"),
        ("review", "list", "--json"),
    ):
        done = bouts(*words)
        assert done.status == 0
        shown += done.out
    shown += "".join((tmp_path / f"{name}.svg").read_text(encoding="utf-8") for name in "abc")
    assert "shy" not in shown
    assert shown.count("Agent ") > 8


def test_a_table_by_model_tells_no_model_that_is_not_shown(bouts) -> None:
    board = bouts("leaderboard", "--model", "model-a", "--json").fits("leaderboard")
    assert [row["agent"] for row in board["leaderboard"]["final"]["rows"]] == ["alpha"]
    assert board["anonymous"] == 1


@pytest.mark.parametrize("width", [60, 80, 100, 140])
@pytest.mark.parametrize(
    "words",
    [
        ("leaderboard",),
        ("leaderboard", "--ratings"),
        ("leaderboard", "--policy", "headline"),
        ("leaderboard", "--challenge", "seat-holds"),
        ("agent", "alpha"),
        ("compare", "alpha", "beta"),
        ("items",),
        ("review", "list"),
    ],
    ids=" ".join,
)
def test_lines_fit_the_terminal(bouts, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    done = bouts(*words)
    assert done.status == 0
    assert "\x1b" not in done.out
    wide = [line for line in done.out.splitlines() if cells(line) > max(width, 80)]
    assert wide == []


def test_trajectories_are_shown_for_one_challenge_and_falls_are_pointed_out(bouts) -> None:
    done = bouts("leaderboard", "--challenge", "seat-holds")
    assert "alpha [90 → 84]  regression: a later attempt was worse than the one before" in done.out
    told = bouts("leaderboard", "--challenge", "seat-holds", "--json").fits("leaderboard")["trajectories"]
    assert [row["finals"] for row in told["final"] if row["agent"] == "alpha"] == [[90.0, 84.0]]
    assert [row["finals"] for row in told["provisional"]] == [[71.5]]


def test_runs_without_cards_are_pointed_to(bouts, book: Book, tmp_path: Path) -> None:
    book.ledger.close()
    lines = tmp_path / "runs.jsonl"
    lines.write_text('{"agent": "gamma", "task": "t-1", "success": true}\n')
    bouts("register", "runs", str(lines))
    done = bouts("leaderboard")
    assert "nobody takes part" in done.out
    assert "--policy headline" in done.err
    assert "--policy headline" not in bouts("leaderboard", "--policy", "headline").err


def test_seasons_families_and_what_is_unknown(bouts) -> None:
    assert bouts("leaderboard", "--season", "spring", "--json").json["leaderboard"]["final"]["rows"]
    assert bouts("leaderboard", "--season", "before", "--json").json["leaderboard"]["final"]["rows"] == []
    assert "nobody takes part" in bouts("leaderboard", "--family", "no-such").out
    for words in (("--season", "nope"), ("--policy", "nope"), ("--policy", "four-judge@9"), ("--theme", "pink")):
        done = bouts("leaderboard", *words)
        assert done.status == 2
        assert "Traceback" not in done.err


def test_ranks_that_are_kept_say_when_they_were_made(bouts, book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    from bouts.pipeline import refining

    for at in range(4):
        book.run("one", f"task-{at}", 80.0 - at)
        book.run("two", f"task-{at}", 60.0 + at)
    monkeypatch.setattr(refining, "LIVE_CARDS", 0)
    nothing = bouts("leaderboard", "--json").json["leaderboard"]["final"]
    assert [row["rank_low"] for row in nothing["rows"]] == [None, None]
    assert "--fresh does it" in bouts("leaderboard").out
    fresh = bouts("leaderboard", "--fresh", "--json").json["leaderboard"]["final"]
    assert fresh["as_of"] == ""
    same = bouts("leaderboard", "--json").json["leaderboard"]["final"]
    assert same == fresh
    book.run("two", "task-9", 99.0)
    stale = bouts("leaderboard", "--json").json["leaderboard"]["final"]
    assert stale["as_of"].startswith("entry ")
    assert [row["rank_low"] for row in stale["rows"]] == [row["rank_low"] for row in fresh["rows"]]
    assert {row["agent"]: row["score"] for row in stale["rows"]}["two"] == pytest.approx((60 + 61 + 62 + 63 + 99) / 5)
    assert "--fresh makes them anew" in " ".join(bouts("leaderboard").out.split())


def test_runs_outside_the_budgets_are_never_mixed(bouts, book: Book) -> None:
    book.run("one", final=80.0)
    book.run("one", final=99.0, inside=False, outside=("cost $3 of $1",))
    inside = bouts("leaderboard", "--json").json
    assert [row["score"] for row in inside["leaderboard"]["final"]["rows"]] == [80.0]
    assert inside["other_side"] == 1
    outside = bouts("leaderboard", "--outside", "--json").json
    assert [row["score"] for row in outside["leaderboard"]["final"]["rows"]] == [99.0]


def test_the_headline_leaderboard_ranks_by_composite(bouts) -> None:
    board = bouts("leaderboard", "--policy", "headline", "--json").fits("leaderboard")["leaderboard"]
    values = [row["composite"]["value"] for row in board["final"]["rows"]]
    assert values == sorted(values, reverse=True)
    assert board["final"]["rows"][0]["bar"]["interval"] is not None
    assert "pass^1" in bouts("leaderboard", "--policy", "headline").out


def test_an_unknown_cost_makes_a_composite_provisional(bouts, book: Book) -> None:
    book.run("one", final=90.0, cost_usd=None)
    board = bouts("leaderboard", "--policy", "headline", "--json").json["leaderboard"]
    assert board["final"]["rows"] == []
    assert [row["agent"] for row in board["provisional"]["rows"]] == ["one"]
    assert "provisional" in bouts("badge", "one").out
    assert "provisional" in bouts("agent", "one").out


def test_agent_shows_pass_k_with_the_tasks_that_are_too_short(bouts, book: Book) -> None:
    for final in (90.0, 90.0, 40.0):
        book.run("one", "short", final)
    for final in (90.0, 90.0, 90.0, 90.0, 40.0):
        book.run("one", "long", final)
    book.run("one", "once", 90.0)
    done = bouts("agent", "one", "--json").fits("agent")
    repeats = done["headline"]["repeatability"]
    assert [(level["k"], level["short"]) for level in repeats["levels"]] == [(1, 0), (3, 0), (5, 1)]
    assert repeats["left_out"] == 1
    assert [level["value"] for level in repeats["levels"]] == [pytest.approx((2 / 3 + 4 / 5) / 2), 0.2, 0.0]
    shown = bouts("agent", "one").out
    assert "1 task with fewer than 5 counted 0" in shown
    assert "over 2 tasks with attempts enough; 1 with too few" in shown


def test_weights_are_the_viewers_and_move_the_radar_alone(bouts) -> None:
    plain = bouts("agent", "alpha", "--json").json["headline"]
    mine = bouts("agent", "alpha", "--weights", "latency=1,cost=3", "--json").json["headline"]
    assert mine["composite"] == plain["composite"]
    assert mine["radar"]["profile"] == pytest.approx((86.666667 + 3 * 72.5) / 4)
    assert mine["radar"]["profile"] != plain["radar"]["profile"]
    for text in ("speed=1", "latency=-1", "latency", "latency=x", "latency=1,latency=2", "latency=nan", "cost=0"):
        done = bouts("agent", "alpha", "--weights", text)
        assert done.status == 2, text


def test_history_and_seasons(bouts) -> None:
    found = bouts("agent", "alpha", "--runs", "3", "--json").fits("agent")
    assert [row["final"] for row in found["history"]] == [84.0, 85.0, 86.0]
    assert found["runs"] == 7
    assert [row["season"] for row in found["seasons"]] == ["spring"]
    assert bouts("agent", "alpha", "--runs", "0").status == 0
    assert bouts("agent", "alpha", "--season", "before").status == 0


def test_an_agent_without_runs_and_one_that_is_not_there(bouts, book: Book) -> None:
    book.ledger.agent("idle")
    assert "no figure yet" in bouts("agent", "idle").out
    bouts("agent", "idle", "--json").fits("agent")
    missing = bouts("agent", "idel", "--json")
    assert missing.status == 2
    assert missing.json["error"]["hint"] == "did you mean idle?"


def test_compare_is_paired_and_names_the_tasks_that_decide(bouts) -> None:
    found = bouts("compare", "alpha", "beta", "--json").fits("compare")
    finals = found["finals"]
    assert (finals["tasks"], finals["clusters"]) == (6, 6)
    assert finals["difference"] == pytest.approx(sum(row["share"] for row in finals["decisive"]))
    assert finals["decisive"][0]["task"].startswith("seat-holds")
    assert finals["different"] is True
    back = bouts("compare", "beta", "alpha", "--json").json["finals"]
    assert back["difference"] == pytest.approx(-finals["difference"])
    assert back["p_value"] == finals["p_value"]
    assert "told apart" in bouts("compare", "alpha", "beta").out


def test_one_agent_against_all_others_with_p_values_that_may_be_read_together(bouts, tmp_path: Path) -> None:
    found = bouts("compare", "alpha", "--json").fits("comparisons")
    assert [row["second"] for row in found["finals"]][1:] == ["beta"]
    assert found["finals"][0]["second"].startswith("Agent ")
    for rows in (found["success"], found["finals"]):
        known = [row for row in rows if row["p_value"] is not None]
        least = min(known, key=lambda row: row["p_value"])
        assert least["p_adjusted"] == pytest.approx(min(1, len(known) * least["p_value"]))
        assert all(row["p_adjusted"] >= row["p_value"] for row in known)
    pair = bouts("compare", "alpha", "beta", "--json").json["finals"]
    of_list = found["finals"][1]
    assert (of_list["difference"], of_list["interval"], of_list["p_value"]) == (
        pair["difference"], pair["interval"], pair["p_value"],
    )  # fmt: skip
    assert pair["p_adjusted"] is None
    shown = bouts("compare", "alpha", "--plot", tmp_path / "all.svg").out
    assert "Holm" in shown and "beta" in shown and "shy" not in shown
    assert "success rate" in shown and "mean final by" in shown
    ET.parse(tmp_path / "all.svg")
    assert bouts("compare", "alpha", "--json", "--policy", "headline").status == 2


def test_one_agent_against_some_others(bouts) -> None:
    found = bouts("compare", "alpha", "beta", "shy", "--json").fits("comparisons")
    assert len(found["finals"]) == len(found["success"]) == 2
    again = bouts("compare", "alpha", "alpha", "beta", "--json")
    assert (again.status, "not compared with itself" in again.out) == (2, True)
    assert bouts("compare", "alpha", "--picture", "radar").status == 2


def test_the_first_rows_of_a_leaderboard(bouts) -> None:
    whole = bouts("leaderboard", "--json").json["leaderboard"]
    first = bouts("leaderboard", "--top", 2, "--json").fits("leaderboard")["leaderboard"]
    assert first["final"]["rows"] == whole["final"]["rows"][:2]
    assert (first["final"]["agents"], whole["final"]["agents"]) == (3, 3)
    assert "the first 2 of 3 agents" in bouts("leaderboard", "--top", 2).out
    assert "the first" not in bouts("leaderboard", "--top", 3).out
    assert bouts("leaderboard", "--top", 0).status == 2


def test_success_rates_have_error_bars(bouts) -> None:
    for words in ((), ("--policy", "headline")):
        board = bouts("leaderboard", *words, "--json").json["leaderboard"]
        row = next(row for row in board["final"]["rows"] if row["agent"] == "alpha")
        rate = row["success"]
        assert rate["value"] == pytest.approx(row["solved"]["of_completed"])
        assert 0 <= rate["interval"]["low"] <= rate["value"] <= rate["interval"]["high"] <= 1
    told = bouts("agent", "alpha", "--json").fits("agent")
    assert told["success"] == rate
    assert "success rate" in bouts("agent", "alpha").out


def test_compare_says_what_few_challenges_cannot_tell(bouts, book: Book) -> None:
    for agent, final in (("one", 99.0), ("two", 10.0)):
        book.run(agent, "only", final)
    shown = bouts("compare", "one", "two").out
    assert "1 challenge cannot tell any two agents apart" in shown
    book.run("three", "other", 50.0)
    assert "nothing to compare" in bouts("compare", "one", "three").out
    for words in (("one", "one"), ("one", "nobody"), ("one", "two", "--policy", "headline")):
        assert bouts("compare", *words).status == 2


def test_provisional_cards_are_compared_where_both_lack_final_ones(bouts, book: Book) -> None:
    book.run("one", "task", 90.0, "provisional")
    book.run("two", "task", 80.0, "provisional")
    book.run("one", "other", 10.0)
    found = bouts("compare", "one", "two", "--json").json
    assert (found["state"], found["finals"]["difference"]) == ("provisional", 10.0)


def test_items_are_challenges_or_the_tests_of_one(bouts, book: Book) -> None:
    import gzip

    import facts

    def evidence(*outcomes: str) -> bytes:
        tests = [facts.static(f"test_{at}", outcome) for at, outcome in enumerate(outcomes)]
        _, file = facts.stored(facts.evidence(tests))
        return gzip.compress(file.model_dump_json(by_alias=True).encode())

    for agent in ("a", "b", "c", "d", "e", "f"):
        strong = agent < "d"
        book.run(
            agent,
            "sums",
            90.0 if strong else 20.0,
            evidence=evidence(*(["passed"] * 2 if strong else ["failed"] * 2), "passed"),
        )
    book.run("a", "other", 90.0)
    whole = bouts("items", "--json").fits("items")
    assert [(item["item"][:5], item["difficulty"]) for item in whole["report"]["items"]] == [
        ("other", 1.0),
        ("sums@", 0.5),
    ]
    tests = bouts("items", "sums", "--json").fits("items")
    assert tests["cards"] == 6
    assert {item["item"][-1]: (item["difficulty"], item["discrimination"]) for item in tests["report"]["items"]} == {
        "0": (0.5, pytest.approx(1.0)),
        "1": (0.5, pytest.approx(1.0)),
        "2": (1.0, None),
    }
    shown = bouts("items", "sums").out
    assert "easy: nearly every attempt solves it" in shown
    assert bouts("items", "nothing").status == 2


@pytest.mark.parametrize(
    "words",
    [
        ("leaderboard",),
        ("leaderboard", "--policy", "headline"),
        ("leaderboard", "--picture", "scores"),
        ("leaderboard", "--picture", "attempts", "--challenge", "seat-holds"),
        ("agent", "alpha"),
        ("agent", "alpha", "--picture", "attempts"),
        ("agent", "alpha", "--picture", "pass-k"),
        ("agent", "alpha", "--picture", "scores"),
        ("compare", "alpha", "beta"),
        ("compare", "alpha", "beta", "--picture", "radar"),
        ("compare", "alpha", "beta", "--picture", "pass-k"),
        ("items",),
    ],
    ids=" ".join,
)
def test_every_picture_is_drawn(bouts, tmp_path: Path, words: tuple[str, ...]) -> None:
    place = tmp_path / "a.svg"
    done = bouts(*words, "--plot", place)
    assert done.status == 0
    assert f"picture: {place}" in done.err
    assert ET.parse(place).getroot().get("role") == "img"


def test_pictures_that_cannot_be(bouts, tmp_path: Path) -> None:
    (tmp_path / "mine.svg").write_text("<svg/>")
    for words in (
        ("leaderboard", "--plot", tmp_path / "a.gif"),
        ("leaderboard", "--plot", tmp_path / "mine.svg"),
        ("leaderboard", "--plot", tmp_path / "no" / "a.svg"),
        ("leaderboard", "--picture", "cake"),
        ("leaderboard", "--picture", "attempts"),
        ("leaderboard", "--picture", "scores", "--policy", "headline"),
        ("agent", "alpha", "--picture", "cake"),
        ("compare", "alpha", "beta", "--picture", "cake"),
    ):
        assert bouts(*words).status == 2
    assert (tmp_path / "mine.svg").read_text() == "<svg/>"


def test_a_png_from_the_command_line(bouts, tmp_path: Path) -> None:
    place = tmp_path / "a.png"
    assert bouts("agent", "alpha", "--plot", place, "--theme", "dark").status == 0
    assert place.read_bytes().startswith(b"\x89PNG")


def test_badges_say_what_makes_them_count_less(bouts, book: Book, tmp_path: Path) -> None:
    import time

    book.run("new", "task", 90.0, ended_at=time.time())
    book.run("old", "task", 90.0)
    fresh = bouts("badge", "new", "--json").fits("badge")
    assert fresh["message"] == "87.75"
    old = bouts("badge", "old", "--json", "--stale-after", "1").fits("badge")
    assert old["message"].startswith("87.75 · stale since 2026-05-2")
    assert bouts("badge", "new", "--of", "pass^3", "--json").json["message"] == "none yet"
    assert bouts("badge", "new", "--of", "rank", "--json").json["message"] == "1–2 of 2"
    place = tmp_path / "b.json"
    assert bouts("badge", "new", "--out", place).status == 0
    assert json.loads(place.read_text(encoding="utf-8"))["schemaVersion"] == 1
    assert bouts("badge", "new", "--out", place).status == 0
    ET.fromstring(bouts("badge", "new", "--label", HOSTILE).out)
    for words in (("--of", "cake"), ("--out", tmp_path / "b.png")):
        assert bouts("badge", "new", *words).status == 2


def test_names_of_strangers_can_do_nothing(bouts, book: Book, tmp_path: Path) -> None:
    for agent in (HOSTILE, HUNDRED, "日本語のエージェント", "a" + "\u0316" * 40):
        for task in ("one", "two"):
            book.run(agent, task, 80.0)
    for at, words in enumerate(
        [
            ("leaderboard",),
            ("leaderboard", "--challenge", "one"),
            ("agent", HOSTILE),
            ("compare", HOSTILE, HUNDRED),
            ("badge", HOSTILE),
        ]
    ):
        plot = () if words[0] == "badge" else ("--plot", tmp_path / f"{at}.svg")
        done = bouts(*words, *plot)
        assert done.status == 0
        seen = done.out + (ET.tostring(ET.parse(tmp_path / f"{at}.svg").getroot(), "unicode") if plot else "")
        assert not {"\x1b", "\u202e", "\u200b"} & set(seen)
        ET.fromstring(done.out) if words[0] == "badge" else None
        assert "\u0316" * 3 not in seen
        if plot:
            assert "<script" not in (tmp_path / f"{at}.svg").read_text(encoding="utf-8")


def test_a_ledger_that_is_not_there(bouts, tmp_path: Path) -> None:
    done = bouts("leaderboard", "--ledger", tmp_path / "none.db")
    assert done.status == 2
    assert not (tmp_path / "none.db").exists()
