# mypy: disable-error-code="operator, attr-defined, misc"
# mypy: no-warn-unused-ignores
"""Changing the shape or dtype of a constant array in place affects only the caller's view."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import frozendict, jit
from tests.generated.package import Build

pytestmark = pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")

DATA = np.arange(4, dtype=np.float32).reshape(2, 2)


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclasses.dataclass(frozen=True)
class Config:
    a: Any
    b: Any = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    a: Any


def rows(x: Any, data: Any, value: Any) -> Any:
    shape = data.shape
    for array in _arrays((data, value)):
        _change_shape_and_dtype(array)
    return x + shape[0] * 10 + len(shape)


@pytest.fixture(scope="module")
def held(built: Build) -> ModuleType:
    return built(Path(__file__).parent / "foreign", "viewed").held


def _change_shape_and_dtype(array: Any) -> None:
    array.shape = (4,)
    array.dtype = np.int32


def _arrays(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Return all arrays that can be reached from a value."""
    if isinstance(value, np.ndarray):
        yield value
        yield from _arrays(value.base)
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from _arrays(item)
    elif hasattr(type(value), "items"):
        yield from _arrays(tuple(value.values()))
        yield from _arrays(tuple(value[key] for key in value))
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _arrays(getattr(value, field.name))


def _objects(held: ModuleType) -> dict[str, Callable[[], Any]]:
    """Return functions that create equal objects, each with arrays in it."""
    frozen = held.Table(DATA).data
    table = frozendict(a=DATA)
    config = Config(frozen, (frozen, 1))
    nested: dict[str, Any] = {
        "an array": DATA,
        "a tuple": (1, (DATA,)),
        "a named tuple": Pair(DATA, 1),
        "a frozendict": frozendict(a=DATA, b=(DATA,)),
        "this frozendict": table,
        "in a tuple": (table,),
        "a dataclass": config,
        "with slots": Slotted((frozen,)),
        "in a dataclass": (Config(Slotted(frozen)),),
    }
    x = jnp.zeros(())
    made: dict[str, Callable[[], Any]] = {
        name: lambda value=value: held.Nested(x, value) for name, value in nested.items()
    }
    return made | {
        "deep": lambda: held.Nested(x, (held.Table(DATA), 1)),
        "in a table": lambda: held.Nested(x, frozendict(a=held.Table(DATA))),
        "static": lambda: held.Table(DATA),
        "declared": lambda: held.Nested(
            x, 1, several=(DATA, DATA), named=frozendict(a=DATA), other=DATA
        ),
        "a static object": lambda: held.Nested(x, held.Table(DATA)),
        "with a draft": lambda: held.Drafted(x, DATA),
    }


def _ways_to_equal_objects(obj: Any) -> Iterator[tuple[str, Any]]:
    """Return all ways to an object with the same key."""
    leaves, treedef = jax.tree.flatten(obj)
    yield "unflattened", treedef.unflatten(leaves)
    yield "mapped", jax.tree.map(lambda x: x, obj)
    yield "pickled", pickle.loads(pickle.dumps(obj))
    yield "pickled treedef", pickle.loads(pickle.dumps(obj.__codegen_key__))
    if leaves:
        yield "copied", copy.copy(obj)
        yield "copied deeply", copy.deepcopy(obj)
        yield "replaced", obj.replace(x=1.0)
        yield "of dataclasses", dataclasses.replace(obj, x=1.0)
        yield "frozen", obj.draft().freeze()
        yield "compiled", jax.jit(lambda x: x)(obj)


def _values(obj: Any) -> tuple[Any, ...]:
    if not dataclasses.is_dataclass(obj):
        return tuple(obj.values)
    return tuple(getattr(obj, field.name) for field in dataclasses.fields(obj))


def test_in_place_change_of_an_array_affects_no_other_view(held: ModuleType) -> None:
    for name, make in _objects(held).items():
        obj = make()
        key = obj.__codegen_key__
        text = repr(key)
        for how, other in [*_ways_to_equal_objects(obj), ("made anew", make())]:
            for array in [*_arrays(_values(other)), *_arrays(key.values)]:
                with pytest.raises(ValueError, match=r"WRITEABLE|read-only"):
                    array.setflags(write=True)
                _change_shape_and_dtype(array)
            for again in (obj, make()):
                for array in _arrays((again.__codegen_key__.values, _values(again))):
                    assert array.shape == (2, 2), (name, how)
                    assert array.dtype == np.float32, (name, how)
            assert make().__codegen_key__ is key, (name, how)
            assert repr(make().__codegen_key__) == text, (name, how)


def test_draft_returns_views(held: ModuleType) -> None:
    draft = held.Drafted(0.0, DATA).draft()
    _change_shape_and_dtype(draft.data)
    assert draft.data.shape == (2, 2)
    assert draft.freeze().data.shape == (2, 2)


def test_in_place_change_in_an_implementation_affects_no_other_view(held: ModuleType) -> None:
    frozen = held.Table(DATA).data
    for value in (0, DATA, (DATA,), Config(frozen)):
        for run in (held.rows, jit(rows, static=("data", "value"))):
            for size in (2, 3):
                given = DATA.copy()
                for _ in range(2):
                    found = run(jnp.zeros(size), given, value)
                    assert found.tolist() == [22.0] * size
                assert given.shape == (2, 2)
