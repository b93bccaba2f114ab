"""Serves stand-in modules to the author's tests in place of the submission's modules."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from bouts.adapters.runners.python.calls.standins import CURRENT, RemoteModule


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the public modules of the submission, the packages above them and whatever is below them."""

    def __init__(self, modules: tuple[str, ...], collect: Callable[[str, str], Any]) -> None:
        self._modules = modules
        self._collect = collect
        self.imported: list[str] = []

    def install(self) -> None:
        """Come before every other finder. Raises `ValueError` where a name is already a module of this process."""
        for name in self._modules:
            root = name.partition(".")[0]
            if root in sys.modules or root in sys.stdlib_module_names:
                raise ValueError(f"the public module {name!r} has the name of a module that Python itself uses")
        sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """A spec for names that are the submission's."""
        if not self.public(fullname):
            below = any(fullname.startswith(name + ".") for name in self._modules)
            parent, _, child = fullname.rpartition(".")
            link = CURRENT.link
            if not below or (link is not None and link.tell(parent, child)[0] == "missing"):
                return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def public(self, fullname: str) -> bool:
        """Whether the name is a public module or a package above one."""
        return any(name == fullname or name.startswith(fullname + ".") for name in self._modules)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The stand-in; nothing of the submission runs here."""
        return _Collected(spec.name, self._collect, self.public)

    def exec_module(self, module: ModuleType) -> None:
        """Note which modules the tests use, so that each worker has them ready."""
        self.imported.append(module.__name__)


class _Collected(RemoteModule):
    """A module whose names can be bound before any test runs."""

    def __init__(self, name: str, collect: Callable[[str, str], Any], public: Callable[[str], bool]) -> None:
        super().__init__(name)
        self.__dict__["_bouts_collect"] = collect
        self.__dict__["_bouts_public"] = public

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            raise ImportError(f"tests import names of {self.__name__} one by one, not with *")
        if self.__dict__["_bouts_public"](f"{self.__name__}.{name}"):
            # The import system then imports it.
            raise AttributeError(name)
        if (
            CURRENT.link is None
            and not name.startswith("_bouts")
            and not (name.startswith("__") and name.endswith("__"))
        ):
            known = self.__dict__["_bouts_known"]
            if name not in known:
                value = self.__dict__["_bouts_collect"](self.__name__, name)
                if not hasattr(type(value), "__getattr__") and not hasattr(type(type(value)), "__getattr__"):
                    return value
                known[name] = value
            return known[name]
        return super().__getattr__(name)
