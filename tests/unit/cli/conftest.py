"""The command line, run in this process."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import facts
import jsonschema
import pytest

from bouts.cli import app
from bouts.pipeline.cards import save

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"


@dataclass(frozen=True)
class Ran:
    """One finished run."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)

    def fits(self, schema: str) -> dict[str, Any]:
        """The JSON, held against its published schema."""
        shape = json.loads((REFERENCE / f"{schema}.schema.json").read_text(encoding="utf-8"))
        jsonschema.validate(self.json, shape)
        return self.json


@pytest.fixture
def bouts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words: object) -> Ran:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["bouts", *map(str, words)])
        status = app._run()
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return Ran(status, shown.out, shown.err)

    return run


@pytest.fixture
def stored(tmp_path: Path):
    def store(name: str, evidence, policy=None) -> Path:
        card, file = facts.stored(evidence) if policy is None else facts.stored(evidence, policy)
        path = tmp_path / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        save(card, file, path)
        return path

    return store
