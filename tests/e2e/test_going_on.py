"""Batches as a user meets them: killed and begun again, planned, scored anew, told to continuous integration."""

from __future__ import annotations

import json
import shutil
import time
import xml.etree.ElementTree as ET
from pathlib import Path

from whole import REFERENCE, SUBMISSIONS, TALLY, Bouts, fits

GIVEN = (REFERENCE, SUBMISSIONS / "naive-visible" / "submission", SUBMISSIONS / "bad-empty" / "submission")


def test_killed_and_begun_again_by_the_same_command_and_by_name(apart: Bouts, tmp_path: Path) -> None:
    out = tmp_path / "cards"
    command = ("score", TALLY, *GIVEN, "--no-second-look", "--fresh", "--batch", "nightly", "--out", out)
    running = apart.start(*command)
    state = apart.home / "batches" / "nightly.jsonl"
    while running.poll() is None and not (state.exists() and '"event":"done"' in state.read_text()):
        time.sleep(0.02)
    assert running.poll() is None
    running.kill()
    running.wait()
    (row,) = apart("batches", "--json").json["batches"]
    fits({"schema": "bouts.batches/1", "batches": [row]}, "batches")
    assert row["state"] == "interrupted"
    done = [i["item"]["name"] for i in apart("batches", "nightly", "--json").json["batches"][0]["items"]
            if i["state"] == "done"]  # fmt: skip
    assert done
    times = {name: (out / f"{name}.json").stat().st_mtime_ns for name in done}
    refused = apart(*command, "--offline")
    assert refused.status == 2 and "--resume nightly" in refused.err
    plan = apart("score", "--resume", "nightly", "--plan", "--json").json
    fits(plan, "plan")
    assert [item["intent"] for item in plan["items"]].count("reuse") >= len(done)
    went_on = apart("score", "--resume", "nightly", "--json")
    assert went_on.status == 0, went_on
    assert f"{len(done)} done" in went_on.err
    assert [item["card"]["outcome"] for item in went_on.json["items"]] == ["solved", "failed", "failed"]
    assert {name: (out / f"{name}.json").stat().st_mtime_ns for name in done} == times
    assert apart("batches", "--json").json["batches"][0]["state"] == "over"


def test_the_same_command_goes_on(apart: Bouts, tmp_path: Path) -> None:
    command = ("score", TALLY, *GIVEN, "--no-second-look", "--out", tmp_path / "cards")
    running = apart.start(*command)
    batches = apart.home / "batches"
    while running.poll() is None and not any('"event":"done"' in p.read_text() for p in batches.glob("*.jsonl")):
        time.sleep(0.02)
    assert running.poll() is None
    running.kill()
    running.wait()
    again = apart(*command)
    assert again.status == 0, again
    assert "going on with batch" in again.err
    assert len(list(batches.glob("*.jsonl"))) == 1
    assert "going on" not in apart(*command).err, "that batch is over, so this is another"


def test_scored_anew_under_a_new_version_of_the_challenge(bouts: Bouts, tmp_path: Path) -> None:
    challenge = tmp_path / "word-tally"
    shutil.copytree(TALLY, challenge)
    first = bouts("score", challenge, *GIVEN, "--batch", "before", "--no-second-look")
    assert first.status == 0, first
    manifest = challenge / "challenge.yaml"
    manifest.write_text(manifest.read_text().replace("version: 1.0.0", "version: 1.1.0").replace(
        "severity: high", "severity: low"))  # fmt: skip
    gone = bouts("score", "--resume", "before")
    assert gone.status == 2 and "--regrade before" in gone.err
    plan = bouts("score", "--regrade", "before", "--plan", "--json").json
    assert {item["intent"] for item in plan["items"]} == {"regrade"}
    assert {item["why"] for item in plan["items"]} == {"challenge 1.0.0 → 1.1.0"}
    assert all(item["seconds"] > 0 and item["cost_usd"] == 0 for item in plan["items"])
    ran = bouts("score", "--regrade", "before", "--json")
    assert ran.status == 0, ran
    fits(ran.json, "regraded")
    for item in ran.json["items"]:
        assert (item["before"]["challenge_version"], item["after"]["challenge_version"]) == ("1.0.0", "1.1.0")
    naive = ran.json["items"][1]
    assert naive["before"]["final"] != naive["after"]["final"]
    assert any(part.startswith("objective") for part in naive["moved"])
    shown = bouts("score", "--regrade", "before")
    assert "3 compared: 0 with another outcome" in shown.out


def test_continuous_integration_is_told(bouts: Bouts, tmp_path: Path) -> None:
    report, summary = tmp_path / "report.xml", tmp_path / "summary.md"
    summary.write_text("before\n")
    given = ("score", TALLY, *GIVEN, tmp_path / "nowhere", "--no-second-look", "--junit", report)
    ran = bouts(*given, "--github-summary", "--fail-under", "80", GITHUB_STEP_SUMMARY=str(summary))
    assert ran.status == 2, "what cannot be taken is graver than what is below"
    suite = ET.parse(report).getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "2", "1")
    assert summary.read_text().startswith("before\n## Bouts")
    assert bouts(*given[:5], "--no-second-look", "--fail-under", "80").status == 1
    refused = bouts("score", TALLY, REFERENCE, "--github-summary", GITHUB_STEP_SUMMARY="")
    assert refused.status == 2 and "GITHUB_STEP_SUMMARY" in refused.err


def test_judged_again_without_a_model_the_card_stands(bouts: Bouts, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    assert bouts("score", TALLY, REFERENCE, "--out", card).status == 0
    before = card.read_bytes()
    ran = bouts("rejudge", card, "--json")
    assert ran.status == 0, ran
    fits(ran.json, "rejudged")
    assert ran.json["card"] is None
    assert {step["fate"] for step in ran.json["steps"]} == {"kept", "not configured", "not given"}
    assert card.read_bytes() == before
    edited = json.loads(before)
    edited["evidence"]["digest"] = "sha256:" + "0" * 64
    card.write_text(json.dumps(edited))
    assert bouts("rejudge", card).status == 2
