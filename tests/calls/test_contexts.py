"""A function whose implementation calls another one, in each context of JAX."""

import contextlib
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import export
from jax.sharding import PartitionSpec as P

from codegen.runtime import ConsumedError, jit
from codegen.runtime.export import register_for_export
from tests.inputs import over
from tests.runtime.sample import Point


@jit(donated="p")
def inner(p: Point, by: Any) -> Point:
    return Point(p.x * by, p.y)


@jit(donated="p")
def outer(p: Point, by: Any) -> Point:
    return Point(inner(p, by).x + 1, p.y)


Call = Callable[[Point, Any], Point]


def point(*shape: int) -> Point:
    return Point(jnp.full((*shape, 3), 2.0), jnp.zeros((*shape, 3)))


def within(context: Callable[[], Any]) -> Callable[[Call], Point]:
    def call(function: Call) -> Point:
        with context():
            return function(point(), jnp.float32(3))

    return call


def scan(function: Call) -> Point:
    return jax.lax.scan(lambda p, by: (function(p, by), None), point(), jnp.full(1, 3.0))[0]


def while_loop(function: Call) -> Point:
    return jax.lax.while_loop(lambda p: p.x[0] < 5, lambda p: function(p, 3.0), point())


def cond(function: Call) -> Point:
    return jax.lax.cond(True, lambda p: function(p, 3.0), lambda p: p, point())


def shard_map(function: Call) -> Point:
    mesh = jax.make_mesh((1,), ("i",))
    mapped = jax.shard_map(lambda p: function(p, 3.0), mesh=mesh, in_specs=P(), out_specs=P())
    return jax.jit(mapped)(point())


def vmap(function: Call) -> Point:
    mapped = jax.vmap(function)(point(2), jnp.full(2, 3.0))
    return jax.tree.map(lambda x: x[1], mapped)


def grad(function: Call) -> Point:
    return jax.grad(lambda p: (function(p, 3.0).x ** 2).sum() / 2)(point()).replace(y=jnp.zeros(3))


def exported(function: Call) -> Point:
    register_for_export()
    saved = export.export(jax.jit(lambda p: function(p, 3.0)))(point()).serialize()
    return export.deserialize(saved).call(point())


def in_compile_time(function: Call) -> Point:
    @jit
    def constant(x: Any) -> Any:
        with jax.ensure_compile_time_eval():
            made = function(point(), 3.0)
            assert made.x.tolist() == [7] * 3
        return made.replace(x=made.x + x)

    return constant(0.0)


CONTEXTS: dict[str, Callable[[Call], Point]] = {
    "outside": within(contextlib.nullcontext),
    "without jit": within(lambda: jax.disable_jit(True)),
    "looking for NaNs": within(lambda: jax.debug_nans(True)),
    "checking leaks": within(jax.checking_leaks),
    "jit": lambda function: jax.jit(function)(point(), 3.0),
    "checkpoint": lambda function: jax.checkpoint(function)(point(), 3.0),
    "scan": scan,
    "while_loop": while_loop,
    "cond": cond,
    "shard_map": shard_map,
    "vmap": vmap,
    "vmap in jit": lambda function: vmap(jax.jit(function)),
    "grad": grad,
    "export": exported,
    "ensure_compile_time_eval": in_compile_time,
}


@over(CONTEXTS, ["first", "later"])
def test_nested_call_gives_the_right_result(name: str, when: str) -> None:
    if when == "first":
        outer.clear_cache()
        inner.clear_cache()
    result = CONTEXTS[name](outer)
    # The gradient of (x * 3 + 1)^2 / 2, and x * 3 + 1.
    expected = [21.0] * 3 if name == "grad" else [7.0] * 3
    assert (result.x.tolist(), result.y.tolist()) == (expected, [0] * 3)
    # What the context has traced is no obstacle to an ordinary call, which donates.
    given = point()
    new = outer(given, 3.0)
    assert new.x.tolist() == [7] * 3
    assert new.y is given.y
    with pytest.raises(ConsumedError, match=r"`Point\.x` was consumed by `outer`, as `p\.x`"):
        given.x + 1


def test_call_in_a_trace_consumes_nothing() -> None:
    given = point()
    for call in (
        lambda: jax.jit(outer)(given, 3.0),
        lambda: jax.vmap(lambda by: outer(given, by))(jnp.ones(2)),
        lambda: jax.grad(lambda by: outer(given, by).x.sum())(3.0),
        lambda: jax.eval_shape(outer, given, 3.0),
        lambda: jax.lax.cond(True, lambda: outer(given, 3.0), lambda: given),
        lambda: in_compile_time(lambda *_: outer(given, 3.0)),
        lambda: jax.lax.scan(lambda c, _: (outer(given, c).x[0], None), 1.0, length=2),
    ):
        call()
        assert given.x.tolist() == [2] * 3
    with jax.disable_jit():
        outer(given, 3.0)
    assert given.x.tolist() == [2] * 3


def test_nan_is_found_in_a_nested_call() -> None:
    @jit(donated="p")
    def root(p: Point) -> Point:
        return Point(jnp.log(inner(p, -1.0).x), p.y)

    with jax.debug_nans(True):
        with pytest.raises(FloatingPointError):
            root.keep(point())
        given = point()
        with pytest.raises((FloatingPointError, RuntimeError, ValueError)):
            root(given)
    root.clear_cache()  # It was compiled without donation.
    assert root(point().replace(x=-jnp.ones(3))).x.tolist() == [0] * 3
