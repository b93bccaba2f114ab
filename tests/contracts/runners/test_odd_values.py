"""Honest code may give back whatever Python has. What can't cross says so; it never looks like a forged answer."""

from __future__ import annotations

import pytest

VALUES = {
    "own_zone": "datetime.datetime(2026, 1, 1, tzinfo=Zone())",
    "own_zone_of_a_time": "datetime.time(1, tzinfo=Zone())",
    "long_name_of_a_zone": "datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(0), 'x' * 300))",
    "odd_offset": "datetime.datetime.max.replace(tzinfo=datetime.timezone(-datetime.timedelta(hours=23, minutes=59)))",
    "signalling": "decimal.Decimal('sNaN123')",
    "great_decimal": "decimal.Decimal('1e999999')",
    "great_fraction": "fractions.Fraction(1, 10**4000)",
    "far_range": "range(10**4000, 10**4000 + 3)",
    "far_deque": "collections.deque([1], maxlen=10**9)",
    "not_a_number": "[float('nan'), complex('nan+infj'), -0.0]",
    "closed": "closed()",
    "groups": "groups(500)",
    "few_groups": "groups(20)",
    "holds_itself": "holds_itself()",
    "list_of_errors": "[ValueError([ValueError(object())]), OSError(2**60, 'x', '\\ud800')]",
    "noted": "noted()",
    "odd_class": "type('a b\\n', (), {})()",
    "long_class": "type('x' * 3000, (), {})()",
    "odd_error": "type('x' * 3000, (ValueError,), {})('y' * 9000)",
    "odd_function": "named(lambda: 1, 'a b\\x1b')",
    "generic": "[list[int], dict[str, 'x'], typing.TypeVar('T'), typing.Optional[int]]",
    "flags": "[Flag.A | Flag.B, ~Flag.A, Flag(0)]",
    "odd_members": "[Odd.x, Odd.y]",
    "tuple_class": "Point([object()], Point(1, 2))",
    "odd_path": "[pathlib.Path('/\\udcff/' + 'p' * 3000), pathlib.PurePosixPath('q' * 20_000)]",
    "far_stream": "seeked(io.BytesIO(b'x'), 10**9)",
    "odd_namespace": "types.SimpleNamespace(**{'n' * 300: 1, 'a b': 2})",
    "odd_keys": "{object(): 1, (object(),): 2, 1.5: {frozenset(): 3}}",
    "views": "[memoryview(b'x'), slice(object(), None), {1: 2}.items(), type.__dict__]",
    "modules": "[sys, datetime]",
    "partials": "[functools.partial(int, base=2), property(), staticmethod(len), print, [].append]",
    "factories": "[collections.defaultdict(lambda: 1), collections.Counter(a=object())]",
    "record": "Record(1, [Record(2, None)])",
    "surrogates": "['\\ud800', b'\\xff', {'\\udfff': 1}]",
    "coroutines": "[later(), stream(), (x for x in (1,))]",
    "metas": "[Meta, Made, Made()]",
}
SOLUTION = """
import collections, dataclasses, datetime, decimal, enum, fractions, functools, io, pathlib, sys, types, typing

class Zone(datetime.tzinfo):
    def utcoffset(self, when): return datetime.timedelta(hours=1)
    def dst(self, when): return None
    def tzname(self, when): return "X"

class Flag(enum.Flag):
    A = 1
    B = 2

class Odd(enum.Enum):
    x = [1]
    y = object()

class Meta(type):
    def __getattr__(cls, name): raise AttributeError(name)

class Made(metaclass=Meta):
    __slots__ = ("a",)

Point = collections.namedtuple("Point", "x y")

@dataclasses.dataclass(frozen=True, slots=True)
class Record:
    a: int
    b: object

def closed():
    stream = io.StringIO("x")
    stream.close()
    return stream

def seeked(stream, place):
    stream.seek(place)
    return stream

def groups(depth):
    error = ValueError("inner")
    for _ in range(depth):
        error = ExceptionGroup("outer", [error, KeyError("k")])
    return error

def holds_itself():
    error = ValueError()
    error.args = (error, [error])
    error.me = error
    error.__cause__ = error
    return error

def noted():
    error = ValueError("v")
    for number in range(2000):
        error.add_note(str(number) * 9)
    return error

def named(function, name):
    function.__name__ = function.__qualname__ = name
    return function

async def later(): return 1
async def stream(): yield 1
"""


def test_no_value_of_honest_code_looks_forged(suites):
    """Each is given back, put into data, and raised where it is an exception."""
    code = SOLUTION + "".join(
        f"def give_{name}(): return {value}\n"
        f"def wrap_{name}(): return {{'in': ({value}, [{value}])}}\n"
        f"def fail_{name}():\n    value = {value}\n"
        "    raise value if isinstance(value, BaseException) else ValueError(value)\n"
        for name, value in VALUES.items()
    )
    tests = "import pytest\nimport sol\n" + "".join(
        f"def test_{name}():\n"
        f"    for function in (sol.give_{name}, sol.wrap_{name}):\n"
        "        try:\n            repr(function())\n"
        "        except Exception as error:\n"
        "            assert any(word in str(error) for word in ('cannot cross', 'closed file')), error\n"
        "    with pytest.raises(Exception):\n"
        f"        sol.fail_{name}()\n"
        "    assert sol.groups(1) is not None\n"
        for name in VALUES
    )
    suites.write(code, tests)
    report, outcomes = suites.run(*(f"test_{name}" for name in VALUES))
    assert "\n".join(report.protocol_errors) == ""
    wrong = {name: suites.messages.get(name) for name, outcome in outcomes.items() if outcome != "passed"}
    assert wrong == {}


@pytest.mark.parametrize("value", ["own_zone", "own_zone_of_a_time", "long_name_of_a_zone"])
def test_a_time_in_an_odd_zone_says_why_it_cannot_cross(suites, value):
    suites.write(SOLUTION + f"def give(): return {VALUES[value]}\n", "import sol\ndef test_a(): sol.give()\n")
    report, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "failed"}
    assert "time zone" in suites.messages["test_a"]
    assert "cannot cross" in suites.messages["test_a"]
    assert report.protocol_errors == ()
