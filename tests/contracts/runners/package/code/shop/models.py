import enum
from collections import UserDict, namedtuple
from dataclasses import dataclass, field
from functools import total_ordering
from typing import NamedTuple

from .errors import OutOfStock


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"

    @property
    def loud(self):
        return self is Colour.RED

    def mix(self, other):
        return f"{self.value}+{other.value}"

    @classmethod
    def first(cls):
        return cls.RED


class Status(str, enum.Enum):
    OPEN = "open"
    DONE = "done"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Perm(enum.Flag):
    R = 1
    W = 2


@dataclass
class Item:
    name: str
    price: int = 0
    tags: list = field(default_factory=list)

    def label(self):
        return f"{self.name}@{self.price}"


@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0

    def moved(self, dx):
        return Point(self.x + dx, self.y)


class Money(NamedTuple):
    amount: int
    currency: str = "EUR"

    def doubled(self):
        return Money(self.amount * 2, self.currency)


Pair = namedtuple("Pair", "left right")


@total_ordering
class Vector:
    def __init__(self, *parts):
        self.parts = list(parts)

    def __add__(self, other):
        if isinstance(other, Vector):
            return Vector(*(a + b for a, b in zip(self.parts, other.parts)))
        return NotImplemented

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mul__(self, k):
        return Vector(*(a * k for a in self.parts))

    __rmul__ = __mul__

    def __iadd__(self, other):
        self.parts = [a + b for a, b in zip(self.parts, other.parts)]
        return self

    def __neg__(self):
        return self * -1

    def __abs__(self):
        return sum(a * a for a in self.parts) ** 0.5

    def __eq__(self, other):
        return isinstance(other, Vector) and self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    def __hash__(self):
        return hash(tuple(self.parts))

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, key):
        return self.parts[key]

    def __contains__(self, value):
        return value in self.parts

    def __bool__(self):
        return any(self.parts)

    def __iter__(self):
        return iter(self.parts)

    def __reversed__(self):
        return reversed(self.parts)

    def __repr__(self):
        return f"Vector{tuple(self.parts)}"

    def __str__(self):
        return "v" + ",".join(map(str, self.parts))

    def __format__(self, spec):
        return f"<{spec}:{self!s}>"

    def __call__(self, k=2):
        return self * k

    def __int__(self):
        return int(abs(self))

    def __float__(self):
        return float(abs(self))


class Basket:
    opened = 0

    def __init__(self, owner="nobody"):
        self.owner = owner
        self._items = {}
        self.closed = False
        self.observers = []

    @property
    def total(self):
        return sum(item.price for item in self._items.values())

    @property
    def limit(self):
        return getattr(self, "_limit", 10)

    @limit.setter
    def limit(self, value):
        if value < 0:
            raise ValueError("negative limit")
        self._limit = value

    def put(self, item):
        if len(self._items) >= self.limit:
            raise OutOfStock(item.name, left=self.limit)
        self._items[item.name] = item
        for observer in self.observers:
            observer(item.name)
        return self

    def on_put(self, observer):
        self.observers.append(observer)

    def items(self):
        return list(self._items.values())

    def __setitem__(self, key, value):
        self._items[key] = Item(key, value)

    def __getitem__(self, key):
        return self._items[key]

    def __delitem__(self, key):
        del self._items[key]

    def __enter__(self):
        self.closed = False
        return self

    def __exit__(self, kind, error, trace):
        self.closed = True
        self.error = kind.__name__ if kind else None
        return isinstance(error, KeyError)

    @staticmethod
    def version():
        return "1.2"

    @classmethod
    def for_owner(cls, owner):
        return cls(owner)


class Gift(Basket):
    pass


class Config(UserDict):
    pass


class Plain:
    pass


class Unhashable:
    def __eq__(self, other):
        return True

    __hash__ = None


class OddEqual:
    def __eq__(self, other):
        return 1

    __hash__ = object.__hash__
