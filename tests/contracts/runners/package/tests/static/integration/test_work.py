import asyncio
import threading
import time

import pytest
import shop
from shop import errors, work
from shop.errors import OutOfStock, ShopError


def test_exceptions_by_type_and_text():
    with pytest.raises(OutOfStock, match="tea: only 2 left") as caught:
        work.fail("stock", "tea", 2)
    assert caught.value.left == 2
    assert caught.value.name_of_item == "tea"
    assert caught.value.args == ("tea: only 2 left",)
    assert str(caught.value) == "tea: only 2 left"
    with pytest.raises(ShopError):
        work.fail("stock", "tea")
    with pytest.raises(ValueError):
        work.fail("stock", "tea")
    with pytest.raises(errors.Quiet, match="^hush$"):
        work.fail("quiet")
    assert ShopError.retry is True
    try:
        work.fail("shop", 1, "two")
    except ShopError as error:
        assert error.args == (1, "two")


def test_standard_exceptions():
    import json
    from decimal import InvalidOperation

    with pytest.raises(KeyError) as caught:
        work.fail("key", "k")
    assert caught.value.args == ("k",)
    assert str(caught.value) == "'k'"
    assert type(caught.value) is KeyError
    with pytest.raises(FileNotFoundError) as caught:
        work.fail("os", 2, "gone")
    assert caught.value.errno == 2
    with pytest.raises(json.JSONDecodeError):
        work.bad_json()
    with pytest.raises(InvalidOperation):
        work.bad_decimal()
    with pytest.raises(UnicodeDecodeError):
        work.fail("unicode", "utf-8", b"\xff", 0, 1, "bad")
    with pytest.raises(SystemExit) as caught:
        work.fail("exit", 3)
    assert caught.value.code == 3
    with pytest.raises(StopIteration):
        work.fail("stop")
    with pytest.raises(ValueError):
        work.fail("local", "x")


def test_cause():
    with pytest.raises(ShopError) as caught:
        work.chained()
    assert "KeyError" in repr(caught.value.__cause__)


def test_exception_instances_cross():
    error = shop.echo(ValueError("x", 1))
    assert type(error) is ValueError
    assert error.args == ("x", 1)
    made = shop.echo(OutOfStock("tea", 1))
    assert isinstance(made, OutOfStock)


def test_callbacks():
    assert work.each(lambda value: value + 1, [1, 2]) == [2, 3]
    seen = []
    work.each(seen.append, "ab")
    assert seen == ["a", "b"]
    assert work.each(len, ["a", "bb"]) == [1, 2]
    assert work.each(shop.add, [1, 2]) == [2, 3]
    assert work.each(shop.Point, [1, 2]) == [shop.Point(1), shop.Point(2)]


def test_callback_kept_by_an_object():
    seen = []
    basket = shop.Basket()
    basket.on_put(seen.append)
    basket.put(shop.Item("tea")).put(shop.Item("cup"))
    assert seen == ["tea", "cup"]


def test_callback_that_calls():
    basket = shop.Basket()
    totals = []
    basket.on_put(lambda name: totals.append(basket.total))
    basket.put(shop.Item("tea", 2)).put(shop.Item("cup", 3))
    assert totals == [2, 5]


def test_callback_that_fails():
    class Mine(Exception):
        pass

    def fails(*args):
        raise Mine("told", 1)

    with pytest.raises(Mine, match="told"):
        work.each(fails, [1])
    assert work.guarded(fails)[:2] == ("error", "Mine")

    def value_error():
        raise ValueError("v")

    with pytest.raises(ValueError, match="v"):
        work.retry(value_error, 2)
    attempts = []

    def second_time():
        attempts.append(1)
        if len(attempts) < 2:
            raise KeyError("first")
        return "done"

    assert work.retry(second_time, 3, on=KeyError) == "done"
    with pytest.raises(KeyError):
        work.retry(lambda: {}["x"], 3, on=ValueError)


def test_callbacks_from_threads():
    assert work.parallel(lambda value: value * 2, [1, 2, 3]) == [2, 4, 6]
    assert work.parallel(shop.add, [1, 2, 3]) == [2, 3, 4]
    assert work.parallel(lambda value: shop.add(value, 1), [1, 2, 3]) == [2, 3, 4]


def test_callback_later():
    event = threading.Event()
    work.later(event.set)
    assert event.wait(5)


def test_iterators_of_the_test():
    assert work.total(x for x in [1, 2, 3]) == 6
    assert work.first(iter([1, 2, 3]), 2) == [1, 2]

    def endless():
        n = 0
        while True:
            yield n
            n += 1

    assert work.first(endless(), 3) == [0, 1, 2]
    assert work.total(map(int, ["1", "2"])) == 3


def test_generators_of_the_code():
    numbers = work.count(3)
    assert next(numbers) == 0
    assert list(numbers) == [1, 2]
    with pytest.raises(StopIteration):
        next(numbers)
    endless = work.endless()
    assert next(endless) == 0
    assert endless.send(10) == 10
    assert next(endless) == 11
    endless.close()
    with pytest.raises(StopIteration):
        next(endless)
    assert [a + b for a, b in zip(work.count(2), work.count(2))] == [0, 2]
    assert sum(work.count(4)) == 6
    assert list(work.count(0)) == []
    with pytest.raises(TypeError):
        len(work.count(2))


def test_changes_in_place():
    values = [1]
    work.append(values, 2)
    assert values == [1, 2]
    names = ["b", "a"]
    data = {"names": names, "deep": {"n": 1}, "old": 0}
    work.tidy(data)
    assert data == {"names": ["a", "b"], "deep": {"n": 2}, "new": {1, 2}}
    assert data["names"] is names
    unsorted = [3, 1, 2]
    assert work.sort_in_place(unsorted) is unsorted
    assert unsorted == [1, 2, 3]
    untouched = [1, 2]
    work.total(untouched)
    assert untouched == [1, 2]


def test_printed(capsys):
    work.say("hello", "there")
    out, err = capsys.readouterr()
    assert out == "hello there\n"
    assert err == "warned\n"
    work.raw(b"bytes\n")
    assert capsys.readouterr().out == "bytes\n"


def test_files(tmp_path):
    (tmp_path / "in.txt").write_text("hello")
    assert work.read(tmp_path / "in.txt") == "hello"
    assert work.read(str(tmp_path / "in.txt")) == "hello"
    out = work.write(tmp_path / "sub" / "out.txt", "made")
    assert out == tmp_path / "sub" / "out.txt"
    assert out.read_text() == "made"
    (tmp_path / "in.txt").write_text("changed")
    assert work.read(tmp_path / "in.txt") == "changed"
    work.remove(tmp_path / "in.txt")
    assert not (tmp_path / "in.txt").exists()
    (tmp_path / "sub" / "out.txt").unlink()
    with pytest.raises(FileNotFoundError):
        work.read(tmp_path / "sub" / "out.txt")


def test_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert work.here() == str(tmp_path)
    work.write("beside.txt", "x")
    assert (tmp_path / "beside.txt").read_text() == "x"


def test_environment(monkeypatch):
    monkeypatch.setenv("SHOP_MODE", "test")
    assert work.variable("SHOP_MODE") == "test"
    monkeypatch.delenv("SHOP_MODE")
    assert work.variable("SHOP_MODE") is None
    assert work.variable("PYTEST_CURRENT_TEST") is None


def test_patching_a_function_with_a_value_of_the_test(monkeypatch):
    monkeypatch.setattr(work.time, "time", lambda: 42.0)
    assert work.now() == 42.0


def test_dates():
    from datetime import datetime, timedelta

    assert work.tomorrow(datetime(2024, 2, 28)) == datetime(2024, 2, 29)
    assert work.make_now() + timedelta(minutes=1) == datetime(2024, 2, 3, 4, 6)


def run_all(function, n):
    threads = [threading.Thread(target=function) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_are_concurrent():
    racy, safe = work.Counter(safe=False), work.Counter(safe=True)
    run_all(racy.bump, 6)
    run_all(safe.bump, 6)
    assert safe.value == 6
    assert racy.value < 6


def test_threads_meet():
    meeting = work.Meeting()
    results = []
    run_all(lambda: results.append(meeting.arrive()), 2)
    assert results == [True, True]


def test_thread_identity():
    owner = work.Owner()
    assert owner.mine()
    seen = []
    run_all(lambda: seen.append(owner.mine()), 1)
    assert seen == [False]
    seen = []

    def own():
        mine = work.Owner()
        seen.append(mine.mine())

    run_all(own, 1)
    assert seen == [True]
    assert owner.mine()


def test_errors_in_threads():
    caught = []

    def call():
        try:
            work.fail("stock", "tea", 1)
        except OutOfStock as error:
            caught.append(str(error))

    run_all(call, 4)
    assert caught == ["tea: only 1 left"] * 4


def test_async_functions():
    assert asyncio.run(work.slowly(3)) == 3
    with pytest.raises(OutOfStock):
        asyncio.run(work.fails())

    async def main():
        started = time.monotonic()
        got = await asyncio.gather(*(work.slowly(n, 0.1) for n in range(8)))
        assert time.monotonic() - started < 0.6
        return got

    assert asyncio.run(main()) == list(range(8))


def test_async_iteration():
    async def main():
        return [number async for number in work.ticks(3)]

    assert asyncio.run(main()) == [0, 1, 2]


def test_async_context():
    async def main():
        gate = work.Gate()
        async with gate as inside:
            assert inside is gate
        with pytest.raises(KeyError):
            async with gate:
                raise KeyError("x")
        return gate.log

    assert asyncio.run(main()) == ["in", "out", "in", "KeyError"]


def test_async_cancel_and_timeout():
    async def main():
        gate = work.Gate()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(gate.wait(), 0.03)
        task = asyncio.create_task(gate.wait())
        await asyncio.sleep(0.02)
        gate.open()
        assert await task == "opened"
        return gate.log

    assert asyncio.run(main()) == ["cancelled"]


def test_async_callbacks():
    async def double(value):
        await asyncio.sleep(0.001)
        return value * 2

    async def main():
        return await work.each_async(double, [1, 2, 3])

    assert asyncio.run(main()) == [2, 4, 6]


def test_tasks_of_the_code():
    async def main():
        ticker = work.Ticker()
        await asyncio.sleep(0.05)
        return ticker.seen

    assert asyncio.run(main()) > 3


def test_sync_after_async():
    asyncio.run(work.slowly(1))
    assert shop.add(1, 1) == 2
    asyncio.run(work.slowly(1))


def test_nested_callbacks():
    def down(n):
        return n if n == 0 else work.each(down, [n - 1])[0] + 1

    assert down(5) == 5


def test_later_names():
    from shop import add as again

    assert again(1, 1) == 2
    import shop.models

    assert shop.models.Plain() is not None
