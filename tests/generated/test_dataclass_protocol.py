"""Generated classes are frozen, slotted dataclasses that convert values once."""

import abc
import copy
import dataclasses
import functools
import inspect
import math
import os
import pickle
import re
import subprocess
import sys
import typing
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec

from codegen.runtime import frozendict
from tests.generated.impl import mixins
from tests.generated.impl.foreign import Config, Pair
from tests.generated.objects import half, objects, statics
from tests.generated.package import PROJECT, Package
from tests.inputs import over_rows

# --- the protocol, for every class


def test_fields_are_the_declared_ones(package: Package) -> None:
    for name, value in objects(package).items():
        record = type(value).__codegen_record__
        assert dataclasses.is_dataclass(type(value)), name
        names = [field.name for field in dataclasses.fields(value)]
        assert set(names) == {*record.data_fields, *record.meta_fields}, name
        assert "__codegen_key__" not in names, name
        assert not hasattr(value, "__dict__"), name
        assert list(value.__match_args__) == names, name
        assert list(dataclasses.asdict(value)) == names, name
        assert len(dataclasses.astuple(value)) == len(names), name


def test_order_of_the_fields_is_the_declared_one(package: Package) -> None:
    names = [field.name for field in dataclasses.fields(package.inheritance.Wide)]
    assert names == ["mode", "x", "color"]
    names = [field.name for field in dataclasses.fields(package.plates.Plate)]
    assert names == ["u", "alpha", "nx", "name"]


def test_sorted_leaves_are_in_the_order_of_names(package: Package) -> None:
    value = package.inheritance.Sorted("any", 1.0, 4, 2.0)
    names = [field.name for field in dataclasses.fields(value)]
    assert names == ["mode", "x", "count", "b", "a"]
    paths = jax.tree_util.tree_leaves_with_path(value)
    assert [(jax.tree_util.keystr(path), float(leaf)) for path, leaf in paths] == [
        *((".a", 3.0), (".b", 2.0), (".x", 1.0))
    ]
    assert jax.tree.map(lambda x: x + 1, value).replace(a=4.0) == type(value)(
        *("any", 2.0, 4, 3.0), a=4.0
    )


def test_objects_have_the_declared_class_however_they_are_created(package: Package) -> None:
    for name, value in objects(package).items():
        cls = type(value)
        assert f"{cls.__module__}.{cls.__qualname__}".endswith(f".{name}")
        leaves, treedef = jax.tree.flatten(value)
        made = [treedef.unflatten(leaves), copy.copy(value), copy.deepcopy(value)]
        made += [dataclasses.replace(value), jax.tree.map(lambda x: x, value)]
        for each in made:
            assert type(each) is cls, name
            assert weakref.ref(each)() is each
            for field in (*cls.__match_args__, "__class__", "__codegen_key__", "unknown"):
                with pytest.raises(AttributeError):
                    setattr(each, field, None)
                with pytest.raises(AttributeError):
                    delattr(each, field)


def test_hints_are_evaluated_on_demand(package: Package) -> None:
    for cls in (package.arrays.Point, package.values.Grid, package.inheritance.Square):
        assert all(isinstance(hint, str) for hint in cls.__annotations__.values())
        assert not any(isinstance(hint, str) for hint in typing.get_type_hints(cls).values())
        for function in (cls.__new__, cls.replace):
            parameters = inspect.signature(function, eval_str=True).parameters.values()
            assert not any(isinstance(one.annotation, str) for one in parameters)
    point = package.arrays.Point
    assert typing.get_type_hints(point.draft) == {"return": point.Draft}
    assert typing.get_type_hints(point.Draft.freeze) == {"return": point}


def test_assignment_error_advises_replace_or_draft(package: Package) -> None:
    point: Any = package.arrays.Point(1.0)
    frozen = dataclasses.FrozenInstanceError
    replace = r"cannot assign to field 'x' of `Point`, which is frozen: write `replace\(x=\.\.\.\)`"
    with pytest.raises(
        frozen, match=replace + r".* or assign to a draft, which `draft\(\)` creates$"
    ):
        point.x = 2.0
    grid: Any = package.values.Grid(3)
    with pytest.raises(frozen, match=r"'nx' of `Grid`, .*which returns a new object$"):
        grid.nx = 4
    with pytest.raises(frozen, match=r"'z' of `Point`, which is frozen$"):
        point.z = 2.0
    with pytest.raises(frozen, match="cannot delete field 'x' of `Point`, which is frozen"):
        del point.x
    with pytest.raises(frozen, match="'mode' of `Wide`"):
        package.inheritance.Wide(mode="slow", x=1.0).mode = "fast"


def test_subclasses_of_declared_classes_are_declared(package: Package) -> None:
    declared = {type(value) for value in objects(package).values()}
    for cls in declared | {package.inheritance.Shape, package.inheritance.Layer}:
        assert set(cls.__subclasses__()) <= declared, cls
    assert set(package.inheritance.Layer.__subclasses__()) == {
        *(package.inheritance.Identity, package.inheritance.Scale)
    }
    # Other tests generate other classes with this mixin.
    module = package.inheritance.__name__
    doubled = {one.__name__ for one in mixins.Doubling.__subclasses__() if one.__module__ == module}
    assert doubled == {"Wave"}


def test_copies_share_arrays_and_deep_copies_do_not(package: Package) -> None:
    point, grid = package.arrays.Point(1.0), package.values.Grid(3)
    assert copy.copy(point).x is point.x
    assert copy.deepcopy(point).x is not point.x
    assert copy.copy(grid) is copy.deepcopy(grid) is grid


def test_replace_converts_and_makes_a_new_key(package: Package) -> None:
    grid = package.values.Grid(3)
    plate = objects(package)["plates.Plate"]
    replacing: list[Callable[..., Any]] = [dataclasses.replace]
    if sys.version_info >= (3, 13):
        replacing.append(copy.replace)
    for replace in (*replacing, type(grid).replace):
        other = replace(grid, dx=1, nx=np.int32(5))
        assert (type(other.dx), type(other.nx)) == (float, int)
        assert other == package.values.Grid(5, dx=1.0)
        assert other.__codegen_key__ is package.values.Grid(5, dx=1.0).__codegen_key__
        with pytest.raises(TypeError, match=r"`Grid\.nx` takes an int"):
            replace(grid, nx=1.5)
    for replace in (*replacing, type(plate).replace):
        other = replace(plate, nx=4)
        assert jax.tree.structure(other) != jax.tree.structure(plate)
        assert other.u is plate.u
        assert jax.jit(lambda p: p)(other).nx == 4
        assert replace(plate, alpha=2).alpha.dtype == jnp.float32
        with pytest.raises(TypeError):
            replace(plate, unknown=1)


def test_equality_and_hashes(package: Package) -> None:
    for name, value in objects(package).items():
        again = objects(package)[name]
        assert value == again, name
        assert not (value != again), name  # noqa: SIM202
        assert value != 1, name
        if name in statics(package):
            assert hash(value) == hash(again), name
            assert {value: 1}[again] == 1, name
        else:
            with pytest.raises(TypeError, match=f"`{type(value).__qualname__}` contains arrays"):
                hash(value)
    assert package.arrays.Point(1.0) != package.arrays.Twin(1.0)
    assert package.arrays.Point(1.0) != package.arrays.Point(2.0)
    assert package.arrays.Point(1.0) != package.arrays.Point(1.0, n=2)
    assert package.arrays.Point(math.nan) == package.arrays.Point(math.nan)


def test_patterns_match_by_position_and_by_name(package: Package) -> None:
    Point, Grid = package.arrays.Point, package.values.Grid  # noqa: N806
    match Point(1.0, n=2):
        case Point(x, y, n):
            assert (x, y, n) == (1, 0, 2)
        case _:
            raise AssertionError
    match Grid(3):
        case Grid(nx=3, dx=dx):
            assert dx == 0.5
        case _:
            raise AssertionError


_LOAD = """
import pickle, sys
from tests.generated.objects import objects
from tests.generated.package import Package
from pathlib import Path
values = pickle.load(sys.stdin.buffer)
package = Package(sys.argv[1], Path(sys.argv[2]))
made = objects(package)
assert len(values) > 40
for name, value in values.items():
    assert value == made[name], name
    assert value.__codegen_key__ is made[name].__codegen_key__, name
sys.stdout.buffer.write(pickle.dumps(values))
"""


def test_pickles_are_read_in_another_process(package: Package) -> None:
    values = objects(package)
    del values["arrays.Weak"], values["values.Foreign"]
    path = os.pathsep.join((str(package.folder.parent), str(PROJECT)))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _LOAD, package.name, str(package.folder)],
        input=pickle.dumps(values),
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "12345"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    back = pickle.loads(done.stdout)
    assert back == values
    for name, value in values.items():
        assert back[name].__codegen_key__ is value.__codegen_key__, name


def test_unpickling_checks(package: Package) -> None:
    data = pickle.dumps(package.values.Grid(77))
    with pytest.raises(TypeError, match=r"`Grid\.nx` takes an int"):
        pickle.loads(data.replace(b"K\x4d", b"\x88\x30\x88"))  # a bool instead of 77
    assert pickle.loads(data.replace(b"K\x4d", b"K\x4e")) == package.values.Grid(78)


# --- constructors


def _base(package: Package, name: str) -> Any:
    return objects(package)[f"values.{name}"]


TAKEN: list[tuple[str, str, Any, Any]] = [
    ("Scalars", "integer", np.int8(3), 3),
    ("Scalars", "integer", np.uint64(2**63), 2**63),
    ("Scalars", "real", 1, 1.0),
    ("Scalars", "real", np.float32(0.5), 0.5),
    ("Scalars", "real", np.int64(2), 2.0),
    ("Scalars", "real", -0.0, -0.0),
    ("Scalars", "flag", np.bool_(True), True),
    ("Scalars", "number", 1, 1 + 0j),
    ("Scalars", "number", 2.5, 2.5 + 0j),
    ("Scalars", "number", np.complex64(1j), 1j),
    ("Choices", "mode", "slow", "slow"),
    ("Choices", "mixed", None, None),
    ("References", "kind", jnp.float32, np.dtype("float32")),
    ("References", "kind", "f4", np.dtype("float32")),
    ("References", "kind", float, np.dtype("float64")),
    ("References", "force", half, half),
    ("References", "anything", np.float32(1), np.float32(1)),
    ("Containers", "sizes", (np.int64(1), 2), (1, 2)),
    ("Containers", "wide", 1, 1.0),
    ("Containers", "wide", np.bool_(False), False),
    ("Containers", "either", np.int16(4), 4),
    ("Containers", "names", frozenset(), frozenset()),
    ("Optionals", "integer", np.int64(3), 3),
    ("Optionals", "real", 3, 3.0),
    ("Optionals", "flag", True, True),
    ("Optionals", "number", 1.5, 1.5 + 0j),
    ("Optionals", "text", "t", "t"),
    ("Optionals", "data", b"d", b"d"),
    ("Optionals", "mode", "fast", "fast"),
    ("Optionals", "function", half, half),
    ("Optionals", "kind", "int8", np.dtype("int8")),
    ("Optionals", "sizes", (1,), (1,)),
    ("Foreign", "pair", Pair(1.0, 3.0), Pair(1.0, 3.0)),
    ("Foreign", "config", Config("b"), Config("b")),
    ("Foreign", "spec", PartitionSpec(None), PartitionSpec(None)),
]


@over_rows(TAKEN)
def test_values_are_converted_to_declared_types(
    cls: str, field: str, given: Any, stored: Any, package: Package
) -> None:
    value = getattr(_base(package, cls).replace(**{field: given}), field)
    assert type(value) is type(stored)
    assert value == stored
    assert repr(value) == repr(stored)


REFUSED: list[tuple[str, str, Any, type[Exception]]] = [
    ("Scalars", "integer", True, TypeError),
    ("Scalars", "integer", 1.0, TypeError),
    ("Scalars", "integer", "1", TypeError),
    ("Scalars", "integer", None, TypeError),
    ("Scalars", "integer", np.ones((), np.int32), TypeError),
    ("Scalars", "real", True, TypeError),
    ("Scalars", "real", 1j, TypeError),
    ("Scalars", "real", 2**53 + 1, ValueError),
    ("Scalars", "real", 10**400, ValueError),
    ("Scalars", "flag", 1, TypeError),
    ("Scalars", "number", True, TypeError),
    ("Scalars", "text", b"a", TypeError),
    ("Scalars", "text", np.str_("a"), TypeError),
    ("Scalars", "data", bytearray(b"a"), TypeError),
    ("Scalars", "nothing", 0, TypeError),
    ("Choices", "color", "red", TypeError),
    ("Choices", "level", 1, TypeError),
    ("Choices", "name", "plain", TypeError),
    ("Choices", "permission", 1, TypeError),
    ("Choices", "mode", "middling", ValueError),
    ("Choices", "mixed", 1.0, TypeError),
    ("Choices", "mixed", 0, ValueError),
    ("Constants", "table", np.ones((2, 3)), TypeError),
    ("Constants", "table", [[1.0]], TypeError),
    ("Constants", "table", jnp.ones((2, 3)), TypeError),
    ("Constants", "any_shape", np.ones(1, np.int32), TypeError),
    ("Constants", "mask", np.ones(1), TypeError),
    ("Constants", "count", 1.5, TypeError),
    ("Constants", "count", 2**31, ValueError),
    ("References", "function", lambda x: x, TypeError),
    ("References", "function", 3, TypeError),
    ("References", "force", "half", TypeError),
    ("References", "kind", "no such dtype", TypeError),
    ("References", "kind", object, TypeError),
    ("References", "anything", [1], TypeError),
    ("References", "anything", jnp.ones(1), TypeError),
    ("Foreign", "mesh", 1, TypeError),
    ("Foreign", "spec", ("x",), TypeError),
    ("Foreign", "config", Pair(1.0, 2.0), TypeError),
    ("Foreign", "config", Config("a", [1]), TypeError),  # type: ignore[arg-type]
    ("Foreign", "generator", np.random.PCG64(1), TypeError),
    ("Containers", "sizes", [1], TypeError),
    ("Containers", "sizes", (1, True), TypeError),
    ("Containers", "sizes", 1, TypeError),
    ("Containers", "record", (1, "a"), TypeError),
    ("Containers", "record", (1, "a", "red"), TypeError),
    ("Containers", "names", {"a"}, TypeError),
    ("Containers", "names", frozenset({1}), TypeError),
    ("Containers", "rates", {"a": (1.0,)}, TypeError),
    ("Containers", "either", 1.0, TypeError),
    ("Containers", "wide", 1j, TypeError),
    ("Containers", "nested", ((1,), None), TypeError),
    ("Containers", "tables", (np.ones(1),), TypeError),
    ("Optionals", "integer", 1.5, TypeError),
    ("Optionals", "real", "1", TypeError),
    ("Optionals", "flag", 0, TypeError),
    ("Optionals", "color", "red", TypeError),
    ("Optionals", "mode", "x", ValueError),
    ("Optionals", "table", 1j, TypeError),
    ("Optionals", "empty", 1, TypeError),
    ("Optionals", "function", 1, TypeError),
    ("Optionals", "sizes", [1], TypeError),
    ("Grid", "nx", None, TypeError),
    ("Nested", "grid", Config("a"), TypeError),
    ("Nested", "grids", (1,), TypeError),
    ("Converted", "sizes", "ab", TypeError),
]


@over_rows(REFUSED)
def test_value_of_another_type_is_an_error_that_names_the_field(
    cls: str, field: str, given: Any, error: type[Exception], package: Package
) -> None:
    base = _base(package, cls)
    for replace in (dataclasses.replace, type(base).replace):
        with pytest.raises(error, match=rf"`{cls}\.{field}\b") as caught:
            replace(base, **{field: given})
        assert type(caught.value) is error


def test_objects_of_a_subclass_or_sibling_are_not_equal(package: Package) -> None:
    inheritance = package.inheritance
    network = objects(package)["inheritance.Network"]
    for wrong in (inheritance.Identity(), None, inheritance.Square):
        with pytest.raises(TypeError, match=r"`Network\.shape` takes a"):
            network.replace(shape=wrong)
    for wrong in (inheritance.Square(side=1.0), None, 1.0):
        with pytest.raises(TypeError, match=r"`Network\.layer` takes a"):
            network.replace(layer=wrong)
    with pytest.raises(TypeError, match=r"`Network\.layers\[1\]` takes a"):
        network.replace(layers=(inheritance.Identity(), 1))
    with pytest.raises(TypeError, match=r"`Network\.shapes\[0\]` takes a"):
        network.replace(shapes=(inheritance.Scale(1.0),))


def test_arrays_are_converted_only_from_numbers(package: Package) -> None:
    kinds = objects(package)["arrays.Kinds"]
    wrong: Any
    for field, dtype in (
        *(("half", "float16"), ("brain", "bfloat16"), ("single", "float32"), ("byte", "uint8")),
        *(("signed", "int32"), ("narrow", "int8"), ("pair", "complex64"), ("truth", "bool")),
        *(("real", "float32"), ("signed_kind", "int32"), ("unsigned_kind", "uint32")),
        *(("complex_kind", "complex64"), ("inexact", "float32"), ("ordered", "int32")),
        *(("number", "int32"), ("shaped", "int32")),
    ):
        array = getattr(kinds, field)
        assert isinstance(array, jax.Array), field
        assert (array.dtype.name, array.shape, array.weak_type) == (dtype, (), False), field
        for wrong in ("1", None, [1], (1,), {}):
            with pytest.raises(TypeError, match=rf"`Kinds\.{field}`"):
                kinds.replace(**{field: wrong})
    given = np.ones((2, 2), np.float64)
    assert kinds.replace(single=given).single is given
    assert kinds.replace(shaped=True).shaped.dtype == bool
    for field, wrong in (("signed", 1.5), ("truth", 1), ("single", 1j), ("ordered", 1j)):
        with pytest.raises(TypeError, match=rf"`Kinds\.{field}`"):
            kinds.replace(**{field: wrong})
    for field, wrong in (("byte", -1), ("narrow", 128), ("half", 1e6), ("single", 1e39)):
        with pytest.raises(ValueError, match=rf"`Kinds\.{field}`"):
            kinds.replace(**{field: wrong})
    assert kinds.replace(single=math.inf).single == math.inf


def test_containers_of_arrays(package: Package) -> None:
    parts = objects(package)["arrays.Parts"]
    wrong: Any
    given = [1.0, 2]
    made = parts.replace(items=given, table={"a": 1.0}, stack=(1,), maybe=2, either=3.0)
    assert all(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves((made.items, made.table)))
    assert made.items is not given
    assert (made.maybe, made.either) == (2, 3)
    assert made.stack[0].dtype == jnp.float32
    anything = {"any": object()}
    assert parts.replace(anything=anything).anything is anything
    for field, wrong in (
        *(("items", (1.0,)), ("items", ["a"]), ("table", [1.0]), ("table", {"a": "b"})),
        *(("stack", [1.0]), ("record", (1.0, 2)), ("record", (1.0, "2", parts.lent))),
        *(("layers", (1.0,)), ("layers", None), ("lent", None), ("own", 1.0)),
        *(("either", "x"), ("maybe", "x"), ("size", 1.5), ("kind", "none")),
    ):
        with pytest.raises(TypeError, match=rf"`Parts\.{field}\b"):
            parts.replace(**{field: wrong})


def test_weakly_typed_arrays_become_strongly_typed(package: Package) -> None:
    weak, strong = jnp.asarray(0.0), jnp.zeros(())
    assert weak.weak_type
    cls, plate = package.plates.Counter, package.plates.Plate(strong, nx=1)
    parts = objects(package)["arrays.Parts"]
    made = {
        "constructor": cls(x=weak, n=1),
        "replace": cls(x=strong, n=1).replace(x=weak),
        "dataclasses.replace": dataclasses.replace(cls(x=strong, n=1), x=weak),
        "default": cls(n=1),
        "jit": jax.jit(lambda x: cls(x=x, n=1))(weak),
        "grad": jax.grad(lambda c: c.x)(cls(x=weak, n=1)),
        "vmap": jax.vmap(lambda x: cls(x=x, n=1))(jnp.broadcast_to(weak, (3,))),
        "optional": parts.replace(maybe=weak).maybe,
        "in a tuple": parts.replace(stack=(weak, weak)).stack,
        "in a list": parts.replace(items=[weak]).items,
        "in a dict": parts.replace(table={"a": weak}).table,
        "in a tuple of several": parts.replace(record=(weak, 1, parts.lent)).record[0],
        "in a union": parts.replace(either=weak).either,
        "two": plate.replace(u=weak, alpha=weak),
    }
    for name, value in made.items():
        leaves = jax.tree.leaves(value)
        assert leaves, name
        assert not any(leaf.weak_type for leaf in leaves), name
    traces: list[None] = []

    @jax.jit
    def traced(value: Any) -> Any:
        traces.append(None)
        return value.x

    for x in (weak, strong, 0.0, np.float32(0.0)):
        traced(cls(x=x, n=1))
    assert len(traces) == 1
    integer = jnp.asarray(1)
    assert integer.weak_type
    assert cls(x=integer, n=1).x.dtype == integer.dtype  # `check()` reports it


def test_weak_scalars_stay_python_numbers(package: Package) -> None:
    weak = objects(package)["arrays.Weak"]
    wrong: Any
    assert (weak.real, weak.integer, weak.flag, weak.number) == (1.0, 2, True, 1j)
    assert type(weak.replace(real=3).real) is float
    assert weak.replace(real=jnp.float32(2)).real == 2
    assert jax.jit(lambda w: w)(weak).real.weak_type
    for field, wrong in (("real", "1"), ("integer", 1.5), ("flag", 1), ("real", True)):
        with pytest.raises(TypeError, match=rf"`Weak\.{field}`"):
            weak.replace(**{field: wrong})
    with pytest.raises(ValueError, match=r"`Weak\.real`"):
        weak.replace(real=jnp.ones(2)).check()
    with pytest.raises(TypeError, match=r"`Weak\.rng`.*key"):
        weak.replace(rng=1)


def test_constants_are_read_only_copies(package: Package) -> None:
    table = np.ones((2, 3), np.float32)
    constants = _base(package, "Constants").replace(table=table)
    table[0] = 7
    assert constants.table[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        constants.table[0] = 7
    assert constants.replace(count=3).table.base is constants.table.base
    strided = np.arange(12, dtype=np.float32).reshape(2, 6)[:, ::2]
    assert constants.replace(table=strided) == constants.replace(table=strided.copy())


# --- signatures and defaults


def test_defaults_are_those_of_the_schema(package: Package) -> None:
    made, values = package.values.Defaults(), package.values
    assert (made.integer, made.small, made.huge, made.number) == (-3, 1e-5, 1e99, 1 + 2j)
    assert math.copysign(1, made.zero) == -1
    assert (made.text, made.data) == ('it\'s "x" \u00e9 \n', b"\x00'\"")
    assert made.color is values.Color.MIXED
    assert made.kind == np.dtype(jnp.bfloat16)
    assert (made.sizes, made.names, made.chosen) == ((1, 2, 3), ("a",), frozenset({1, 2}))
    assert made.rates == frozendict(a=1)
    assert made.more == frozendict(b=2)
    assert (made.empty, made.nothing) == (values.Empty(), None)
    assert values.Nested(values.Grid(1)).grids == (values.Grid(1), values.Grid(2, dx=1.0))
    assert values.Defaults.ORDER == made.ORDER == 2
    assert values.Defaults.NAMES == ("one", "two")


def test_constants_are_converted_to_their_types(package: Package) -> None:
    defaults = package.values.Defaults
    assert repr(defaults.RATE) == "1.0"
    assert repr(defaults.WAVES) == "(2+0j)"
    assert repr(defaults.EITHER) == "1"
    assert repr(defaults.RATES) == "frozendict({1.0: (2.0, 3)})"
    assert defaults.KIND is np.dtype(np.float32)
    # A dtype equals its name, so compare the names.
    assert all(isinstance(kind, np.dtype) for kind in defaults.KINDS)
    assert [kind.name for kind in defaults.KINDS] == ["bfloat16", "float32"]


def test_parameters_are_keyword_only_from_the_first_default_on(package: Package) -> None:
    assert package.values.Grid(1, ny=2).ny == 2
    with pytest.raises(TypeError, match=r"takes .*2 positional arguments but 3 were given"):
        package.values.Grid(1, 2)
    with pytest.raises(TypeError, match="takes 1 positional argument but 2"):
        package.values.Defaults(1)
    with pytest.raises(TypeError, match=r"missing .*nx"):
        package.values.Grid()
    with pytest.raises(TypeError, match=r"missing .*'nx'"):
        package.plates.Plate(1.0)
    with pytest.raises(TypeError, match="nz"):
        package.values.Grid(1, nz=1)
    with pytest.raises(TypeError, match="positional"):
        package.plates.Parts(1.0)
    with pytest.raises(TypeError):
        package.values.Grid(1).replace(2)


def test_user_converters_run_before_the_generated_conversion(package: Package) -> None:
    converted = package.values.Converted(sizes=3, text="  a ")
    assert (converted.sizes, converted.text) == ((3,), "a")
    assert converted.replace(sizes=4).sizes == (4,)
    assert jax.tree.map(lambda leaf: leaf, converted) == converted
    with pytest.raises(AttributeError):
        package.values.Converted(text=3)


def test_user_converter_is_called_only_for_given_arguments(
    package: Package,
) -> None:
    doubled, counter = package.values.Doubled(n=3), package.plates.Counter(n=3)
    assert (package.values.Doubled().n, doubled.n, counter.n) == (2, 6, 6)
    made = {
        "replace": doubled.replace(m=1),
        "replace nothing": doubled.replace(),
        "copy": copy.copy(doubled),
        "deepcopy": copy.deepcopy(doubled),
        "pickle": pickle.loads(pickle.dumps(doubled)),
        "map": jax.tree.map(lambda x: x, doubled),
        "counter": counter.replace(x=1.0),
        "draft": counter.draft().freeze(),
        "counter's pickle": pickle.loads(pickle.dumps(counter)),
        "loop": jax.lax.fori_loop(0, 3, lambda _, c: c.replace(x=c.x + 1), counter),
        "scan": jax.lax.scan(lambda c, _: (c.replace(x=c.x + 1), None), counter, None, 3)[0],
    }
    if sys.version_info >= (3, 13):
        made["copy.replace"] = copy.replace(doubled, m=1)
        made["copy.replace of a counter"] = copy.replace(counter, x=1.0)
    assert {name: one.n for name, one in made.items()} == dict.fromkeys(made, 6)
    assert doubled.replace(n=5).n == counter.replace(n=5).n == 10
    assert package.plates.Counter.abstract(n=5).n == 10


def test_dataclass_fields_have_defaults_roles_and_documentation(
    package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each field looks up the source of its class, for which Python reads the whole file every time.
    monkeypatch.setattr(inspect, "getsource", functools.cache(inspect.getsource))
    for name, value in objects(package).items():
        record, parameters = (
            type(value).__codegen_record__,
            inspect.signature(type(value)).parameters,
        )
        for field in dataclasses.fields(value):
            where = f"{name}.{field.name}"
            declared = parameters[field.name].default
            if declared is inspect.Parameter.empty or repr(declared) == "MISSING":
                # The latter is the placeholder for a factory. For classes that JAX constructs, it
                # also replaces the former.
                declared = dataclasses.MISSING
            assert field.default is declared or field.default == declared, where
            is_made = field.default_factory is not dataclasses.MISSING
            assert is_made == (field.name in record.factories), where
            assert field.metadata["static"] is (field.name in record.meta_fields), where
            static = field.metadata["role"] == "static"
            assert static == field.metadata["static"], where
            assert isinstance(field.metadata["doc"], str), where
    said = {
        f"{cls.__name__}.{field.name}": (
            field.default,
            field.metadata["role"],
            field.metadata["doc"],
        )
        for cls in (package.values.Grid, package.plates.Plate, package.inheritance.Taken)
        for field in dataclasses.fields(cls)
    }
    missing = dataclasses.MISSING
    assert said["Grid.nx"] == (missing, "static", "cells along x")
    assert said["Grid.dx"] == (0.5, "static", "cell size [m]")
    assert said["Plate.u"] == (missing, "donated", "")
    assert said["Plate.alpha"] == (1.0, "dynamic", "")
    assert said["Plate.name"] == ("x", "static", "")
    # Redeclared, and as in the base class.
    assert said["Taken.scale"][0] == 2.0
    base = {field.name: field for field in dataclasses.fields(package.inheritance.Given)}
    assert (base["scale"].default, base["sizes"].default) == (1.0, (1,))


def test_tools_for_dataclasses_accept_a_configuration_class(
    package: Package, capsys: pytest.CaptureFixture[str]
) -> None:
    import tyro

    with pytest.raises(SystemExit):
        tyro.cli(package.values.Nested, args=["--help"])
    shown = capsys.readouterr().out
    assert "cells along x (required)" in " ".join(shown.replace("│", "").split())
    # `grids` has no documentation.
    assert (
        re.findall("static|dynamic|jax|key|pytree|Examples", shown.replace("static class", ""))
        == []
    )
    made = tyro.cli(package.values.Grid, args=["--nx", "3", "--dx", "0.25"])
    assert made == package.values.Grid(3, dx=0.25)
    assert tyro.cli(package.values.Doubled, args=[]).n == 2
    with pytest.raises(SystemExit):
        tyro.cli(package.values.Grid, args=[])


# --- inheritance


def test_base_classes_are_the_declared_ones(package: Package) -> None:
    inheritance = package.inheritance
    assert issubclass(inheritance.Square, inheritance.Shape)
    assert issubclass(inheritance.Wide, inheritance.Mode)
    assert not issubclass(inheritance.Square, inheritance.Disc)
    assert isinstance(inheritance.Derived(1, 2.0), inheritance.Base)
    assert inheritance.Square(side=1).area == 1.0
    assert inheritance.Disc(radius=1).area == 3.0
    assert inheritance.Narrow(x=1.0).mode == "fast"
    with pytest.raises(ValueError, match=r"`Narrow\.mode`"):
        inheritance.Narrow(mode="middling", x=1.0)
    assert inheritance.Mode(mode="middling", x=1.0).mode == "middling"
    with pytest.raises(TypeError, match=r"`Wide\.color`"):
        inheritance.Wide(x=1.0, color="red")


@pytest.mark.parametrize("name", ["Shape", "Layer"])
def test_abstract_classes_have_no_objects(package: Package, name: str) -> None:
    cls = getattr(package.inheritance, name)
    assert issubclass(cls, abc.ABC)
    with pytest.raises(TypeError, match="abstract"):
        cls()


@pytest.mark.parametrize("name", ["Shape", "Layer", "Solver"])
def test_abstract_class_is_no_protocol_at_run_time(package: Package, name: str) -> None:
    """It is a Protocol only for type checkers."""
    cls = getattr(package.inheritance, name)
    assert type(cls) is abc.ABCMeta
    assert not getattr(cls, "_is_protocol", False)
    assert [member for member in dir(cls) if member.startswith("_codegen_")] == []
    assert [base.__name__ for base in cls.__bases__][-1] == "ABC"


def test_a_dynamic_class_may_derive_from_a_static_one(package: Package) -> None:
    derived = package.inheritance.Derived(1, 2.0)
    assert jax.tree.leaves(derived) == [2.0]
    with pytest.raises(TypeError, match="unhashable"):
        hash(derived)
    assert derived != package.inheritance.Base(1)


def test_type_parameters(package: Package) -> None:
    Box = package.inheritance.Box  # noqa: N806
    box = Box[int](item=3, value=1.0)
    assert type(box) is Box
    assert Box(item="a", value=1.0) != Box(item="b", value=1.0)
    with pytest.raises(TypeError, match=r"`Box\.item`"):
        Box(item=[1], value=1.0)
    named = package.inheritance.Named(package.values.Color.RED, 1.0)
    assert isinstance(named, Box)
    with pytest.raises(TypeError, match=r"`Named\.item` takes a"):
        named.replace(item="red")


@pytest.mark.parametrize("name", ["inheritance.Wave", "inheritance.Ripple"])
def test_check_init_runs_only_when_an_object_is_constructed(package: Package, name: str) -> None:
    wave = objects(package)[name]
    mixins.checked.clear()
    leaves, treedef = jax.tree.flatten(wave)
    jax.tree.unflatten(treedef, leaves)
    jax.jit(lambda w: w)(wave)
    copy.copy(wave)
    assert not mixins.checked
    wave.replace(limit=2)
    dataclasses.replace(wave, limit=2)
    assert mixins.checked == {type(wave).__name__: 2}
    with pytest.raises(ValueError, match="limit is negative"):
        wave.replace(limit=-1)


def test_declarations_give_the_keys_of_the_constructor(package: Package) -> None:
    """Pickles of treedefs, exported programs and checkpoints compute keys without a constructor."""
    for name, value in objects(package).items():
        key = value.__codegen_key__
        assert type(value).__codegen_record__.key(type(value), key.values) is key, name
