"""Real sandboxes: these tests start bubblewrap."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bouts.adapters.sandboxes.box import BubblewrapSandbox
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.model.sandbox import Command, Ended, Look, Mount, SandboxLimits, SandboxPlan

if platform.system() != "Linux":
    collect_ignore_glob = ["test_*.py"]

Make = Callable[..., BubblewrapSandbox]


def python(code: str, seconds: float = 20.0, **variables: str) -> Command:
    return Command(argv=("python", "-I", "-S", "-B", "-c", code), seconds=seconds, variables=variables)


def text(ended: Ended) -> str:
    assert ended.kind == "exit", ended
    assert ended.status == 0, ended
    return ended.stdout.decode()


@pytest.fixture(scope="session")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bubblewrap]:
    made = Bubblewrap(tmp_path_factory.mktemp("scratch"))
    probe = made.probe()
    if not probe.usable:
        pytest.skip(f"no sandbox here: {[item for item in probe.items if not item.ok]}")
    yield made
    made.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "given"
    (folder / "package").mkdir(parents=True)
    (folder / "solution.py").write_text("VALUE = 1\n", encoding="utf-8")
    (folder / "package" / "module.py").write_text("VALUE = 2\n", encoding="utf-8")
    (folder / "secret.txt").write_text("private\n", encoding="utf-8")
    (folder / "secret.txt").chmod(0o600)
    return folder


@pytest.fixture
def make(backend: Bubblewrap, workspace: Path) -> Iterator[Make]:
    made: list[BubblewrapSandbox] = []

    def create(
        *,
        look: Look | None = None,
        decoys: Path | None = None,
        mounts: tuple[Mount, ...] = (),
        empty: bool = False,
        **limits: int,
    ) -> BubblewrapSandbox:
        plan = SandboxPlan(
            workspace=None if empty else str(workspace),
            mounts=mounts,
            limits=SandboxLimits.model_validate(limits),
            look=look or Look(),
            decoys=str(decoys) if decoys else None,
        )
        made.append(backend.create(plan))
        return made[-1]

    yield create
    for sandbox in made:
        sandbox.destroy()
