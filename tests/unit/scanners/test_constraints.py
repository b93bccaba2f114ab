"""Declared constraints: broken in whatever spelling, kept by honest code, silent about what was there or not done."""

from __future__ import annotations

import pytest

from bouts.adapters.scanners.integrity.constraints import broken
from bouts.adapters.scanners.sources import source
from bouts.model.challenge import Challenge
from bouts.model.scanning import ScanJob

SAYS = "the briefing says so"


@pytest.fixture
def check(tmp_path):
    def run(rule, staged, given="", path="app/core.py", **more):
        """Lines and details of what breaks one rule in one changed file."""
        files = {name: tmp_path / name for name in ("given", "staged")}
        for name, text in (("given", given), ("staged", staged)):
            file = files[name] / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        job = ScanJob.model_validate(
            {
                "given": str(files["given"]),
                "staged": str(files["staged"]),
                "changed": (path,),
                "constraints": [{"says": SAYS, **rule}],
                **more,
            }
        )
        was = {path: source(path, given.encode())} if given else {}
        return [(one.line, one.detail) for one in broken(job, was, {path: source(path, staged.encode())})]

    return run


NO_SYSTEM = {"kind": "may_not_call", "names": ["os.system", "eval"]}
EVASIONS = [
    "import os\nos.system('x')\n",
    "import os as o\no.system('x')\n",
    "from os import system\nsystem('x')\n",
    "from os import system as s\ns('x')\n",
    "from os import *\nsystem('x')\n",
    "__import__('os').system('x')\n",
    "import importlib\nimportlib.import_module('os').system('x')\n",
    "from importlib import import_module as load\nload('o' + 's').system('x')\n",
    "import os\ngetattr(os, 'system')('x')\n",
    "import os\ngetattr(os, 'sys' + 'tem')('x')\n",
    "import os\nvars(os)['system']('x')\n",
    "import os\nos.__dict__['system']('x')\n",
    "import sys, os\nsys.modules['os'].system('x')\n",
    "import os\nrun = os.system\nrun('x')\n",
    "import os\na = os\nb = a.system\nb('x')\n",
    "import os\na, b = os, 1\na.system('x')\n",
    "import os\n(f := os.system)('x')\n",
    "import posix\nposix.system('x')\n",
    "def f():\n    import os\n    return os.system('x')\n",
    "import os\nlist(map(os.system, ['x']))\n",
    "eval('1')\n",
    "e = eval\ne('1')\n",
    "import builtins\nbuiltins.eval('1')\n",
    "__builtins__.eval('1')\n",
    "__builtins__['eval']('1')\n",
    "getattr(__builtins__, ''.join(['ev', 'al']))('1')\n",
    "from builtins import eval as e\ne('1')\n",
]


@pytest.mark.parametrize("staged", EVASIONS)
def test_a_forbidden_call_is_seen_through_every_detour(check, staged):
    assert check(NO_SYSTEM, staged) != []


@pytest.mark.parametrize(
    "staged",
    [
        "import os\nos.path.join('a', 'b')\n",
        "def system(x):\n    return x\n\nsystem('x')\n",
        "class Box:\n    def eval(self):\n        return 1\n\nBox().eval()\n",
        "def eval(x):\n    return x\n\neval(1)\n",
        "def run(eval):\n    return eval(1)\n",
        "model = object()\nmodel.eval()\n",
        "text = 'os.system(1)'  # eval(1)\n",
        "from mymodule import system\nsystem('x')\n",
        "from .os import system\nsystem('x')\n",
        "import ast\nast.literal_eval('1')\n",
    ],
)
def test_what_only_looks_alike_is_not(check, staged):
    assert check(NO_SYSTEM, staged) == []


def test_what_stood_there_is_nobodys_doing(check):
    given = "import os\nos.system('x')\n"
    assert check(NO_SYSTEM, given + "y = 1\n", given) == []
    assert check(NO_SYSTEM, given + "os.system('y')\n", given) != []


NO_RE = {"kind": "may_not_import", "modules": ["re", "urllib.request"]}


@pytest.mark.parametrize(
    "staged",
    [
        "import re\n",
        "import re as regex\n",
        "from re import sub\n",
        "import os, re\n",
        "__import__('re')\n",
        "import importlib as i\ni.import_module('re').sub\n",
        "import importlib\nimportlib.__import__('re')\n",
        "import urllib.request\n",
        "from urllib import request\n",
        "from urllib import request as r\n",
        "import urllib\nurllib.request.urlopen('x')\n",
        "import sys\nsys.modules['re'].sub\n",
        "try:\n    import re\nexcept ImportError:\n    re = None\n",
    ],
)
def test_a_forbidden_import_is_seen(check, staged):
    assert check(NO_RE, staged) != []


@pytest.mark.parametrize(
    "staged", ["import resource\n", "from . import re\n", "import urllib.parse\n", "re = 1\nre + 1\n"]
)
def test_other_imports_are_not(check, staged):
    assert check(NO_RE, staged) == []


RECURSIVE = {"kind": "must_use_recursion", "function": "app/core.py::fact"}


@pytest.mark.parametrize(
    ("staged", "kept"),
    [
        ("def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\n", True),
        (
            "def fact(n):\n    return even(n)\ndef even(n):\n    return odd(n - 1)\ndef odd(n):\n    return even(n)\n",
            True,
        ),
        (
            "def fact(n):\n    def go(k, a):\n        return a if k < 2 else go(k - 1, a * k)\n    return go(n, 1)\n",
            True,
        ),
        (
            "class T:\n    def go(self, n):\n        return n and self.go(n - 1)\ndef fact(n):\n    return T().go(n)\n",
            True,
        ),
        ("def fact(n):\n    out = 1\n    for k in range(n):\n        out *= k + 1\n    return out\n", False),
        ("from math import prod\ndef fact(n):\n    return prod(range(1, n + 1))\n", False),
        ("def fact(n):\n    raise NotImplementedError\n", True),
        ("def other(n):\n    return n\n", True),
    ],
)
def test_recursion(check, staged, kept):
    found = check(RECURSIVE, staged, "def fact(n):\n    raise NotImplementedError('do it')\n")
    assert (found == []) is kept


KEEP = {"kind": "must_keep_signature", "function": "app/core.py::Box.put"}
BOX = "class Box:\n    def put(self, item, *, at=0):\n        return item\n"


@pytest.mark.parametrize(
    ("staged", "kept"),
    [
        (BOX.replace("return item", "return [item]"), True),
        (BOX.replace("item, *", "item: str, *").replace("at=0", "at: int = 0"), True),
        (BOX.replace("at=0", "at=1"), False),
        (BOX.replace("at=0", "at=0, force=False"), False),
        (BOX.replace("item, *", "thing, *"), False),
        (BOX.replace("*, at", "at"), False),
        (BOX.replace("def put", "async def put"), False),
        (BOX.replace("put", "store"), False),
        ("from app.box import Box\nput = Box.put\n", True),
    ],
)
def test_signatures(check, staged, kept):
    assert (check(KEEP, staged, BOX) == []) is kept


def test_a_signature_shows_both_forms(check, tmp_path):
    path = "app/core.py"
    job = ScanJob.model_validate(
        {"given": ".", "staged": ".", "changed": (path,), "constraints": [{"says": SAYS, **KEEP}]}
    )
    staged = BOX.replace("item, *", "thing, *")
    (one,) = broken(job, {path: source(path, BOX.encode())}, {path: source(path, staged.encode())})
    assert one.excerpt.startswith("    def put(self, thing")
    assert (one.given_line, one.given_excerpt.partition(")")[0]) == (2, "    def put(self, item, *, at=0")


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["Box"], True),
        (["Box.put", "LIMIT", "helper", "os"], True),
        (["Chest"], False),
        (["Box.take"], False),
        (["Sub.x"], True),
    ],
)
def test_definitions(check, names, kept):
    text = BOX + "LIMIT = 3\nimport os\nif LIMIT:\n    def helper():\n        pass\nclass Sub(Box):\n    pass\n"
    assert (check({"kind": "must_define", "path": "app/core.py", "names": names}, text) == []) is kept


def test_lines_and_files(check):
    lines = {"kind": "max_lines", "files": ["app/*.py"], "lines": 3}
    assert check(lines, "# one\n\na = 1\nb = 2\nc = 3\n") == []
    assert check(lines, "a = 1\nb = 2\nc = 3\nd = 4\n")[0][1] == "app/core.py has 4 lines of code; 3 are allowed"
    assert check({"kind": "only_files", "files": ["app/**"]}, "a = 1\n") == []
    assert check({"kind": "only_files", "files": ["lib/**"]}, "a = 1\n") != []


NEW = {"kind": "no_new_dependency"}


@pytest.mark.parametrize(
    ("staged", "kept"),
    [
        ("import json\nfrom . import other\nimport app.core\n", True),
        ("import requests\n", False),
        ("import importlib\nimportlib.import_module('requests')\n", False),
        ("try:\n    import requests\nexcept ImportError:\n    requests = None\n", True),
        ("import attrs\nimport yaml\n", True),
    ],
)
def test_dependencies(check, staged, kept):
    assert (check(NEW, staged, "import yaml\n", allowed_packages=("attrs",)) == []) is kept


def test_a_package_that_the_manifest_adds_is_named(check):
    assert check(NEW, "a = 1\n", added_dependencies=("requests",)) == [(None, "the manifest now asks for requests")]


def test_every_kind_of_rule_is_known_to_the_format():
    kinds = {"may_not_call", "may_not_import", "must_use_recursion", "must_keep_signature", "must_define", "max_lines"}
    text = str(Challenge.model_json_schema())
    assert all(kind in text for kind in kinds | {"only_files", "no_new_dependency", "script"})
