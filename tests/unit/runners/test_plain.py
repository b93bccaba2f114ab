"""The codec: what is encoded comes back the same; whatever else arrives is refused and nothing worse."""

import collections
import datetime
import decimal
import fractions
import io
import json
import pathlib
import types
import uuid
import zoneinfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.adapters.runners.python.calls.inside import counting, library, plain, wire  # noqa: F401


def refuse(*told):
    raise plain.CannotCross(f"not plain: {told[0]!r}")


def refuse_tag(tag, payload, depth):
    raise plain.Malformed(tag)


def cross(value):
    text = json.dumps(plain.encode(value, refuse), allow_nan=False)
    return plain.decode(json.loads(text), refuse_tag)


hashable = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.dates()
    | st.datetimes()
    | st.timedeltas()
    | st.uuids()
    | st.fractions()
    | st.complex_numbers(allow_nan=False),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=5,
)
values = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(hashable, inner, max_size=4)
        | st.tuples(inner)
        | st.sets(hashable, max_size=3)
        | st.builds(collections.deque, st.lists(inner, max_size=3))
        | st.builds(collections.OrderedDict, st.dictionaries(hashable, inner, max_size=2))
    ),
    max_leaves=12,
)


def same(one, two):
    """Equal, and of the same types all the way down."""
    if type(one) is not type(two):
        return False
    if isinstance(one, (list, tuple, collections.deque)):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return list(one) == list(two) and all(same(one[key], two[key]) for key in one)
    return one == two


@given(values)
def test_values_come_back_the_same(value):
    assert same(cross(value), value)


@pytest.mark.parametrize(
    "value",
    [
        float("inf"),
        -0.0,
        "\ud800",
        range(3, 9, 2),
        slice(None, 2),
        ...,
        NotImplemented,
        decimal.Decimal("sNaN"),
        datetime.time(1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=-3), "X")),
        datetime.datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")),
        pathlib.PurePosixPath("a/b"),
        collections.Counter({"a": -1}),
        types.SimpleNamespace(a=1),
    ],
    ids=repr,
)
def test_special_values_come_back_the_same(value):
    got = cross(value)
    assert type(got) is type(value)
    assert repr(got) == repr(value)


class AlwaysEqual(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class LyingList(list):
    def __eq__(self, other):
        return True


class MyDecimal(decimal.Decimal):
    pass


MyDecimal.__qualname__ = "Decimal"
MyDecimal.__module__ = "decimal"


@pytest.mark.parametrize(
    "value", [AlwaysEqual(0), LyingList(), type("S", (str,), {})("x"), MyDecimal(1), object(), [object()]]
)
def test_no_subclass_crosses_as_a_value(value):
    with pytest.raises(plain.CannotCross):
        plain.encode(value, refuse)


@pytest.mark.parametrize(
    "value",
    [
        2**5000,
        range(10**9),
        decimal.Decimal("1" * 6000),
        zoneinfo.ZoneInfo.from_file(
            io.BytesIO(
                open(zoneinfo.TZPATH[0] + "/UTC", "rb").read()
                if pathlib.Path(zoneinfo.TZPATH[0] + "/UTC").exists()
                else b""
            )
        )
        if zoneinfo.TZPATH and pathlib.Path(zoneinfo.TZPATH[0] + "/UTC").exists()
        else 2**6000,
    ],
    ids=["int", "range", "decimal", "zone"],
)
def test_what_is_too_large_or_nameless_is_refused(value):
    with pytest.raises(plain.CannotCross):
        plain.encode(value, refuse)


def test_nesting_has_an_end():
    deep = []
    for _ in range(plain.MAX_DEPTH - 1):
        deep = [deep]
    assert cross(deep) == deep
    with pytest.raises(plain.CannotCross, match="nested"):
        cross([[deep]])
    loop = []
    loop.append(loop)
    with pytest.raises(plain.CannotCross):
        cross(loop)


REFUSALS = (plain.Malformed, ValueError, TypeError, KeyError, ArithmeticError, LookupError, RecursionError)
PLAIN_TYPES = (
    *(type(None), bool, int, float, str, bytes, bytearray, list, tuple, dict, set, frozenset, complex, range, slice),
    *(type(...), type(NotImplemented), type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType),
    *(decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime, datetime.time, datetime.timedelta),
    *(datetime.timezone, zoneinfo.ZoneInfo, uuid.UUID, pathlib.PosixPath, pathlib.PurePosixPath, collections.Counter),
    *(
        collections.OrderedDict,
        collections.defaultdict,
        collections.deque,
        types.SimpleNamespace,
        io.StringIO,
        io.BytesIO,
    ),
)

tags = st.sampled_from([*plain._DECODERS, *plain.LIBRARY_DECODERS, "h", "cls", "__class__", "", "eval"])
json_leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20)
)
hostile = st.recursive(
    json_leaves | st.sampled_from(["../../etc/passwd", "1e999999999", "A" * 40, "nan", 10**1300, -1]),
    lambda inner: (
        st.lists(inner, max_size=9)
        | st.dictionaries(tags, inner, min_size=1, max_size=1)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=25,
)


@given(hostile)
@settings(max_examples=500)
def test_a_hostile_structure_gives_plain_data_or_a_refusal(structure):
    try:
        value = plain.decode(structure, refuse_tag)
    except REFUSALS:
        return
    assert type(value) in PLAIN_TYPES


@pytest.mark.parametrize(
    "structure",
    [
        {"range": [0, 10**12, 1]},
        {"range": [0, 10**40, 1]},
        {"range": [0, 5, 0]},
        {"zone": "../../../etc/passwd"},
        {"zone": "/etc/localtime"},
        {"zone": ""},
        {"decimal": "9" * 6000},
        {"set": [{"map": {}}]},
        {"dict": [[[], 1]]},
        {"tuple": 5},
        {"map": []},
        {"bytes": "!!!"},
        {"float": "1.0"},
        {"float": []},
        {"complex": ["1", 2.0]},
        {"defaultdict": ["eval", []]},
        {"datetime": [2024, 13, 1, 0, 0, 0, 0, 0, None]},
        {"datetime": [2024, 1, 1, 0, 0, 0, 0, 0, "UTC"]},
        {"timezone": [9, 0, 0, None]},
        {"deque": [-1, []]},
        {"namespace": [[1, 2]]},
        {"tuple": [], "list": []},
        {},
        {"unknown": 1},
        1e999,
        2**5000,
    ],
    ids=lambda structure: repr(structure)[:40],
)
def test_broken_structures_are_refused(structure):
    with pytest.raises(REFUSALS):
        plain.decode(structure, refuse_tag)


def test_attribute_names_of_a_namespace_change_nothing_else():
    got = plain.decode({"namespace": [["__class__", 1], ["x", 2]]}, refuse_tag)
    assert type(got) is types.SimpleNamespace
    assert got.x == 2


@given(values)
def test_the_worker_writes_the_same_json(value):
    structure = plain.encode(value, refuse)
    assert json.loads(wire.dumps(structure)) == structure
    assert wire.loads(wire.dumps(structure)) == structure


def test_the_worker_refuses_what_is_too_large():
    with pytest.raises(plain.CannotCross):
        wire.pack("x" * (plain.MAX_MESSAGE + 1))


@given(st.recursive(st.none() | st.integers(0, 9) | st.text(max_size=8), lambda inner: st.lists(inner, max_size=6)))
@settings(max_examples=300, deadline=None)
def test_values_are_counted_without_being_built(value):
    def containers(item):
        return 1 + sum(map(containers, item)) if type(item) is list else 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "MAX_CONTAINERS", 4)
        patch.setattr(counting, "_PIECE", 5)
        for ascii_only in (True, False):
            body = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
            if len(body) > 8:
                assert counting.crowded(body) == (containers(value) > 4)


def test_what_is_packed_is_counted(monkeypatch):
    monkeypatch.setattr(counting, "MAX_CONTAINERS", 50)
    with pytest.raises(plain.CannotCross, match="cannot cross at once"):
        wire.pack({"ok": [[] for _ in range(60)]})
