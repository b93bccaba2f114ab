import pytest

from calc import add


@pytest.mark.parametrize("a,b,c", [(1, 2, 3), (0, 0, 0), (-1, 1, 0), (10, 5, 15)])
def test_add(a, b, c):
    assert add(a, b) == c
