# JAX's stubs leave some things untyped, and the package is built by the tests.
# mypy: disable-error-code="redundant-expr, operator, no-untyped-call, import-not-found"
# mypy: disable-error-code="func-returns-value, attr-defined"
"""An array of weak type costs no second trace, wherever it comes from."""

import enum
import sys
import threading
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime.jit import jit
from tests.calls.test_tracebacks import make_plate


def weak(value: Any) -> Any:
    """An array like this one, made of it, of weak type."""
    made = jnp.where(jnp.asarray(value) > 0, 1.0, 1.0)
    assert made.weak_type
    return made


def test_weak_arguments_find_the_program_of_strong_ones(model: Any, impl: Any) -> None:
    for function in (model.add, model.add.keep, model.take, model.take.keep, jax.jit(model.add)):
        model.add.clear_cache()
        model.take.clear_cache()
        impl.traces.clear()
        for dt in (0.5, jnp.float32(0.5), jnp.asarray(0.5), np.float32(0.5), jnp.full((), 0.5)):
            for x in (jnp.ones(3, jnp.float32), jnp.full(3, 1.0), np.ones(3, np.float32)):
                result = function(x + 0, dt)
                np.testing.assert_array_equal(result, np.full(3, 2.5))
                assert result.dtype == jnp.float32
                assert not result.weak_type
        assert impl.traces["add"] == 1, function


def test_a_program_of_weak_ones_first_is_the_same(model: Any, impl: Any) -> None:
    model.add.clear_cache()
    for x in (jnp.full(3, 1.0), jnp.ones(3, jnp.float32), jnp.full(3, 1.0)):
        assert not model.add(x, jnp.asarray(0.5)).weak_type
        model.add.lower(x, 0.5)
        assert model.add.eval_shape(x, 0.5).dtype == jnp.float32
    assert impl.traces["add"] == 1  # for `lower` too, as nothing is donated


def test_declared_numbers_stay_weak(model: Any, impl: Any) -> None:
    model.add.clear_cache()
    for rate in (1.0, 2.0, jnp.asarray(1.0)):
        assert model.add(jnp.ones(3), 0.5, rate).shape == (3,)
    assert impl.traces["add"] == 1
    seen = []
    see = jit(lambda part: seen.append(part.rate.weak_type) or part)
    see(model.Part(jnp.ones(3)))
    see(jax.tree.map(lambda x: x, model.Part(jnp.ones(3))))
    assert seen == [True]


def test_fields_that_became_weak_cost_no_trace(model: Any, impl: Any) -> None:
    ways = [model.step, model.step.keep, jax.jit(model.step)]
    model.step.clear_cache()
    for way in ways:
        impl.traces.clear()
        for plate in (make_plate(model), jax.tree.map(weak, make_plate(model))):
            result = way(plate, 0.5)
            assert not result.u.weak_type
            assert not result.part.w.weak_type
            assert result.part.rate.weak_type
            # What passes by is the caller's own array, as it is.
            assert way is ways[2] or result.alpha is plate.alpha
        # Inside of a trace, it is that of the outer function which there are two of.
        assert impl.traces["step"] == (0 if way is ways[2] else 1), way
        if way is ways[0]:
            # What was consumed is, also where what went into the program was made of it.
            with pytest.raises(RuntimeError, match=r"`Plate.u` was consumed by `step`"):
                plate.u + 1
            assert plate.alpha.weak_type


def test_a_call_with_weak_types_hides_no_view(model: Any, impl: Any) -> None:
    model.step.clear_cache()
    for plate in (make_plate(model), jax.tree.map(weak, make_plate(model))):
        model.step(plate, 0.5)
    plate = make_plate(model)
    view = np.asarray(plate.u)
    with pytest.warns(UserWarning, match=r"`plate\.u` .*numpy\.asarray") as caught:
        model.step(plate, 0.5)
    assert caught[0].filename == __file__
    assert np.all(view == np.asarray(make_plate(model).u))


def test_results_that_became_weak_cost_no_trace(model: Any, impl: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impl, "step", lambda plate, *_: jax.tree.map(weak, plate))
        result = model.step(make_plate(model), 0.5)
    assert not result.u.weak_type
    assert not result.part.w.weak_type
    assert result.part.rate.weak_type


def test_an_argument_that_nothing_is_declared_of_stays_as_it_is() -> None:
    seen = []
    see = jit(lambda x: seen.append(x.weak_type) or x * jnp.ones(2, jnp.bfloat16))
    for x in (1.0, jnp.asarray(1.0), jnp.float32(1.0)):
        see(x)
    assert seen == [True, False]


def test_threads_that_come_with_a_weak_leaf_all_get_the_strong_program(model: Any) -> None:
    """One notes the leaf while another, which took it before, is traced."""
    half = jnp.ones(4, jnp.bfloat16)
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        found: list[str] = []

        def call(barrier: threading.Barrier) -> None:
            barrier.wait()
            found.append(str(model.add(jnp.full(4, 0.5), half[0]).dtype))

        for _ in range(12):
            model.add.clear_cache()
            barrier = threading.Barrier(4)
            threads = [threading.Thread(target=call, args=(barrier,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert set(found) == {"float32"}
    finally:
        sys.setswitchinterval(switching)


class Number(float):
    """What JAX takes for a number, and no schema declares."""


class Level(enum.IntEnum):
    ONE = 1


def test_subclasses_of_numbers_have_no_weak_type_either(model: Any, impl: Any) -> None:
    half = jnp.ones(3, jnp.bfloat16)
    for number in (Number(2.0), 2.0, np.float64(2.0)):
        model.add.clear_cache()
        assert model.add(half, number).dtype == jnp.float32, type(number)
    for number in (Number(2.0), Level.ONE):
        with pytest.raises(TypeError, match=r"`Plate\.t` takes an array of float32"):
            make_plate(model).replace(t=number)
