class ShopError(Exception):
    """Base."""

    retry = True


class OutOfStock(ShopError, ValueError):
    def __init__(self, name, left=0):
        super().__init__(f"{name}: only {left} left")
        self.name_of_item = name
        self.left = left


class Quiet(ShopError):
    def __str__(self):
        return "hush"


class Halt(BaseException):
    pass
