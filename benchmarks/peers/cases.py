"""The cases of `benchmarks.soundness`: silent errors, and how each library behaves.

Every case calls a function under `jax.jit` twice with objects of the same class. Depending on the case, the program
must or must not distinguish the two values.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.peers.define import define
from benchmarks.peers.libraries import Library, Spec

Kind: TypeAlias = Literal["right", "wrong", "slow", "error", "none"]

_HOLDER = Spec("Holder", ("x",), (("value", "Any"),))
_PAIR = Spec("Pair", ("u", "v"))
_STEP = """
from codegen.schema import impl

@impl("benchmarks.peers.cases:grown")
def grow(pair: donated[Pair]) -> Pair: ...
"""


@dataclass(frozen=True)
class Verdict:
    """The result of a library in a case."""

    kind: Kind
    text: str  # Example: "37 of 480 wrong"


class Point(NamedTuple):
    """A named tuple."""

    x: int
    y: int


class Order(enum.IntEnum):
    """An enum whose members equal numbers."""

    FIRST = 1


def class_identity(library: Library) -> Verdict:
    """Call one jitted function with eight classes that have the same fields, but different functions."""
    classes = define(library, [Spec(f"Shape{number}", ("r",)) for number in range(8)])
    shapes = {getattr(classes, f"Shape{number}"): float(number) for number in range(8)}
    wrong = 0
    for _ in range(60):
        area = jax.jit(lambda shape: shapes[type(shape)] * shape.r)
        one = jnp.float32(1.0)
        wrong += sum(float(area(shape(r=one))) != factor for shape, factor in shapes.items())
    if wrong:
        return Verdict("wrong", f"{wrong} of 480 wrong")
    return Verdict("right", "0 of 480 wrong")


def numbers(library: Library) -> Verdict:
    """Pass `1`, `1.0` and `True`: the dtype of the result depends on the type of the value."""
    return _told_apart(library, (1, 1.0, True), lambda value: jnp.arange(3) * value)


def zeros(library: Library) -> Verdict:
    """Pass `0.0`, then `-0.0`: the sign is lost if both have the same key."""
    return _told_apart(library, (0.0, -0.0), lambda value: jnp.copysign(1.0, value))


def tuples(library: Library) -> Verdict:
    """Pass a tuple, then a named tuple that equals it."""
    values = ((1, 2), Point(1, 2))
    return _told_apart(library, values, lambda value: jnp.int32(isinstance(value, Point)))


def enums(library: Library) -> Verdict:
    """Pass `1`, then the IntEnum member that equals it."""
    values = (1, Order.FIRST)
    return _told_apart(library, values, lambda value: jnp.int32(isinstance(value, Order)))


def nans(library: Library) -> Verdict:
    """Pass a configuration with a NaN, then a separately built copy of it."""
    holder = define(library, [_HOLDER]).Holder
    traces: list[None] = []

    def function(held: Any) -> Any:
        traces.append(None)
        return held.x * held.value

    jitted = jax.jit(function)
    for _ in range(5):
        jitted(holder(x=jnp.float32(1.0), value=float("inf") - float("inf")))
    if len(traces) == 1:
        return Verdict("right", "traced once")
    return Verdict("slow", f"{len(traces)} traces of 5 calls")


def mutated(library: Library) -> Verdict:
    """Change a list in a static field between two calls."""
    holder = define(library, [_HOLDER]).Holder
    values = [1.0]
    try:
        held = holder(x=jnp.float32(1.0), value=values)
    except (TypeError, ValueError) as error:
        named = "Holder" in str(error) and "value" in str(error)
        return Verdict("right" if named else "error", "refused when built")
    jitted = jax.jit(lambda held: held.x * held.value[0])
    try:
        jitted(held)
        values[0] = 2.0
        found = float(jitted(held))
    except (TypeError, ValueError):
        return Verdict("error", "fails when called")
    return Verdict("right", "traced again") if found == 2.0 else Verdict("wrong", "stale result")


def arrays(library: Library) -> Verdict:
    """Pass a constant array in a static field, then an equal copy, then a different array."""
    holder = define(library, [_HOLDER]).Holder
    traces: list[None] = []

    def function(held: Any) -> Any:
        traces.append(None)
        return held.x * held.value.sum()

    jitted = jax.jit(function)
    constants = [np.array([1.0, 2.0]), np.array([1.0, 2.0]), np.array([1.0, 3.0])]
    try:
        found = [float(jitted(holder(x=jnp.float32(1.0), value=each))) for each in constants]
    except (TypeError, ValueError) as error:
        return Verdict("error", f"{type(error).__name__} when called")
    if found != [3.0, 3.0, 4.0]:
        return Verdict("wrong", "another array's result")
    return (
        Verdict("right", "a trace each") if len(traces) == 2 else Verdict("slow", "traces copies")
    )


def aliased(library: Library) -> Verdict:
    """Pass one array in two donated fields, sharded over several devices."""
    mesh = jax.make_mesh((jax.device_count(),), ("d",))
    spread = jax.NamedSharding(mesh, jax.P("d"))  # type: ignore[no-untyped-call]
    one = jax.device_put(jnp.arange(8.0), spread)
    try:
        grow, pair = _growing(library, one, one)
        jax.block_until_ready(grow(pair))  # type: ignore[no-untyped-call]
    except (ValueError, RuntimeError) as error:
        if all(path in str(error) for path in ("pair.u", "pair.v")):
            return Verdict("right", "refused, both named")
        return Verdict("error", "refused, not named")
    return Verdict("right", "not donated")


def consumed(library: Library) -> Verdict:
    """Access a donated field after the call that consumed it."""
    grow, pair = _growing(library, jnp.arange(4.0), jnp.ones(4))
    jax.block_until_ready(grow(pair))  # type: ignore[no-untyped-call]
    try:
        jnp.sum(pair.u)
    except (ValueError, RuntimeError) as error:
        named = "`u`" in str(error) or ".u" in str(error)
        return Verdict("right" if named else "error", "named" if named else "not named")
    return Verdict("wrong", "still there")


def grown(pair: Any) -> Any:
    """Run the implementation of the donated step."""
    return pair.replace(u=pair.u + 1.0, v=pair.v * 2.0)


def _growing(library: Library, u: jax.Array, v: jax.Array) -> tuple[Callable[[Any], Any], Any]:
    """Return the step, which donates as much as the library allows, and its argument."""
    if library.is_generated:
        module = define(library, [_PAIR], _STEP)
        return module.grow, module.Pair(u=u, v=v)
    cls = define(library, [_PAIR]).Pair

    def grow(pair: Any) -> Any:
        return library.replace(pair, u=pair.u + 1.0, v=pair.v * 2.0)

    return jax.jit(grow, donate_argnums=0), cls(u=u, v=v)


def _told_apart(
    library: Library, values: tuple[Any, ...], function: Callable[[Any], Any]
) -> Verdict:
    """Call one jitted function with each value, and compare with the results without jit."""
    holder = define(library, [_HOLDER]).Holder
    jitted = jax.jit(lambda held: function(held.value))
    wrong = 0
    for value in values:
        held = holder(x=jnp.float32(1.0), value=value)
        found, expected = jitted(held), function(value)
        wrong += found.dtype != expected.dtype or bool((found != expected).any())
    if wrong:
        return Verdict("wrong", f"{wrong} of {len(values)} wrong")
    return Verdict("right", "told apart")


Case: TypeAlias = Callable[[Library], Verdict]

# The titles in the table.
CASES: dict[str, Case] = {
    "another class": class_identity,
    "`1`, `1.0`, `True`": numbers,
    "`0.0`, `-0.0`": zeros,
    "tuple, named tuple": tuples,
    "`1`, an IntEnum": enums,
    "NaN, a new object": nans,
    "a list, changed": mutated,
    "a constant array": arrays,
    "one array, donated twice": aliased,
    "touched when consumed": consumed,
}
# On libraries without a check, JAX crashes with a segmentation fault.
MAY_END = ("one array, donated twice",)
# These cases need no static field.
_WITHOUT_STATICS = ("another class", "one array, donated twice", "touched when consumed")


def judge(library: Library, title: str) -> Verdict:
    """Run a case with a library, and judge the result."""
    if not library.has_statics and title not in _WITHOUT_STATICS:
        return Verdict("none", "no static fields")
    return CASES[title](library)
