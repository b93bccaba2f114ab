import copy
import dataclasses

import pytest
import shop
from makers import doubled
from shop import Basket, Colour, Item, Level, Money, Perm, Point, Status, Vector, default_basket
from shop.models import Config, Gift, OddEqual, Pair, Plain, Unhashable


def test_support_module():
    assert doubled(2) == 4


def test_fixture_of_conftest(basket):
    assert basket.owner == "ann"


def test_attributes(basket):
    assert basket.total == 0
    basket.owner = "bob"
    assert basket.owner == "bob"
    basket.limit = 3
    assert basket.limit == 3
    with pytest.raises(ValueError, match="negative limit"):
        basket.limit = -1
    with pytest.raises(AttributeError):
        basket.nonsense
    with pytest.raises(AttributeError):
        basket.total = 5
    del basket.owner
    assert not hasattr(basket, "owner")
    assert getattr(basket, "owner", "gone") == "gone"


def test_methods(basket):
    assert basket.put(Item("tea", 3)) is basket
    assert basket.put(Item("cup", 4)).total == 7
    assert [item.name for item in basket.items()] == ["tea", "cup"]
    assert Basket.version() == basket.version() == "1.2"
    assert Basket.for_owner("eve").owner == "eve"
    assert Basket.opened == 0
    bound = basket.put
    bound(Item("pot", 1))
    assert basket.total == 8


def test_class_attribute_can_be_set():
    Basket.opened = 4
    assert Basket().opened == 4


def test_class_attribute_is_fresh_in_each_test():
    assert Basket.opened == 0


def test_module_object_is_fresh():
    assert default_basket.total == 0
    default_basket.put(Item("tea", 3))
    assert default_basket.total == shop.default_basket.total == 3


def test_module_object_is_fresh_again():
    assert default_basket.total == 0


def test_subscripts(basket):
    basket["tea"] = 5
    assert basket["tea"].price == 5
    del basket["tea"]
    with pytest.raises(KeyError):
        basket["tea"]


def test_isinstance():
    gift = Gift()
    assert isinstance(gift, Gift)
    assert isinstance(gift, Basket)
    assert not isinstance(Basket(), Gift)
    assert type(gift) is Gift
    assert issubclass(Gift, Basket)
    assert isinstance(shop.echo(gift), Gift)


def test_identity(basket):
    item = Item("tea")
    basket.put(item)
    assert basket["tea"] is item
    assert shop.echo(item) is item
    assert shop.echo([item, item])[1] is item


def test_equality_of_plain_objects():
    one, two = Plain(), Plain()
    assert one == one
    assert one != two
    assert len({one, two, one}) == 2
    assert one != 5
    assert one != "x"


def test_equality_of_values():
    assert Vector(1, 2) == Vector(1, 2)
    assert Vector(1, 2) != Vector(2, 1)
    assert Vector(1, 2) in [Vector(0), Vector(1, 2)]
    assert hash(Vector(1)) == hash(Vector(1))
    assert {Vector(1): "a"}[Vector(1)] == "a"


def test_instance_never_equals_plain():
    assert Unhashable() != 5
    assert Unhashable() != [1]
    assert [Unhashable()] != [3]
    with pytest.raises(TypeError):
        hash(Unhashable())


def test_equality_must_be_a_bool():
    with pytest.raises(TypeError, match="bool"):
        OddEqual() == OddEqual()


def test_operators():
    v = Vector(3, 4)
    assert v + Vector(1, 1) == Vector(4, 5)
    assert sum([v, v]) == Vector(6, 8)
    assert v * 2 == 2 * v == Vector(6, 8)
    assert -v == Vector(-3, -4)
    assert abs(v) == 5.0
    assert int(v) == 5
    assert float(v) == 5.0
    assert len(v) == 2
    assert v[0] == 3
    assert v[0:2] == [3, 4]
    assert 3 in v
    assert 9 not in v
    assert list(v) == [3, 4]
    assert list(reversed(v)) == [4, 3]
    assert v
    assert not Vector(0, 0)
    assert v() == Vector(6, 8)
    assert v(k=3) == Vector(9, 12)
    assert max(Vector(1), Vector(3), Vector(2)) == Vector(3)
    assert sorted([Vector(2), Vector(1)])[0] == Vector(1)
    assert Vector(1) < Vector(2) <= Vector(2)
    before = v
    v += Vector(1, 1)
    assert v is before
    assert v == Vector(4, 5)
    with pytest.raises(TypeError):
        v + 1
    with pytest.raises(TypeError):
        v - v
    with pytest.raises(IndexError):
        v[9]
    a, b = v
    assert (a, b) == (4, 5)


def test_text():
    v = Vector(1, 2)
    assert str(v) == "v1,2"
    assert repr(v) == "Vector(1, 2)"
    assert f"{v:wide}" == "<wide:v1,2>"
    assert f"{v}" == "<:v1,2>"
    assert "total" in dir(Basket())


def test_len_where_there_is_none():
    with pytest.raises(TypeError):
        len(Plain())
    with pytest.raises(TypeError):
        iter(Plain())
    with pytest.raises(TypeError):
        Plain()()
    with pytest.raises(TypeError):
        Plain()["x"]
    assert Plain()


def test_context_manager(basket):
    with basket as inside:
        assert inside is basket
        assert not basket.closed
    assert basket.closed
    assert basket.error is None
    with basket:
        raise KeyError("swallowed")
    assert basket.error == "KeyError"
    with pytest.raises(RuntimeError), basket:
        raise RuntimeError("not swallowed")


def test_enumerations():
    assert shop.echo(Colour.RED) is Colour.RED
    assert Colour.RED.value == "red"
    assert Colour("blue") is Colour.BLUE
    assert Colour["RED"] is Colour.RED
    assert list(Colour) == [Colour.RED, Colour.BLUE]
    assert Colour.RED != Colour.BLUE
    assert Colour.RED != "red"
    assert Status.OPEN == "open"
    assert Level.HIGH > Level.LOW
    assert Level.HIGH == 3
    assert Colour.RED.loud
    assert not Colour.BLUE.loud
    assert Colour.RED.mix(Colour.BLUE) == "red+blue"
    assert Colour.first() is Colour.RED
    assert shop.echo({Colour.RED: 1}) == {Colour.RED: 1}
    assert isinstance(shop.echo(Colour.RED), Colour)
    assert shop.echo(Perm.R | Perm.W) == Perm.R | Perm.W
    assert Perm.R in shop.echo(Perm.R | Perm.W)
    assert shop.kind_of(Status.OPEN) == "Status"
    with pytest.raises(ValueError):
        Colour("green")


def test_dataclasses():
    item = Item("tea", 3, ["hot"])
    assert item == Item("tea", 3, ["hot"])
    assert item != Item("tea", 4, ["hot"])
    assert item != ("tea", 3, ["hot"])
    assert item.label() == "tea@3"
    assert dataclasses.asdict(item) == {"name": "tea", "price": 3, "tags": ["hot"]}
    assert dataclasses.replace(item, price=9).price == 9
    assert dataclasses.is_dataclass(item)
    with pytest.raises(TypeError):
        hash(item)
    with pytest.raises(TypeError):
        Item()
    assert Point(1, 2) == Point(1).moved(0) or True
    assert Point(1) < Point(2)
    assert {Point(1), Point(1)} == {Point(1, 0)}
    with pytest.raises(AttributeError):
        Point(1).x = 5
    assert "Item(name='tea'" in repr(item)


def test_named_tuples():
    money = Money(5)
    assert money == (5, "EUR")
    assert money == Money(5, "EUR")
    assert money.amount == 5
    assert money.doubled() == Money(10)
    amount, currency = money
    assert (amount, currency) == (5, "EUR")
    assert isinstance(money, Money)
    assert isinstance(money, tuple)
    assert shop.kind_of(money) == "Money"
    assert Pair(1, 2)._asdict() == {"left": 1, "right": 2}
    assert Pair(1, 2)._replace(left=3) == (3, 2)
    with pytest.raises(TypeError):
        Pair(1)


def test_mapping_class():
    config = Config({"a": 1})
    config["b"] = 2
    assert dict(config) == {"a": 1, "b": 2}
    assert config.get("c", 3) == 3
    assert "a" in config
    assert {**config} == {"a": 1, "b": 2}


def test_copies():
    item = Item("tea", 3, ["hot"])
    shallow, deep = copy.copy(item), copy.deepcopy(item)
    assert shallow == item and shallow is not item
    assert deep == item and deep is not item


def test_monkeypatch(monkeypatch, basket):
    monkeypatch.setattr(shop, "LIMIT", 9)
    assert shop.LIMIT == 9
    monkeypatch.setattr(basket, "owner", "eve")
    assert basket.owner == "eve"
    monkeypatch.setattr(Basket, "opened", 7)
    assert Basket.opened == 7
    monkeypatch.undo()
    assert (shop.LIMIT, basket.owner, Basket.opened) == (5, "ann", 0)


def test_introspection():
    assert shop.add.__name__ == "add"
    assert Basket.__name__ == "Basket"
    assert callable(shop.add)
    assert callable(Basket)
    assert callable(Basket().put)
    assert vars(Plain()) == {}


def test_truth_of_missing_names():
    assert not hasattr(shop, "nonsense")
    with pytest.raises(ImportError):
        from shop import nonsense  # noqa: F401
