"""Reading a challenge package from its folder."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from bouts.challenges import limits, names, reach
from bouts.challenges.digests import PackageFile, files_digest, scan
from bouts.challenges.given import given_files
from bouts.challenges.problems import Problem, read_fact
from bouts.challenges.rubric import match_adversarial, match_static
from bouts.challenges.rules import rule_problems
from bouts.errors import BadChallenge, BadFile, BoutsError, NotFound
from bouts.model.base import Fact
from bouts.model.challenge import AdversarialRule, Challenge, Expectation, StaticRule
from bouts.model.evidence import ChallengeFacts
from bouts.model.inventory import Inventory
from bouts.model.records import digest

MANIFEST = "challenge.yaml"
INVENTORY = "inventory.json"

F = TypeVar("F", bound=Fact)


@dataclass(frozen=True)
class Package:
    """A challenge package that was read: its manifest is valid, its files are counted and hashed.

    `files` holds every file but samples, by path relative to `root`."""

    root: Path
    manifest: Challenge
    inventory: Inventory | None
    digest: str
    files: Mapping[str, PackageFile] = field(repr=False)

    @property
    def codebase(self) -> Path:
        """The workspace that the agent starts from."""
        return self.root / "codebase"

    @property
    def tests(self) -> Path:
        """Folder of both suites and their support modules; trusted."""
        return self.root / "tests"

    @property
    def samples(self) -> tuple[Path, ...]:
        """Folders of the samples, sorted."""
        folder = self.root / "samples"
        if not folder.is_dir():
            return ()
        return tuple(sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith(".")))

    @cached_property
    def tests_digest(self) -> str:
        """Digest of `tests/`; the inventory holds it."""
        return files_digest(self.below("tests"))

    @cached_property
    def rubric_digest(self) -> str:
        """Digest of the rubric as read, so that layout and comments do not count."""
        return digest(self.manifest.rubric.model_dump(mode="json"))

    @cached_property
    def dependencies_digest(self) -> str | None:
        """Digest of the lock file, or none where only the standard library is used."""
        lock = self.manifest.environment.lock
        found = self.files.get(lock) if lock else None
        return "sha256:" + found.sha256 if found else None

    @cached_property
    def given(self) -> Mapping[str, str]:
        """What an agent is given: path in its workspace → path in the package."""
        return given_files(self.root, self.files)

    @cached_property
    def visible_rules(self) -> Mapping[str, StaticRule]:
        """The rule of the rubric for each visible test of the inventory that one matches."""
        return match_static(self.manifest.rubric, self.inventory.static if self.inventory else ()).rules

    @cached_property
    def hidden_rules(self) -> Mapping[str, AdversarialRule]:
        """The rule of the rubric for each hidden test of the inventory that one matches."""
        return match_adversarial(self.manifest.rubric, self.inventory.adversarial if self.inventory else ()).rules

    @property
    def inventory_fits(self) -> bool:
        """Whether the inventory was made from the tests as they are now."""
        return self.inventory is not None and self.inventory.tests_digest == self.tests_digest

    def below(self, folder: str) -> dict[str, PackageFile]:
        """The files below a folder of the package, by path relative to that folder."""
        start = folder.rstrip("/") + "/"
        return {p.removeprefix(start): f for p, f in self.files.items() if p.startswith(start)}

    def read(self, path: str) -> bytes:
        """The bytes of one file of the package. Raises `BadChallenge` where it cannot be read."""
        try:
            return (self.root / path).read_bytes()
        except OSError as error:
            raise BadChallenge(f"it cannot be read: {error.strerror}", where=str(self.root / path)) from error

    def facts(self) -> ChallengeFacts:
        """What evidence keeps of the challenge."""
        manifest = self.manifest
        return ChallengeFacts(
            id=manifest.id,
            version=manifest.version,
            digest=self.digest,
            title=manifest.title,
            format=manifest.format,
            family=manifest.family,
            tier=manifest.tier,
            time_limit_seconds=manifest.budget.minutes * 60,
            editable=manifest.editable,
            dependencies=manifest.dependencies,
            metrics=manifest.performance.metrics if manifest.performance else (),
            thresholds={k: float(v) for k, v in manifest.rubric.thresholds.model_dump(exclude_none=True).items()},
        )


def read_challenge(folder: Path) -> Package:
    """Read a package. Raises `NotFound` where there is no such folder, `BadChallenge` with every problem of the
    manifest, each as `challenge.yaml:LINE:COLUMN: what`."""
    _must_be_folder(folder)
    # Without `..` and links: the names of tests are told relative to it.
    root = Path(os.path.realpath(folder))
    manifest = _manifest(root / MANIFEST)
    files = scan(root)
    return Package(
        root=root, manifest=manifest, inventory=_inventory(root / INVENTORY), digest=files_digest(files), files=files
    )


def read_manifest(data: bytes, name: str = MANIFEST) -> Challenge:
    """Read a manifest from its text. Raises `BadChallenge`."""
    fact, tree, problems = read_fact(data, Challenge)
    if fact is not None and tree is not None:
        problems = rule_problems(fact, tree)
    if fact is None or problems:
        raise bad_file(BadChallenge, name, problems)
    return fact


def read_expectation(path: Path) -> Expectation:
    """Read a sample's `expect.yaml`. Raises `NotFound` or `BadChallenge`."""
    return read_yaml(path, Expectation, BadChallenge)


def read_yaml(path: Path, model: type[F], error: type[BoutsError]) -> F:
    """Read a YAML file that a person wrote into a fact; `error` is raised with every problem."""
    fact, _, problems = read_fact(file_bytes(path, limits.MANIFEST_BYTES, error), model)
    if fact is None:
        raise bad_file(error, f"{path.parent.name}/{path.name}", problems)
    return fact


def bad_file(error: type[BoutsError], name: str, problems: list[Problem]) -> BoutsError:
    """One error out of the problems of a file: the first is the message, all are listed."""
    first, rest = problems[0], len(problems) - 1
    message = first.what + (f"\nand {rest} more problem{'s' if rest > 1 else ''}:" if rest else "")
    message += "".join(f"\n  {p.at(name)}" for p in problems[1:40])
    where = f"{name}:{first.line}:{first.column}"
    if issubclass(error, BadChallenge):
        return error(message, where=where, problems=tuple(p.at(name) for p in problems))
    return error(message, where=where)


def file_bytes(path: Path, limit: int, error: type[BoutsError]) -> bytes:
    """The bytes of a file that a person wrote. Raises `NotFound`, or `error` where it is no readable small file."""
    try:
        data = reach.read_named(path, limit)
    except FileNotFoundError:
        raise NotFound(f"there is no {path.name}", where=str(path.parent)) from None
    except OSError as fault:
        raise error(f"it cannot be read: {fault.strerror}", where=str(path)) from fault
    except ValueError as fault:
        raise error(str(fault), where=str(path)) from None
    if data is None:
        raise error(f"it is larger than {limits.mebibytes(limit)}", where=str(path))
    return data


def _must_be_folder(folder: Path) -> None:
    if folder.is_dir():
        if not os.access(folder, os.R_OK | os.X_OK):
            raise BadChallenge("the folder cannot be read", where=str(folder), hint="check its permissions")
        return
    if folder.is_file():
        hint = f"give its folder: {folder.parent}" if folder.name == MANIFEST else None
        raise BadChallenge(
            "a challenge is a folder that holds a challenge.yaml, not a file", where=str(folder), hint=hint
        )
    beside: list[str] = []
    if folder.parent.is_dir():
        beside = [p.name for p in folder.parent.iterdir() if (p / MANIFEST).is_file()]
    near = difflib.get_close_matches(folder.name, beside, n=1)
    hint = f"did you mean {folder.parent / near[0]}?" if near else "give the folder that holds challenge.yaml"
    raise NotFound("there is no such challenge", where=names.shown(str(folder)), hint=hint)


def _manifest(path: Path) -> Challenge:
    try:
        data = file_bytes(path, limits.MANIFEST_BYTES, BadChallenge)
    except NotFound:
        beside = next(
            (p.name for p in sorted(path.parent.iterdir()) if p.name.endswith(("lenge.yml", "lenge.yaml"))), None
        )
        hint = f"rename {beside} to {MANIFEST}" if beside else "a challenge is a folder that holds a challenge.yaml"
        raise BadChallenge(f"there is no {MANIFEST}", where=str(path.parent), hint=hint) from None
    return read_manifest(data)


def _inventory(path: Path) -> Inventory | None:
    if not path.exists():
        return None
    try:
        raw = json.loads(file_bytes(path, limits.INVENTORY_BYTES, BadChallenge))
        return Inventory.model_validate(raw)
    except (ValidationError, ValueError, RecursionError, BadFile) as error:
        hint = "write it anew with `bouts check --freeze`"
        raise BadChallenge("this is no inventory of tests", where=str(path), hint=hint) from error
