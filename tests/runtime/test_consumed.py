# Markers are used like arrays.
# mypy: disable-error-code="arg-type, union-attr, comparison-overlap"
# mypy: disable-error-code="attr-defined, unreachable"
# mypy: no-warn-unused-ignores
"""Consumed fields: which uses raise errors, which still work, and which call gets the arrays."""

import copy
import dataclasses
import functools
import inspect
import math
import operator
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import ConsumedError, jit
from codegen.runtime.call.consumed import Consumed
from codegen.runtime.call.errors import is_of_deleted
from tests.inputs import over
from tests.runtime.made import make_bag, make_plate
from tests.runtime.sample import Grid, Linear, Plate, Point, double, step


def consumed() -> Plate:
    plate = make_plate()
    step(plate, 0.5)
    return plate


USES: dict[str, Callable[[Any], object]] = {
    "add": lambda u: u + 1,
    "reflected": lambda u: 1 - u,
    "with an array": lambda u: jnp.ones(4) * u,
    "with an array of numpy": lambda u: np.ones(4) * u,
    "matmul": lambda u: u @ u,
    "in place": lambda u: operator.iadd(u, 1),
    "less": lambda u: u < 1,
    "negative": operator.neg,
    "item": lambda u: u[0],
    "at": lambda u: u.at[0].set(1),
    "method": lambda u: u.sum(),
    "transposed": lambda u: u.T,
    "contains": lambda u: 1 in u,
    "iterate": list,
    "len": len,
    "size": lambda u: u.size,
    "nbytes": lambda u: u.nbytes,
    "aval": lambda u: u.aval,
    "devices": lambda u: u.devices(),
    "bool": bool,
    "float": float,
    "int": int,
    "round": round,
    "floor": math.floor,
    "format": lambda u: f"{u:.3f}",
    "numpy": np.asarray,
    "ufunc": np.sin,
    "dlpack": np.from_dlpack,
    "asarray": jnp.asarray,
    "array": jnp.array,
    "jnp": jnp.sin,
    "stack": lambda u: jnp.stack([u, u]),
    "where": lambda u: jnp.where(u, 1, 2),
    "equals an array": lambda u: jnp.ones(4) == u,
    "jit": jax.jit(lambda u: u),
    "vmap": jax.vmap(lambda u: u),
    "grad": jax.grad(lambda u: u),
    "scan": lambda u: jax.lax.scan(lambda c, x: (c, x), 0, u),
    "carry": lambda u: jax.lax.scan(lambda c, x: (c, x), u, jnp.ones(2)),
    "cond": lambda u: jax.lax.cond(True, lambda x: x, lambda x: x, u),
    "eval_shape": lambda u: jax.eval_shape(lambda x: x, u),
    "device_put": jax.device_put,
    "device_get": jax.device_get,
}


@over(USES)
def test_use_of_a_consumed_field_is_an_error(name: str) -> None:
    with pytest.raises(ConsumedError, match=r"`Plate\.u` was consumed by `step`"):
        USES[name](consumed().u)


def test_consumed_error_names_field_call_and_advice() -> None:
    plate = consumed()
    with pytest.raises(
        ConsumedError, match=r"`Plate\.u` was consumed by `step`, as `plate\.u`: .*`step\.keep"
    ) as caught:
        plate.u + 1
    assert isinstance(caught.value, RuntimeError)
    with pytest.raises(ConsumedError, match=r"`Linear\.w` .* as `plate\.first\.w`"):
        plate.first.w + 1


def test_every_later_call_raises() -> None:
    plate = consumed()
    for call in (step, step.keep, step.eval_shape, step.lower, step.donation):
        with pytest.raises(ConsumedError, match=r"`Plate\.u` .* as `plate\.u`"):
            call(plate, 0.5)
    for function in (jax.jit(lambda p: p.t), jax.grad(lambda p: p.t), jax.vmap(lambda p: p.t)):
        with pytest.raises(ConsumedError):
            function(plate)
    with pytest.raises(ConsumedError):
        jit(lambda p: p.t)(plate)


def test_metadata_of_a_consumed_field_still_works() -> None:
    plate = make_plate()
    sharding = plate.u.sharding
    step(plate, 0.5)
    marker: Any = plate.u
    assert marker.shape == (4,)
    assert marker.dtype == jnp.float32
    assert marker.ndim == 1
    assert marker.sharding == sharding
    assert marker.is_deleted()
    assert marker.block_until_ready() is marker
    assert jax.block_until_ready(plate) is plate
    assert "<consumed float32[4]: by step>" in repr(plate)
    assert f"{marker}" == str(marker) == repr(marker)
    assert not hasattr(marker, "__wrapped__")


def test_consumed_object_can_be_copied_compared_and_pickled() -> None:
    plate = consumed()
    assert plate != make_plate()
    assert make_plate() != plate
    assert copy.copy(plate) == copy.deepcopy(plate) == plate
    loaded = pickle.loads(pickle.dumps(plate))
    assert loaded == plate
    assert hash(loaded.u) == hash(plate.u)
    with pytest.raises(ConsumedError, match=r"`Plate\.u` was consumed by `step`"):
        loaded.u + 1
    leaves, treedef = jax.tree.flatten(plate)
    assert treedef.unflatten(leaves) == plate
    assert jax.tree.map(lambda x: x.shape, plate).u == (4,)
    assert dataclasses.asdict(plate)["u"] is plate.u


def test_replacing_consumed_fields_makes_the_object_usable() -> None:
    plate = consumed()
    half = dataclasses.replace(plate, u=jnp.ones(4))
    with pytest.raises(ConsumedError, match=r"`Linear\.w`"):
        step(half, 0.5)
    assert (half.u == 1).all()
    whole = dataclasses.replace(half, first=Linear(jnp.ones(2), 0.0))
    assert (step(whole, 0.5).u == 2).all()
    assert isinstance(plate.u, Consumed)


def test_containers_are_rebuilt_with_markers() -> None:
    bag = make_bag()
    pair, named = bag.pair, bag.named
    double(bag)
    assert [type(x) for x in jax.tree.leaves((bag.pair, bag.extra))] == [Consumed] * 3
    assert bag.named["a"].b.shape == (6,)
    for touch in (bag.pair[1][0], bag.named["b"], bag.named["a"].w, bag.layers[1].w):
        with pytest.raises(ConsumedError, match="by `double`"):
            touch + 1
    with pytest.raises(ConsumedError, match=r"`Bag\.pair` .* as `bag\.pair\[1\]\[0\]`"):
        bag.pair[1][0] + 1
    assert pair[0].is_deleted()
    assert named["b"].is_deleted()
    with pytest.raises(ConsumedError):
        double(bag)


def test_a_call_that_fails_before_it_runs_consumes_nothing() -> None:
    @jit(donated="bag")
    def fail(bag: Any) -> Any:
        if len(seen) < 2:
            seen.append(bag)
            raise ZeroDivisionError
        return jax.tree.map(lambda x: x + 1, bag)

    seen: list[Any] = []
    bag, plate = make_bag(), make_plate()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            fail(bag)
        assert (bag.pair[1][0] == 1).all()
        assert (bag.named["a"].w == 1).all()
    assert (fail(bag).extra == 2).all()
    plate.u.delete()
    with pytest.raises(ConsumedError, match=r"`plate\.u` of `step` is a deleted array"):
        step(plate, 0.5)
    assert not isinstance(plate.u, Consumed)
    assert (plate.first.w == 1).all()


def test_failed_call_with_a_consumed_object_releases_the_other_objects() -> None:
    both = jit(lambda p, q: (p.x + 1, q.x + 1), donated=("p", "q"))
    first, second = Point(jnp.ones(2), 0.0), Point(jnp.ones(2), 0.0)
    both(Point(jnp.ones(2), 0.0), second)
    with pytest.raises(ConsumedError, match=r"as `q\.x`"):
        both(first, second)
    assert (first.x == 1).all()


def test_markers_have_the_metadata_of_their_own_arrays() -> None:
    plates = [make_plate(), make_plate(u=jnp.ones(6), alpha=jnp.ones(6)), make_plate()]
    for _ in range(2):
        plates = [copy.deepcopy(plate) for plate in plates]
        for plate in plates:
            step.keep(plate, 0.5)
            step(plate, 0.5)
        assert [plate.u.shape for plate in plates] == [(4,), (6,), (4,)]
        plates = [make_plate(u=jnp.ones(n), alpha=jnp.ones(n)) for n in (4, 6, 4)]


@jit(donated="x")
def grow(x: jax.Array) -> jax.Array:
    return x + 1


@jit
def double_of(x: Any) -> Any:
    return jax.tree.map(lambda x: x * 2, x)


def test_deleted_array_in_a_call_is_a_clear_error() -> None:
    """A call has consumed an argument, or an array that a second object has."""
    first, x = make_plate(), jnp.ones(4)
    second = dataclasses.replace(first, first=Linear(jnp.ones(2), 0.0))
    step(first, 0.5)
    grow(x)
    for call, path, name in (
        (lambda: grow(x), "x", "grow"),
        (lambda: grow.keep(x), "x", "grow"),
        (lambda: double_of({"a": (x, 1.0)}), r"x\['a'\]\[0\]", "double_of"),
        (lambda: step(make_plate(u=x), 0.5), r"plate\.u", "step"),
        (lambda: step(make_plate(alpha=x), 0.5), r"plate\.alpha", "step"),
        (lambda: step(second, 0.5), r"plate\.u", "step"),
        (lambda: step.keep(second, 0.5), r"plate\.u", "step"),
    ):
        words = rf"`{path}` of `{name}` is a deleted array: .* has consumed it, .*`jnp\.copy"
        with pytest.raises(ConsumedError, match=words):
            call()
    assert (second.first.w == 1).all()


def at_once(call: Callable[[], Any]) -> list[Any]:
    """Return the results of eight concurrent calls. The others must raise a ConsumedError.

    Regression: some raised JAX's own error of an array that another thread has just donated.
    """
    barrier = threading.Barrier(8)
    results, others = list[Any](), list[Exception]()

    def work() -> None:
        barrier.wait()
        try:
            results.append(call())
        except ConsumedError:
            pass
        except Exception as error:  # noqa: BLE001
            others.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert others == []
    return results


@pytest.mark.parametrize("fresh", [True, False])
def test_one_of_eight_concurrent_calls_gets_the_arrays(fresh: bool) -> None:
    for attempt in range(20):
        plate = make_plate(grid=Grid(attempt if fresh else 0, 88))
        (result,) = at_once(functools.partial(step, plate, 0.5))
        assert (result.u.tolist(), result.first.w.tolist()) == ([2] * 4, [2] * 2)
        assert result.alpha is plate.alpha
        assert plate.alpha.tolist() == [2] * 4
        assert plate.first.b.tolist() == [0] * 2
        for touch in (plate.u, plate.first.w):
            with pytest.raises(ConsumedError, match="was consumed by `step`"):
                touch + 1


def test_one_of_eight_concurrent_calls_gets_the_argument() -> None:
    for _ in range(20):
        (result,) = at_once(functools.partial(grow, jnp.ones(3)))
        assert result.tolist() == [2] * 3


@over(["Wrong", "Invalid"])
def test_error_for_an_array_that_another_thread_has_donated_is_recognised(kind: str) -> None:
    text = f"INVALID_ARGUMENT: {kind} buffer passed to Execute() as argument 0 to replica 0: ..."
    assert is_of_deleted(jax.errors.JaxRuntimeError(text))
    assert not is_of_deleted(jax.errors.JaxRuntimeError(f"INTERNAL: {text}"))


class Counter:
    scale = 2.0

    @jit(static="self", donated="x")
    def advance(self, x: jax.Array, by: float = 1.0) -> jax.Array:
        """Advance."""
        return x * self.scale + by

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counter)

    def __hash__(self) -> int:
        return 2


COUNTER = Counter()


def test_methods_donate_like_functions() -> None:
    x = jnp.ones(3)
    assert (COUNTER.advance.keep(x, by=2.0) == 4).all()
    assert COUNTER.advance.donation(x) == {"x": True}
    assert COUNTER.advance.eval_shape(x).shape == (3,)
    assert "tf.aliasing_output" in COUNTER.advance.lower(x).as_text()
    assert (COUNTER.advance(x) == 3).all()
    assert x.is_deleted()
    point = Point(jnp.ones(2), 0.0)

    class Solver:
        @jit(donated="point")
        def solve(self: Any, point: Point) -> jax.Array:
            return point.x * 2

    Solver.solve(1.0, point)
    with pytest.raises(ConsumedError, match=r"by `solve`, as `point\.x`"):
        point.x + 1
    assert str(inspect.signature(COUNTER.advance)).startswith("(x: jax.")
    assert COUNTER.advance == COUNTER.advance
    assert pickle.loads(pickle.dumps(COUNTER.advance))(jnp.ones(3), 2.0)[0] == 4
    assert COUNTER.advance.__name__ == "advance"
    assert COUNTER.advance.__doc__ == "Advance."
