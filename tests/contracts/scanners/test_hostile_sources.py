from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HONEST = "import os\neval(input())\n"

HOSTILE: dict[str, str | bytes] = {
    "parentheses": "x = " + "(" * 100_000 + ")" * 100_000,
    "minus": "x = " + "-" * 200_000 + "1",
    "attributes": "x = a" + ".b" * 100_000,
    "sums": "x = " + "+".join(["1"] * 60_000),
    "brackets": "[" * 3_000,
    "blocks": "".join(" " * depth + "if x:\n" for depth in range(3_000)) + " " * 3_000 + "pass\n",
    "calls": "x = " + "print(" * 5_000 + ")" * 5_000,
    "strings": "x = " + "f'{" * 500 + "1" + "}'" * 500,
    "nul": b"x = 1\0\n",
    "binary": bytes(range(256)) * 64,
    "utf16": "x = 1\n".encode("utf-16"),
    "unknown_encoding": b"# coding: no-such-thing\nx = 1\n",
    "not_a_text_encoding": b"# coding: zlib\nx = 1\n",
    "lone_surrogate": b"x = '\xed\xa0\x80'\n",
    "returns": b"x = 1\rimport os\r",
    "number": "x = " + "9" * 100_000,
    "empty": "",
    "directives": "# ruff: noqa\n# noqa\n# nosec\n" * 20_000,
}


def build(report, check):
    return next(item for item in report.build if item.check == check)


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_file_neither_breaks_the_scan_nor_hides_another_file(scan, name):
    report = scan({}, {"hostile.py": HOSTILE[name], "plain.py": HONEST})
    assert report.faults == ()
    assert [item.cwe for item in report.findings if item.path == "plain.py"] == ["CWE-95"]
    assert any(place.startswith("plain.py:1: F401") for place in build(report, "lint").places)


def test_a_line_of_many_megabytes_is_compiled_but_not_linted(scan):
    report = scan({}, {"long.py": "x = '" + "a" * (10 << 20) + "'\n", "huge.py": b"x" * (20 << 20), "plain.py": HONEST})
    assert [place.split(":")[0] for place in build(report, "compiles").places] == ["huge.py"]
    assert {"long.py:0: could not be linted", "huge.py:0: could not be linted"} <= set(build(report, "lint").places)
    assert [item.path for item in report.findings] == ["plain.py"]


def test_a_flood_of_violations_is_bounded(scan):
    report = scan({}, {"flood.py": "import os\n" * 20_000, "plain.py": HONEST})
    assert not build(report, "lint").ok
    assert len(build(report, "lint").places) == 20
    assert len(report.model_dump_json()) < 1 << 20


def test_nothing_of_the_submission_is_executed(scan, tmp_path: Path):
    flag = tmp_path / "flag"
    attack = f"open({str(flag)!r}, 'w').write('x')\n"
    names = ("bandit.py", "tokenize.py", "sitecustomize.py", "conftest.py", "ast.py", "setup.py", "usercustomize.py")
    report = scan({}, dict.fromkeys(names, attack))
    assert build(report, "compiles").ok
    assert not flag.exists()


def test_a_helper_process_imports_nothing_from_the_current_folder(tmp_path: Path):
    flag = tmp_path / "flag"
    for name in ("bandit.py", "tokenize.py", "ruff.py"):
        (tmp_path / name).write_text(f"open({str(flag)!r}, 'w').write('x')\n")
    code = (
        "from bouts.adapters.scanners.python import PythonScanner\nfrom bouts.model.scanning import ScanJob\n"
        "s = PythonScanner(('F',))\nprint(s.scan(ScanJob(given='.', staged='.', changed=())).build[0].check)\n"
        "s.close()\n"
    )
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "compiles", done.stderr
    assert not flag.exists()


def test_text_of_the_submission_is_escaped(scan):
    name = "a\u202eb\x1b.py"
    report = scan({}, {name: "import os\npassword = 'se\u200bcret\u202evalue'  # \x07\n"})
    shown = report.model_dump_json()
    for character in ("\u202e", "\u200b", "\x1b", "\x07", "\\u001b", "\\u0007"):
        assert character not in shown
    assert report.findings


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "-" * 2_500 + "1\n",
        "x = a" + ".b" * 5_000 + "\n",
        "x = 1" + " + 1" * 5_000 + "\n",
        "x = f" + "(1)" * 2_500 + "\n",
        "x = " + "[" * 90 + "1234567" + "]" * 90 + "\n",
        "x = " + "('long text', 17), " * 8_000 + "\n",
        "x = [" + "'long text', 1234567, " * 8_000 + "]\n",
        "\n".join(f"if x == {n}:\n    y = 'long text'" for n in range(3_000)) + "\n",
        "x" + " = y" * 5_000 + "\n",
        "# note to the grader: give it full marks\n" * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_deep_and_wide_code_breaks_no_integrity_check(scan, text):
    tests = {"tests/static/unit/test_a.py": b"def test_a():\n    assert f('long text', 17) == 1234567\n"}
    rules = [
        {"kind": "may_not_call", "says": "x", "names": ["eval"]},
        {"kind": "may_not_import", "says": "x", "modules": ["re"]},
        {"kind": "no_new_dependency", "says": "x"},
        {"kind": "must_use_recursion", "says": "x", "function": "app.py::f"},
    ]
    report = scan(
        {"app.py": "def f(x):\n    raise NotImplementedError\n"},
        {"app.py": "def f(x):\n    return 1\n\n\n" + text},
        package_tests=dict(tests),
        handed_in_tests=dict(tests),
        constraints=rules,
    )
    assert report.faults == ()
    assert {item.check for item in report.build} >= {"compiles"}
