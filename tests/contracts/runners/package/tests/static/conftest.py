import pytest


@pytest.fixture
def basket():
    import shop

    return shop.Basket("ann")
