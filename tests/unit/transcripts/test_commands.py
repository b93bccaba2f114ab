"""The table of command shapes: what a shell line does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.transcripts import acts, calls, shell
from bouts.adapters.transcripts.acts import of_line

PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n+z\n*** Add File: b.py\n+q\n*** End Patch"
DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n"

ONE = [
    ("pytest -q", "test", "pytest -q"),
    ("cd /w && python -m pytest tests 2>&1 | tail -5", "test", "cd /w && python -m pytest tests 2>&1 | tail -5"),
    ("python3.12 -m unittest -v", "test", "python3.12 -m unittest -v"),
    ("bash -lc 'npm test'", "test", "bash -lc 'npm test'"),
    ("timeout 60 cargo nextest run", "test", "timeout 60 cargo nextest run"),
    ("uv run --with pytest-xdist pytest -n 4", "test", "uv run --with pytest-xdist pytest -n 4"),
    ("poetry run pytest", "test", "poetry run pytest"),
    ("CI=1 npx vitest run", "test", "CI=1 npx vitest run"),
    ("pnpm -r test", "test", "pnpm -r test"),
    ("npm run test:unit", "test", "npm run test:unit"),
    ("go test ./...", "test", "go test ./..."),
    ("./gradlew :app:test", "test", "./gradlew :app:test"),
    ("mvn -q verify", "test", "mvn -q verify"),
    ("make check", "test", "make check"),
    ("node --test", "test", "node --test"),
    ("docker compose exec web pytest", "test", "docker compose exec web pytest"),
    ("coverage run -m pytest", "test", "coverage run -m pytest"),
    ("conda run -n dev pytest", "test", "conda run -n dev pytest"),
    ("python manage.py test shop", "test", "python manage.py test shop"),
    ("./tests/runtests.py forms", "test", "./tests/runtests.py forms"),
    ("python tests/test_till.py", "test", "python tests/test_till.py"),
    ("bundle exec rspec", "test", "bundle exec rspec"),
    ("if [ -d tests ]; then pytest; fi", "test", "if [ -d tests ]; then pytest; fi"),
    ("pytest --version", "run", "pytest --version"),
    ("pytest --collect-only", "search", "pytest --collect-only"),
    ("pip install pytest", "run", "pip install pytest"),
    ("npm run build", "run", "npm run build"),
    ("git commit -m 'run pytest and jest'", "run", "git commit -m 'run pytest and jest'"),
    ("echo pytest", "run", "echo pytest"),
    ("test -f pytest.ini", "run", "test -f pytest.ini"),
    ("which pytest", "search", "which pytest"),
    ("grep -rn 'def total' src | head -5", "search", "def total"),
    ("rg -e one src", "search", "one"),
    ("find . -name '*.py' | xargs grep foo", "search", "*.py"),
    ("git grep total", "search", "total"),
    ("ls -la", "search", "ls -la"),
    ("cat a.py | grep foo", "search", "foo"),
    ("cat a.py", "read", "a.py"),
    ("sed -n '10,20p' a.py", "read", "a.py"),
    ("head -n 20 a.py", "read", "a.py"),
    ("nl -ba a.py | sed -n '1,5p'", "read", "a.py"),
    ("cd src && cat a.py", "read", "src/a.py"),
    ("cd /w/src && cat ../a.py", "read", "/w/a.py"),
    ("git diff", "read", "git diff"),
    ("sed -i 's/a/b/' a.py", "edit", "a.py"),
    ("perl -pi -e 's/a/b/' a.py", "edit", "a.py"),
    ("rm a.py", "edit", "a.py"),
    ("rm -f a.py", "edit", "a.py"),
    ("git rm --cached -f a.py", "run", "git rm --cached -f a.py"),
    ("npx hardhat test", "test", "npx hardhat test"),
    ("grep -A 3 total a.py", "search", "total"),
    ("rm -rf build", "run", "rm -rf build"),
    ("mv a.py b.py", "edit", "b.py"),
    ("git mv a.py b.py", "edit", "b.py"),
    ("touch a.py", "create", "a.py"),
    ("echo 'x = 1' > a.py", "create", "a.py"),
    ("echo 'x = 1' >> a.py", "edit", "a.py"),
    ("cat > a.py <<'EOF'\nit's (one\nEOF", "create", "a.py"),
    ("cat <<-EOF >a.py\n\tx\n\tEOF\n", "create", "a.py"),
    ("printf 'x\\n' | tee a.py", "create", "a.py"),
    ("python - <<'PY'\nfrom pathlib import Path\np = Path('a.py')\np.write_text('x')\nPY", "edit", "a.py"),
    ("python -c \"open('a.py', 'w').write('x')\"", "edit", "a.py"),
    ("node -e \"require('fs').writeFileSync('a.js', 'x')\"", "edit", "a.js"),
    ("python -c 'print(1)'", "run", "python -c 'print(1)'"),
    ("git apply fix.patch", "edit", None),
    ("cat <<'EOF' | git apply\n" + DIFF + "EOF", "edit", "x.py"),
    ("patch -p1 <<'EOF'\n" + DIFF + "EOF", "edit", "x.py"),
    ("curl -s http://localhost | python -m json.tool", "run", "curl -s http://localhost | python -m json.tool"),
    ("pytest > out.txt 2>&1", "test", "pytest > out.txt 2>&1"),
    ("ls > /dev/null", "search", "ls > /dev/null"),
]


@pytest.mark.parametrize(("line", "operation", "target"), ONE, ids=[row[0][:40] for row in ONE])
def test_a_line_that_does_one_thing(line, operation, target):
    found, _ = of_line(line)
    assert [(act.operation, act.target) for act in found] == [(operation, target)]


SEVERAL = [
    ("cat > a.py <<'EOF'\nx = 1\nEOF\npytest -q", [("create", "a.py"), ("test", "pytest -q")]),
    ("sed -i s/a/b/ a.py b.py && git diff", [("edit", "a.py"), ("edit", "b.py"), ("read", "git diff")]),
    (f"apply_patch <<'EOF'\n{PATCH}\nEOF", [("edit", "a.py"), ("create", "b.py")]),
    ("cat a.py b.py", [("read", "a.py"), ("read", "b.py")]),
    ("git status; pytest; npm test", [("run", "git status"), ("test", "pytest; npm test")]),
    (
        "cd src; cargo nextest run && cargo test --doc; cat x",
        [("test", "cargo nextest run; cargo test --doc"), ("read", "src/x")],
    ),
    ("mkdir -p a && cp x a/x && echo done", [("create", "a/x")]),
]


@pytest.mark.parametrize(("line", "expected"), SEVERAL, ids=[row[0][:40] for row in SEVERAL])
def test_a_line_that_does_several_things(line, expected):
    found, _ = of_line(line)
    assert [(act.operation, act.target) for act in found] == expected


def test_the_weightiest_act_stands_for_the_line():
    found, _ = of_line("cat > a.py <<'EOF'\nx = 1\nEOF\npytest -q; git status; cat a.py")
    assert found[acts.weightiest(found)].operation == "test"


def test_lines_are_counted_where_the_line_holds_them():
    found, _ = of_line(f"apply_patch <<'EOF'\n{PATCH}\nEOF")
    assert [(act.lines, act.basis) for act in found] == [(3, "exact"), (1, "exact")]
    found, _ = of_line("cat > a.py <<'EOF'\n1\n2\nEOF")
    assert (found[0].lines, found[0].basis) == (2, "estimated")
    found, _ = of_line("cat >> a.py <<'EOF'\n1\n2\nEOF")
    assert (found[0].lines, found[0].basis) == (2, "exact")
    found, _ = of_line("sed -i s/a/b/ a.py")
    assert (found[0].lines, found[0].basis) == (None, None)


def test_a_pipe_or_a_later_command_hides_the_exit_status_of_tests():
    assert [of_line(line)[0][0].hidden_exit for line in ("pytest", "pytest | tail", "pytest; cat x")] == [
        False,
        True,
        True,
    ]


def test_where_the_shell_stands_is_handed_on():
    assert of_line("cd /w/src", "")[1] == "/w/src"
    assert of_line("cd ..", "/w/src")[1] == "/w"
    assert of_line("cd $HOME", "/w/src")[1] == ""
    assert [a.target for a in of_line("cat x", "/w/src")[0]] == ["/w/src/x"]


TEXT = st.text(alphabet="abc '\"\\$(){}|&;<>#\n\t`=-EOF*./", max_size=200)


@given(TEXT)
def test_any_text_has_acts(line):
    found, folder = of_line(line)
    assert found
    assert isinstance(folder, str)
    assert all(act.operation in ("read", "edit", "create", "search", "run", "test", "other") for act in found)


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=8))
def test_plain_words_stay_as_they_are(words):
    assert [command.words for command in shell.commands(" ".join(words))] == [words]


@given(st.lists(st.text(alphabet='ab c"$|;&<>#\\\n', max_size=20), min_size=1, max_size=5))
def test_quoted_words_stay_as_they_are(words):
    line = "x " + " ".join("'" + word + "'" for word in words)
    assert [command.words for command in shell.commands(line)] == [["x", *words]]


@pytest.mark.parametrize(
    "piece", ["$(", "(", "'", '"', "`", "<<E\n", "${", "\\", "a|", "x;", "if ", "sudo ", "-i ", "$(x'"]
)
def test_long_lines_of_odd_pieces_are_read_in_time(piece):
    assert of_line(piece * (100_000 // len(piece)))[0]


@pytest.mark.parametrize(
    ("tool", "operation"),
    [
        ("get_design_file", "read"),
        ("mcp__figma__get_node_tree", "read"),
        ("describeTable", "read"),
        ("find_references", "search"),
        ("list_issues", "search"),
        ("create_repository", "other"),
        ("push_files", "other"),
        ("listen", "other"),
        ("getaway", "other"),
    ],
)
def test_a_tool_whose_verb_only_looks_looks(tool, operation):
    assert calls.operation(tool) == operation
    assert [act.operation for act in calls.acts(tool, {"x": 1})] == [operation]
