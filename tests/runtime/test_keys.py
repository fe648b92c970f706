# Some values have deliberately wrong types.
# mypy: disable-error-code="arg-type, operator, comparison-overlap"
# mypy: disable-error-code="union-attr, index, attr-defined, unreachable, valid-type, misc"
# mypy: no-warn-unused-ignores
"""Trace keys are sound and complete: they are equal exactly if the values are."""

import collections
import copy
import dataclasses
import datetime
import decimal
import enum
import functools
import gc
import math
import operator
import os
import pathlib
import pickle
import signal
import struct
import subprocess
import sys
import threading
import types
import typing
import weakref
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypeVar, Union

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import frozendict
from codegen.runtime.keys.interning import TraceKey
from tests.inputs import over, over_rows
from tests.runtime import model
from tests.runtime.sample import Box, Circle, Functions, Grid, Linear, Settings, Square


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


@dataclasses.dataclass(frozen=True)
class Hidden:
    """Its constructor stores more than its fields."""

    a: int
    seed: dataclasses.InitVar[int] = 0

    def __post_init__(self, seed: int) -> None:
        object.__setattr__(self, "derived", seed)

    @functools.cached_property
    def text(self) -> str:
        return str(self.a)


@dataclasses.dataclass(frozen=True, repr=False)
class Late:
    """It has a field that may be missing."""

    a: int = dataclasses.field(init=False)


@dataclasses.dataclass(frozen=True, eq=False)
class ById:
    a: Any


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


class Unhashable(type):  # noqa: PLW1641
    """Its metaclass has no hash, and all its classes are equal."""

    def __eq__(cls, other: object) -> bool:
        return True


class OfUnhashable(metaclass=Unhashable):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfUnhashable)

    def __hash__(self) -> int:
        return 1


class Alike(enum.Enum):
    """An enum whose members equal everything."""

    A = 1
    B = 2

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class NodeA:
    x: Any


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class NodeB:
    x: Any


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class NodeC:
    x: Any
    y: Any = dataclasses.field(metadata={"static": True})


T = TypeVar("T")
UTC = datetime.UTC
EAST = datetime.timezone(datetime.timedelta(hours=1))
EAST_NAMED = datetime.timezone(datetime.timedelta(hours=1), "east")
DAY = datetime.datetime(2020, 1, 1, tzinfo=UTC)

BF16: Any = np.dtype(jnp.bfloat16).type
MESH = jax.sharding.AbstractMesh((1,), ("x",))
P = jax.sharding.PartitionSpec

# More digits than a double can represent.
TINY = np.clongdouble(1j) / 3

# Every value has a different key.
ALIASES: list[Any] = []
if sys.version_info >= (3, 12):
    Alias = typing.TypeAliasType("Alias", int)
    ALIASES = [Alias, Alias | None, list[Alias]]

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
    # Its character code is that of NumPy's padded complex dtype.
    *(np.dtype(jnp.float8_e4m3fnuz), np.ones(1, jnp.float8_e4m3fnuz)),
    *(ByValue(1), ByValue(2), MetaA(), MetaB()),
    # Values that are equal for Python, NumPy or JAX, but can be distinguished.
    *(Alike.A, Alike.B, ById(1), ById(True), ById(0.0), ById(-0.0), Hidden(1, 1), Hidden(1, 2)),
    *(decimal.Decimal("1.0"), decimal.Decimal("1.00"), decimal.Decimal(0), decimal.Decimal("-0")),
    *(DAY, DAY.astimezone(EAST), DAY.replace(fold=1), UTC, EAST, EAST_NAMED),
    *(pathlib.PureWindowsPath("a"), pathlib.PureWindowsPath("A"), pathlib.PurePosixPath("a")),
    *(
        np.dtype("M8[s]"),
        np.dtype("M8[1000ms]"),
        np.datetime64("NaT", "s"),
        np.timedelta64("NaT", "s"),
    ),
    *map(jax.tree.structure, [NodeA(1), NodeB(1), {1: 2}, {True: 2}, [1], (1,), 1, None]),
    *(frozenset({np.float32("nan"), -np.float32("nan")}), frozenset({np.float32("nan")})),
    *(frozenset({nan(1), nan(2)}), frozenset({nan(1)}), frozenset({complex(1, nan(1))})),
    *(frozendict({nan(1): 1, nan(2): 2}), frozendict({nan(1): 2}), frozendict({nan(1): 1})),
    *(np.clongdouble(complex(math.nan, 1 / 3)), np.clongdouble(complex(math.nan)) + TINY),
    *(np.clongdouble(complex(0.0, -0.0)), np.clongdouble(0), -np.longdouble(0), np.longdouble(0)),
    *(np.longdouble(1) / 3, np.longdouble(1) / 3 + np.finfo(np.longdouble).eps / 4, ...),
    # Unions that differ in their order, and literals that differ in the types of their values.
    # In Python 3.14, `Union[int, str]` is `int | str`.
    *{
        (type(each), each.__args__): each
        for each in (int | str, str | int, Union[int, str], Union[str, int], int | None)  # noqa: UP007
    }.values(),
    *(type(None), *ALIASES),
    *(list[int | str], list[str | int], list[int], list[bool], list, typing.List[int]),  # noqa: UP006
    *(Literal[1], Literal[True], Literal["1"], Literal[1, 2], Literal[2, 1], list[Literal[1]]),
    *(list[Literal[True]], dict[str, Literal[1] | None], dict[str, Literal[True] | None]),
    *(dict[str, None | Literal[1]], tuple[int, ...], tuple[int], tuple[()], tuple[tuple[int]]),  # noqa: RUF036
    *(Callable[[int | str], int], Callable[[str | int], int], Callable[..., int]),
    *(
        typing.Callable[[int], int],
        Annotated[int | str, 1],
        # They are the same object on CPython 3.11.2, whose cache confuses 1 and True.
        *{id(each): each for each in (Annotated[int, 1], Annotated[int, True])}.values(),
    ),
    *(type[int], tuple[*tuple[int, ...]], tuple[tuple[int, ...]], list["int"], list[T], T),
    # NumPy drops trailing zeros of these if they come from an array.
    *(np.str_("a\0"), np.str_("a"), np.bytes_(b"a\0"), np.bytes_(b"a"), "a\0", b"a\0"),
    *((np.str_("a\0"), 1), (np.str_("a"), 1), np.array("a"), np.array(b"a"), np.array(["a", "b"])),
    *(
        np.array("NaT", "M8[ms]"),
        np.array("NaT", "M8[s]"),
        np.array("NaT", "m8[s]"),
    ),
    *(BF16(0), BF16(-0.0), BF16("nan"), np.array(BF16("nan"))),
]

# Both values of a pair have the same key.
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
    (np.dtype("U5", metadata={"a": 1}), np.dtype("U5")),  # type: ignore[call-overload]
    (np.ones(2, np.dtype("f4", metadata={"a": 1})), np.ones(2, "f4")),  # type: ignore[call-overload]
    (Hidden(1, 1), Hidden(1, 1)),
    (ById((nan(1),)), ById((nan(2),))),
    (decimal.Decimal("nan"), decimal.Decimal("nan")),
    (decimal.Decimal("snan"), decimal.Decimal("snan")),
    (DAY, datetime.datetime(2020, 1, 1, tzinfo=UTC)),
    (OfUnhashable(), OfUnhashable()),
    (OfUnhashable, OfUnhashable),
    (jax.tree.structure({"a": [1, None]}), jax.tree.structure({"a": [2, None]})),
    (frozenset({nan(1), nan(2)}), frozenset({nan(3), nan(4)})),
    (frozendict({nan(1): 1, nan(2): 2}), frozendict({nan(3): 1, nan(4): 2})),
    (frozenset({complex(nan(1), 1)}), frozenset({complex(nan(2), 1)})),
    (jax.random.key(0).dtype, jax.random.key(1).dtype),
    (Union[int, None], Optional[int]),  # noqa: UP007, UP045
    (int | str, int | str),
    (Union["Later", int], Union["Later", int]),  # noqa: F821
    (Literal[1] | None, Literal[1] | None),
    (list[int | str], list[int | str]),
    (Callable[[int], str], Callable[[int], str]),
    (np.array(["a\0"]), np.array(["a"], "U2")),
    (np.array([b"a\0"]), np.array([b"a"], "S2")),
    (Late(), Late()),
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
    *(
        type("Many", (decimal.Decimal,), {})("1.0"),
        type("Then", (datetime.datetime,), {})(2020, 1, 1),
    ),
    *(list[type("Local", (), {})], Config((np.ones(2),)), Config((1, Pair(np.ones(2), 1)))),
    jax.tree.structure(NodeC(1, np.ones(1))),
]


def has_zeros(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(has_zeros, value))
    return isinstance(value, np.str_ | np.bytes_) and len(value) != len(np.array(value).item())


@functools.cache
def boxes() -> list[tuple[Box, Any]]:
    made = map(Box, DISTINCT)
    return [(box, jax.tree.structure(box)) for box in made]


@over(range(len(DISTINCT)))
def test_distinct_values_have_distinct_keys(index: int) -> None:
    mine, structure = boxes()[index]
    for position, (other, other_structure) in enumerate(boxes()):
        assert (mine == other) is (position == index)
        assert (structure == other_structure) is (position == index)


@over(DISTINCT)
def test_equal_values_have_the_same_key(value: Any) -> None:
    assert Box(value).__codegen_key__ is Box(value).__codegen_key__


def test_pickled_or_copied_value_has_the_same_key() -> None:
    for value in DISTINCT:
        box = Box(value)
        key = box.__codegen_key__
        assert copy.copy(box) is copy.deepcopy(box) is box, value
        assert pickle.loads(pickle.dumps(key)) is key, value
        assert pickle.loads(pickle.dumps(Box((1, box)))).value[1].__codegen_key__ is key, value
        again = pickle.loads(pickle.dumps(box)).value
        assert Box(again).__codegen_key__ is Box(box.value).__codegen_key__ is key, value
        # Copies of a jitted function are different functions, and NumPy drops zeros.
        if not callable(value) and not has_zeros(value):
            for copied in (copy.copy(value), copy.deepcopy(value)):
                assert Box(copied).__codegen_key__ is key, value


@over_rows(EQUAL)
def test_equal_copies_have_the_same_key(left: Any, right: Any) -> None:
    first = Box(left)
    assert first.__codegen_key__ is Box(right).__codegen_key__
    assert hash(first) == hash(Box(right))
    assert jax.tree.structure(first) == jax.tree.structure(Box(right))


@over(REFUSED)
def test_value_that_cannot_be_a_key_is_rejected(value: Any) -> None:
    with pytest.raises(TypeError, match=r"`Box\.value"):
        Box(value)


def test_arrays_and_tracers_are_rejected_with_advice() -> None:
    with pytest.raises(TypeError, match=r"`Box.value` .*numpy.asarray"):
        Box(jnp.ones(3))
    with pytest.raises(TypeError, match=r"`Box\.value` .* a traced float32\[\]: .* dynamic"):
        jax.jit(lambda x: (Box(x), x)[1])(1.0)


def test_a_constant_is_a_copy() -> None:
    source = np.ones(3)
    box = Box(source)
    source[0] = 7
    assert box.value[0] == 1
    assert box != Box(source)


def test_a_constant_is_only_its_own_part_of_larger_memory() -> None:
    part = np.frombuffer(bytes(range(8)), np.uint8, count=2, offset=4)
    assert Box(part).value.tolist() == [4, 5]
    assert Box(part) == Box(np.array([4, 5], np.uint8))


def test_dataclass_with_read_only_array_is_accepted() -> None:
    frozen = Box(np.ones(3)).value
    assert Box(Config(frozen)) == Box(Config(Box(np.ones(3)).value))


@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")
def test_a_constant_keeps_its_shape() -> None:
    """Its owner cannot change its shape in place, although the memory is shared."""
    source = np.frombuffer(b"abcd", np.uint8)
    box = Box(source)
    assert box.value.base is source.base
    source.shape = (2, 2)
    assert box.value.shape == (4,)


def test_computed_attributes_are_not_part_of_the_key() -> None:
    one = Hidden(1, 1)
    assert one.text == "1"
    assert Box(one) == Box(Hidden(1, 1))


def test_recursive_or_very_deep_value_is_rejected() -> None:
    loop = Config(1)
    object.__setattr__(loop, "a", (loop,))
    deep: Any = ()
    for _ in range(100_000):
        deep = (deep,)
    for value in (loop, deep):
        with pytest.raises(
            TypeError, match=r"`Box\.value` .* nested too deeply, or contains itself"
        ):
            Box(value)
    assert Box(1) == Box(1)


def test_static_objects_can_be_nested_very_deeply() -> None:
    """A key contains the keys of its parts, so no part is visited twice."""
    one = other = Box(0)
    for _ in range(20_000):
        one, other = Box(one), Box(other)
    assert one == other
    assert hash(one) == hash(other)
    assert one != other.value


class Named(NamedTuple):
    function: Any
    number: int


def test_jitted_functions_are_pickled_by_name() -> None:
    inside = (frozendict(a=jnp.tanh), frozenset({jnp.tanh, 1}), Named(jnp.tanh, 2))
    found = (jnp.sin, (1, (jax.nn.relu, model.double)), np.add, math.sin, Grid)
    for value in (*found, *inside, (frozendict(a=inside),)):
        box = Box(value)
        assert pickle.loads(pickle.dumps(box)) == box


@jax.custom_jvp
def linear(x: Any) -> Any:
    return x


linear.defjvps(lambda dx, *_: dx)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def power(x: Any, n: int) -> Any:
    return x**n


@functools.partial(jax.jit, static_argnames="n", donate_argnums=0)
def times(x: Any, n: int = 1) -> Any:
    return x * n


OF_JAX: list[Any] = [
    *(jax.nn.relu, jax.nn.relu6, jax.nn.silu, jax.nn.softmax, jnp.sin, jnp.add),
    *(linear, power, times, np.add, model.double),
]


@pytest.mark.parametrize("function", OF_JAX, ids=lambda one: getattr(one, "__name__", "none"))
def test_copy_of_a_function_of_jax_is_the_function(function: Any) -> None:
    config = Functions(
        function, several=(jnp.cos, function), value=(function, frozendict(a=function))
    )
    copied = copy.deepcopy(function)
    found = [
        Functions(**dataclasses.asdict(config)),
        Functions(
            copied, several=(copy.copy(jnp.cos), copied), value=(copied, frozendict(a=copied))
        ),
        *(copy.copy(config), copy.deepcopy(config), pickle.loads(pickle.dumps(config))),
        dataclasses.replace(config, one=copied),
        config.replace(one=copy.deepcopy(copied)),
    ]
    traces: list[Any] = []

    @jax.jit
    def run(config: Any, x: Any) -> Any:
        traces.append(config.one)
        return x

    for one in [config, *found]:
        assert one == config
        assert hash(one) == hash(config)
        assert one.one is one.several[1] is one.value[0] is function
        run(one, 1.0)
    assert traces == [function]


def test_other_function_with_the_same_name_is_an_error() -> None:
    twice, changed = copy.deepcopy(jax.nn.relu), copy.copy(linear)
    twice.defjvps(lambda dx, *_: 2 * dx)
    changed.nondiff_argnums = (0,)
    function = times.__wrapped__
    partial = functools.partial(model.double)
    for other in (
        *(twice, copy.copy(twice), changed, function, jax.jit(function), jax.custom_jvp(function)),
        jax.jit(function, static_argnames="n", donate_argnums=0),
        functools.update_wrapper(partial, model.double),
    ):
        for make in (Functions, lambda one: Functions(len, several=(one,)), Box):
            with pytest.raises(TypeError, match=r"lambdas, closures and partials are new"):
                make(other)


def test_function_that_has_no_name_of_its_own_gives_advice() -> None:
    for given, words in (
        (lambda: 0, "by its own name"),
        (functools.partial(len), "Define a function with `def`"),
        (Config(1).__eq__, r"lambdas, closures and partials are new"),
    ):
        with pytest.raises(TypeError, match=rf"`Functions\.one` .*{words}"):
            Functions(given)


def test_error_names_the_nested_path() -> None:
    with pytest.raises(TypeError, match=r"`Box\.value\[1\]\[0\]\.a` .* use a tuple"):
        Box((1, (Config([1]),)))
    with pytest.raises(TypeError, match=r"`Settings\.sizes\[2\]` takes `int \| str \| None`"):
        Settings((1, "a", True), frozendict(a=1.0), np.ones(1, "f"))  # type: ignore[arg-type]


def test_python_subclasses_have_different_keys() -> None:
    class Mine(Grid):
        pass

    assert Mine(1, 2) == Mine(1, 2) != Grid(1, 2)
    assert hash(Mine(1, 2)) == hash(Mine(1, 2))
    assert Mine(1, 2).__codegen_key__ is not Grid(1, 2).__codegen_key__
    with pytest.raises(TypeError, match=r"`.*More` is a Python subclass of .*`Grid`, and adds"):

        @dataclasses.dataclass(frozen=True)
        class More(Grid):
            nz: int = 3


def test_equal_objects_of_a_static_class_are_one_object() -> None:
    grid = Grid(71, 72)
    assert Grid(71, 72) is grid
    assert grid.replace(nx=71) is grid
    assert copy.deepcopy(grid) is grid
    unpickled = pickle.loads(pickle.dumps(grid))
    assert (unpickled, hash(unpickled)) == (grid, hash(grid))
    reference = weakref.ref(grid)
    del grid, unpickled
    gc.collect()
    assert reference() is None
    assert Grid(71, 72).nx == 71


def test_equal_objects_share_no_attributes() -> None:
    class Mine(Grid):
        @functools.cached_property
        def cells(self) -> list[int]:
            return [*range(self.nx)]

    one, other = Mine(2, 2), Mine(2, 2)
    one.cells.append(7)
    assert one == other
    assert other.cells == [0, 1]


def test_copy_of_a_key_is_the_same_key() -> None:
    key = Grid(1, 2).__codegen_key__
    assert copy.copy(key) is key
    assert copy.deepcopy(key) is key
    assert repr(key) == "Grid(nx=1, ny=2, dx=0.01)"


def test_unused_keys_are_garbage_collected() -> None:
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


def test_identity_of_a_dead_object_is_not_reused() -> None:
    """A key dies with its function. A new function at the same address gets its own key."""
    places = set()
    for index in range(50):
        namespace: dict[str, Any] = {"__name__": __name__}
        function = types.FunctionType(compile(str(index), "f", "eval"), namespace, "made")
        function.__qualname__ = "made"
        globals()["made"] = function
        box = Box(function)
        assert box.value is function
        assert function() == index
        places.add(id(function))
        died = weakref.ref(box.__codegen_key__)
        del box, function, globals()["made"]
        assert died() is None
    assert len(places) < 50, "none was made where another one died"


def test_threads_get_the_same_key() -> None:
    barrier = threading.Barrier(8)
    found: list[list[TraceKey]] = []

    def work() -> None:
        barrier.wait()
        keys = []
        for index in range(3000):
            keys.append(Box(("thread", index % 300)).__codegen_key__)
            if index % 7 == 0:
                # This key dies at once, while other threads look it up.
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


@pytest.fixture
def small_heap() -> Iterator[None]:
    """Exclude existing objects from garbage collections, so that they are fast."""
    gc.collect()
    gc.freeze()
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.mark.usefixtures("small_heap")
def test_finalizer_may_intern_a_key_during_interning() -> None:
    """A garbage collection can run at any time, also while a key is created."""

    class Finalised:
        def __init__(self, number: int) -> None:
            self.number = number
            self.itself = self

        def __del__(self) -> None:
            made.append(Box(("finalised", self.number)))

    made: list[Box] = []
    for number in range(200):
        gc.set_threshold(0)
        Finalised(number)
        # Collection happens when this many more objects have been created.
        gc.set_threshold(gc.get_count()[0] + number % 20)
        box = Box(("finalised", number))
        gc.set_threshold(0)
        gc.collect()
        assert len(made) == number + 1
        assert made[-1] == box


def test_keys_of_calls_are_freed_after_clear_caches() -> None:
    table = Box.__codegen_record__.table
    function = jax.jit(lambda _, x: x + 1, static_argnums=0)
    gc.collect()
    before = len(table)
    for number in range(10):
        function(Box(("called", number)), 1.0)
    assert len(table) == before + 10
    del function
    jax.clear_caches()
    gc.collect()
    assert len(table) == before


@pytest.mark.filterwarnings("ignore:.*fork:RuntimeWarning", "ignore:.*fork:DeprecationWarning")
def test_a_forked_process_can_intern() -> None:
    """This holds even if another thread was interning at the time of the fork."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            Box(("busy", object))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            assert _exit_of_child() == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _exit_of_child() -> int:
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os._exit(0 if Box(("child",)) == Box(("child",)) else 1)
    return os.waitpid(child, 0)[1]


def test_keys_of_foreign_types_die_with_the_interpreter() -> None:
    script = (
        "import typing; from fractions import Fraction\n"
        "from tests.runtime.sample import Box\n"
        "held = [Box(typing.Literal['a', 'b']), Box(Fraction(1, 3))]\n"
    )
    environment = os.environ | {"PYTHONPATH": str(pathlib.Path(__file__).parents[2])}
    ended = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert ended.stderr == ""
