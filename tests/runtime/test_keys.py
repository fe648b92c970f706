# Wrong types are given on purpose, and JAX's stubs leave some things untyped.
# mypy: disable-error-code="arg-type, no-untyped-call, operator, comparison-overlap"
# mypy: disable-error-code="union-attr, index, attr-defined, unreachable"
# mypy: no-warn-unused-ignores
"""Trace keys are sound and complete: equal exactly where the values are."""

import collections
import copy
import dataclasses
import enum
import functools
import gc
import importlib
import math
import operator
import pathlib
import shutil
import struct
import sys
import threading
import types
import weakref
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen._runtime.frozendict import frozendict
from codegen._runtime.keys import Key
from tests.runtime import model, sample
from tests.runtime.sample import Box, Circle, Grid, Linear, Settings, Square


class One(enum.IntEnum):
    ONE = 1


class Text(enum.StrEnum):
    ONE = "1"


class Flags(enum.Flag):
    A = 1
    B = 2


class Pair(NamedTuple):
    x: Any
    y: Any


class Other(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True)
class Config:
    a: Any
    b: Any = dataclasses.field(default=0, compare=False)


@dataclasses.dataclass(frozen=True)
class Twin:
    a: Any
    b: Any = 0


@dataclasses.dataclass
class Mutable:
    a: int = 0


class Plain:
    pass


class ByValue:
    def __init__(self, value: int) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByValue) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


class Always(type):
    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return 0


class MetaA(metaclass=Always):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class MetaB(metaclass=Always):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def nan(payload: int) -> float:
    bits = struct.pack("<Q", 0x7FF8000000000000 | payload)
    return float(struct.unpack("<d", bits)[0])


BF16: Any = np.dtype(jnp.bfloat16).type
MESH = jax.sharding.AbstractMesh((1,), ("x",))
P = jax.sharding.PartitionSpec

# Each is another key.
DISTINCT: list[Any] = [
    *(0, 1, False, True, 0.0, -0.0, 1.0, 1 + 0j, complex(1, -0.0), complex(-0.0, 0.0)),
    *(math.nan, math.inf, complex(math.nan, 0), complex(math.nan, 1), complex(0, math.nan)),
    *("", "1", b"", b"1", None),
    *(One.ONE, Text.ONE, Flags.A, Flags.B, Flags.A | Flags.B),
    *(np.float32(1), np.float64(1), np.int64(1), np.int32(1), np.bool_(True), np.uint8(1)),
    *(np.float32(-0.0), np.float32(0), np.float32("nan"), np.float16("nan")),
    *(BF16(1), np.str_("1"), np.bytes_(b"1"), np.datetime64(1, "s")),
    *(np.datetime64(1, "ms"), np.longdouble(1), np.complex64(complex(math.nan, 1))),
    *((), (1,), (True,), (1.0,), ((1,),), (1, 1), (0.0,), (-0.0,), (math.nan,)),
    *(Pair(1, 2), Other(1, 2), (1, 2), Pair(True, 2)),
    *(frozenset(), frozenset({1}), frozenset({True}), frozenset({1, 2}), frozenset({(1,)})),
    *(range(3), range(0, 3, 2), range(0, 4, 2), range(0)),
    *(frozendict(), frozendict({1: 1}), frozendict({True: 1}), frozendict({1: True})),
    *(frozendict(a=1, b=2), frozendict(b=2, a=1)),
    *(Config(1), Config(True), Config(1, 1), Config(1.0), Twin(1), Config((1,))),
    *(Grid(1, 1), Grid(1, 2), Box(1), Box(True), Box(Box(1)), Circle(1.0), Square(1.0)),
    *(model.double, math.sin, np.add, jnp.add, jnp.sin, jax.nn.relu, len, np.float32, int),
    *(np.dtype("float32"), np.dtype("float64"), np.dtype(jnp.bfloat16), Grid, Always),
    *(P("x"), P("x", None), ("x",), MESH, jax.sharding.NamedSharding(MESH, P("x"))),
    *(np.ones(1), np.ones(1, "f"), np.ones((1, 1)), np.zeros(1), -np.zeros(1), np.ones(())),
    *(np.ones((2, 3)), np.ones((3, 2)), np.ones((0, 3)), np.ones(1, jnp.bfloat16)),
    *(ByValue(1), ByValue(2), MetaA(), MetaB()),
]

# Each pair is one key.
EQUAL: list[tuple[Any, Any]] = [
    (10**30, 10**30 + 0),
    (nan(1), nan(2)),
    (-float("nan"), math.nan),
    ((nan(1), "a"), (nan(2), "a")),
    (complex(nan(1), 1), complex(nan(2), 1)),
    (np.float32("nan"), -np.float32("nan")),
    (np.complex64(complex(nan(1), 1)), np.complex64(complex(nan(3), 1))),
    (np.longdouble(1) / 3, np.longdouble(1) / 3),
    (np.longlong(3), np.int64(3)),
    (Pair(nan(1), (2,)), Pair(nan(2), (2,))),
    (frozenset({1, "a", (2, nan(1))}), frozenset({(2, nan(2)), "a", 1})),
    (frozendict(a=nan(1)), frozendict(a=nan(2))),
    (range(True, 3), range(1, 3)),
    (Config((1, nan(1))), Config((1, nan(2)))),
    (np.arange(6).reshape(2, 3).T, np.ascontiguousarray(np.arange(6).reshape(2, 3).T)),
    (np.arange(6)[::2], np.array([0, 2, 4])),
    (np.arange(3, dtype=">i8"), np.arange(3)),
    (np.dtype(">f4"), np.dtype("float32")),
    (np.dtype("q"), np.dtype("l")),
    (P("x", None), P("x", None)),
    (ByValue(5), ByValue(5)),
    (Box((Grid(1, 2), 1)), Box((Grid(1, 2), 1))),
    (Flags.A | Flags.B, Flags.B | Flags.A),
]

REFUSED: list[Any] = [
    *([1], {1: 2}, {1}, bytearray(b""), slice(1), memoryview(b"a"), (1, [2])),
    *(lambda: 0, functools.partial(len), "a".upper, [].append, Grid(1, 2).replace),
    *(types.MappingProxyType({}), Plain(), Mutable(), Config([1]), Config(np.ones(2))),
    *(np.array([None]), np.zeros(2, "i,i"), np.ma.ones(2), np.dtype("O"), np.void(b"a")),
    *(Linear(1.0, 1.0), object(), type("Local", (), {}), frozenset({lambda: 0})),
    *(type("MyInt", (int,), {})(1), type("MyTuple", (tuple,), {})((1,))),
    *(collections.OrderedDict(), collections.defaultdict(int), jax.tree_util.Partial(len)),
    type("Sub", (Config,), {})(1),
    type("Wide", (Pair,), {})(1, 2),
    str.upper,
]


@pytest.mark.parametrize("index", range(len(DISTINCT)))
def test_distinct_values_have_distinct_keys(index: int) -> None:
    mine = Box(DISTINCT[index])
    for other in DISTINCT[:index] + DISTINCT[index + 1 :]:
        assert mine != Box(other)
        assert jax.tree.structure(mine) != jax.tree.structure(Box(other))


@pytest.mark.parametrize("value", DISTINCT, ids=repr)
def test_the_same_value_is_one_key(value: Any) -> None:
    assert Box(value).__codegen_key__ is Box(value).__codegen_key__


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=repr)
def test_equal_copies_are_one_key(left: Any, right: Any) -> None:
    first = Box(left)
    assert first.__codegen_key__ is Box(right).__codegen_key__
    assert hash(first) == hash(Box(right))
    assert jax.tree.structure(first) == jax.tree.structure(Box(right))


@pytest.mark.parametrize("value", REFUSED, ids=repr)
def test_what_cannot_be_a_key_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=r"`Box\.value"):
        Box(value)


def test_arrays_and_tracers_are_refused_with_a_remedy() -> None:
    with pytest.raises(TypeError, match=r"`Box.value` .*numpy.asarray"):
        Box(jnp.ones(3))
    with pytest.raises(TypeError, match=r"`Box\.value` .* a traced float32\[\]: .* dynamic"):
        jax.jit(lambda x: (Box(x), x)[1])(1.0)


def test_two_classes_never_share_a_treedef() -> None:
    circle, square = Circle(1.0), Square(1.0)
    assert circle != square
    assert jax.tree.structure(circle) != jax.tree.structure(square)


def test_stored_values_are_canonical() -> None:
    canonical = math.nan
    assert Box(nan(5)).value is canonical
    assert Grid(np.int64(3), 4, dx=1).dx == 1.0
    assert type(Grid(np.int64(3), 4).nx) is int
    assert type(Grid(3, 4, dx=np.float32(0.5)).dx) is float
    table = Box(np.arange(3)).value
    assert type(table.base) is bytes
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        table.setflags(write=True)
    assert Box(table).value is table


def test_a_constant_is_a_copy() -> None:
    source = np.ones(3)
    box = Box(source)
    source[0] = 7
    assert box.value[0] == 1
    assert box != Box(source)


def test_a_dataclass_with_read_only_memory_is_taken() -> None:
    frozen = Box(np.ones(3)).value
    assert Box(Config(frozen)) == Box(Config(Box(np.ones(3)).value))


def test_nested_paths_are_named() -> None:
    with pytest.raises(TypeError, match=r"`Box\.value\[1\]\[0\]\.a` .* use a tuple"):
        Box((1, (Config([1]),)))
    with pytest.raises(TypeError, match=r"`Settings\.sizes\[2\]` takes `int \| str \| None`"):
        Settings((1, "a", True), frozendict(a=1.0), np.ones(1, "f"))  # type: ignore[arg-type]


def test_typed_containers_are_exact() -> None:
    table = np.ones(2, np.float32)

    def make(*sizes: Any, **rates: float) -> Settings:
        return Settings(sizes, frozendict(rates), table)

    assert make(1, "1", None, a=1.0) == make(np.int8(1), "1", None, a=1)
    assert make(1, a=0.0) != make(1, a=-0.0)
    assert make(1, a=nan(1)) == make(1, a=nan(2))
    assert make(1) != make("1")
    assert make(1).table is make(1).table
    with pytest.raises(TypeError, match="frozendict"):
        Settings((), {"a": 1.0}, table)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"`Settings\.table` .*asarray"):
        Settings((), frozendict(), np.ones(2))


def test_python_subclasses_are_refused() -> None:
    class Mine(Grid):
        pass

    with pytest.raises(TypeError, match=r"`.*Mine` is a Python subclass of .*`Grid`"):
        Mine(1, 2)


def test_copies_of_a_key_are_the_key() -> None:
    key = Grid(1, 2).__codegen_key__
    assert copy.copy(key) is key
    assert copy.deepcopy(key) is key
    assert repr(key) == "Grid(nx=1, ny=2, dx=0.01)"


def test_keys_are_collected() -> None:
    table = Box.__codegen_record__.table
    gc.collect()
    before = len(table)
    value = ByValue(123456)
    died = weakref.ref(value)
    boxes = [Box((value, index)) for index in range(100)]
    assert len(table) == before + 100
    del boxes, value
    gc.collect()
    assert len(table) == before
    assert died() is None


def test_identity_tags_never_meet_a_dead_object() -> None:
    """A function made where another one died is another key."""
    keys = set()
    for index in range(50):
        namespace: dict[str, Any] = {"__name__": __name__}
        function = types.FunctionType(compile(str(index), "f", "eval"), namespace, "made")
        function.__qualname__ = "made"
        globals()["made"] = function
        box = Box(function)
        assert box.value is function
        keys.add(id(box.__codegen_key__.values[0]))
        del box, function
    del globals()["made"]


def test_threads_get_one_key() -> None:
    barrier = threading.Barrier(8)
    found: list[list[Key]] = []

    def work() -> None:
        barrier.wait()
        keys = []
        for index in range(3000):
            keys.append(Box(("thread", index % 300)).__codegen_key__)
            if index % 7 == 0:
                # This one dies at once, while other threads look for it.
                Box(("dies", index % 11))
        found.append(keys)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for keys in found[1:]:
        assert all(map(operator.is_, keys, found[0]))


def test_a_class_that_is_made_again_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a reload, while the old module's objects are still about."""
    old = Grid(1, 2)
    copies = types.ModuleType("sample_again")
    monkeypatch.setitem(sys.modules, "sample_again", copies)
    source = pathlib.Path(sample.__file__).read_text(encoding="utf-8")
    exec(compile(source, sample.__file__, "exec"), copies.__dict__)
    new = copies.Grid(1, 2)
    assert new != old
    assert jax.tree.structure(new) != jax.tree.structure(old)
    with pytest.raises(TypeError, match=r"`Plate\.grid` takes a `Grid`"):
        copies.Plate(1.0, 1.0, old, copies.Linear(1.0, 1.0))


def test_two_runtimes_know_each_other(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "other_generated"
    runtime = pathlib.Path(sample.__file__).parents[2] / "codegen" / "_runtime"
    shutil.copytree(runtime, package / "_runtime")
    source = pathlib.Path(sample.__file__).read_text(encoding="utf-8")
    source = source.replace("codegen._runtime", "other_generated._runtime")
    (package / "sample.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    other = importlib.import_module("other_generated.sample")
    grid = other.Grid(1, 2)
    assert Box(grid) == Box(other.Grid(1, 2))
    assert Box(grid) != Box(Grid(1, 2))
    assert other.Box(Box(1)) == other.Box(Box(1))
    theirs = other.frozendict(a=1)
    assert Box(theirs) == Box(other.frozendict(a=1))
    table = np.ones(1, "f")
    settings = Settings((), theirs, table)
    assert settings == Settings((), frozendict(a=1.0), table)
    assert type(settings.rates) is frozendict
    with pytest.raises(TypeError, match="holds arrays"):
        Box(other.Linear(1.0, 1.0))
    linear = other.Linear(jnp.ones(2), jnp.ones(2))
    assert sample.total(linear) == 4
    assert isinstance(Box(other.step).value, other.Function)
