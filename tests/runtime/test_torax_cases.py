# Some values have deliberately wrong types.
# mypy: disable-error-code="arg-type, misc, no-untyped-call, operator, comparison-overlap"
# mypy: no-warn-unused-ignores
"""The test cases of TORAX for its StaticDataclass, translated, and cases that it gets wrong.

The tests of TORAX cover: frozen, equal and hashed by value and class, no hash by identity, nested objects.
"""

import copy
import dataclasses
import functools
import math
import os
import pathlib
import pickle
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime.frozendict import frozendict
from tests.ids import named
from tests.runtime import model, sample
from tests.runtime.sample import Box, Circle, Grid, Linear, Plate, Settings, Shape, Square

PROJECT = pathlib.Path(__file__).parents[2]
TABLE: Final = np.ones(2, np.float32)


def root(shape: Shape | None = None, **rates: float) -> Settings:
    return Settings((1, "a", None), frozendict(rates), TABLE, shape=shape)


# Tests of TORAX.


@pytest.mark.parametrize("name", ["nx", "new"])
def test_frozen_for_existing_and_new_attributes(name: str) -> None:
    grid = Grid(1, 2)
    with pytest.raises((AttributeError, TypeError)):
        setattr(grid, name, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del grid.nx
    assert grid == Grid(1, 2)


def test_defaults() -> None:
    assert Grid(1, 2).dx == 0.01
    assert Grid(1, 2) == Grid(1, 2, dx=0.01)


def test_equal_values_are_equal_with_equal_hashes() -> None:
    one, other = Grid(1, 2, dx=0.5), Grid(1, 2, dx=0.5)
    assert one is not other
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1


@pytest.mark.parametrize(
    "other",
    [Grid(1, 3), Grid(2, 1), Grid(1, 2, dx=0.1), Box(1), 1, (1, 2, 0.01), None, "Grid"],
    ids=named,
)
def test_another_value_class_or_type_is_unequal(other: Any) -> None:
    grid = Grid(1, 2)
    assert grid != other
    assert other != grid
    assert hash(grid) != hash(other)


def test_class_with_the_same_fields_is_unequal() -> None:
    assert Circle(1.0) != Square(1.0)
    assert hash(Circle(1.0)) != hash(Square(1.0))


def test_python_subclass_is_unequal() -> None:
    """TORAX's case is a subclass without the decorator."""

    class Mine(Grid):
        __slots__ = ()

    assert Mine(1, 2) == Mine(1, 2)
    assert Mine(1, 2) != Grid(1, 2)
    assert hash(Mine(1, 2)) != hash(Grid(1, 2))


class ById:
    """It hashes by identity, as plain classes do."""


class AsConfigured(ById):
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AsConfigured)


@pytest.mark.parametrize("value", [ById(), AsConfigured(), object(), iter(())], ids=named)
def test_field_value_that_hashes_by_identity_is_rejected(value: Any) -> None:
    with pytest.raises(TypeError, match=r"`Box\.value` takes an immutable value"):
        Box(value)


def test_identity_is_allowed_by_the_declared_type() -> None:
    """This replaces `metadata={"hash_by_id": True}`: `static[Callable[...]]` accepts functions."""
    plate = Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=model.double)
    assert plate.source is model.double
    assert plate == Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=model.double)
    with pytest.raises(TypeError, match=r"`Plate\.source` .*by its own name"):
        Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=lambda x: x)
    # For a callable object, the advice is different.
    with pytest.raises(TypeError, match=r"lambdas, closures and partials .* `static.Any.`"):
        Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=Policy(2))
    assert Box(Policy(2)) == Box(Policy(2))
    with pytest.raises(TypeError, match=r"Define a function with `def`"):
        Plate(1.0, 1.0, Grid(1, 2), Linear(1.0, 1.0), source=functools.partial(len))


@dataclasses.dataclass(frozen=True)
class Policy:
    """A callable compared by value, as policies of `jax.checkpoint` are."""

    level: int

    def __call__(self, x: Any) -> Any:
        return x


def test_unfrozen_dataclass_is_rejected() -> None:
    @dataclasses.dataclass
    class Mutable:
        a: int = 1

    with pytest.raises(TypeError, match=r"`Box\.value\[0\]` .*Mutable"):
        Box((Mutable(),))
    with pytest.raises(TypeError, match=r"`Box\.value` .*contains arrays: declare it dynamic"):
        Box(Linear(1.0, 1.0))


def test_equivalent_trees_hash_the_same() -> None:
    one, other = (root(Circle(1.0), a=1.0) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert hash(Box((one, Grid(1, 2)))) == hash(Box((other, Grid(1, 2))))


def test_objects_with_different_classes_of_leaves_are_unequal() -> None:
    assert root(Circle(1.0)) != root(Square(1.0))
    assert hash(root(Circle(1.0))) != hash(root(Square(1.0)))
    assert Box(root(Circle(1.0))) != Box(root(Square(1.0)))


def test_mappings_are_compared_by_keys_values_and_order() -> None:
    """TORAX ignores the order of keys. A program can observe it by iterating, so we do not."""
    assert root(a=1.0) == root(a=1.0)
    assert root(a=1.0) != root(a=2.0)
    assert root(a=1.0) != root(b=1.0)
    assert root(a=1.0, b=2.0) != root(b=2.0, a=1.0)
    assert Box(frozendict(x=frozendict(a=1))) == Box(frozendict(x=frozendict(a=1)))
    assert Box(frozendict(x=frozendict(a=1))) != Box(frozendict(x=frozendict(a=2)))
    with pytest.raises(TypeError, match="use a frozendict"):
        Box({"a": 1})


def test_sequences_are_compared_by_value() -> None:
    """TORAX accepts lists, which are mutable. We require tuples."""
    assert Box((1, (2, 3))) == Box((1, (2, 3)))
    assert Box((1, (2, 3))) != Box((1, (3, 2)))
    with pytest.raises(TypeError, match=r"`Box\.value\[1\]` .*use a tuple"):
        Box((1, [2, 3]))


# Cases that TORAX gets wrong.


@dataclasses.dataclass(unsafe_hash=True)
class Hashable:
    """A mutable class with a hash."""

    a: int = 1


@dataclasses.dataclass(frozen=True)
class Two:
    first: Any
    last: Any


def test_every_field_is_checked() -> None:
    with pytest.raises(TypeError, match=r"`Box\.value\.first` .*Hashable"):
        Box(Two(Hashable(), 1))
    with pytest.raises(TypeError, match=r"`Box\.value\.last` .*Hashable"):
        Box(Two(1, Hashable()))


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ((lambda x: x,), r"\[0\]"),
        ((1, (lambda x: x, 2)), r"\[1\]\[0\]"),
        (frozenset({lambda x: x}), r"\{\.\.\.\}"),
        (Two(1, (lambda x: x,)), r"\.last\[0\]"),
        ((Grid(1, 2).replace,), r"\[0\]"),
        ([].append, ""),
        ("a".upper, ""),
    ],
)
def test_local_functions_are_rejected_at_any_depth(value: Any, path: str) -> None:
    with pytest.raises(TypeError, match=rf"`Box\.value{path}` takes .*was given"):
        Box(value)


@pytest.mark.parametrize("value", [math.sin, math.cos, model.double, len, jnp.sin, np.add])
def test_module_level_function_is_accepted(value: Callable[..., Any]) -> None:
    """It is found by name, also when it is unpickled."""
    assert Box(value) == Box(value)
    assert Box(value) != Box(model.step)
    assert pickle.loads(pickle.dumps(Box(value))) == Box(value)


def test_class_is_accepted_as_a_value() -> None:
    assert Box(Grid) == Box(Grid)
    assert Box(Grid) != Box(Circle)
    assert Box(np.float32) != Box(np.dtype("float32"))


def test_nan_is_accepted_and_traced_once() -> None:
    traces = 0

    @jax.jit
    def function(box: Box, grid: Grid) -> Any:
        nonlocal traces
        traces += 1
        return jnp.float32(grid.dx)

    for sign in (1, -1, 1):
        nan = math.copysign(float("nan"), sign)
        assert Box(nan) == Box(float("nan"))
        assert math.isnan(function(Box((nan, complex(0, nan))), Grid(1, 2, dx=nan)))
    assert traces == 1


@pytest.mark.parametrize("static", [False, True])
def test_equal_numbers_of_different_types_retrace(static: bool) -> None:
    values: list[Any] = [1, 1.0, True, np.float32(1), 1 + 0j, np.int32(1)]
    expected = [np.int32, np.float32, np.int32, np.float32, np.complex64, np.int32]
    function = jax.jit(lambda box, x: x * box.value, static_argnums=(0,) if static else ())
    assert len({Box(value) for value in values}) == len(values)
    for value, dtype in [*zip(values, expected, strict=True)] * 2:
        assert function(Box(value), jnp.arange(3)).dtype == dtype


def test_negative_zero_is_not_zero() -> None:
    function = jax.jit(lambda grid: jnp.copysign(1.0, grid.dx))
    assert Grid(1, 2, dx=0.0) != Grid(1, 2, dx=-0.0)
    assert function(Grid(1, 2, dx=0.0)) == 1
    assert function(Grid(1, 2, dx=-0.0)) == -1
    assert Box((0.0, frozenset({0.0}))) != Box((0.0, frozenset({-0.0})))
    assert Box(complex(0, 0.0)) != Box(complex(0, -0.0))


def test_two_classes_with_one_name_are_different() -> None:
    """Local classes have equal qualified names, as classes of a reloaded module do."""
    made = []
    for _ in range(2):
        module = types.ModuleType(sample.__name__)
        sys.modules["made_twice"] = module
        exec(
            compile(sample.SOURCE, "made_twice", "exec"),
            vars(module),
        )
        made.append(module.Circle)
    del sys.modules["made_twice"]
    first, second = made
    assert (first.__module__, first.__qualname__) == (second.__module__, second.__qualname__)
    assert first(1.0) != second(1.0)
    assert hash(first(1.0)) != hash(second(1.0))
    assert jax.tree.structure(first(1.0)) != jax.tree.structure(second(1.0))
    assert Box(first(1.0)) != Box(second(1.0))


_READ = """
import pickle, sys
sys.path.insert(0, {project!r})
from codegen.runtime.frozendict import frozendict
from tests.runtime.sample import Box, Grid
box = pickle.loads({pickled!r})
twin = Box((Grid(1, 2), "name", frozendict(a=1)))
assert box == twin and hash(box) == hash(twin) and twin in {{box}}
print(hash("name"))
"""


def test_hash_is_not_pickled(tmp_path: pathlib.Path) -> None:
    box = Box((Grid(1, 2), "name", frozendict(a=1)))
    hash(box)  # TORAX stores the hash in `__dict__`, which is pickled.
    source = _READ.format(project=str(PROJECT), pickled=pickle.dumps(box))
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = os.environ | {"PYTHONHASHSEED": seed}
    command = [sys.executable, "-W", "error", "-c", source]
    printed = subprocess.check_output(command, env=environment, cwd=tmp_path)
    assert int(printed) != hash("name")


def test_copies_and_pickles_are_equal() -> None:
    config = root(Circle(float("nan")), a=-0.0)
    for twin in (copy.copy(config), copy.deepcopy(config), pickle.loads(pickle.dumps(config))):
        assert twin == config
        assert hash(twin) == hash(config)
