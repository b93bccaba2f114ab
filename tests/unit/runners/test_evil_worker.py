"""The trusted side against workers that answer anything at all."""

import json

import pytest
from evil import Evil, framed, framed_bytes
from hypothesis import given, settings
from hypothesis import strategies as st
from test_plain import PLAIN_TYPES, hostile, json_leaves

from bouts.adapters.runners.python.boundary import Crashed
from bouts.adapters.runners.python.calls import classes
from bouts.adapters.runners.python.calls.channel import HELLO
from bouts.adapters.runners.python.calls.inside import counting, files, plain
from bouts.adapters.runners.python.calls.sharing import SharedFolder
from bouts.adapters.runners.python.calls.standins import StandIn

numbers = st.integers(-2, 8)
texts = st.sampled_from(
    [
        "x",
        "__class__",
        "mro",
        "ValueError",
        "KeyboardInterrupt",
        "Skipped",
        "json.decoder:JSONDecodeError",
        "class",
        "\ud800",
        "a" * 300,
        "self",
        "_pytest.outcomes:Exit",
    ]
) | st.text(max_size=6)
class_references = (
    st.fixed_dictionaries({"cls": numbers})
    | st.fixed_dictionaries({"type": texts})
    | st.fixed_dictionaries({"std": texts})
)
exceptions = st.fixed_dictionaries(
    {"type": class_references | hostile, "text": texts | json_leaves},
    optional={
        "args": st.lists(hostile, max_size=3),
        "attrs": st.dictionaries(texts, hostile, max_size=3),
        "cause": texts,
        "foreign": numbers,
    },
)
objects = (
    st.fixed_dictionaries({"h": st.tuples(numbers, numbers)})
    | st.fixed_dictionaries({"fn": st.tuples(numbers, texts, st.booleans())})
    | st.fixed_dictionaries({"enum": st.tuples(numbers, texts, hostile)})
    | st.fixed_dictionaries({"nt": st.tuples(numbers, st.lists(hostile, max_size=2))})
    | st.fixed_dictionaries({"exc": exceptions})
    | st.fixed_dictionaries({"cb": numbers})
    | st.fixed_dictionaries({"mod": texts})
    | class_references
)
told_classes = st.fixed_dictionaries(
    {
        "name": texts,
        "module": texts,
        "path": st.none() | texts,
        "bases": st.lists(class_references, max_size=3),
        "specials": st.lists(
            st.sampled_from(["__len__", "__eq__", "__call__", "__class__", "__init_subclass__"]), max_size=3
        ),
        "methods": st.lists(texts, max_size=2),
        "exception": st.booleans(),
        "enum": st.none()
        | st.fixed_dictionaries(
            {
                "base": st.sampled_from(["Enum", "IntFlag", "StrEnum", "object"]),
                "members": st.lists(st.tuples(texts, json_leaves), max_size=3),
            }
        ),
        "fields": st.none() | st.lists(texts, max_size=2),
        "dataclass": st.none() | st.lists(st.tuples(texts, st.booleans()), max_size=2),
        "tuple": st.none() | st.lists(texts, max_size=3),
        "hash": st.booleans(),
    }
)


def value_of(structure):
    """As a worker encodes a structure that it sends as a value."""
    return plain.encode(json.loads(json.dumps(structure)), lambda value, depth: None)


answers = st.one_of(
    st.builds(lambda value: {"ok": value}, hostile | objects),
    st.builds(lambda told: {"ok": value_of(told)}, told_classes),
    st.builds(lambda told: {"exc": told}, exceptions | hostile),
    st.builds(
        lambda value, key: {"ok": 1, key: value},
        hostile,
        st.sampled_from(["out", "err", "esc", "files", "args", "same"]),
    ),
    st.builds(lambda value, of: {"cb": value, "of": of, "tok": 1, "a": [], "k": {"map": {}}}, json_leaves, json_leaves),
    st.dictionaries(texts, hostile, max_size=3),
)
operations = st.sampled_from(["call", "eq", "describe", "special"])


def is_known(value):
    kind = type(value)
    if kind in PLAIN_TYPES:
        return True
    if isinstance(value, BaseException):
        return True
    module = type(kind).__module__ if isinstance(value, type) else kind.__module__
    ours = module.startswith("bouts.adapters.runners.python.calls") or isinstance(value, (StandIn, type))
    return ours or isinstance(kind, (classes.RemoteEnumMeta, type(classes.StandIn))) or isinstance(value, tuple)


@given(st.lists(answers, min_size=1, max_size=12), operations)
@settings(max_examples=400, deadline=None)
def test_any_answer_is_a_value_an_exception_or_an_accusation(given_answers, operation):
    left = list(given_answers)

    def reply(request):
        if not left:
            return None
        return [{"id": request["id"], **left.pop(0)}] if "op" in request else []

    with Evil(reply, patience=0.05) as evil:
        try:
            if operation == "eq":
                value = evil.link.equal(1, 2)
                assert type(value) is bool
            elif operation == "describe":
                value = evil.link.tell("sol", "x")
                assert type(value) is list
            else:
                value = evil.link.ask(operation, None, "x", ([1],))
                assert is_known(value), (type(value), value)
        except Crashed:
            assert evil.channel.closed
        except (KeyboardInterrupt, GeneratorExit):
            pytest.fail("an answer steered Python itself")
        except BaseException as error:
            # What the code "raised": made from an answer, so some answer must have held an exception.
            assert any("exc" in answer for answer in given_answers), repr(error)
            assert not isinstance(error, (pytest.skip.Exception, pytest.exit.Exception, pytest.fail.Exception))


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_end_in_an_accusation_or_a_death(data):
    with Evil(lambda request: data + b"\x00\x00\x00\x01", patience=0.05) as evil, pytest.raises(Crashed):
        evil.link.ask("call", None, "x")


def ask(reply, operation="call", args=()):
    with Evil(reply) as evil:
        try:
            return evil.link.ask(operation, None, "x", args), evil.accused
        except Crashed:
            return "crashed", evil.accused


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"ok": 1, "id": "0" * 32}, "never made"),
        ({"ok": 1, "id": 5}, "never made"),
        ({"ok": {"nothing": 1}}, "no value"),
        ({"ok": {"h": [1, 1]}, "args": [[5, 1]]}, "no value"),
        ({"ok": 1, "same": 3}, "no value"),
        ({"ok": 1, "esc": [["kind", "x"]]}, "no value"),
        ({}, "no value"),
        ({"exc": {"type": {"type": "int"}, "text": "x"}}, "no value"),
        ({"exc": {"foreign": 1}}, "no value"),
    ],
)
def test_what_no_honest_worker_sends_is_named(answer, reason):
    result, accused = ask(lambda request: [{"id": request["id"], **answer}])
    assert result == "crashed"
    assert reason in accused[0]


def test_the_same_answer_twice():
    def reply(request):
        return [{"id": request["id"], "ok": 1}] * 2

    with Evil(reply) as evil:
        assert evil.link.ask("call", None, "x") == 1
        with pytest.raises(Crashed):
            evil.link.ask("call", None, "x")
        assert "never made" in evil.accused[0]


def test_equality_needs_an_exact_bool():
    for answer in (1, "true", None, [True], {"h": [1, 1]}):
        with Evil(lambda request, answer=answer: [{"id": request["id"], "ok": answer}]) as evil:
            with pytest.raises(Crashed):
                evil.link.equal(1, 2)
            assert "no bool" in evil.accused[0]


def test_a_function_that_was_never_passed_cannot_be_called():
    def reply(request):
        return [{"cb": "1", "of": request["id"], "tok": 7, "a": [], "k": {"map": {}}}] if "op" in request else []

    result, accused = ask(reply)
    assert result == "crashed"
    assert "never passed" in accused[0]


def test_callbacks_without_end_are_cut_off(monkeypatch):
    monkeypatch.setattr("bouts.adapters.runners.python.calls.channel.MAX_CALLBACKS", 50)
    calls = []

    def reply(request):
        return [{"cb": "1", "of": None, "tok": 1, "a": [], "k": {"map": {}}}]

    with Evil(reply) as evil:
        with pytest.raises(Crashed):
            evil.link.ask("call", None, "x", (lambda: calls.append(1),))
        assert evil.accused
    assert len(calls) <= 50


def test_classes_without_end_are_cut_off():
    count = 0

    def reply(request):
        nonlocal count
        count += 1
        told = {
            "name": "A",
            "module": "m",
            "path": None,
            "bases": [{"cls": count + 1}],
            "specials": [],
            "methods": [],
            "exception": False,
            "enum": None,
            "fields": None,
            "dataclass": None,
            "tuple": None,
            "hash": True,
        }
        return [{"id": request["id"], "ok": value_of(told) if request["op"] == "class" else {"cls": 1}}]

    result, accused = ask(reply)
    assert result == "crashed"
    assert accused


def test_an_endless_message_is_refused():
    result, accused = ask(lambda request: b"\xff\xff\xff\xff" + b"x" * 1000)
    assert result == "crashed"
    assert "larger" in accused[0]


def test_deep_json_is_refused():
    body = b"[" * 100_000 + b"]" * 100_000
    result, accused = ask(lambda request: len(body).to_bytes(4, "big") + body)
    assert result == "crashed"
    assert accused


def test_numbers_that_are_none_are_refused():
    for body in (b'{"ok":NaN}', b'{"ok":Infinity}', b'{"ok":1e999}', b'{"ok":' + b"9" * 5000 + b"}"):
        with Evil(lambda request, body=body: framed_raw(body, request)) as evil:
            with pytest.raises(Crashed):
                evil.link.ask("call", None, "x")
            assert evil.accused


def framed_raw(body, request):
    body = body[:-1] + b',"id":"' + request["id"].encode() + b'"}'
    return len(body).to_bytes(4, "big") + body


def test_printed_text_is_bounded_and_escaped(capsys):
    def reply(request):
        return [{"id": request["id"], "ok": 1, "out": "\x1b[31m" + "x" * 300_000}]

    with Evil(reply) as evil:
        evil.link.ask("call", None, "x")
        evil.link.ask("call", None, "x")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.startswith("\\x1b[31m")
    assert len(out) < 600_000


def test_files_outside_the_folder_are_refused(tmp_path):
    for path in ("../x", "/etc/x", "a/../../x", "", "a//b", "x\0y", "."):
        folder = tmp_path / "inside"
        folder.mkdir(exist_ok=True)
        with Evil(lambda request, path=path: [{"id": request["id"], "ok": 1, "files": {path: "aGk="}}]) as evil:
            evil.link.shared = SharedFolder(str(folder))
            with pytest.raises(Crashed):
                evil.link.ask("call", None, "x")
            assert evil.accused
    assert sorted(item.name for item in tmp_path.iterdir()) == ["inside"]
    assert list(folder.iterdir()) == []


def test_a_link_in_the_folder_is_not_followed(tmp_path):
    folder, victim = tmp_path / "inside", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("safe")
    (folder / "link").symlink_to(victim)
    with Evil(lambda request: [{"id": request["id"], "ok": 1, "files": {"link": "aGk="}}]) as evil:
        evil.link.shared = SharedFolder(str(folder))
        with pytest.raises(BaseException):
            evil.link.ask("call", None, "x")
    assert victim.read_text() == "safe"


def test_what_is_sent_holds_no_variables_of_this_process():
    seen = []

    def reply(request):
        seen.append(request)
        return [{"id": request["id"], "ok": 1}]

    with Evil(reply) as evil:
        evil.link.ask("call", None, "x", (1,))
    assert set(seen[0]) == {"id", "op", "n", "a", "th"}
    assert framed({})


@pytest.mark.parametrize("hello", [framed({"hello": 2}), framed({"id": "1", "ok": 1}), framed({})])
def test_another_greeting_is_refused(hello):
    with Evil(lambda request: [], hello=hello) as evil:
        with pytest.raises(Crashed):
            evil.link.ask("call", None, "x")
        assert "greeting" in evil.accused[0]


@pytest.mark.parametrize(
    ("said", "greeted"), [(b"", False), (framed_bytes(HELLO)[:9], False), (framed_bytes(HELLO), True)]
)
def test_a_worker_that_greeted_before_its_end_is_known(said, greeted):
    with Evil(lambda request: None, hello=said) as evil:
        evil.greeted.wait(5)
        evil.channel.close()
        assert evil.channel.greeted() is greeted


@pytest.fixture
def small(monkeypatch):
    """Limits that small messages reach."""
    monkeypatch.setattr(counting, "MAX_CONTAINERS", 50)
    monkeypatch.setattr(counting, "MAX_VALUES", 200)
    monkeypatch.setattr(counting, "_PIECE", 7)


@pytest.mark.parametrize(
    "value", [[[]] * 60, [1] * 300, {"map": {str(n): n for n in range(300)}}, [{"tuple": []}] * 30]
)
def test_a_message_of_too_many_values_is_refused_unread(small, value):
    result, accused = ask(lambda request: [{"id": request["id"], "ok": value}])
    assert result == "crashed"
    assert "more values than may cross" in accused[0]


def test_marks_inside_texts_are_no_values(small):
    told = [",[{" * 100, '\\",[[', "\\\\", '"']
    result, accused = ask(lambda request: [{"id": request["id"], "ok": told}])
    assert (result, accused) == (told, [])


def test_callbacks_that_nobody_takes_are_cut_off(monkeypatch):
    monkeypatch.setattr("bouts.adapters.runners.python.calls.channel.MAX_QUEUED", 10_000)

    def reply(request):
        return [{"cb": "1", "of": None, "tok": 1, "a": ["x" * 1000], "k": {"map": {}}}] * 20

    result, accused = ask(reply)
    assert result == "crashed"
    assert "without end" in accused[0]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({f"f{n}": "" for n in range(60)}, "more than 50 files"),
        ({"/".join(f"d{n}" for n in range(30)): 0, "/".join(f"e{n}" for n in range(30)): 0}, "more than 50 files"),
        ({"a": "QUJD" * 100, "b": "QUJD" * 100}, "the temporary folder"),
    ],
    ids=["files", "folders", "bytes"],
)
def test_a_shared_folder_cannot_be_filled(tmp_path, monkeypatch, told, reason):
    monkeypatch.setattr(files, "MAX_FILES", 50)
    monkeypatch.setattr(files, "MAX_TOTAL", 500)
    with Evil(lambda request: [{"id": request["id"], "ok": 1, "files": told}]) as evil:
        evil.link.shared = SharedFolder(str(tmp_path))
        with pytest.raises(files.Full, match=reason):
            evil.link.ask("call", None, "x")
    assert list(tmp_path.iterdir()) == []


def test_a_shared_folder_cannot_be_filled_bit_by_bit(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_TOTAL", 500)
    names = iter("abcdefgh")
    with Evil(lambda request: [{"id": request["id"], "ok": 1, "files": {next(names): "QUJD" * 50}}]) as evil:
        evil.link.shared = SharedFolder(str(tmp_path))
        for _ in range(3):
            evil.link.ask("call", None, "x")
        with pytest.raises(files.Full):
            evil.link.ask("call", None, "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]


def test_folders_without_end_are_refused(tmp_path):
    with Evil(lambda request: [{"id": request["id"], "ok": 1, "files": {"d/" * 50 + "x": 0}}]) as evil:
        evil.link.shared = SharedFolder(str(tmp_path))
        with pytest.raises(Crashed):
            evil.link.ask("call", None, "x")
    assert list(tmp_path.iterdir()) == []
