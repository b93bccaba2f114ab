from __future__ import annotations

from hypothesis import given as over
from hypothesis import strategies as st

from bouts.adapters.scanners.rows import Row, new_rows
from bouts.adapters.scanners.sources import source


def row(path, line, rule="B1"):
    return Row("bandit", rule, path, line, line, line, "message")


def files(**texts):
    return {f"{name}.py": source(f"{name}.py", text.encode()) for name, text in texts.items()}


def test_the_same_line_elsewhere_in_the_file_is_not_new():
    before, after = files(a="bad(x)\n"), files(a="# more\n\n   bad(x)  \n")
    assert new_rows([row("a.py", 1)], [row("a.py", 3)], before, after) == []


def test_code_moved_to_another_file_is_not_new():
    before, after = files(a="bad(x)\n"), files(a="pass\n", b="bad(x)\n")
    assert new_rows([row("a.py", 1)], [row("b.py", 1)], before, after) == []


def test_a_copy_is_new_and_it_is_the_copy_that_is_named():
    before, after = files(a="bad(x)\n"), files(a="bad(x)\n", b="bad(x)\n")
    assert new_rows([row("a.py", 1)], [row("a.py", 1), row("b.py", 1)], before, after) == [row("b.py", 1)]


def test_another_rule_on_the_same_line_is_new():
    sources = files(a="bad(x)\n")
    assert new_rows([row("a.py", 1)], [row("a.py", 1), row("a.py", 1, "B2")], sources, sources) == [
        row("a.py", 1, "B2")
    ]


def test_an_edited_line_of_the_same_function_is_not_new_and_counts_once():
    before = files(a="def f(x):\n    bad('SELECT a', x)\n")
    after = files(a="def f(y):\n    bad('SELECT a', y)\n    bad('SELECT b', y)\n")
    fresh = new_rows([row("a.py", 2)], [row("a.py", 2), row("a.py", 3)], before, after)
    assert len(fresh) == 1


def test_a_similar_line_of_another_function_is_new():
    before = files(a="def f(x):\n    bad('SELECT a', x)\n")
    after = files(a="def f(x):\n    pass\n\n\ndef g(x):\n    bad('SELECT b', x)\n")
    assert new_rows([row("a.py", 2)], [row("a.py", 6)], before, after) == [row("a.py", 6)]


def test_unparsable_files_are_compared_by_their_lines():
    before, after = files(a="def (\nbad(x)\n"), files(a="def (\n\nbad(x)\nbad(y)\n")
    assert new_rows([row("a.py", 2)], [row("a.py", 3), row("a.py", 4)], before, after) == [row("a.py", 4)]


@over(st.lists(st.sampled_from(["bad(1)", "bad(2)", "good()"]), max_size=8), st.lists(st.integers(0, 8), max_size=4))
def test_inserting_harmless_lines_makes_nothing_new(lines, places):
    shifted = list(lines)
    for place in places:
        shifted.insert(place, "good()")
    before, after = files(a="\n".join(lines)), files(a="\n".join(shifted))

    def rows(text):
        return [row("a.py", number) for number, line in enumerate(text, 1) if line.startswith("bad")]

    assert new_rows(rows(lines), rows(shifted), before, after) == []
