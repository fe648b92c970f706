# JAX's stubs leave some things untyped, and the tests build the package.
# mypy: disable-error-code="redundant-expr, operator, no-untyped-call, import-not-found"
# mypy: disable-error-code="func-returns-value, attr-defined"
"""An array of weak type causes no second trace, wherever it comes from."""

import enum
import sys
import threading
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import jit
from tests.calls.test_tracebacks import make_plate


def weak(value: Any) -> Any:
    """Return a weakly typed array with this value."""
    made = jnp.where(jnp.asarray(value) > 0, 1.0, 1.0)
    assert made.weak_type
    return made


def test_weak_argument_reuses_the_program_of_a_strong_one(model: Any, impl: Any) -> None:
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


def test_strong_argument_reuses_the_program_of_a_weak_one(model: Any, impl: Any) -> None:
    model.add.clear_cache()
    for x in (jnp.full(3, 1.0), jnp.ones(3, jnp.float32), jnp.full(3, 1.0)):
        assert not model.add(x, jnp.asarray(0.5)).weak_type
        model.add.lower(x, 0.5)
        assert model.add.eval_shape(x, 0.5).dtype == jnp.float32
    assert impl.traces["add"] == 1  # `lower` too, because it donates nothing


def test_declared_python_numbers_stay_weak(model: Any, impl: Any) -> None:
    model.add.clear_cache()
    for rate in (1.0, 2.0, jnp.asarray(1.0)):
        assert model.add(jnp.ones(3), 0.5, rate).shape == (3,)
    assert impl.traces["add"] == 1
    seen = []
    see = jit(lambda part: seen.append(part.rate.weak_type) or part)
    see(model.Part(jnp.ones(3)))
    see(jax.tree.map(lambda x: x, model.Part(jnp.ones(3))))
    assert seen == [True]


def test_weak_fields_reuse_the_program_of_strong_ones(model: Any, impl: Any) -> None:
    ways = [model.step, model.step.keep, jax.jit(model.step)]
    model.step.clear_cache()
    for way in ways:
        impl.traces.clear()
        for plate in (make_plate(model), jax.tree.map(weak, make_plate(model))):
            result = way(plate, 0.5)
            assert not result.u.weak_type
            assert not result.part.w.weak_type
            assert result.part.rate.weak_type
            # A field that is returned unchanged is the caller's own array.
            assert way is ways[2] or result.alpha is plate.alpha
        # Inside `jax.jit`, only the outer function has two traces.
        assert impl.traces["step"] == (0 if way is ways[2] else 1), way
        if way is ways[0]:
            # Consumed fields raise, also if the program received a converted copy.
            with pytest.raises(RuntimeError, match=r"`Plate.u` was consumed by `step`"):
                plate.u + 1
            assert plate.alpha.weak_type


def test_weak_argument_does_not_hide_a_view_of_a_buffer(model: Any, impl: Any) -> None:
    model.step.clear_cache()
    for plate in (make_plate(model), jax.tree.map(weak, make_plate(model))):
        model.step(plate, 0.5)
    plate = make_plate(model)
    view = np.asarray(plate.u)
    with pytest.warns(UserWarning, match=r"`plate\.u` .*numpy\.asarray") as caught:
        model.step(plate, 0.5)
    assert caught[0].filename == __file__
    assert np.all(view == np.asarray(make_plate(model).u))


def test_weak_result_of_implementation_becomes_strong(model: Any, impl: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impl, "step", lambda plate, **_: jax.tree.map(weak, plate))
        result = model.step(make_plate(model), 0.5)
    assert not result.u.weak_type
    assert not result.part.w.weak_type
    assert result.part.rate.weak_type


def test_undeclared_argument_keeps_its_weak_type() -> None:
    seen = []
    see = jit(lambda x: seen.append(x.weak_type) or x * jnp.ones(2, jnp.bfloat16))
    for x in (1.0, jnp.asarray(1.0), jnp.float32(1.0)):
        see(x)
    assert seen == [True, False]


def test_threads_with_a_weak_leaf_share_the_strong_program(model: Any) -> None:
    """One thread records the leaf while another one, which started earlier, is traced."""
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
    """A class that JAX treats as a number, but that no schema declares."""


class Level(enum.IntEnum):
    ONE = 1


def test_number_subclasses_are_not_weakly_typed(model: Any, impl: Any) -> None:
    half = jnp.ones(3, jnp.bfloat16)
    for number in (Number(2.0), 2.0, np.float64(2.0)):
        model.add.clear_cache()
        assert model.add(half, number).dtype == jnp.float32, type(number)
    for number in (Number(2.0), Level.ONE):
        with pytest.raises(TypeError, match=r"`Plate\.t` takes an array of float32"):
            make_plate(model).replace(t=number)
