"""A scanner with one helper process for the whole run, and a submission made of a few files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from bouts.adapters.scanners.python import PythonScanner
from bouts.model.scanning import ScanJob, ScanReport

LINT = ("E4", "E7", "E9", "F")
Files = Mapping[str, str | bytes]
Scan = Callable[..., ScanReport]


@pytest.fixture(scope="session")
def scanner() -> Iterator[PythonScanner]:
    made = PythonScanner(LINT)
    yield made
    made.close()


@pytest.fixture
def scan(scanner: PythonScanner, tmp_path: Path) -> Scan:
    def run(given: Files, staged: Files, **more: object) -> ScanReport:
        """Scan `staged` laid over `given`; a file that is not in `staged` stays as given."""
        for name, files in (("given", given), ("staged", {**given, **staged})):
            for path, text in files.items():
                target = tmp_path / name / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text if isinstance(text, bytes) else text.encode())
        for name in ("given", "staged"):
            (tmp_path / name).mkdir(exist_ok=True)
        return scanner.scan(
            ScanJob(given=str(tmp_path / "given"), staged=str(tmp_path / "staged"), changed=tuple(staged), **more)
        )

    return run
