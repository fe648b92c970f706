"""Modules that the schemas of `tests/cases` import, but that do not exist: every name is a class."""

import abc
import importlib.abc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_NAMES = ("a", "heat_mixins", "materials", "model", "operators")


class _Anything(abc.ABCMeta):
    """The type of classes that have an object under a name in capitals, and a class under others."""

    def __getattr__(cls, name: str) -> Any:
        return cls() if name.isupper() else _attribute(cls, name)

    def __getitem__(cls, _: object) -> Any:
        return cls


class _Compared:
    """Has what a static value needs."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class _WithConstructor:
    """Has what a class with `init=False` needs from a mixin."""

    def __init__(self) -> None:
        pass


_BASES: dict[str, type] = {"Grain": _Compared, "Made": _WithConstructor}


class _Imported(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return _attribute(self, name)


def _attribute(owner: object, name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    base = _BASES.get(name, object)
    setattr(owner, name, _Anything(name, (base,), {}))
    return vars(owner)[name]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        is_own = name.partition(".")[0] in _NAMES
        return ModuleSpec(name, self, is_package=True) if is_own else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Imported(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


@contextmanager
def importable() -> Iterator[None]:
    """Let these modules be imported in the block."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [n for n, one in sys.modules.items() if type(one) is _Imported]:
            del sys.modules[name]
