"""`bouts review` on a real ledger."""

from __future__ import annotations

import gzip
from pathlib import Path

import facts
import pytest
import standing
from standing import Book, card_of

from bouts.model.card import Card
from bouts.model.ledger import card_digest
from bouts.model.records import EvidenceFile


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Book:
    made = Book(tmp_path / "own.db")
    monkeypatch.setenv("BOUTS_LEDGER", str(made.path))
    monkeypatch.setenv("BOUTS_HOME", str(tmp_path / "home"))
    return made


def short(digest: str) -> str:
    return digest.removeprefix("sha256:")[:12]


@pytest.fixture
def held(book: Book) -> str:
    """A held card of an agent with an owner, and a final one; the held one's digest."""
    book.ledger.agent("one", owner="Team Blue")
    book.run("one", "task", 60.0)
    book.run("one", "other", 95.0, "held")
    return short(book.ledger.queue()[0].card.card)


def ranked(bouts) -> list[float]:
    return [row["score"] for row in bouts("leaderboard", "--json").json["leaderboard"]["final"]["rows"]]


def test_a_held_card_waits_and_counts_only_once_confirmed(bouts, held: str) -> None:
    waiting = bouts("review", "list", "--json").fits("review-list")["waiting"]
    assert [(short(row["card"]), row["why"], row["state"]) for row in waiting] == [(held, ["judges_disagree"], "held")]
    assert "judges disagree" in bouts("review", "list").out
    assert ranked(bouts) == [60.0]
    done = bouts("review", "resolve", held, "confirm", "--by", "Ada L.", "--json").fits("reviewed")
    assert (done["state"], done["final"], done["new"]) == ("final", 95.0, True)
    assert ranked(bouts) == [77.5]
    assert "nothing waits" in bouts("review", "list").out


def test_the_same_words_twice_are_one_review(bouts, held: str) -> None:
    words = ("review", "resolve", held, "confirm", "--by", "Ada L.")
    first = bouts(*words, "--json").json
    second = bouts(*words, "--json").json
    assert (second["entry"], second["new"]) == (first["entry"], False)
    assert "it was there already" in bouts(*words).out


def test_an_adjustment_by_a_final_keeps_the_first_card(bouts, held: str, book: Book) -> None:
    done = bouts("review", "resolve", held, "adjust", "--by", "Ada", "--reason", "half of it is given", "--final", "50")
    assert "it counts as final, final 50.0" in done.out
    assert ranked(bouts) == [55.0]
    case = bouts("review", "show", held, "--json").fits("review-case")
    assert case["first"]["final"] == 95.0
    assert case["final"] == 50.0
    assert [(row["action"], row["by"], row["reason"]) for row in case["reviews"]] == [
        ("adjust", "Ada", "half of it is given")
    ]
    assert "Ada, adjust to 50.0: half of it is given" in bouts("review", "show", held).out
    assert book.ledger.verify(evidence=False).sound


def test_an_adjustment_by_a_line_supposed_otherwise(bouts, book: Book) -> None:
    tests = [facts.static("test_a"), facts.hidden("test_b", "failed"), facts.hidden("test_c")]
    made, file = facts.stored(facts.evidence(tests, observations=(facts.seen("stubbed"),)))
    assert made.status == "held"
    digest = short(_recorded(book, made, file))
    integrity = next(line for line in made.lines if line.key == "integrity")
    bouts(
        "review",
        "resolve",
        digest,
        "adjust",
        "--by",
        "Ada",
        "--reason",
        "it was a stub before",
        "--what-if",
        "integrity=0",
    )
    case = bouts("review", "show", digest, "--json").json
    assert case["final"] == pytest.approx((made.final or 0) - (integrity.points or 0))
    assert case["reviews"][0]["reason"] == "it was a stub before (supposed: integrity = 0)"


def _recorded(book: Book, card: Card, file: EvidenceFile) -> str:
    """Record a card with its evidence; its digest."""
    evidence = gzip.compress(file.model_dump_json(by_alias=True).encode())
    from bouts.model.ledger import RunEntry

    run = RunEntry(run="r", agent="one", task="task", ended=standing.START, status="completed", success=False)
    book.ledger.record(run, card, evidence)
    return card_digest(card)


def test_a_second_card_stands_beside_the_first(bouts, book: Book, stored, tmp_path: Path) -> None:
    tests = [facts.static("test_a"), facts.hidden("test_b"), facts.hidden("test_c")]
    first, file = facts.stored(facts.evidence(tests, observations=(facts.seen("stubbed"),)))
    digest = short(_recorded(book, first, file))
    again = stored("again", facts.evidence(tests))
    done = bouts("review", "resolve", digest, "adjust", "--by", "Ada", "--reason", "judged anew", "--second", again)
    assert done.status == 0, done.err
    case = bouts("review", "show", digest, "--json").fits("review-case")
    assert case["replaced_by"] == card_digest(Card.model_validate(case["second"]))
    assert case["first"]["final"] < case["second"]["final"]
    assert case["difference"]["difference"] == pytest.approx(case["second"]["final"] - case["first"]["final"])
    assert case["evidence_at_hand"] is True
    shown = bouts("review", "show", digest).out
    assert "the second card beside the first" in shown
    out = tmp_path / "case"
    assert bouts("review", "show", digest, "--brief", "--out", out).status == 0
    assert bouts("verify", out / f"{digest}.json").status == 0


def test_a_second_card_must_agree_with_its_evidence(bouts, held: str, stored) -> None:
    again = stored("again", facts.evidence())
    again.write_text(again.read_text(encoding="utf-8").replace('"final":8', '"final":9', 1), encoding="utf-8")
    done = bouts("review", "resolve", held, "adjust", "--by", "Ada", "--reason", "x", "--second", again)
    assert done.status == 2
    assert "does not agree with its evidence" in done.err


def test_a_void_card_never_counts_again_until_somebody_says_so(bouts, held: str) -> None:
    assert bouts("review", "resolve", held, "void", "--by", "Ada").status == 2
    bouts("review", "resolve", held, "void", "--by", "Ada", "--reason", "copied")
    assert ranked(bouts) == [60.0]
    assert bouts("leaderboard", "--json").json["leaderboard"]["void"] == 1
    bouts("review", "resolve", held, "confirm", "--by", "Bob", "--reason", "it was not")
    assert ranked(bouts) == [77.5]
    said = bouts("review", "show", held, "--json").json["reviews"]
    assert [(row["action"], row["by"]) for row in said] == [("void", "Ada"), ("confirm", "Bob")]


def test_only_the_owner_may_appeal(bouts, held: str, book: Book) -> None:
    other = bouts("review", "appeal", held, "--by", "Somebody", "--reason", "no")
    assert other.status == 2
    assert "only the owner" in other.err
    assert "Team Blue" not in other.err
    done = bouts("review", "appeal", held, "--by", "Team Blue", "--reason", "our own call", "--json").fits("reviewed")
    assert done["appealed"] is True
    waiting = bouts("review", "list", "--json").json["waiting"]
    assert [row["why"] for row in waiting] == [["judges_disagree", "appeal"]]
    book.run("nobody's", "task", 50.0)
    free = short(next(row.card for row in book.ledger.cards(_every()) if row.agent == "nobody's"))
    unowned = bouts("review", "appeal", free, "--by", "Me", "--reason", "x")
    assert unowned.status == 2
    assert "bouts register agent" in unowned.err


def _every():
    from bouts.model.tallied import Where

    return Where()


def test_what_does_not_go_together(bouts, held: str) -> None:
    by = ("--by", "Ada", "--reason", "x")
    for words in (
        (held, "praise", *by),
        (held, "adjust", *by),
        (held, "adjust", *by, "--final", "50", "--what-if", "integrity=0"),
        (held, "adjust", *by, "--final", "150"),
        (held, "adjust", *by, "--what-if", "nothing=0"),
        (held, "confirm", *by, "--final", "50"),
        (held, "confirm"),
        (held, "confirm", "--by", ""),
        (held, "confirm", "--by", "x" * 101),
        (held, "confirm", "--by", "two\nlines"),
        (held, "confirm", "--by", "Ada", "--reason", "x" * 4001),
        (held, "adjust", *by, "--final", "nan"),
        ("ffffffffffff", "confirm", *by),
        ("not a digest", "confirm", *by),
    ):
        done = bouts("review", "resolve", *words)
        assert done.status == 2, words
        assert "error: " in done.err


def test_what_reviewers_and_owners_write_can_do_nothing(bouts, held: str, book: Book) -> None:
    bad = "x\u202e\u200b</title><script>"
    bouts("review", "resolve", held, "confirm", "--by", "A" + bad, "--reason", bad + "\x1b[2J\nnext line")
    shown = bouts("review", "show", held, "--brief").out
    assert not {"\x1b", "\u202e", "\u200b"} & set(shown)
    assert "\nnext line" not in shown


def test_a_card_without_evidence_cannot_be_handed_out(bouts, held: str, tmp_path: Path) -> None:
    done = bouts("review", "show", held, "--out", tmp_path / "case")
    assert done.status == 2
    assert "evidence is not at hand" in done.err


def test_cards_of_an_anonymous_agent_are_reviewed_blind(bouts, book: Book) -> None:
    book.ledger.agent("secret-name", owner="Eve", shown=False)
    book.run("secret-name", "task", 95.0, "held")
    digest = short(book.ledger.queue()[0].card.card)
    for words in (("list",), ("list", "--json"), ("show", digest)):
        assert "secret-name" not in bouts("review", *words).out


def test_the_card_of_the_fixture_is_what_tests_take_it_for() -> None:
    assert card_of(90.0, "held").flags[0].holds
    assert card_of(None, "void").outcome == "infrastructure"
