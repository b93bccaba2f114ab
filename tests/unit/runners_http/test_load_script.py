import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.runners.python.load_script import Script, Template
from bouts.model.challenge import Request

strings = st.text(max_size=20) | st.sampled_from(["{n}", "item-{n}", "{{n}}", '"{n}\\', "{n}{n}"])
bodies = st.dictionaries(
    strings,
    st.recursive(
        st.none() | st.booleans() | st.integers() | strings,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


def numbered(value: object, number: int) -> object:
    if isinstance(value, str):
        return value.replace("{n}", str(number))
    if isinstance(value, list):
        return [numbered(item, number) for item in value]
    if isinstance(value, dict):
        return {numbered(key, number): numbered(item, number) for key, item in value.items()}
    return value


@given(bodies, st.integers(1, 10**9))
def test_the_number_replaces_the_mark_in_every_string_of_the_body_and_nothing_else(body, number):
    sent = Template(Request(method="POST", path="/", body=body)).render(number)
    head, _, content = sent.partition(b"\r\n\r\n")
    assert json.loads(content) == numbered(body, number)
    assert f"Content-Length: {len(content)}\r\n" in head.decode() + "\r\n"


def test_path_carries_the_number_and_stays_one_line():
    sent = Template(Request(path="/a/{n}?x={n}&y=1")).render(7)
    assert sent.startswith(b"GET /a/7?x=7&y=1 HTTP/1.1\r\nHost: service\r\n")
    assert sent.endswith(b"\r\n\r\n")


@given(st.text(min_size=1, max_size=30))
def test_no_path_can_break_the_request_line(path):
    line, _, rest = Template(Request(path=path)).render(1).partition(b"\r\n")
    assert line.startswith(b"GET /") and line.endswith(b" HTTP/1.1") and line.count(b" ") == 2
    assert rest.startswith(b"Host: service\r\n")


def test_a_request_without_a_body_announces_none():
    assert b"Content-" not in Template(Request(method="DELETE", path="/x")).render(1)


def test_a_script_takes_turns_and_never_gives_a_number_twice():
    script = Script([Request(path="/a/{n}"), Request(method="DELETE", path="/b/{n}", expect=204)])
    lines = [script.next()[1].split(b" HTTP")[0] for _ in range(4)]
    assert lines == [b"GET /a/1", b"DELETE /b/2", b"GET /a/3", b"DELETE /b/4"]


def test_scripts_can_share_their_numbers():
    first = Script([Request(path="/{n}")])
    second = Script([Request(path="/{n}")], first.numbers)
    assert [first.next()[1][5:6], second.next()[1][5:6], first.next()[1][5:6]] == [b"1", b"2", b"3"]


def test_a_template_knows_what_it_expects():
    template = Template(Request(method="POST", path="/x", body={}, expect=201))
    assert (template.expect, template.name) == (201, "POST /x")


@pytest.mark.parametrize("path", ["items", "/items"])
def test_paths_start_with_a_slash(path):
    assert Template(Request(path=path)).render(1).startswith(b"GET /items HTTP/1.1")


@pytest.mark.parametrize("body", [None, {"a": 1}])
def test_no_header_tells_load_from_a_test(body):
    import httpx

    with httpx.Client(base_url="http://service", headers={"Accept-Encoding": "identity"}) as client:
        told = client.build_request("PUT", "/a", json=body) if body else client.build_request("GET", "/a")
    expected = b"".join(b"%b: %b\r\n" % pair for pair in told.headers.raw)
    sent = Template(Request(method="PUT" if body else "GET", path="/a", body=body)).render(1)
    assert sent.partition(b"\r\n")[2].partition(b"\r\n\r\n")[0] + b"\r\n" == expected
