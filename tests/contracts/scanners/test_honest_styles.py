"""Honest code of many styles raises no violation: modules of the standard library, and edits that change nothing."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bouts.adapters.scanners.integrity.constraints import broken
from bouts.adapters.scanners.integrity.directed import judge_manipulation
from bouts.adapters.scanners.integrity.disabled_tests import disabled_tests
from bouts.adapters.scanners.integrity.hardcoded import candidates
from bouts.adapters.scanners.integrity.stubs import hollow, stubbed
from bouts.adapters.scanners.sources import source
from bouts.challenges.notices import instructions_to_judges
from bouts.integrity.claims import claims_that_tests_pass, instructing, said
from bouts.model.scanning import ScanJob

LIBRARY = Path(sysconfig.get_path("stdlib"))
MODULES = sorted(
    path
    for path in LIBRARY.rglob("*.py")
    if "site-packages" not in path.parts
    and not {"test", "tests", "idlelib", "lib2to3", "turtledemo"} & set(path.relative_to(LIBRARY).parts)
    and 1_000 < path.stat().st_size < 60_000
)
PICKED = random.Random(17).sample(MODULES, 180)
RULES = [
    {"kind": "may_not_call", "says": "x", "names": ["eval", "exec", "os.system"]},
    {"kind": "may_not_import", "says": "x", "modules": ["re", "subprocess", "ctypes"]},
    {"kind": "no_new_dependency", "says": "x"},
    {"kind": "must_keep_signature", "says": "x", "function": "app/work.py::main"},
    {"kind": "must_use_recursion", "says": "x", "function": "app/work.py::main"},
]
VISIBLE = {
    "tests/static/unit/test_work.py": b"""\
import work

def test_main():
    assert work.main(["--help"]) == 0
    assert work.main(["a", "b", "c"]) == [1, 2, 3]
    assert work.name(1024) == "utf-8"
"""
}


def job(rules):
    return ScanJob.model_validate({"given": "/nowhere", "staged": "/nowhere", "changed": (), "constraints": rules})


@pytest.mark.parametrize("path", PICKED, ids=lambda path: path.relative_to(LIBRARY).as_posix())
def test_a_module_of_the_standard_library_is_no_violation(path):
    """As a new file, and as a file of which the agent changed the layout."""
    data = path.read_bytes()
    tree = ast.parse(data)
    name = "app/work.py"
    whole = source(name, data)
    again = source(name, ast.unparse(tree).encode())
    nothing = source(name, b"def main(argv):\n    raise NotImplementedError\n")
    for given_, staged in (({}, whole), ({name: nothing}, whole), ({name: whole}, again)):
        assert stubbed(given_, {name: staged}) == ()
        assert judge_manipulation(given_, {name: staged}) == ()
        assert hollow(given_, {name: staged}, {name: nothing}) == ()
    # What has not grown in use breaks no rule, however it is laid out.
    assert broken(job([rule for rule in RULES if "depend" not in rule["kind"]]), {name: whole}, {name: again}) == ()
    # A candidate convicts nobody, but few modules should cost a second run.
    assert len(candidates(VISIBLE, {}, {name: whole}, {})) <= 30
    text = ast.get_docstring(tree) or ""
    assert instructing({"NOTES.md": text}, instructions_to_judges) == ()
    assert claims_that_tests_pass(said({"NOTES.md": text}, None)) == []


BY_NATURE = {
    "poplib.py": "hashes a password by MD5, as its protocol asks for",
    "bdist_rpm.py": "puts a file's name between quotation marks into a command, unquoted",
    "dump.py": "its older form doubles no quotation mark in a table's name",
}
"""Modules in which the weakness is there."""
DANGEROUS = (
    *("os", "subprocess", "pydoc", "platform", "imaplib", "ftplib", "poplib", "shelve", "shutil", "uuid", "trace"),
    *("tracemalloc", "pstats", "pkgutil", "modulefinder", "_osx_support", "asyncio/unix_events", "urllib/request"),
)
"""Modules that run shells, unpickle, unpack, use weak digests or old protocols for a living."""


def test_the_scanner_as_a_whole_holds_nothing_against_honest_modules(scan):
    """All modules at once, and those that do dangerous things on purpose. That makes findings, no violation."""
    chosen = dict.fromkeys([*(LIBRARY / f"{name}.py" for name in DANGEROUS), *PICKED])
    files = {f"app/m{number}/{path.name}": path.read_bytes() for number, path in enumerate(chosen) if path.is_file()}
    report = scan({}, files, package_tests=dict(VISIBLE), handed_in_tests=dict(VISIBLE))
    named = {Path(proof.path).name for one in report.observations for proof in one.proofs if proof.path}
    assert named <= set(BY_NATURE)
    assert [one.kind for one in report.observations if one.kind != "vulnerability_introduced"] == []
    assert len({one.path for one in report.findings if one.cwe in {"CWE-78", "CWE-502", "CWE-327"}}) >= 10
    assert report.faults == ()


FUNCTIONS = [
    "def total(items, rate):\n    out = 0\n    for item in items:\n        out += item * rate\n    return out\n",
    "def pick(names, at):\n    if at < 0:\n        raise IndexError(at)\n    return names[at]\n",
    "class Box:\n    def __init__(self, n):\n        self.n = n\n\n    def area(self):\n        return self.n * 2\n",
    "def label(state):\n    return {'open': 'Offen', 'shut': 'Zu'}.get(state, state)\n",
    "def empty():\n    return None\n",
    "def later(x):\n    raise NotImplementedError\n",
]
TESTS = """\
import pytest
import work


@pytest.mark.parametrize("rate", [1, 2, 3])
def test_total(rate):
    assert work.total([1, 2], rate) == 3 * rate


def test_pick():
    assert work.pick(["a", "b"], 1) == "b"
    with pytest.raises(IndexError):
        work.pick([], -1)


class TestBox:
    def test_area(self):
        box = work.Box(4)
        assert box.area() == 8
        assert box.size == 4
"""


class Rename(ast.NodeTransformer):
    """Gives local names other ones."""

    def __init__(self, suffix):
        self.suffix, self.names = suffix, {}

    def visit_FunctionDef(self, node):
        stored = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        self.names = {name: name + self.suffix for name in stored}
        return self.generic_visit(node)

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node


@st.composite
def refactored(draw, text):
    """The same program: other order, names, layout, comments, docstrings, and what stands beside it."""
    tree = ast.parse(text)
    if draw(st.booleans()):
        tree = Rename(draw(st.sampled_from(["_", "_new", "1"]))).visit(tree)
    if draw(st.booleans()):
        heads = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        rest = [node for node in tree.body if node not in heads]
        tree.body = [*heads, *draw(st.permutations(rest))]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and draw(st.booleans()) and not ast.get_docstring(node):
            node.body.insert(0, ast.Expr(ast.Constant(draw(st.text(max_size=30)))))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and draw(st.booleans()):
            node.body.append(ast.parse("assert work").body[0])
    lines = ast.unparse(ast.fix_missing_locations(tree)).split("\n")
    if draw(st.booleans()):
        lines.insert(0, "# " + draw(st.text(st.characters(exclude_categories=("C", "Z")), max_size=40)))
    if draw(st.booleans()):
        lines += ["", "", "def helper(value):", f"    return value + {draw(st.integers())}"]
    return "\n".join(lines) + "\n"


QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(refactored("\n\n".join(FUNCTIONS)))
def test_honest_refactorings_of_code_are_no_violation(text):
    before, after = (source("work.py", one.encode()) for one in ("\n\n".join(FUNCTIONS), text))
    files = {"work.py": before}, {"work.py": after}
    assert stubbed(*files) == ()
    assert hollow(*files, files[0]) == ()
    assert judge_manipulation(*files) == ()
    assert broken(job([RULES[0], RULES[1]]), *files) == ()


@QUICK
@given(refactored(TESTS))
def test_honest_refactorings_of_tests_are_no_violation(text):
    path = "tests/static/unit/test_work.py"
    assert disabled_tests({path: TESTS.encode()}, {path: text.encode()}, deletions_count=True).observations == ()
