"""A path that the code gives is no way to files of this side."""

import os
from pathlib import Path

import pytest
from evil import Evil

from bouts.adapters.runners.python.calls.sharing import SharedFolder


def answer(path):
    return lambda request: [{"id": request["id"], "ok": {"path": path}}]


def test_a_path_of_the_code_is_equal_but_opens_nothing(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("x")
    with Evil(answer(str(secret))) as evil:
        got = evil.link.ask("call")
    assert got == secret
    assert isinstance(got, Path)
    assert str(got) == str(secret)
    for use in (open, os.unlink, Path.read_text, Path.exists, Path.unlink, os.listdir):
        with pytest.raises(RuntimeError, match="of the submission's process"):
            use(got)
    assert secret.read_text() == "x"


def test_what_the_test_passed_or_shares_stays_a_path(tmp_path):
    own, shared = tmp_path / "own.txt", tmp_path / "shared"
    shared.mkdir()
    (shared / "out.txt").write_text("y")
    with Evil(answer(str(own))) as evil:
        assert type(evil.link.ask("call", None, None, (own,))) is type(own)
    with Evil(answer(str(shared / "out.txt"))) as evil:
        evil.link.shared = SharedFolder(str(shared))
        assert evil.link.ask("call").read_text() == "y"
    with Evil(answer(f"{shared}/../own.txt")) as evil:
        evil.link.shared = SharedFolder(str(shared))
        with pytest.raises(RuntimeError):
            evil.link.ask("call").read_text()
