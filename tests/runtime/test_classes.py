# Some values have deliberately wrong types, and JAX's stubs leave some things untyped.
# mypy: disable-error-code="arg-type, no-untyped-call, operator, comparison-overlap"
# mypy: disable-error-code="union-attr, index, attr-defined, unreachable"
# mypy: no-warn-unused-ignores
"""Generated classes behave like dataclasses and pytrees."""

import copy
import dataclasses
import json
import os
import pickle
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import frozendict
from tests import forked
from tests.runtime import model
from tests.runtime.sample import Box, Circle, Grid, Linear, Plate, Point, Scheme, Settings


def make_plate(**changes: Any) -> Plate:
    first = Linear(jnp.ones(2), jnp.zeros(2))
    return Plate(
        **{
            "u": jnp.ones((2, 2)),
            "alpha": jnp.full((2, 2), 0.5),
            "grid": Grid(2, 2),
            "first": first,
            "layers": (Linear(jnp.ones(3), 0.0), Linear(jnp.ones(1), 1.0, n=2)),
            **changes,
        }
    )


def test_generated_classes_are_dataclasses() -> None:
    grid = Grid(1, 2)
    assert dataclasses.is_dataclass(type(grid))
    assert [field.name for field in dataclasses.fields(grid)] == ["nx", "ny", "dx"]
    assert dataclasses.asdict(grid) == {"nx": 1, "ny": 2, "dx": 0.01}
    assert dataclasses.replace(grid, nx=np.int8(5)) == Grid(5, 2)
    assert grid.replace(ny=7) == Grid(1, 7)
    match grid:
        case Grid(nx, ny):
            assert (nx, ny) == (1, 2)
    if sys.version_info >= (3, 13):
        assert copy.replace(grid, nx=3) == Grid(3, 2)


def test_class_registered_by_jax_has_its_declared_fields() -> None:
    point = Point(1.0, 2.0, n=3)
    assert [field.name for field in dataclasses.fields(point)] == ["x", "y", "n"]
    assert Point.__match_args__ == ("x", "y", "n")
    assert dataclasses.replace(point, n=4) == Point(1.0, 2.0, n=4)
    assert jax.tree.structure(point) != jax.tree.structure(Point(1.0, 2.0, n=4))
    moved = jax.tree.map(lambda x: x + 1, point)
    assert moved == Point(2.0, 3.0, n=3)
    assert jax.jit(lambda p: p)(point) == point
    assert jax.tree.map(lambda _: None, point).x is None
    assert pickle.loads(pickle.dumps(point)) == point
    [(path, _), _] = jax.tree_util.tree_flatten_with_path(point)[0]
    assert jax.tree_util.keystr(path) == ".x"


@pytest.mark.parametrize("value", [Grid(1, 2), Linear(1.0, 2.0), Point(1.0, 2.0)])
def test_generated_objects_are_frozen(value: Any) -> None:
    first = dataclasses.fields(value)[0].name
    for name in (first, "unknown", "__codegen_key__"):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
        with pytest.raises(AttributeError):
            delattr(value, name)
    with pytest.raises(AttributeError):
        value.unknown  # noqa: B018
    assert not hasattr(value, "__dict__")


def test_instances_of_subclasses_are_frozen() -> None:
    circle = Circle(1.0)
    with pytest.raises(AttributeError):
        circle.unknown = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        circle.radius = 2.0  # type: ignore[misc]


def test_numbers_become_arrays() -> None:
    linear = Linear(1, 2.5)
    assert isinstance(linear.w, jax.Array)
    assert linear.w.dtype == jnp.float32
    assert not linear.w.weak_type
    array = np.ones(3, np.float64)
    assert Linear(array, 1).w is array  # type: ignore[comparison-overlap]
    for value in ("a", b"a", [1.0], (1.0,), {"a": 1}, {1}, None, True, 1j):
        with pytest.raises(TypeError, match=r"`Linear\.w`"):
            Linear(value, 1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"`Plate\.first` takes a `Linear`"):
        make_plate(first=jnp.ones(3))
    with pytest.raises(TypeError, match=r"`Plate\.layers\[0\]`"):
        make_plate(layers=(1.0,))


def test_equality_is_by_content() -> None:
    nan = jnp.array([1.0, jnp.nan])
    assert Linear(nan, 1.0) == Linear(nan + 0, 1.0)
    assert Linear(nan, 1.0) != Linear(nan, 1.0, n=2)
    assert Linear(nan, 1.0) != Linear(nan.astype(jnp.bfloat16), 1.0)
    assert Linear(nan.astype(jnp.bfloat16), 1.0) == Linear(nan.astype(jnp.bfloat16), 1.0)
    assert Linear(jnp.ones((1, 2)), 1.0) != Linear(jnp.ones((2, 1)), 1.0)
    assert Linear(1.0, 1.0) != Point(1.0, 1.0)
    assert Linear(jax.random.key(0), 1.0) == Linear(jax.random.key(0), 1.0)
    assert Linear(jax.random.key(0), 1.0) != Linear(jax.random.key(1), 1.0)
    assert Linear(jnp.ones(2, jnp.int4), 1.0) == Linear(jnp.ones(2, jnp.int4), 1.0)
    assert make_plate() == make_plate()
    assert make_plate() != make_plate(layers=())
    assert make_plate() != make_plate(extra=1.0)
    mark = object()
    marks = jax.tree.map(lambda _: mark, make_plate())
    assert marks == jax.tree.map(lambda _: mark, make_plate())
    assert marks != make_plate()
    with pytest.raises(jax.errors.JAXTypeError):
        jax.jit(lambda x: Linear(x, 1.0) == Linear(x + 1, 1.0))(1.0)


def test_hash_error_explains_the_reason() -> None:
    with pytest.raises(TypeError, match="unhashable: a `Linear` contains arrays"):
        hash(Linear(1.0, 2.0))


def test_copies() -> None:
    grid, plate = Grid(1, 2), make_plate()
    assert copy.copy(grid) is grid
    assert copy.deepcopy(grid) is grid
    shallow, deep = copy.copy(plate), copy.deepcopy(plate)
    assert shallow == deep == plate
    assert shallow is not plate
    assert shallow.u is plate.u
    assert deep.u is not plate.u
    assert deep.__codegen_key__ is plate.__codegen_key__


def make_pickled() -> list[Any]:
    return [
        Grid(1, 2),
        make_plate(source=model.double, scheme=Scheme.IMPLICIT),
        Box((1, float("nan"), frozenset({"a", "b", 3}), np.arange(3), model.double)),
        Settings((1, "a"), frozendict(b=1.0, a=0.0), np.ones(2, "f"), shape=Circle(1.0)),
        Box(frozendict({"z": 1, "a": np.float32(2)})),
        Grid(3, 4).__codegen_key__,
        jax.tree.structure(make_plate()),
    ]


def test_pickling_into_another_process(tmp_path: Any) -> None:
    """The other process has another hash seed, which changes the order of sets."""
    path = tmp_path / "values.pickle"
    program = (
        "import pickle, sys\n"
        "from tests.runtime.test_classes import make_pickled\n"
        "values = pickle.load(open(sys.argv[1], 'rb'))\n"
        "assert values == make_pickled()\n"
        "assert values[0].__codegen_key__ is make_pickled()[0].__codegen_key__\n"
        "assert hash(values[2]) == hash(make_pickled()[2])\n"
    )
    path.write_bytes(pickle.dumps(make_pickled()))
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, env=environment)


def test_unpickling_checks() -> None:
    function, arguments = Grid(1, 2).__codegen_key__.__reduce__()
    assert function(*arguments) is Grid(1, 2).__codegen_key__
    with pytest.raises(TypeError, match=r"`Grid\.nx`"):
        function(Grid, {}, {"nx": "1", "ny": 2, "dx": 0.5})


@pytest.mark.parametrize(
    "leaf", [None, object(), True, "text", jax.ShapeDtypeStruct((1,), jnp.float32), (1, 2)]
)
def test_any_object_may_replace_a_leaf(leaf: Any) -> None:
    plate = make_plate()
    leaves, treedef = jax.tree.flatten(plate)
    placed = jax.tree.unflatten(treedef, [leaf] * len(leaves))
    assert placed.u is leaf
    assert placed.layers[1].b is leaf
    assert placed.__codegen_key__ is plate.__codegen_key__


def test_paths_name_the_fields() -> None:
    paths = [
        jax.tree_util.keystr(path)
        for path, _ in jax.tree_util.tree_flatten_with_path(make_plate())[0]
    ]
    assert paths[:4] == [".u", ".alpha", ".first.w", ".first.b"]
    assert ".layers[1].b" in paths


def test_transformations() -> None:
    traces = 0

    def energy(plate: Plate) -> jax.Array:
        nonlocal traces
        traces += 1
        return plate.u.sum() * plate.grid.nx + plate.first.w.sum()

    program = jax.jit(energy)
    assert program(make_plate()) == program(make_plate(grid=Grid(2, 2))) == 10
    assert traces == 1
    assert program(make_plate(grid=Grid(3, 2))) == 14
    assert traces == 2
    gradient = jax.grad(energy)(make_plate())
    assert gradient.grid == Grid(2, 2)
    assert (gradient.u == 2).all()
    stacked = jax.tree.map(lambda x: jnp.stack([x, x]), make_plate())
    assert jax.vmap(energy)(stacked).shape == (2,)
    scanned, _ = jax.lax.scan(
        lambda p, _: (jax.tree.map(lambda x: x + 1, p), None), make_plate(), None, length=3
    )
    assert (scanned.u == 4).all()
    with pytest.raises(TypeError):
        jax.lax.cond(True, lambda: Linear(1.0, 1.0), lambda: Linear(1.0, 1.0, n=2))
    with pytest.raises(TypeError):
        jax.lax.cond(True, lambda: Linear(1.0, 1.0), lambda: Point(1.0, 1.0))
    assert jax.eval_shape(lambda p: p, make_plate()).grid == Grid(2, 2)


def test_static_object_as_pytree_or_static_argument_is_traced_once() -> None:
    traces = 0

    def area(grid: Grid) -> jax.Array:
        nonlocal traces
        traces += 1
        return jnp.asarray(grid.nx * grid.ny)

    for program in (jax.jit(area), jax.jit(area, static_argnums=0)):
        traces = 0
        assert program(Grid(2, 3)) == program(Grid(2, 3)) == 6
        assert traces == 1
        assert program(Grid(3, 3)) == 9


def test_importing_starts_no_backend() -> None:
    program = (
        "import builtins\n"
        "import jax, numpy, jax.numpy, jax.extend.core, dataclasses\n"
        "import codegen.runtime, tests.runtime.sample\n"
        "from jax._src import xla_bridge\n"
        "import json\n"
        "print(json.dumps(xla_bridge.backends_are_initialized()))\n"
    )
    done = forked.run("-c", program)
    assert json.loads(done.stdout) is False
    assert not done.stderr
