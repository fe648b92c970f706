# mypy: disable-error-code="operator"
# mypy: no-warn-unused-ignores
"""Compare keys with the result of retracing, for all pairs of values and all ways to hold them.

Two values should have the same key exactly if they give the same traced program. `oracle_model.seen` puts everything
observable of a value into the program. A new function has an empty cache, so the text of its program is the ground
truth.
"""

import copy
import dataclasses
import enum
import functools
import importlib
import itertools
import math
import os
import pathlib
import pickle
import struct
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from codegen.runtime import frozendict
from tests.generated.package import Build
from tests.runtime import oracle_model
from tests.runtime.oracle_model import description, seen

HERE = pathlib.Path(__file__).parent
PROJECT = HERE.parents[1]

Make = Callable[[], Any]


class Level(enum.IntEnum):
    ONE = 1


class Word(enum.StrEnum):
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


@dataclasses.dataclass(frozen=True, eq=False)
class ById:
    a: Any


def nan(payload: int = 0) -> float:
    bits = struct.pack("<Q", 0x7FF8000000000000 | payload)
    return float(struct.unpack("<d", bits)[0])


_payloads = itertools.count(1)


def any_nan() -> float:
    """Return a NaN with a new payload."""
    return math.copysign(nan(next(_payloads)), (-1) ** next(_payloads))


def negative(zero: float) -> float:
    return -zero


# Each function creates a copy of one value. All values are different.
MAKES: list[Make] = [
    *(lambda: int("0"), lambda: int("1"), lambda: int("-1"), lambda: int("-2"), lambda: 2**70),
    *(lambda: 2**61 - 1, lambda: bool(0), lambda: bool(1), lambda: None),
    *(lambda: float("0"), lambda: negative(0.0), lambda: float("1"), lambda: float(2**70)),
    *(any_nan, lambda: float("inf"), lambda: float("-inf"), lambda: float("0.1")),
    *(lambda: complex("1"), lambda: complex(1, -0.0), lambda: complex(-0.0, 0), lambda: 0j),
    *(lambda: complex(any_nan(), 1), lambda: complex(1, any_nan()), lambda: complex("1+2j")),
    *(lambda: complex(any_nan(), any_nan()), lambda: complex(any_nan(), -0.0)),
    *(lambda: "".join("1"), b"ab".decode, str, bytes, lambda: bytes([49])),
    *(lambda: Level(1), lambda: Word("1"), lambda: Flags(1), lambda: Flags(3)),
    *(lambda: np.float32(1), lambda: np.float64(1), lambda: np.int64(1), lambda: np.bool_(1)),
    *(lambda: np.float32(any_nan()), lambda: np.float16(any_nan()), lambda: np.float32(-0.0)),
    *(lambda: np.complex64(complex(any_nan(), -0.0)), lambda: np.longdouble(1) / 3),
    *(lambda: ml_dtypes.bfloat16(1), lambda: ml_dtypes.bfloat16(any_nan()), lambda: np.str_("1")),
    *(lambda: np.datetime64(1, "s"), lambda: np.datetime64(1000, "ms"), lambda: np.int32(1)),
    *(tuple, lambda: (int("1"),), lambda: (True,), lambda: (1.0,), lambda: ((1,),)),
    *(lambda: (any_nan(), "a"), lambda: (0.0,), lambda: (negative(0.0),), lambda: [(1, 2)][0]),
    *(lambda: Pair(1, 2), lambda: Other(1, 2), lambda: Pair(True, 2), lambda: Pair(any_nan(), ())),
    *(frozenset, lambda: frozenset({1}), lambda: frozenset({True}), lambda: frozenset("ab")),
    *(lambda: frozenset({0.0}), lambda: frozenset({-0.0}), lambda: frozenset({any_nan()})),
    *(lambda: frozenset({np.float32(any_nan())}), lambda: frozenset({any_nan(), any_nan()})),
    *(lambda: frozenset({np.float32(any_nan()), np.float32(any_nan())}), lambda: range(3)),
    *(lambda: range(0, 3, 2), lambda: range(0, 4, 2), frozendict, lambda: frozendict({1: 1})),
    *(lambda: frozendict({True: 1}), lambda: frozendict({1: True}), lambda: frozendict(a=0.0)),
    *(lambda: frozendict(a=negative(0.0)), lambda: frozendict(a=1, b=2)),
    *(lambda: frozendict(b=2, a=1), lambda: frozendict({any_nan(): (any_nan(),)})),
    *(lambda: Config(1), lambda: Config(True), lambda: Config(1, 1), lambda: ById(1.0)),
    *(lambda: Config((any_nan(),)), lambda: Config(ById(negative(0.0))), lambda: ById(1)),
    *(lambda: np.dtype("float32"), lambda: np.dtype(ml_dtypes.bfloat16), lambda: np.dtype("M8[s]")),
    *(lambda: np.dtype("M8[1000ms]"), lambda: oracle_model.double, lambda: oracle_model.triple),
    *(lambda: math.sin, lambda: np.float32, lambda: int, lambda: Config, lambda: Pair),
    *(lambda: np.ones(1), lambda: np.ones(1, "f"), lambda: np.ones((1, 1)), lambda: np.zeros(1)),
    *(
        lambda: -np.zeros(1),
        lambda: np.ones(()),
        lambda: np.arange(4.0)[::2],
        lambda: np.ones((0, 3)),
    ),
    *(
        lambda: np.arange(6).reshape(2, 3).T,
        lambda: np.arange(6).reshape(3, 2),
        lambda: np.array("a"),
    ),
    lambda: (1, (frozendict(a=(Pair(any_nan(), np.ones(2)), Level.ONE)), complex(0, -0.0))),
    lambda: (1, (frozendict(a=(Pair(any_nan(), np.ones(2)), Level.ONE)), complex(0, 0.0))),
]
INDICES = range(len(MAKES))

# For each type of a field: different values of it.
TYPED: dict[str, list[Make]] = {
    "OfInt": MAKES[:6],
    "OfFloat": [float, lambda: -0.0, lambda: float("1"), any_nan, lambda: 2.0**70],
    "OfComplex": [make for make in MAKES if type(make()) is complex],
    "OfBool": [lambda: bool(0), lambda: bool(1)],
    "OfStr": [str, lambda: "".join("1"), b"ab".decode],
    "OfBytes": [bytes, lambda: bytes([49])],
    "OfOptional": [lambda: None, float, lambda: -0.0, any_nan, lambda: float("0.1")],
    "OfOptionalComplex": [
        lambda: None,
        *[make for make in MAKES if type(make()) is complex],
    ],
    "OfNumber": [
        make
        for make in MAKES
        if type(make()) in (int, float, bool, complex, str, bytes, type(None))
    ],
    "OfTuple": [
        tuple,
        lambda: (complex(any_nan(), 1),),
        lambda: (complex(any_nan(), 1), complex(-0.0, 0)),
        lambda: (complex(any_nan(), 1), complex(-0.0, -0.0)),
    ],
    "OfPair": [lambda: (any_nan(), None), lambda: (0.0, None), lambda: (-0.0, 0), lambda: (0.0, 0)],
    "OfSet": [
        frozenset,
        lambda: frozenset({0.0}),
        lambda: frozenset({-0.0}),
        lambda: frozenset({any_nan(), 1.0}),
        lambda: frozenset({any_nan(), any_nan(), 1.0}),
    ],
    "OfTable": [
        frozendict,
        lambda: frozendict(a=1.0, b=2.0),
        lambda: frozendict(b=2.0, a=1.0),
        lambda: frozendict(a=any_nan()),
        lambda: frozendict(a=-0.0),
    ],
    "OfDeep": [
        lambda: ((), None),
        lambda: ((frozenset({any_nan()}),), any_nan()),
        lambda: ((frozenset({0.0}),), -0.0),
        lambda: ((frozenset({-0.0}),), -0.0),
    ],
    "OfDtype": [lambda: np.dtype("f4"), lambda: np.dtype("f8"), lambda: np.dtype("i4")],
    "OfArray": [
        lambda: np.ones(2, "f"),
        lambda: np.zeros(2, "f"),
        lambda: -np.zeros(2, "f"),
        lambda: np.ones(3, "f"),
    ],
    "OfCallable": [lambda: None, lambda: oracle_model.double, lambda: oracle_model.triple],
}


@pytest.fixture(scope="module")
def oracle(built: Build) -> ModuleType:
    """The generated module."""
    return built(HERE / "schemas", "generated_oracle").oracle


def held(module: ModuleType, way: str, value: Any) -> Any:
    """Hold a value in one way."""
    match way:
        case "static":
            return module.Holder(value)
        case "in a tuple":
            return module.Holder((module.Holder(value), 1))
        case "nested":
            middle = module.Middle(module.Holder(value))
            return module.Outer(middle, other=module.Middle(module.Holder(0)))
        case "dynamic":
            return module.Moving(1.0, value=value)
        case _:
            return module.Deep(module.Inner(module.Moving(1.0, value=value)), 1.0)


def value_of(held_object: Any) -> Any:
    """Return the value that a program gets from its holder."""
    while not hasattr(held_object, "value"):
        first = dataclasses.fields(held_object)[0].name
        held_object = getattr(held_object, first)
    value = held_object.value
    if isinstance(value, tuple) and len(value) == 2 and hasattr(value[0], "__codegen_key__"):
        return value_of(value[0])
    return value


WAYS = ["static", "in a tuple", "nested", "dynamic", "deep"]


def program(value: Any) -> str:
    """Return the program that a new trace gives."""
    return str(jax.make_jaxpr(lambda x: x + seen(value))(1.0))


@pytest.fixture(scope="module")
def truth() -> list[str]:
    """The program of each value, traced with its own cache."""
    return [program(make()) for make in MAKES]


def test_oracle_distinguishes_all_values(truth: list[str]) -> None:
    assert len(MAKES) >= 60
    assert len({description(make()) for make in MAKES}) == len(MAKES)
    assert len(set(truth)) == len(truth)
    assert truth == [program(make()) for make in MAKES]


@pytest.mark.parametrize("way", WAYS)
def test_keys_agree_with_programs_for_all_pairs(
    oracle: ModuleType, way: str, truth: list[str]
) -> None:
    """Keys, `==`, hashes and treedefs are equal exactly if the programs are."""
    ones = [held(oracle, way, make()) for make in MAKES]
    others = [held(oracle, way, make()) for make in MAKES]
    structures = [jax.tree.structure(each) for each in ones]
    other_structures = [jax.tree.structure(each) for each in others]
    wrong = [
        (description(value_of(ones[i])), description(value_of(others[j])))
        for i, j in itertools.product(INDICES, INDICES)
        if not (structures[i] == other_structures[j])
        is (ones[i] == others[j])
        is (truth[i] == truth[j])
    ]
    assert wrong == []
    if way in ("static", "nested", "in a tuple"):
        assert list(map(hash, ones)) == list(map(hash, others))
        assert len(set(ones + others)) == len(MAKES)


@pytest.mark.parametrize("name", TYPED)
def test_keys_agree_with_programs_for_all_pairs_of_a_type(oracle: ModuleType, name: str) -> None:
    cls, makes = getattr(oracle, name), TYPED[name]
    texts = [description(make()) for make in makes]
    assert len(set(texts)) == len(texts)
    for (i, one), (j, other) in itertools.product(enumerate(makes), enumerate(makes)):
        left, right = cls(one()), cls(other())
        assert (left == right) is (i == j), (left, right)
        assert (jax.tree.structure(left) == jax.tree.structure(right)) is (i == j)
    for make in makes:
        assert description(cls(make()).value) == description(make())


@pytest.mark.parametrize("name", TYPED)
def test_stored_value_has_the_same_key(oracle: ModuleType, name: str) -> None:
    """This is why pickled and replaced copies have the same key."""
    cls = getattr(oracle, name)
    for make in [*TYPED[name], *_converted(name)]:
        one = cls(make())
        assert cls(one.value) == one
        assert pickle.loads(pickle.dumps(one)) == one


def _converted(name: str) -> list[Make]:
    scalars: list[Any] = [np.int8(1), np.float32(0.5), np.bool_(1), np.complex64(1j), 1]
    makes: dict[str, list[Make]] = {
        "OfInt": [lambda: np.uint64(2**64 - 1)],
        "OfFloat": [lambda: np.float32("nan"), lambda: 1, lambda: np.float16(-0.0)],
        "OfComplex": [lambda: np.complex64(complex(nan(), 1)), lambda: 1.0],
        "OfNumber": [functools.partial(copy.copy, scalar) for scalar in scalars],
        "OfTuple": [lambda: (1, np.float32("nan"))],
        "OfSet": [lambda: frozenset({1, np.float32("nan"), np.float64("nan")})],
        "OfDtype": [lambda: "float32", lambda: np.dtype(">f4")],
    }
    return makes.get(name, [])


def test_values_of_a_union_are_compared_exactly(oracle: ModuleType) -> None:
    cls = oracle.OfUnion
    values = [(), (1,), (1.0,), (1, 2), oracle.Holder(1), oracle.Holder(True), oracle.Scheme.A]
    for (i, one), (j, other) in itertools.product(enumerate(values), enumerate(values)):
        assert (cls(one) == cls(other)) is (i == j)
    assert cls((np.int8(1),)) == cls((1,))
    assert cls((1, np.float32(2))) == cls((1.0, 2.0))


TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "jit": lambda f: f,
    "vmap": lambda f: lambda held, x: jax.vmap(lambda y: f(held, y))(x[None])[0],
    "vmap over it": lambda f: lambda held, x: jax.vmap(f, in_axes=(None, 0))(held, x[None])[0],
    "grad": lambda f: lambda held, x: jax.grad(lambda y: f(held, y) * y)(x) - x,
    "scan": lambda f: (
        lambda held, x: jax.lax.scan(lambda carry, _: (carry, f(carry, x)), held, length=1)[1][0]
    ),
    "cond": lambda f: lambda held, x: jax.lax.cond(x < 9, f, lambda _, x: x, held, x),
    "while_loop": lambda f: (
        lambda held, x: jax.lax.while_loop(
            lambda state: state[1] < 1, lambda state: (state[0], f(*state)), (held, x)
        )[1]
    ),
    "checkpoint": jax.checkpoint,
}
# Among them are values that Python's `==` confuses.
FEW = [make for index, make in enumerate(MAKES) if index < 20 or index % 4 == 0][::2]


class Traced:
    """A function of a held value, which counts its traces."""

    def __init__(self, transform: Callable[[Any], Any], **options: Any) -> None:
        self.count = 0
        transformed = transform(lambda holder, x: x + seen(value_of(holder)))

        def function(holder: Any, x: Any) -> Any:
            self.count += 1
            return transformed(holder, x)

        self.call = jax.jit(function, **options)


def check_calls(call: Callable[[Any], Any], count: Callable[[], int], makes: list[Make]) -> None:
    """Check that each value runs its own program, traced once for all its copies."""
    for make in makes:
        assert call(make()) == seen(make())
    traced = count()
    assert traced == len(makes)
    for make in reversed(makes):
        assert call(make()) == seen(make())
    assert count() == traced


@pytest.mark.parametrize("way", WAYS)
def test_each_value_runs_its_own_program(oracle: ModuleType, way: str) -> None:
    traced = Traced(TRANSFORMS["jit"])
    check_calls(lambda v: traced.call(held(oracle, way, v), 0.0), lambda: traced.count, FEW)


@pytest.mark.parametrize("way", ["static", "in a tuple", "nested"])
def test_each_static_argument_runs_its_own_program(oracle: ModuleType, way: str) -> None:
    traced = Traced(TRANSFORMS["jit"], static_argnums=0)
    check_calls(lambda v: traced.call(held(oracle, way, v), 0.0), lambda: traced.count, FEW)


def test_each_static_argument_of_a_generated_function_runs_its_own_program(
    oracle: ModuleType,
) -> None:
    """A generated function stores a static argument by its key."""
    before = oracle_model.traces["run"]
    check_calls(
        lambda value: oracle.run(0.0, value), lambda: oracle_model.traces["run"] - before, FEW
    )


@pytest.mark.parametrize("name", list(TRANSFORMS)[1:])
def test_each_value_runs_its_own_program_under_transformations(
    oracle: ModuleType, name: str
) -> None:
    traced = Traced(TRANSFORMS[name])
    x = jnp.float32(0)

    def call(value: Any) -> Any:
        return traced.call(held(oracle, "deep", value), x)

    check_calls(call, lambda: traced.count, FEW[::2])


@pytest.mark.parametrize("way", WAYS)
def test_each_value_runs_its_own_program_under_eval_shape(oracle: ModuleType, way: str) -> None:
    """This uses all values in all ways, because nothing is compiled."""
    count = 0

    @jax.jit
    def function(holder: Any) -> jax.Array:
        nonlocal count
        count += 1
        return jnp.zeros(int(seen(value_of(holder))))

    for make in MAKES * 2:
        shape = jax.eval_shape(function, held(oracle, way, make())).shape
        assert shape == (int(seen(make())),)
    assert count == len(MAKES)


@pytest.mark.parametrize("way", WAYS)
def test_copies_have_the_same_key(oracle: ModuleType, way: str) -> None:
    for make in MAKES:
        one = held(oracle, way, make())
        structure = jax.tree.structure(one)
        for twin in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            assert twin == one
            assert jax.tree.structure(twin) == structure
        leaves = jax.tree.leaves(one)
        assert jax.tree.structure(jax.tree.unflatten(structure, leaves)) == structure


_READ = """
import pickle, sys
sys.path[:0] = {paths!r}
from tests.runtime import test_oracle
from {name} import oracle
ones = pickle.loads(open({file!r}, "rb").read())
for one, make in zip(ones, test_oracle.MAKES, strict=True):
    twin = oracle.Holder(make())
    assert one == twin and hash(one) == hash(twin), twin
    assert {{one: 1}}[twin] == 1
print(len(set(ones)), hash("seed"))
"""


def test_pickles_have_the_same_key_in_another_process(
    oracle: ModuleType, tmp_path: pathlib.Path
) -> None:
    """Hashes are not pickled, so another hash seed does not matter."""
    file = tmp_path / "pickled"
    file.write_bytes(pickle.dumps([oracle.Holder(make()) for make in MAKES]))
    folder = pathlib.Path(str(oracle.__file__)).parents[1]
    paths = [str(PROJECT), str(folder)]
    source = _READ.format(paths=paths, name=oracle.__package__, file=str(file))
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source],
        env=os.environ | {"PYTHONHASHSEED": seed},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    found, seed_hash = done.stdout.split()
    assert int(found) == len(MAKES)
    assert int(seed_hash) != hash("seed")


def test_reloaded_classes_have_different_keys(oracle: ModuleType) -> None:
    """After `importlib.reload`, old and new objects never run each other's programs."""
    traced = Traced(TRANSFORMS["jit"])
    old = [held(oracle, "dynamic", make()) for make in FEW]
    for one, make in zip(old, FEW, strict=True):
        assert traced.call(one, 0.0) == seen(make())
    before = oracle.Moving
    importlib.reload(oracle)
    assert oracle.Moving is not before
    new = [held(oracle, "dynamic", make()) for make in FEW]
    assert all(one != other for one, other in itertools.product(old, new))
    structures = map(jax.tree.structure, old), map(jax.tree.structure, new)
    assert all(one != other for one, other in itertools.product(*structures))
    for one, make in zip(new, FEW, strict=True):
        assert traced.call(one, 0.0) == seen(make())
    assert traced.count == 2 * len(FEW)
    for one in (*old, *new):
        traced.call(one, 0.0)
    assert traced.count == 2 * len(FEW)
    # A pickle names the class, so an old object becomes one of the new class.
    assert pickle.loads(pickle.dumps(old[0])) == pickle.loads(pickle.dumps(new[0])) == new[0]


def test_copies_are_separate() -> None:
    """Otherwise tests would only compare by identity."""
    assert sum(make() is not make() for make in MAKES) > len(MAKES) / 2
