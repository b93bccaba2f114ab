"""One submission: its card, its evidence, its page, and what `explain` and `verify` make of them."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest
from whole import REFERENCE, SUBMISSIONS, TALLY, Bouts, Ran, Scored, changed, fits, numbers, records

from bouts.errors import BadFile
from bouts.model.card import Card
from bouts.model.records import EvidenceFile
from bouts.pipeline.cards import load_card
from bouts.policy.catalogue import POLICIES
from bouts.scoring.verify import verify


def body(scored: Scored) -> dict:
    return json.loads(scored.card.read_text(encoding="utf-8"))


def test_card_and_evidence_fit_their_schemas(scored: Scored) -> None:
    card = body(scored)
    fits(card, "card")
    fits(records(scored.evidence), "evidence")
    assert [v["kind"] for v in card["violations"]] == ["disabled_tests"]
    assert {line["key"] for line in card["lines"]} == {"objective", "process", "strategy", "integrity"}
    process = next(line for line in card["lines"] if line["key"] == "process")
    assert process["state"] == "measured"


def test_json_of_the_run_is_the_stored_card(bouts: Bouts, scored: Scored, tmp_path: Path) -> None:
    ran = bouts("score", TALLY, REFERENCE, "--json", "--out", tmp_path / "card.json")
    assert ran.status == 0
    fits(ran.json, "card")
    assert Card.model_validate(ran.json) == load_card(tmp_path / "card.json")
    assert ran.json["outcome"] == "solved"
    assert ran.json["final"] > 85


def test_verify_accepts_it(bouts: Bouts, scored: Scored) -> None:
    ran = bouts("verify", scored.card)
    assert ran.status == 0
    assert "agrees" in ran.out
    shown = bouts("verify", scored.card, "--json")
    fits(shown.json, "verification")
    assert shown.json["agrees"] is True


def test_any_changed_number_of_a_card_is_named(scored: Scored) -> None:
    card, file = body(scored), EvidenceFile.model_validate(records(scored.evidence))
    places = list(numbers(card))
    assert len(places) > 80
    for place in places:
        try:
            edited = Card.model_validate_json(json.dumps(changed(card, place)))
        except ValueError:
            continue  # it is no card any more, and reading it fails
        problems = verify(edited, file, POLICIES)
        assert problems, place
        assert any(str(place[-1]) in p.where or str(place[0]) in p.where for p in problems), (place, problems)


def test_any_changed_number_of_the_evidence_is_named(scored: Scored) -> None:
    card, evidence = Card.model_validate(body(scored)), records(scored.evidence)
    places = list(numbers(evidence))
    assert len(places) > 50
    for place in places:
        edited = EvidenceFile.model_validate(changed(evidence, place))
        problems = verify(card, edited, POLICIES)
        record = evidence["records"][place[1]]["id"]
        assert any(p.where == record for p in problems), (place, problems)


@pytest.mark.parametrize("what", ["card", "evidence", "digest", "dropped"])
def test_verify_says_what_was_edited(bouts: Bouts, scored: Scored, tmp_path: Path, what: str) -> None:
    card, evidence = body(scored), records(scored.evidence)
    named = "objective.static"
    if what == "card":
        card["lines"][0]["children"][0]["score"] += 1
    else:
        row = next(r for r in evidence["records"] if r["id"].startswith("test:static/"))
        named = row["id"]
        if what == "dropped":
            evidence["records"].remove(row)
            named = "evidence.digest"
        else:
            row["body"]["seconds"] = 4.5
        if what == "digest":
            from bouts.model.records import record_digest

            row["digest"] = record_digest(row["id"], row["body"])
            named = "evidence.digest"
    (tmp_path / "card.json").write_text(json.dumps(card), encoding="utf-8")
    (tmp_path / card["evidence"]["path"]).write_bytes(gzip.compress(json.dumps(evidence).encode()))
    ran = bouts("verify", tmp_path / "card.json")
    assert ran.status == 3
    assert named in ran.out
    shown = bouts("verify", tmp_path / "card.json", "--json")
    assert shown.status == 3
    fits(shown.json, "verification")


def test_explain_knows_every_line(bouts: Bouts, scored: Scored) -> None:
    every = bouts("explain", scored.card, "--json")
    fits(every.json, "derivation")
    assert every.json["evidence_at_hand"] is True
    keys: list[str] = []

    def walk(lines: list[dict]) -> None:
        for line in lines:
            keys.append(line["key"])
            walk(line.get("children", []))

    walk(body(scored)["lines"])
    assert len(keys) > 12
    from bouts.scoring.explain import derive

    card, file = Card.model_validate(body(scored)), EvidenceFile.model_validate(records(scored.evidence))
    for key in keys:
        found = derive(card, key, file)
        assert found.key == key
        assert found.because
    deep = bouts("explain", scored.card, "objective.adversarial")
    assert deep.status == 0
    assert "evidence test:adversarial/" in deep.out


@pytest.mark.parametrize(
    ("words", "schema"),
    [
        (("--what-if", "objective.adversarial=100", "--what-if", "process=90"), "what-if"),
        (("--to-reach", "70"), "to-reach"),
        (("--to-reach", "99.9"), "to-reach"),
    ],
)
def test_suppositions(bouts: Bouts, scored: Scored, words: tuple[str, ...], schema: str) -> None:
    said, shown = bouts("explain", scored.card, *words), bouts("explain", scored.card, *words, "--json")
    assert (said.status, shown.status) == (0, 0)
    fits(shown.json, schema)


# ---------------------------------------------------------------------- what is shown


def test_page_is_self_contained_and_escaped(scored: Scored, nasty_agent: str) -> None:
    page = scored.page.read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|//[a-z]|\bsrc=|\bhref=|<script|<link|<iframe|@import|url\(|\bon\w+=", page)
    assert nasty_agent not in page
    assert "&lt;script&gt;alert(1)" in page
    assert odd(page) == set()


def test_terminal_text_cannot_steer_the_terminal(scored: Scored) -> None:
    assert "alert(1)" in scored.ran.out
    assert odd(scored.ran.out) == set()


def odd(text: str) -> set[str]:
    """Characters that no reader sees."""
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") and c not in "\n\t"}


def test_colour_is_for_those_who_want_it(bouts: Bouts, scored: Scored) -> None:
    assert "\x1b[" not in bouts("explain", scored.card).out
    assert "\x1b[" in bouts("explain", scored.card, FORCE_COLOR="1").out
    assert "\x1b[" not in bouts("explain", scored.card, FORCE_COLOR="1", NO_COLOR="1").out


@pytest.mark.parametrize(("variables", "coloured"), [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False)])
def test_a_terminal_gets_colour(bouts: Bouts, scored: Scored, variables: dict[str, str], coloured: bool) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        bouts.command("explain", scored.card), stdout=theirs, env=bouts.environment(**variables), close_fds=True
    ) as running:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            seen += piece
    os.close(ours)
    assert running.returncode == 0
    assert (b"\x1b[" in seen) is coloured


def test_a_reader_that_goes_away_changes_nothing(bouts: Bouts, scored: Scored) -> None:
    with subprocess.Popen(
        bouts.command("explain", scored.card, "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=bouts.environment(),
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
    assert running.returncode == 0
    assert said == b""


def test_no_rendering_shows_a_hidden_test(bouts: Bouts, scored: Scored, tmp_path: Path) -> None:
    """The card alone, without its evidence, in every form."""
    alone = tmp_path / "card.json"
    shutil.copy(scored.card, alone)
    keys = [line["key"] for line in body(scored)["lines"]]
    shown = [
        scored.ran.out,
        scored.page.read_text(encoding="utf-8"),
        alone.read_text(encoding="utf-8"),
        bouts("explain", alone, "--json").out,
        *(bouts("explain", alone, key).out for key in (*keys, "objective.adversarial")),
        bouts("explain", alone, "--what-if", "objective.adversarial=50").out,
        bouts("explain", alone, "--to-reach", "80").out,
    ]
    secrets = hidden_words(records(scored.evidence))
    assert "test_hidden_sharp_s" in secrets
    for text in shown:
        assert len(text) > 50
        assert [word for word in secrets if word in text] == []


def hidden_words(evidence: dict) -> set[str]:
    """Names, messages and code of hidden tests."""
    words: set[str] = set()
    for record in evidence["records"]:
        if record["id"].startswith("test:adversarial/"):
            path, _, name = record["body"]["id"].partition("::")
            words |= {record["body"]["id"], path, Path(path).name, name.partition("[")[0]}
            words |= {line.strip() for line in record["body"].get("message", "").splitlines() if len(line.strip()) > 20}
    for path in (TALLY / "tests" / "adversarial").rglob("*.py"):
        words |= {line.strip() for line in path.read_text(encoding="utf-8").splitlines() if "assert " in line}
    return words


# ---------------------------------------------------------------------- options of `score`


@pytest.fixture(scope="module")
def naive(bouts: Bouts) -> Ran:
    return bouts("score", TALLY, SUBMISSIONS / "naive-visible" / "submission")


def test_brief_leaves_the_reasons_out(bouts: Bouts, naive: Ran) -> None:
    brief = bouts("score", TALLY, SUBMISSIONS / "naive-visible" / "submission", "--brief")
    assert naive.status == brief.status == 0
    assert "visible tests passed" in naive.out
    assert "visible tests passed" not in brief.out
    assert len(brief.out.splitlines()) < len(naive.out.splitlines())


@pytest.mark.parametrize(("limit", "status"), [("100", 1), ("10", 0)])
def test_fail_under(bouts: Bouts, naive: Ran, limit: str, status: int) -> None:
    ran = bouts("score", TALLY, SUBMISSIONS / "naive-visible" / "submission", "--fail-under", limit, "--json")
    assert ran.status == status
    fits(ran.json, "card")
    assert ("below --fail-under 100: naive-visible" in ran.err) == bool(status)


def test_out_may_be_a_folder(bouts: Bouts, naive: Ran, tmp_path: Path) -> None:
    submission = SUBMISSIONS / "naive-visible" / "submission"
    ran = bouts("score", TALLY, submission, "--out", tmp_path, "--html", tmp_path)
    assert ran.status == 0
    assert (tmp_path / "naive-visible.json").is_file()
    assert (tmp_path / "naive-visible.html").is_file()
    assert bouts("verify", tmp_path / "naive-visible.json").status == 0


def test_a_card_that_is_written_again_takes_its_old_evidence_along(bouts: Bouts, naive: Ran, tmp_path: Path) -> None:
    for name in ("naive-visible", "bad-empty"):
        ran = bouts("score", TALLY, SUBMISSIONS / name / "submission", "--out", tmp_path / "card.json")
        assert ran.status == 0
    assert len(list(tmp_path.iterdir())) == 2
    assert bouts("verify", tmp_path / "card.json").status == 0


def test_without_the_second_look_the_card_says_so(bouts: Bouts, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    ran = bouts("score", TALLY, REFERENCE, "--no-second-look", "--out", card, "--json")
    assert ran.status == 0
    assert "second_look_off" in {flag["kind"] for flag in ran.json["flags"]}
    assert bouts("verify", card).status == 0
    usual = bouts("score", TALLY, REFERENCE, "--json")
    assert "second_look_off" not in {flag["kind"] for flag in usual.json["flags"]}


def test_a_transcript_in_the_folder_is_read(bouts: Bouts, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    shutil.copytree(SUBMISSIONS / "naive-visible" / "submission", folder)
    shutil.copy(SUBMISSIONS / "naive-visible" / "transcript.json", folder / "transcript.json")
    (folder / "submission.yaml").write_text("agent: Folder agent\n", encoding="utf-8")
    ran = bouts("score", TALLY, folder, "--json", "--out", tmp_path / "card.json")
    assert ran.json["submission"]["agent"] == "Folder agent"
    process = next(line for line in ran.json["lines"] if line["key"] == "process")
    assert process["state"] == "measured"
    assert "transcript.json" not in json.dumps(ran.json["flags"])


# ---------------------------------------------------------------------- the other boundaries and commands


@pytest.mark.parametrize("name", ["small-counter", "line-sum"])
def test_http_and_cli_challenges(bouts: Bouts, tmp_path: Path, name: str) -> None:
    folder = TALLY.parent / name
    cards = {}
    for what in ("reference", "codebase"):
        card = tmp_path / f"{what}.json"
        ran = bouts("score", folder, folder / what, "--json", "--out", card)
        assert ran.status == 0, ran
        fits(ran.json, "card")
        assert bouts("verify", card).status == 0
        cards[what] = ran.json
    assert cards["reference"]["outcome"] == "solved"
    assert cards["codebase"]["outcome"] == "failed"
    assert cards["reference"]["final"] >= cards["codebase"]["final"] + 10


def test_json_of_the_other_commands(bouts: Bouts, tmp_path: Path) -> None:
    for words, schema in (
        (("challenges",), "challenges"),
        (("policy", "list"), "policies"),
        (("policy", "show", "four-judge"), "policy"),
        (("doctor",), "doctor"),
        (("clean",), "clean"),
        (("workspace", TALLY, tmp_path / "workspace"), "workspace"),
        (("check", TALLY, "--static"), "check"),
        (("test", TALLY, SUBMISSIONS / "naive-visible" / "submission"), "test"),
    ):
        ran = bouts(*words, "--json", BOUTS_CHALLENGES=str(TALLY.parent))
        assert ran.status == 0, ran
        fits(ran.json, schema)
    assert (tmp_path / "workspace" / "briefing.md").is_file()
    assert not list((tmp_path / "workspace").rglob("test_odd_texts.py"))


def test_check_with_its_samples(bouts: Bouts) -> None:
    ran = bouts("check", TALLY, "--samples", "--json", "--jobs", "2")
    assert ran.status == 0, ran
    fits(ran.json, "check")
    assert {c["level"] for c in ran.json["checks"]} == {"ok"}


def test_demo(bouts: Bouts, tmp_path: Path) -> None:
    only = tmp_path / "challenges"
    shutil.copytree(TALLY, only / "word-tally")
    ran = bouts("demo", "--json", "--out", tmp_path / "out", BOUTS_CHALLENGES=str(only))
    assert ran.status == 0, ran
    fits(ran.json, "demo")
    assert len(ran.json["samples"]) == 5
    said = bouts("demo", "--out", tmp_path / "out", BOUTS_CHALLENGES=str(only))
    assert said.status == 0
    assert "cheat-skips" in said.out
    assert (tmp_path / "out" / "word-tally" / "cheat-skips.html").is_file()


def test_trying_one_test_and_looking_around(bouts: Bouts) -> None:
    ran = bouts("test", TALLY, "--test", "unit/test_count.py::test_counts_words")
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == "1 of 1 passed"
    failed = bouts("test", TALLY)
    assert "test_most_frequent_first" in failed.out
    assert "assert" in failed.out
    shell = bouts("shell", TALLY, REFERENCE, "--", "cat", "tally/core.py")
    assert shell.status == 0
    assert "casefold" in shell.out
    assert bouts("shell", TALLY, REFERENCE, "--", "sh", "-c", "exit 7").status == 7


def test_an_edit_that_breaks_the_card_is_a_bad_file(scored: Scored, tmp_path: Path) -> None:
    card = body(scored)
    card["final"] = "much"
    (tmp_path / "card.json").write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(BadFile, match="final"):
        load_card(tmp_path / "card.json")


def test_a_submission_that_warns_is_told_apart_from_one_that_does_not(bouts: Bouts, tmp_path: Path) -> None:
    shutil.copytree(REFERENCE, tmp_path / "warns")
    code = tmp_path / "warns" / "tally" / "core.py"
    before = code.read_text(encoding="utf-8")
    code.write_text(f"{before}\nimport warnings\nwarnings.warn('old', DeprecationWarning)\n", encoding="utf-8")
    scores = {}
    for place in (REFERENCE, tmp_path / "warns"):
        ran = bouts("score", TALLY, place, "--policy", "six-component", "--json", "--out", tmp_path / "card.json")
        assert ran.status == 0, ran
        [line] = [line for line in ran.json["lines"] if line["key"] == "stability"]
        scores[place.name] = line["score"], line["because"]
    assert scores["reference"] == (100, "Nothing crashed, and there were no warnings.")
    place = f"tally/core.py:{before.count(chr(10)) + 3}"
    assert scores["warns"] == (50, f"Nothing crashed, but there were warnings: {place}: DeprecationWarning.")
