"""What the scanner holds against honest code: every Python file of a folder, as if an agent had written it anew.

    python bench/honest.py [FOLDER]

FOLDER is the standard library of this Python by default. Files of more than 300 kB, tests and what is installed beside
the library are left out. One line for each file with a violation; findings that are none are only counted.
"""

from __future__ import annotations

import sys
import sysconfig
import tempfile
import time
from collections import Counter
from pathlib import Path

from bouts.adapters.scanners.python import PythonScanner
from bouts.model.scanning import ScanJob

LEFT_OUT = {"test", "tests", "idlelib", "lib2to3", "turtledemo", "site-packages"}
LARGEST = 300_000
AT_ONCE = 40


def main() -> None:
    """Entry point."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else sysconfig.get_path("stdlib"))
    files = [
        file
        for file in sorted(folder.rglob("*.py"))
        if not LEFT_OUT & set(file.relative_to(folder).parts) and file.stat().st_size < LARGEST
    ]
    found: Counter[str] = Counter()
    held: set[str | None] = set()
    scanner, started = PythonScanner(("E4", "E7", "E9", "F")), time.monotonic()
    try:
        for first in range(0, len(files), AT_ONCE):
            with tempfile.TemporaryDirectory() as name:
                given, staged = Path(name, "given"), Path(name, "staged")
                given.mkdir()
                paths = [file.relative_to(folder).as_posix() for file in files[first : first + AT_ONCE]]
                for path in paths:
                    target = staged / "app" / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes((folder / path).read_bytes())
                changed = tuple(f"app/{path}" for path in paths)
                report = scanner.scan(ScanJob(given=str(given), staged=str(staged), changed=changed))
            found.update(one.severity.value for one in report.findings)
            for one in report.observations:
                held |= {proof.path for proof in one.proofs}
                for proof in one.proofs:
                    print(f"{proof.path}:{proof.line}: {one.kind}: {one.because}")
    finally:
        scanner.close()
    told = ", ".join(f"{count} {severity}" for severity, count in sorted(found.items()))
    print(f"{len(held)} of {len(files)} files have a violation; findings: {told} ({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main()
