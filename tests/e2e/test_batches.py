"""Several submissions at once: each by itself, in order, under a name of its own."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from whole import REFERENCE, SUBMISSIONS, TALLY, Bouts, fits, objective

from bouts.model.card import Card
from bouts.pipeline.cards import load_card


def test_one_that_cannot_be_taken_stops_no_other(bouts: Bouts, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no archive")
    again = tmp_path / "again" / "reference"
    shutil.copytree(REFERENCE, again)
    packed = tmp_path / "reference.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(REFERENCE / "tally" / "core.py", "tally/core.py")
    given = [SUBMISSIONS / "bad-empty" / "submission", broken, REFERENCE, again, packed, REFERENCE]
    out, pages = tmp_path / "cards", tmp_path / "pages"
    ran = bouts("score", TALLY, *given, "--jobs", "2", "--out", out, "--html", pages, "--json")
    assert ran.status == 2, ran
    fits(ran.json, "scores")
    items = ran.json["items"]
    assert [item["submission"] for item in items] == [str(path) for path in given]
    assert items[1]["card"] is None
    assert items[1]["error"]["code"] == "bad_submission"
    scored = [item for item in items if item["card"]]
    assert len(scored) == 5
    assert sorted(Path(item["path"]).name for item in scored) == [
        "bad-empty.json",
        *("reference-2.json", "reference-3.json", "reference-4.json", "reference.json"),
    ]
    assert len(list(pages.iterdir())) == 5
    assert len({objective(item["card"]) for item in scored[1:]}) == 1
    assert objective(scored[0]["card"]) < objective(scored[1]["card"]) - 30
    for item in scored:
        assert load_card(Path(item["path"])) == Card.model_validate(item["card"])
        assert bouts("verify", item["path"]).status == 0


def test_the_table_names_what_was_not_scored(bouts: Bouts, tmp_path: Path) -> None:
    ran = bouts("score", TALLY, REFERENCE, tmp_path / "nowhere")
    assert ran.status == 2
    rows = ran.out.splitlines()
    assert rows[1].startswith("reference ")
    assert "solved" in rows[1]
    assert rows[2].startswith("nowhere ")
    assert "invalid" in rows[2]
    assert "there is no such submission" in ran.out


def test_fail_under_holds_for_each(bouts: Bouts, tmp_path: Path) -> None:
    ran = bouts(
        *("score", TALLY, REFERENCE, SUBMISSIONS / "bad-empty" / "submission"),
        *("--fail-under", "60", "--out", tmp_path / "cards"),
    )
    assert ran.status == 1


def test_a_file_is_no_folder_for_several_cards(bouts: Bouts, tmp_path: Path) -> None:
    (tmp_path / "cards").write_text("mine", encoding="utf-8")
    ran = bouts("score", TALLY, REFERENCE, REFERENCE, "--out", tmp_path / "cards")
    assert ran.status == 2
    assert "must be a folder" in ran.err
    assert (tmp_path / "cards").read_text(encoding="utf-8") == "mine"
