import pytest

from calc import fib


@pytest.mark.parametrize("n,f", [(0, 0), (1, 1), (2, 1), (10, 55), (20, 6765)])
def test_fib(n, f):
    assert fib(n) == f


def test_hidden_fails():
    assert fib(-1) == 1
