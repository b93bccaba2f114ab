import enum
import io
import math
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
import shop
from shop import LIMIT, NAMES, RATES, add, echo

VALUES = [
    None, True, 0, -1, 2**200, 1.5, -0.0, float("inf"), "", "é\u2028\ud800", b"\x00\xff", bytearray(b"x"),
    [], [1, [2, [None]]], (), (1, (2,)), {}, {"a": 1, "b": [2]}, {1: "x", (1, 2): 3, None: 4}, set(), {1, "a"},
    frozenset({1}), 1 + 2j, range(2, 9, 3), slice(1, None, 2), ..., Decimal("1.50"), Decimal("Infinity"),
    Fraction(1, 3), date(2024, 1, 2), time(1, 2, 3, 4), datetime(2024, 1, 2, 3, 4, 5, 6),
    datetime(2024, 1, 2, tzinfo=timezone.utc), datetime(2024, 1, 2, tzinfo=timezone(timedelta(hours=2), "X")),
    datetime(2024, 7, 2, tzinfo=ZoneInfo("Europe/Berlin")), timedelta(days=-1, microseconds=5),
    UUID("12345678123456781234567812345678"), Path("/a/b"), PurePosixPath("c"), Counter("aab"),
    OrderedDict([("z", 1), ("a", 2)]), defaultdict(list, {"a": [1]}), deque([1, 2], maxlen=5),
    SimpleNamespace(a=1, b=[2]), int, ValueError, [{"deep": [({"er": {1: b"2"}},)]}],
]


@pytest.mark.parametrize("number", range(len(VALUES)))
def test_round_trip(number):
    value = VALUES[number]
    got = echo(value)
    assert got == value
    assert type(got) is type(value)


def test_nan_and_zero():
    assert math.isnan(echo(float("nan")))
    assert math.copysign(1, echo(-0.0)) == -1
    assert echo(float("nan")) != float("nan")


def test_order_of_dict_survives():
    assert list(echo({"b": 1, "a": 2, 3: 4})) == ["b", "a", 3]


def test_default_factory_works():
    got = echo(defaultdict(list))
    got["x"].append(1)
    assert got == {"x": [1]}


def test_constants():
    assert LIMIT == 5 == shop.LIMIT
    assert NAMES == ("a", "b")
    assert RATES == {"x": 1.5, "y": [1, 2]}


def test_arguments():
    assert add(1) == 2
    assert add(1, 2, 3, 4, scale=2) == 20
    assert add(b=2, a=1) == 3
    with pytest.raises(TypeError, match="unexpected keyword"):
        add(1, nonsense=2)
    with pytest.raises(TypeError):
        add()


def test_streams_cross_and_come_back():
    stream = io.StringIO("a\nb\n")
    assert shop.echo(stream).read() == "a\nb\n"
    assert shop.kind_of(io.BytesIO(b"x")) == "BytesIO"


def test_approx():
    assert add(0.1, 0.2) == pytest.approx(0.3)
    assert echo([0.1 + 0.2]) == pytest.approx([0.3])


def test_type_over_there():
    assert shop.kind_of((1,)) == "tuple"
    assert shop.kind_of(True) == "bool"


def test_views():
    assert echo({"a": 1}.keys()) == {"a"}
    assert list(echo({"a": 1}.items())) == [("a", 1)]
    assert sorted(echo({"a": 1}.values())) == [1]


class Private:
    pass


class Kind(enum.Enum):
    A = 1


@pytest.mark.parametrize("value", [Private(), Kind.A, pytest, 2**5000], ids=["object", "enum", "module", "int"])
def test_what_cannot_cross_is_named(value):
    with pytest.raises(TypeError, match="cannot cross"):
        echo(value)


def test_itself_cannot_cross():
    loop = []
    loop.append(loop)
    with pytest.raises(TypeError, match="cannot cross"):
        echo(loop)


def test_large_data():
    data = list(range(20_000))
    assert sum(echo(data)) == sum(data)
    assert len(echo("x" * 1_000_000)) == 1_000_000
