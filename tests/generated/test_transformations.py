"""Objects of every generated class work with the transformations of JAX."""

import contextlib
import dataclasses
import enum
import inspect
import math
import operator
from collections.abc import Callable
from typing import Any

import jax
import jax.flatten_util
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from codegen.testing import checks
from tests.generated.impl import mixins
from tests.generated.objects import ABSTRACT, half, objects, statics
from tests.generated.package import Package


def _classes(package: Package) -> set[str]:
    """Every class that the modules of a package define, by module and name."""
    found: set[str] = set()
    for path in package.folder.rglob("*.py"):
        name = ".".join(path.relative_to(package.folder).with_suffix("").parts)
        if name.endswith("__init__"):
            continue
        module = package.load(name)
        found |= {
            f"{name}.{cls.__name__}"
            for cls in vars(module).values()
            if isinstance(cls, type)
            and cls.__module__ == module.__name__
            and not issubclass(cls, enum.Enum)
            # Types of generic functions.
            and not cls.__name__.startswith("_codegen_")
            and ("__codegen_record__" in vars(cls) or inspect.isabstract(cls))
        }
    return found


def _is_floating(leaf: Any) -> bool:
    return bool(jnp.issubdtype(jnp.result_type(leaf), jnp.floating))


def _floating(value: Any) -> Any:
    """Replace every leaf by a float32 scalar, so that the structure is differentiable."""
    return jax.tree.map(lambda _: jnp.float32(2), value)


def test_objects_has_an_object_of_every_class(package: Package) -> None:
    its_mixin_compares_it = {"inheritance.Near"}
    assert set(objects(package)) | ABSTRACT | its_mixin_compares_it == _classes(package)


def test_every_object_has_the_properties_of_property_tests(package: Package) -> None:
    """Flattening, placeholders, equality, traces, `replace`, copies and pickles."""
    others = objects(package)
    for name, value in objects(package).items():
        checks.round_trip(value)
        checked = mixins.checked.total()
        checks.placeholders(value)
        assert mixins.checked.total() == checked, f"`__check_init__` of {name} was called"
        checks.are_equal(value, others[name])
        checks.trace_exactly(value, others[name])
        if dataclasses.fields(value):
            checks.replaced(value, others[name])
        with contextlib.suppress(pytest.skip.Exception):  # JAX keys and meshes cannot be pickled
            checks.pickled(value)
    parts = others["arrays.Parts"]
    paths = [jax.tree_util.keystr(p) for p, _ in jax.tree_util.tree_leaves_with_path(parts)]
    assert paths[:3] == [".a", ".b", ".items[0]"]
    assert {".layers[1].w", ".table['x']"} < {*paths}


def test_static_classes_have_no_leaves(package: Package) -> None:
    found = statics(package)
    assert len(found) >= 20
    for name, value in found.items():
        assert jax.tree.leaves(value) == [], name
        assert jax.tree.map(lambda leaf: leaf, value) == value, name
        assert hash(jax.tree.map(lambda leaf: leaf, value)) == hash(value), name


def test_eval_shape_keeps_the_class(package: Package) -> None:
    for name, value in objects(package).items():
        shapes = jax.eval_shape(lambda value: value, value)
        assert type(shapes) is type(value), name
        for shape, leaf in zip(jax.tree.leaves(shapes), jax.tree.leaves(value), strict=True):
            assert (shape.shape, shape.dtype) == (jnp.shape(leaf), jnp.result_type(leaf)), name


def test_vmap_maps_every_leaf(package: Package) -> None:
    for name, value in objects(package).items():
        many = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), value)
        if not jax.tree.leaves(many):
            continue
        mapped = jax.vmap(lambda value: value)(many)
        assert mapped == many, name
        axes = jax.tree.map(lambda _: 0, value)
        assert jax.vmap(lambda value: value, in_axes=(axes,), out_axes=axes)(many) == many, name


def test_grad_is_an_object_of_the_class(package: Package) -> None:
    def energy(value: Any) -> Any:
        return sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(value))

    for name, value in objects(package).items():
        numbers = _floating(value)
        if not jax.tree.leaves(numbers):
            continue
        found = jax.grad(energy)(numbers)
        assert type(found) is type(value), name
        assert jax.tree.structure(found) == jax.tree.structure(value), name
        assert all(leaf == 4 for leaf in jax.tree.leaves(found)), name
        again = jax.grad(jax.checkpoint(energy))(numbers)
        assert again == found, name


def test_loops_carry_every_object(package: Package) -> None:
    @jax.jit
    def looped(value: Any, n: Any) -> Any:
        def body(value: Any, _: Any) -> Any:
            return jax.tree.map(lambda leaf: leaf + 1, value), value

        value, seen = lax.scan(body, value, length=2)
        value = lax.while_loop(
            lambda carry: carry[1] > 0,
            lambda carry: (body(carry[0], None)[0], carry[1] - 1),
            (value, n),
        )[0]
        return lax.cond(n > 1, lambda v: body(v, None)[0], lambda v: v, value), seen

    # One program for all objects is compiled faster than one for each.
    values = objects(package)
    results, histories = looped(_floating(values), 3)
    for name, value in values.items():
        found, seen = results[name], histories[name]
        assert type(found) is type(value), name
        assert all(leaf == 8 for leaf in jax.tree.leaves(found)), name
        assert all(leaf.shape == (2,) for leaf in jax.tree.leaves(seen)), name
        assert type(seen) is type(value), name


def test_branches_with_different_classes_are_an_error(package: Package) -> None:
    """JAX's own dataclasses with equally many fields are accepted here, and the result has a wrong class."""
    one, other = objects(package)["arrays.Point"], objects(package)["arrays.Twin"]
    with pytest.raises(TypeError, match=r"Point|Twin"):
        lax.cond(True, lambda: one, lambda: other)
    with pytest.raises(TypeError, match=r"Point|Twin"):
        lax.scan(lambda _carry, _: (other, None), one, length=2)
    with pytest.raises((TypeError, ValueError), match=r"Point|Twin"):
        jax.tree.map(operator.add, one, other)


def test_changed_static_field_in_a_loop_is_an_error(package: Package) -> None:
    point = objects(package)["arrays.Point"]
    with pytest.raises(TypeError):
        lax.scan(lambda carry, _: (carry.replace(n=carry.n + 1), None), point, length=2)


def test_two_classes_never_share_a_program(package: Package) -> None:
    """Eight classes go through one jitted function forty times. JAX's own dataclasses fail this test."""
    arrays, plates, inheritance = package.arrays, package.plates, package.inheritance
    makers: list[Callable[[], Any]] = [
        lambda: arrays.Point(1.0),
        lambda: arrays.Twin(1.0),
        lambda: arrays.Tagged(1.0, tag=1),
        lambda: plates.Tagged(1.0, tag=1),
        lambda: plates.Plate(1.0, nx=1),
        lambda: plates.Twin(1.0, nx=1),
        lambda: inheritance.Derived(1, 1.0),
        lambda: inheritance.Box(1, 1.0),
    ]
    names = [type(make()).__module__ + type(make()).__name__ for make in makers]

    @jax.jit
    def which(value: Any) -> Any:
        return jnp.asarray(names.index(type(value).__module__ + type(value).__name__))

    treedefs = {jax.tree.structure(make()) for make in makers}
    assert len(treedefs) == len(makers)
    for _ in range(40):
        for index, make in enumerate(makers):
            assert which(make()) == index


class One(enum.IntEnum):
    ONE = 1


# Python treats many of these as equal, but each needs its own program.
DISTINCT: list[Any] = [
    *(1, True, 1.0, 1 + 0j, np.float32(1), np.float64(1), np.int64(1), np.bool_(True), One.ONE),
    *(0.0, -0.0, math.nan, np.float32("nan"), complex(0.0, -0.0), "1", b"1", None),
    *((1,), (True,), (1.0,), (0.0,), (-0.0,), ((1,),), frozenset({1}), frozenset({True})),
    *(range(0, 3, 2), range(0, 4, 2), np.ones(1), np.ones(1, np.int64), half, math.sin),
]


def test_different_static_values_have_different_treedefs(package: Package) -> None:
    """`tests/runtime/test_oracle.py` compares them with the programs that run."""
    arrays, inheritance, values = package.arrays, package.inheritance, package.values
    makers: list[Callable[[Any], Any]] = [
        lambda value: arrays.Tagged(1.0, tag=value),
        lambda value: package.plates.Tagged(1.0, tag=value),
        lambda value: inheritance.Box(item=value, value=1.0),
        lambda value: values.References(half, force=None, kind="int8", anything=value),
    ]
    for make in makers:
        found = [jax.tree.structure(make(value)) for value in DISTINCT]
        assert len({*found}) == len(DISTINCT)
        assert found == [jax.tree.structure(make(value)) for value in DISTINCT]


def test_different_nested_static_values_retrace(package: Package) -> None:
    found = objects(package)
    plate = found["plates.Parts"]
    assert jax.tree.structure(plate) != jax.tree.structure(
        plate.replace(settings=plate.settings.replace(nx=2))
    )
    assert jax.tree.structure(plate) != jax.tree.structure(
        plate.replace(plates=(plate.plates[0].replace(name="y"),))
    )
    network = found["inheritance.Network"]
    scale = package.inheritance.Scale(2.0)
    assert jax.tree.structure(network) == jax.tree.structure(network.replace(layer=scale))
    other = network.replace(layer=package.inheritance.Identity())
    assert jax.tree.structure(network) != jax.tree.structure(other)
    area = network.shape.replace(area=-0.0)
    assert jax.tree.structure(network.replace(shape=area)) != jax.tree.structure(
        network.replace(shape=area.replace(area=0.0))
    )


def test_tree_transpose_and_nested_derivatives(package: Package) -> None:
    point = package.arrays.Point(1.0)
    outer = jax.tree.structure([0, 0])
    many = jax.tree.map(lambda leaf: [leaf, leaf + 1], point)
    pair = jax.tree.transpose(jax.tree.structure(point), outer, many)
    assert pair == [point, package.arrays.Point(2.0, y=1.0)]
    assert jax.jacfwd(lambda p: p)(point).x.y == 0
    assert jax.hessian(lambda p: p.x * p.y)(point).y.x == 1
    flat, back = jax.flatten_util.ravel_pytree(point)
    assert back(flat) == point


def test_mutually_recursive_classes_are_pytrees(package: Package) -> None:
    node = objects(package)["trees.Node"]
    assert len(jax.tree.leaves(node)) == 5
    assert jax.jit(lambda n: n.friends["a"].nodes[0].value)(node) == 2.0
    tag = objects(package)["trees.Tag"]
    assert tag == objects(package)["trees.Tag"]
    assert tag != tag.replace(many=())
