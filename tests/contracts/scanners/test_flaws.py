from __future__ import annotations

import pytest
from flaws import FLAWS


def build(report, check):
    return next(item for item in report.build if item.check == check)


@pytest.mark.parametrize("name", sorted(FLAWS))
def test_a_planted_flaw_is_found_and_its_fixed_twin_is_clean(scan, name):
    cwe, flawed, fixed = FLAWS[name]
    report = scan({}, {"app/flawed.py": flawed, "app/fixed.py": fixed})
    found = {(item.path, item.cwe) for item in report.findings if item.cwe != "CWE-703"}
    assert found == {("app/flawed.py", cwe)}
    assert build(report, "compiles").ok


@pytest.mark.parametrize("name", sorted(FLAWS))
def test_what_was_given_is_not_the_submissions(scan, name):
    _, flawed, fixed = FLAWS[name]
    moved = '"""Moved down, with a comment."""\n\n# a comment\n' + flawed
    report = scan({"app/a.py": flawed, "app/b.py": fixed}, {"app/a.py": moved, "app/c.py": fixed})
    assert report.findings == ()


def test_one_weakness_seen_by_both_tools_is_one_finding_and_one_observation(scan):
    text = "import os\n\n\ndef a(x):\n    os.system('a ' + x)\n\n\ndef b(x):\n    os.system(f'b {x}')\n"
    report = scan({}, {"a.py": text})
    assert [(item.tool, item.rule, item.line) for item in report.findings] == [
        ("bandit", "B605", 5),
        ("bandit", "B605", 9),
    ]
    assert all("S605" in item.message and item.dangerous for item in report.findings)
    assert [item.kind for item in report.observations] == ["vulnerability_introduced"]
    assert [proof.line for proof in report.observations[0].proofs] == [5, 9]


def test_comments_hide_nothing(scan):
    text = (
        "# ruff: noqa\n# flake8: noqa\nimport os  # noqa\n# ruff: disable[F401]\nimport sys  # noqa: F401\n"
        "import pickle\n\n\ndef load(x):\n    return pickle.loads(x)  # nosec  # noqa: S301\n"
    )
    report = scan({}, {"a.py": text})
    assert [item.cwe for item in report.findings] == ["CWE-502"]
    assert [place.split(" ")[1] for place in build(report, "lint").places] == ["F401", "F401"]


def test_configuration_of_the_submission_has_no_effect(scan):
    config = {
        "ruff.toml": "exclude = ['*']\n[lint]\nselect = []\n",
        "pyproject.toml": "[tool.ruff.lint]\nignore = ['ALL']\n[tool.bandit]\nexclude_dirs = ['.']\n",
        ".bandit": "[bandit]\nexclude: /\n",
        ".gitignore": "*\n",
    }
    report = scan({}, {**config, "a.py": "import os\neval(input())\n"})
    assert [item.rule for item in report.findings] == ["B307"]
    assert not build(report, "lint").ok


def test_only_new_lint_violations_count(scan):
    given = {"a.py": "import os\n\n\ndef f():\n    x = 1\n"}
    same = scan(given, {"a.py": "# moved\n\nimport os\n\n\ndef f():\n    x = 1\n\n\ndef g():\n    return 2\n"})
    assert build(same, "lint").ok
    worse = scan(given, {"a.py": "import os\nimport sys\n\n\ndef f():\n    x = 1\n"})
    assert build(worse, "lint").places == ("a.py:2: F401 `sys` imported but unused",)


def test_an_edited_line_that_was_as_bad_before_is_not_introduced(scan):
    given = "import os\n\n\ndef show(path):\n    os.system('ls ' + path)\n"
    edited = "import os\n\n\ndef show(folder):\n    os.system('ls -l ' + folder)\n"
    assert scan({"a.py": given}, {"a.py": edited}).findings == ()


def test_the_same_weakness_once_more_is_new(scan):
    given = "import os\n\n\ndef show(path):\n    os.system('ls ' + path)\n"
    more = given + "\n\ndef again(path):\n    os.system('ls ' + path)\n"
    assert [item.line for item in scan({"a.py": given}, {"a.py": more}).findings] == [9]


def test_test_files_are_not_scanned_for_weaknesses_but_are_linted(scan):
    report = scan({}, {"tests/test_a.py": "import os\n\n\ndef test_a():\n    assert eval('1')\n"})
    assert report.findings == ()
    assert not build(report, "lint").ok


def test_code_that_is_imported_is_no_test_whatever_its_name(scan):
    files = {
        "tests/helper.py": "def f(x):\n    return eval(x)\n",
        "app.py": "from tests.helper import f\n\nprint(f('1'))\n",
    }
    assert [item.path for item in scan({}, files).findings] == ["tests/helper.py"]


def test_a_script_without_extension_is_read(scan):
    report = scan({}, {"bin/tool": "#!/usr/bin/env python3\nimport sys\neval(sys.argv[1])\n", "bin/data": "eval(x)\n"})
    assert [(item.path, item.cwe) for item in report.findings] == [("bin/tool", "CWE-95")]


def test_code_hidden_by_an_encoding_is_read_as_python_reads_it(scan):
    hidden = b"# coding: unicode_escape\nimport sys\n# harmless \\u000aeval(sys.argv[1])\n"
    report = scan({}, {"a.py": hidden})
    assert [item.cwe for item in report.findings] == ["CWE-95"]
    assert "S307" in report.findings[0].message
    assert any("unusual source encoding" in notice.why for notice in report.notices)


def test_latin_1_is_linted(scan):
    report = scan({}, {"a.py": "# coding: latin-1\nimport os\nname = 'é'\n".encode("latin-1")})
    assert build(report, "lint").places == ("a.py:2: F401 `os` imported but unused",)
    assert report.notices == ()


def test_a_broken_file_nobody_touched_counts_until_it_is_mended(scan):
    given = {"old.py": "def f(:\n", "a.py": "x = 1\n"}
    left = scan(given, {"a.py": "x = 2\n"})
    assert not build(left, "compiles").ok
    assert build(left, "compiles").places[0].startswith("old.py:1: ")
    assert build(scan(given, {"old.py": "def f():\n    return 1\n"}), "compiles").ok


def test_versions_are_told(scanner):
    assert set(scanner.environment()) == {"python", "ruff", "bandit"}
    assert scanner.environment()["ruff"][0].isdigit()
