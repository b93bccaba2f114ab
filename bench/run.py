"""`make bench`: every figure as one line `name: value unit`; comparisons are ratios of pairs measured in turn.

python bench/run.py [NAME …]      only the named figures:
                                  throughput overhead rescoring standings ledger sandbox calls overlay help installed
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ITEMS = int(os.environ.get("BENCH_ITEMS", "50"))
WORKERS = int(os.environ.get("BENCH_WORKERS", str(os.cpu_count() or 1)))
PAIRS = int(os.environ.get("BENCH_PAIRS", "3"))
BOUTS = Path(sys.executable).with_name("bouts")


def line(name: str, value: float | str, unit: str, note: str = "") -> None:
    """One figure."""
    shown = f"{value:.3g}" if isinstance(value, float) else value
    sys.stdout.write(f"{name}: {shown} {unit}{f'   ({note})' if note else ''}\n")
    sys.stdout.flush()


def timed(work: Callable[[], object]) -> float:
    """Seconds on the wall."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def bare_environment(folder: Path) -> Path:
    """A Python with pip alone; the environment that this runs in may have none."""
    venv = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    return venv / "bin" / "python"


def pytest_only(folder: Path) -> Path:
    """A Python with pytest and nothing else: plugins that load themselves would slow the baseline down."""
    from importlib.metadata import version

    python = bare_environment(folder)
    subprocess.run([str(python), "-m", "pip", "install", "-q", f"pytest=={version('pytest')}"], check=True)
    return python


def plain_pytest(python: Path) -> None:
    """The baseline: a temporary folder and a pytest process an item, the JUnit report read."""
    tests = (HERE / "challenge/tests/static/unit/test_add.py").read_text()
    tests += (HERE / "challenge/tests/adversarial/input/test_sequence.py").read_text()
    code = (HERE / "challenge/reference/calc.py").read_text()

    def one(_: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "tests").mkdir()
            Path(folder, "calc.py").write_text(code)
            Path(folder, "tests", "test_calc.py").write_text(tests)
            subprocess.run(
                [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml", "tests"],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": "."},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
            suite = ET.parse(Path(folder, "report.xml")).getroot().find("testsuite")
            assert suite is not None and suite.get("tests") == "10" and suite.get("failures") == "1"
            return 0.9

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(one, range(ITEMS)))


def submissions(folder: Path) -> list[str]:
    """As many submissions as items, each a folder of its own with other bytes."""
    code = (HERE / "challenge/reference/calc.py").read_text()
    made: list[str] = []
    for number in range(ITEMS):
        place = folder / f"s{number:03}"
        place.mkdir(parents=True)
        (place / "calc.py").write_text(f"{code}\n\nITEM = 'item {number}'\n")
        made.append(str(place))
    return made


def score(items: list[str], home: Path, out: Path) -> None:
    """Score all items by the command line, one hidden run, everything measured anew."""
    done = subprocess.run(
        [
            str(BOUTS), "score", str(HERE / "challenge"), *items,
            "--jobs", str(WORKERS), "--fresh", "--no-second-look", "--out", str(out),
        ],
        env={**os.environ, "BOUTS_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(f"bouts score exited with {done.returncode}")


def throughput(folder: Path) -> None:
    """Sandboxed scoring against plain pytest processes, in turn."""
    python = pytest_only(folder)
    # The baseline's modules were compiled when they were installed; so are ours where Bouts comes as a wheel.
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(ROOT / "src")], check=True)
    items = submissions(folder / "items")
    score(items[:1], folder / "home", folder / "warm")
    ratios: list[float] = []
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(PAIRS):
        theirs.append(timed(lambda: plain_pytest(python)))
        out = folder / f"out{number}"
        ours.append(timed(lambda out=out: score(items, folder / "home", out)))
        ratios.append(ours[-1] / theirs[-1])
    line("plain pytest", statistics.median(theirs), "s", f"{ITEMS} items, {WORKERS} workers")
    what = f"{ITEMS} items of 10 tests, {WORKERS} jobs, sandboxed, one hidden run"
    line("bouts score", statistics.median(ours), "s", what)
    spread = f"{min(ratios):.2f}–{max(ratios):.2f} in {PAIRS} pairs"
    line("throughput", f"vs plain pytest: {statistics.median(ratios):.2f}x", "", spread)
    size(folder / "out0")


def size(out: Path) -> None:
    """Bytes of card and compressed evidence an item."""
    files = [p.stat().st_size for p in out.iterdir() if p.is_file()]
    line("card and evidence", sum(files) / ITEMS / 1024, "KB an item")


def overhead(folder: Path) -> None:
    """What scoring costs besides tests and scanners."""
    from untested import score_untested

    items = submissions(folder / "untested")
    score_untested(items[:1], folder / "home-untested", WORKERS)
    one = statistics.median(score_untested(items[:1], folder / "home-untested", WORKERS) for _ in range(3))
    all_of_them = statistics.median(score_untested(items, folder / "home-untested", WORKERS) for _ in range(3))
    each = (all_of_them - one) / (len(items) - 1)
    line("fixed cost", max(0.0, one - each), "s", "without tests and scanners")
    line("cost an item", each, "s", "without tests and scanners")


def rescoring(_: Path) -> None:
    """Cards from evidence that is at hand."""
    from rescoring import figures

    for name, value, unit, note in figures():
        line(name, value, unit, note)


def standings(_: Path) -> None:
    """Statistics of standings: speed, and by simulation whether they keep what they promise."""
    from standings import figures

    for name, value, unit, note in figures():
        line(name, value, unit, note)


def ledger(folder: Path) -> None:
    """What a leaderboard asks of a ledger with a million runs, and what one more run costs."""
    from ledger import answers, boards, fill, one_more, with_cards

    agents = int(os.environ.get("BENCH_AGENTS", "1000"))
    filled, seconds = fill(folder / "ledger.db", agents)
    line("ledger filled", agents * 1000 / seconds, "runs/s", f"{agents} agents, {agents * 1000:,} runs")
    for asked, milliseconds in answers(filled).items():
        line(f"totals of all agents, {asked}", milliseconds, "ms", "limit: 100")
    line("one more run recorded", one_more(filled), "ms", "synced to disk")
    line("one more run with its card recorded", with_cards(filled, agents), "ms", "synced to disk")
    for asked, milliseconds in boards(filled).items():
        line(f"leaderboard of all agents, {asked}", milliseconds, "ms", "limit: 100")
    filled.close()


def sandbox(folder: Path) -> None:
    """Making a sandbox, starting Python in it, destroying it."""
    from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
    from bouts.model.sandbox import Command, SandboxPlan

    (folder / "work").mkdir()
    backend = Bubblewrap(folder / "scratch")

    def once() -> None:
        made = backend.create(SandboxPlan(workspace=str(folder / "work")))
        ended = made.exec(Command(argv=("python", "-I", "-S", "-c", "pass")))
        assert ended.status == 0
        made.destroy()

    def bare() -> None:
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)

    once()
    pairs = [(timed(once), timed(bare)) for _ in range(30)]
    line("sandbox start", 1000 * statistics.median(a for a, _ in pairs), "ms", "made, Python run in it, destroyed")
    line("sandbox start", f"vs bare python: {statistics.median(a / b for a, b in pairs):.1f}x", "")
    backend.close()


def calls(folder: Path) -> None:
    """One call across the boundary `calls`, after start; wanted is a median of 0.3 ms or less for small arguments."""
    from calls import figures

    for name, value, unit, note in figures(folder):
        line(name, value, unit, note)


def overlay(folder: Path) -> None:
    """A copy-on-write workspace over 2,000 files against copying them."""
    from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
    from bouts.model.sandbox import Command, SandboxPlan

    tree = folder / "tree"
    for number in range(2000):
        place = tree / f"d{number // 50}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"f{number}.py").write_text("x = 1\n" * 200)
    backend = Bubblewrap(folder / "scratch-overlay")

    def ours() -> None:
        made = backend.create(SandboxPlan(workspace=str(tree)))
        assert made.exec(Command(argv=("python", "-I", "-S", "-c", "open('d0/f0.py','a').write('y')"))).status == 0
        made.destroy()

    def copying() -> None:
        target = folder / "copy"
        shutil.copytree(tree, target)
        subprocess.run([sys.executable, "-I", "-S", "-c", "open('d0/f0.py','a').write('y')"], cwd=target, check=True)
        shutil.rmtree(target)

    ours()
    pairs = [(timed(ours), timed(copying)) for _ in range(7)]
    line("workspace", 1000 * statistics.median(a for a, _ in pairs), "ms", "2,000 files, written to, destroyed")
    line("workspace", f"vs copying: {statistics.median(a / b for a, b in pairs):.2f}x", "")
    backend.close()


def help_text(_: Path) -> None:
    """`bouts --help` against an empty Python program."""
    pairs: list[tuple[float, float]] = []
    for _i in range(15):
        a = timed(lambda: subprocess.run([str(BOUTS), "--help"], stdout=subprocess.DEVNULL, check=True))
        b = timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        pairs.append((a, b))
    line("bouts --help", 1000 * statistics.median(a for a, _ in pairs), "ms")
    line("bouts --help", f"vs python -c pass: {statistics.median(a / b for a, b in pairs):.1f}x", "")


def installed(folder: Path) -> None:
    """Size of the package with what it depends on, without extras and bytecode."""
    target = folder / "installed"
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "wheel")],
                   cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    wheel = next((folder / "wheel").glob("*.whl"))
    pip = [str(bare_environment(folder)), "-m", "pip", "install", "-q", "--no-compile", "--target", str(target)]
    subprocess.run([*pip, str(wheel)], check=True)
    total = sum(p.lstat().st_size for p in target.rglob("*") if p.is_file())
    line("installed size", total / 1e6, "MB", "without extras and bytecode")


FIGURES: dict[str, Callable[[Path], None]] = {
    "throughput": throughput,
    "overhead": overhead,
    "rescoring": rescoring,
    "standings": standings,
    "ledger": ledger,
    "sandbox": sandbox,
    "calls": calls,
    "overlay": overlay,
    "help": help_text,
    "installed": installed,
}


def main() -> None:
    """Run the named figures, or all."""
    wanted = sys.argv[1:] or list(FIGURES)
    unknown = [name for name in wanted if name not in FIGURES]
    if unknown:
        raise SystemExit(f"no figure is called {unknown[0]}; there are: {', '.join(FIGURES)}")
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            FIGURES[name](Path(folder))


if __name__ == "__main__":
    main()
