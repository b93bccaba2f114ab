"""What is stored is whole, or it is not there."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import facts
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.errors import BadFile, BadUsage, NotFound, StoreFault
from bouts.pipeline import cards
from bouts.pipeline.cache import Cache
from bouts.pipeline.files import holding, write_whole

KEY = "sha256:" + "ab" * 32


# ---------------------------------------------------------------------- cache


def kept(folder: Path) -> Path:
    return next(folder.rglob("*.json.gz"))


def test_the_cache_gives_back_what_it_got(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get(KEY) is None
    cache.put(KEY, {"a": [1, 2.5, None, "ü"]})
    assert cache.get(KEY) == {"a": [1, 2.5, None, "ü"]}
    assert cache.size() > 0
    cache.clear()
    assert cache.get(KEY) is None


@given(st.data())
def test_a_damaged_entry_counts_as_absent(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("cache")
    cache = Cache(folder)
    value = {"score": 12.5, "words": ["one", "two"]}
    cache.put(KEY, value)
    path = kept(folder)
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    damage = data.draw(st.sampled_from(["flip", "cut"]))
    changed = whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :] if damage == "flip" else whole[:place]
    path.write_bytes(changed)
    assert cache.get(KEY) in (None, value)  # some bytes of a gzip header mean nothing
    cache.put(KEY, value)
    assert cache.get(KEY) == value


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"null",
        b"{}",
        b'{"digest": "x", "value": {}}',
        b'{"digest": 3, "value": [1]}',
        b"[" * 200_000,
        b"\xff\xfe",
        b'{"digest": "x", "value": NaN}',
    ],
)
def test_an_entry_with_another_content_counts_as_absent(tmp_path: Path, body: bytes) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, {"a": 1})
    kept(tmp_path).write_bytes(gzip.compress(body))
    assert cache.get(KEY) is None


def test_an_edited_value_counts_as_absent(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, {"passed": 3})
    path = kept(tmp_path)
    edited = json.loads(gzip.decompress(path.read_bytes()))
    edited["value"]["passed"] = 4
    path.write_bytes(gzip.compress(json.dumps(edited).encode()))
    assert cache.get(KEY) is None


def test_what_a_dead_writer_left_is_cleared_but_not_while_one_writes(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, {"a": 1})
    part = tmp_path / "parts" / ".x.json.gz.1234.part"
    part.write_bytes(b"half")
    with holding(tmp_path / "parts", shared=True):
        cache.reap()
        assert part.exists()
    cache.reap()
    assert not part.exists()
    assert cache.get(KEY) == {"a": 1}


# ---------------------------------------------------------------------- whole files


def test_a_writer_that_is_killed_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom bouts.pipeline import files\n"
        "real = os.fsync\n"
        "files.os.fsync = lambda fd: (print('written', flush=True), os.kill(os.getpid(), 9))\n"
        "files.write_whole(Path(sys.argv[1]), b'new')\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert done.stdout == b"written\n"
    assert path.read_bytes() == b"old"
    write_whole(path, b"newer")
    assert path.read_bytes() == b"newer"


def test_readers_never_see_a_part(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([n]) * 300_000 for n in range(20)]
    write_whole(path, contents[0])
    done = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not done.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for content in contents:
        write_whole(path, content)
    done.set()
    reader.join()
    assert seen
    assert seen <= set(contents)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("where", ["file/below", "folder"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    with pytest.raises((StoreFault, BadUsage)) as caught:
        write_whole(tmp_path / where, b"new")
    assert caught.value.where == str(tmp_path / where)
    assert (tmp_path / "file").read_bytes() == b"mine"
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


# ---------------------------------------------------------------------- cards


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    card, evidence = facts.stored(facts.evidence())
    path = tmp_path / "card.json"
    cards.save(card, evidence, path)
    return path


def test_a_card_comes_back_with_its_evidence(stored: Path) -> None:
    card = cards.load_card(stored)
    assert card.evidence.path == cards.evidence_name(card, stored)
    assert cards.load_evidence(card, stored).records
    assert len(os.listdir(stored.parent)) == 2


def test_a_new_card_takes_the_old_evidence_along_and_leaves_other_files(stored: Path) -> None:
    for name in ("other.12345678.evidence.json.gz", "card.evidence.json.gz", "card.json.bak", ".card.json"):
        (stored.parent / name).write_bytes(b"mine")
    (stored.parent / ".card.json.0011.part").write_bytes(b"half")
    card, evidence = facts.stored(facts.evidence(build=facts.build("lint")))
    cards.save(card, evidence, stored)
    assert len(os.listdir(stored.parent)) == 6
    assert cards.load_evidence(cards.load_card(stored), stored) == evidence


def test_a_card_that_cannot_be_written_leaves_no_evidence(tmp_path: Path) -> None:
    card, evidence = facts.stored(facts.evidence())
    (tmp_path / "card.json").mkdir()
    with pytest.raises(BadUsage):
        cards.save(card, evidence, tmp_path / "card.json")
    assert os.listdir(tmp_path) == ["card.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(bytes(cards.MAX_EVIDENCE_BYTES + 1), 1), "after decompression"),
        (gzip.compress(b"{}" * 5000)[:-9], "too early"),
        (b"\x1f\x8b" + b"junk" * 10, "damaged"),
        (b"junk", "not an evidence file"),
        (gzip.compress(b'{"schema": "bouts.evidence/2", "records": []}'), "schema"),
    ],
    ids=["bomb", "cut", "damaged", "junk", "other-schema"],
)
def test_evidence_that_is_none(stored: Path, content: bytes, said: str) -> None:
    card = cards.load_card(stored)
    path = stored.with_name(cards.evidence_name(card, stored))
    path.write_bytes(content)
    with pytest.raises(BadFile, match=said) as caught:
        cards.load_evidence(card, stored)
    assert caught.value.where == str(path)


def test_the_path_on_a_card_leads_nowhere_else(stored: Path, tmp_path: Path) -> None:
    """A card comes from anybody; it must not make Bouts open another file."""
    card = cards.load_card(stored)
    away = card.model_copy(update={"evidence": card.evidence.model_copy(update={"path": "../../etc/passwd"})})
    with pytest.raises(NotFound) as caught:
        cards.load_evidence(away, stored)
    assert caught.value.where == str(stored.parent / "passwd")


def test_cards_larger_than_the_limit_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "card.json").open("wb") as out:
        out.truncate(cards.MAX_CARD_BYTES + 1)
    with pytest.raises(BadFile, match="larger than"):
        cards.load_card(tmp_path / "card.json")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"final":', '"final":99.9,"final":', "the key 'final' stands twice"),
        ('"schema":"bouts.card/1"', '"schema":"bouts.card/1","submission":{"agent":"a","agent":"b"}', "stands twice"),
        ('"tier":', '"tier":"1","x":', "tier: Input should be a valid integer"),
    ],
)
def test_a_card_means_the_same_to_every_reader(stored: Path, before: str, after: str, said: str) -> None:
    text = stored.read_text()
    assert before in text
    stored.write_text(text.replace(before, after, 1))
    with pytest.raises(BadFile, match=said):
        cards.load_card(stored)


def test_nothing_follows_the_end_of_evidence(stored: Path) -> None:
    card = cards.load_card(stored)
    evidence = stored.with_name(card.evidence.path or "")
    evidence.write_bytes(evidence.read_bytes() + gzip.compress(b"{}"))
    with pytest.raises(BadFile, match="follows its end"):
        cards.load_evidence(card, stored)
