"""JSON Schemas of the files that people write: `python -m bouts.challenges.schema OUTDIR`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bouts.model import describe
from bouts.model.base import Fact
from bouts.model.challenge import Challenge, Expectation
from bouts.model.registered import RunInput
from bouts.model.submission import SubmissionManifest
from bouts.model.variant import Variant

FILES: dict[str, type[Fact]] = {
    "challenge": Challenge,
    "expect": Expectation,
    "submission": SubmissionManifest,
    "run": RunInput,
    "variant": Variant,
}
"""Each schema by the name of the file that it describes, without its ending."""


def json_schema(name: str = "challenge") -> dict[str, Any]:
    """The JSON Schema (2020-12) of one file, by a name of `FILES`. Raises `KeyError` for others."""
    schema = describe.json_schema(FILES[name], "validation")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"{name}.yaml"}
    return {**head, **{k: v for k, v in schema.items() if k != "title"}}


def write(folder: Path) -> list[Path]:
    """Write every schema into a folder as `<name>.schema.json`; the same types give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name in FILES:
        path = folder / f"{name}.schema.json"
        path.write_text(json.dumps(json_schema(name), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(path)
    return written


def main() -> None:
    """Write the schemas into the folder that is named on the command line."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m bouts.challenges.schema OUTDIR")
    for path in write(Path(sys.argv[1])):
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
