"""How well the similarity index tells disguised copies from honest solutions of the same task, and what it costs.

    python bench/similarity.py CORPUS [--split holdout|tuning|all] [--language py|js|ts|go|rs] [--copydetect]
        [--speed] [--few]

CORPUS has a folder for each task with one file for each author (`CORPUS/two-sum/ann.py`); `_given.py` is what everybody
was given. Tasks are split by the digest of their name. Honest pairs are all pairs of one task but those that copy each
other openly: with names and values as they stand, 70 % of the smaller one's runs of five tokens are in the other.
Copies are made by `disguises.py`, seeded, two single and two combined ones of each file, and one partial copy, renamed
and as it stands; in other languages than Python by `disguises_trees.py`: renamed, and renamed with functions moved.
With --copydetect that tool is put into an environment of its own for the time of the run and measured on the same
files; with --speed both compare 1,000 files all with all. --few asks how the threshold does in small indexes.
"""

from __future__ import annotations

import argparse
import ast
import bisect
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import disguises

from bouts.adapters.similarity.reading import read_files
from bouts.integrity.similarity.measure import (
    Counts,
    Normal,
    Weighed,
    Weights,
    likeness,
    normal,
    overlap,
    pairs_of,
)
from bouts.integrity.similarity.shapes import Bag, bag

LEAST_LINES = 12
LEAST_AUTHORS = 5
OPEN_COPY = 0.7
PARTIAL, PLAIN = "partial copy", "partial copy as it stands"
PARTS = (PARTIAL, PLAIN)
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|\S")


class Copy(NamedTuple):
    """A disguised copy of one author's solution."""

    kind: str
    original: int
    text: str


class Task(NamedTuple):
    """One task with honest solutions and copies."""

    name: str
    given: str
    texts: list[str]
    honest: list[tuple[int, int]]
    copies: list[Copy]


def split_of(task: str) -> str:
    """Which half a task belongs to."""
    return "tuning" if int(sha256(task.encode()).hexdigest(), 16) % 2 else "holdout"


def code_lines(text: str) -> set[str]:
    """Lines that say something."""
    return {line for raw in text.splitlines() if len(line := raw.partition("#")[0].partition("//")[0].strip()) >= 8}


def runs(text: str, size: int = 5) -> set[tuple[str, ...]]:
    """Runs of tokens with names as they stand, without docstrings and comments."""
    if _parses(text):
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and node.body:
                first = node.body[0]
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    node.body = node.body[1:] or [ast.Pass()]
        text = ast.unparse(tree)
    words = _TOKEN.findall(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL) if "def " not in text else text)
    return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}


def tasks_of(corpus: Path, split: str, ending: str) -> Iterator[Task]:
    """The tasks of a half that have enough solutions of enough size."""
    for folder in sorted(p for p in corpus.iterdir() if p.is_dir()):
        if split not in {"all", split_of(folder.name)}:
            continue
        given_file = folder / f"_given.{ending}"
        given = given_file.read_text(errors="replace") if given_file.exists() else ""
        texts: list[str] = []
        lines: list[set[str]] = []
        for path in sorted(folder.glob(f"*.{ending}")):
            text = path.read_text(errors="replace")
            own = code_lines(text) - code_lines(given)
            # The same file in two collections is one solution.
            same = any(len(own & other) >= OPEN_COPY * min(len(own), len(other)) for other in lines)
            if path.stem == "_given" or (ending == "py" and not _parses(text)) or len(own) < LEAST_LINES or same:
                continue
            texts.append(text)
            lines.append(own)
        if len(texts) >= LEAST_AUTHORS:
            yield Task(folder.name, given, texts, honest_pairs(texts, given), copies_of(folder.name, texts, ending))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def honest_pairs(texts: list[str], given: str) -> list[tuple[int, int]]:
    """Pairs of authors, without open copies."""
    taken = runs(given) if given and _parses(given) else set()
    own = [runs(text) - taken for text in texts]
    return [
        (i, j)
        for i in range(len(own))
        for j in range(i)
        if len(own[i] & own[j]) < OPEN_COPY * max(1, min(len(own[i]), len(own[j])))
    ]


def copies_of(task: str, texts: list[str], ending: str) -> list[Copy]:
    """Two single and two combined disguises of each solution, and one partial copy into another one."""
    if ending != "py":
        from disguises_trees import disguised

        return [
            Copy(kind, n, disguised(text, ending, f"{task}/{n}", move=move))
            for n, text in enumerate(texts)
            for kind, move in (("renamed", False), ("renamed and moved", True))
        ]
    chance = random.Random(f"copies of {task}")
    made: list[Copy] = []
    for number, text in enumerate(texts):
        kinds = chance.sample(list(disguises.SINGLE), 2) + chance.sample(list(disguises.COMBINED), 2)
        for kind in kinds:
            names = disguises.COMBINED.get(kind) or (kind,)
            copied = disguises.disguised(text, names, f"{task}/{number}/{kind}")
            if copied:
                made.append(Copy(kind, number, copied))
        host = chance.choice([n for n in range(len(texts)) if n != number])
        for kind in PARTS:
            part = disguises.partial_copy(text, texts[host], f"{task}/{number}/{host}", renamed=kind == PARTIAL)
            if part:
                made.append(Copy(kind, number, part))
    return made


class Scores(NamedTuple):
    """What a tool says of honest pairs and of copies by kind."""

    honest: list[float]
    copies: dict[str, list[float]]


def ours(tasks: list[Task], ending: str) -> tuple[Scores, Scores]:
    """The index's measure. A copy joins the submissions of the task before it is judged. The second is the similarity
    that is shown; the first, which has no upper end, tells apart what lies beyond it."""
    exact, shown = Scores([], defaultdict(list)), Scores([], defaultdict(list))
    for task in tasks:
        given = _bag(task.given, None, ending) if task.given else None
        bags = [_bag(text, given, ending) for text in task.texts]
        weighed, usual = _weighed(bags)
        for i, j in task.honest:
            _note(exact.honest, shown.honest, overlap(weighed[i], weighed[j]), usual)
        for copy in task.copies:
            mine = _bag(copy.text, given, ending)
            joined = _weights([*bags, mine])
            shared = overlap(joined.weigh(bags[copy.original]), joined.weigh(mine))
            _note(exact.copies[copy.kind], shown.copies[copy.kind], shared, usual)
    return exact, shown


def _weights(bags: list[Bag]) -> Weights:
    counts = Counts()
    for one in bags:
        counts.add(one)
    return Weights(counts)


def _weighed(bags: list[Bag]) -> tuple[list[Weighed], Normal]:
    """Submissions of one task with their weights, and how much two of them usually share."""
    weights = _weights(bags)
    weighed = [weights.weigh(one) for one in bags]
    return weighed, normal(pairs_of((str(n), one) for n, one in enumerate(weighed)))


def _note(exact: list[float], shown: list[float], shared: object, usual: Normal) -> None:
    like = likeness(shared, usual)  # type: ignore[arg-type]
    shown.append(like.similarity)
    exact.append(like.strength)


def _bag(text: str, given: Bag | None, ending: str) -> Bag:
    return bag(read_files({f"code.{ending}": text.encode("utf-8", "replace")}), given)


COPYDETECT = """
import json, sys, time
from copydetect import CodeFingerprint, compare_files
def print_of(path): return CodeFingerprint(path, 25, 1, language="python")
def alike(a, b):
    try:
        return max(compare_files(a, b)[1])
    except (ValueError, IndexError):
        return 0.0
job = json.load(open(sys.argv[1]))
started = time.process_time()
prints = {path: print_of(path) for path in job["files"]}
if job["pairs"] is None:
    paths = job["files"]
    for i, a in enumerate(paths):
        for b in paths[:i]:
            alike(prints[a], prints[b])
    print(json.dumps(time.process_time() - started))
else:
    print(json.dumps([alike(prints[a], prints[b]) for a, b in job["pairs"]]))
"""


def copydetect_in(folder: Path) -> Path:
    """A Python that has copydetect, for this run only."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "install", "-q", "copydetect"], check=True)
    return python


def _ask(python: Path, folder: Path, files: list[str], pairs: list[tuple[str, str]] | None) -> object:
    job = folder / "job.json"
    job.write_text(json.dumps({"files": files, "pairs": pairs}))
    done = subprocess.run([str(python), "-c", COPYDETECT, str(job)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def theirs(tasks: list[Task], python: Path, folder: Path) -> Scores:
    """What copydetect says of the same pairs."""
    files: list[str] = []

    def put(name: str, text: str) -> str:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, errors="replace")
        files.append(str(path))
        return str(path)

    pairs: list[tuple[str, str]] = []
    kinds: list[str] = []
    for task in tasks:
        own = [put(f"{task.name}/{n}.py", text) for n, text in enumerate(task.texts)]
        for i, j in task.honest:
            pairs.append((own[i], own[j]))
            kinds.append("")
        for n, copy in enumerate(task.copies):
            pairs.append((own[copy.original], put(f"{task.name}/copy{n}.py", copy.text)))
            kinds.append(copy.kind)
    answers = _ask(python, folder, files, pairs)
    scores = Scores([], defaultdict(list))
    for kind, value in zip(kinds, answers, strict=True):  # type: ignore[call-overload]
        (scores.copies[kind] if kind else scores.honest).append(value)
    return scores


def area(honest: list[float], copies: list[float]) -> float:
    """Area under the curve: how often a copy is more alike than an honest pair."""
    order = sorted(honest)
    wins = sum((bisect.bisect_left(order, c) + bisect.bisect_right(order, c)) / 2 for c in copies)
    return wins / len(order) / len(copies)


def found(honest: list[float], copies: list[float], alarms: float) -> float:
    """Share of copies above all but that share of honest pairs."""
    limit = sorted(honest, reverse=True)[int(alarms * len(honest))]
    return sum(c > limit for c in copies) / len(copies)


def show(name: str, scores: Scores, *, kinds: bool = False) -> None:
    """Print a table of one tool."""
    whole = [v for kind, values in scores.copies.items() if kind not in PARTS for v in values]
    rows = [("all disguises of the whole", whole), *((kind, scores.copies[kind]) for kind in PARTS)]
    if kinds:
        rows += [(kind, values) for kind, values in sorted(scores.copies.items()) if kind not in PARTS]
    sys.stdout.write(f"{name}: {len(scores.honest)} honest pairs\n")
    for kind, values in rows:
        if values:
            a, b, c = area(scores.honest, values), *(found(scores.honest, values, x) for x in (0.01, 0.001))
            sys.stdout.write(f"  {kind:30} n={len(values):5}  AUC {a:.4f}  at 1 % {b:.3f}  at 0.1 % {c:.3f}\n")


def thresholds(scores: Scores) -> None:
    """How the threshold of the policy does."""
    alarms = sum(v >= 0.85 for v in scores.honest)
    sys.stdout.write(f"similarity of 0.85 and more: {alarms} of {len(scores.honest)} honest pairs\n")
    for kind, values in (("whole", [v for k, x in scores.copies.items() if k not in PARTS for v in x]),
                         *((kind, scores.copies[kind]) for kind in PARTS)):  # fmt: skip
        if values:
            share = sum(v >= 0.85 for v in values) / len(values)
            sys.stdout.write(f"  {kind}: {share:.3f} of {len(values)} copies\n")


def few(tasks: list[Task], ending: str) -> None:
    """The threshold where an index holds only a few submissions of a task, twelve draws a task."""
    chance = random.Random("few")
    for size in (2, 3, 5, 10):
        alarms = pairs = hits = copies = 0
        for task in tasks:
            given = _bag(task.given, None, ending) if task.given else None
            bags = [_bag(text, given, ending) for text in task.texts]
            for _ in range(12):
                chosen = sorted(chance.sample(range(len(bags)), min(size, len(bags))))
                copy = chance.choice([c for c in task.copies if c.original in chosen and c.kind not in PARTS])
                mine = _bag(copy.text, given, ending)
                judged = _similarities([bags[n] for n in chosen])
                honest = [(chosen.index(i), chosen.index(j)) for i, j in task.honest if i in chosen and j in chosen]
                pairs += len(honest)
                alarms += sum(judged[pair] >= 0.85 for pair in honest)
                with_copy = _similarities([*(bags[n] for n in chosen), mine])
                copies += 1
                hits += with_copy[len(chosen), chosen.index(copy.original)] >= 0.85
        shares = f"{alarms} of {pairs} honest pairs, {hits / copies:.3f} of {copies} copies"
        sys.stdout.write(f"{size} submissions, similarity of 0.85 and more: {shares}\n")


def _similarities(bags: list[Bag]) -> dict[tuple[int, int], float]:
    weighed, usual = _weighed(bags)
    return {
        (i, j): likeness(overlap(weighed[i], weighed[j]), usual).similarity
        for i in range(len(weighed))
        for j in range(i)
    }


def speed(corpus: Path, python: Path | None, folder: Path) -> None:
    """1,000 files as submissions to one task: added, and all pairs compared."""
    paths = sorted(str(p) for p in corpus.glob("*/*.py") if p.name != "_given.py")[:1000]
    (folder / "paths.json").write_text(json.dumps(paths))
    code = (
        "import json, sys, time, resource, pathlib\n"
        "from bouts.adapters.similarity.index import open_index\n"
        "paths = json.load(open(sys.argv[1]))\n"
        "with open_index(pathlib.Path(sys.argv[2]), create=True) as index:\n"
        "    for p in paths:\n"
        "        index.add('t', {'code.py': open(p, 'rb').read()}, agent=p, label=p)\n"
        "    index.pairs('t', at_least=0.85)\n"
        "use = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(use.ru_utime + use.ru_stime, use.ru_maxrss / 1024)\n"
    )
    call = [sys.executable, "-c", code, str(folder / "paths.json"), str(folder / "index")]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    seconds, memory = (float(x) for x in done.stdout.split())
    sys.stdout.write(f"{len(paths)} files, all pairs: {seconds:.1f} CPU-s, {memory:.0f} MB, start-up included\n")
    if python:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        other = _ask(python, folder, paths, None)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        sys.stdout.write(f"copydetect: {whole:.1f} CPU-s ({other:.1f} without start-up), {whole / seconds:.1f} times\n")


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--split", choices=("holdout", "tuning", "all"), default="holdout")
    parser.add_argument("--language", choices=("py", "js", "ts", "go", "rs"), default="py")
    parser.add_argument("--copydetect", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--few", action="store_true")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = copydetect_in(folder) if chosen.copydetect else None
        started = time.process_time()
        tasks = list(tasks_of(chosen.corpus, chosen.split, chosen.language))
        files, copies = sum(len(t.texts) for t in tasks), sum(len(t.copies) for t in tasks)
        sys.stdout.write(f"{chosen.split}: {len(tasks)} tasks, {files} solutions, {copies} copies\n")
        exact, shown = ours(tasks, chosen.language)
        show("index", exact, kinds=True)
        thresholds(shown)
        sys.stdout.write(f"({time.process_time() - started:.0f} CPU-s for making and judging)\n")
        if python:
            show("copydetect", theirs(tasks, python, folder / "files"))
        if chosen.few:
            few(tasks, chosen.language)
        if chosen.speed:
            speed(chosen.corpus, python, folder)


if __name__ == "__main__":
    main()
