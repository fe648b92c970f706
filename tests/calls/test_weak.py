"""A weak type changes no result. Objects have none unless `tree.map` makes one, which `traces` says."""

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


def kinds(function: Any) -> set[str]:
    """Return the kinds of differences between the traces."""
    return {change.kind for trace in function.traces for change in trace.changes}


def clear(function: Any) -> None:
    function.clear_cache()
    function._history._records.clear()


def test_weak_argument_reuses_the_program_of_a_strong_one(model: Any) -> None:
    for function in (model.add, model.add.keep, model.take, model.take.keep, jax.jit(model.add)):
        clear(model.add)
        clear(model.take)
        for dt in (0.5, jnp.float32(0.5), jnp.asarray(0.5), np.float32(0.5), jnp.full((), 0.5)):
            for x in (jnp.ones(3, jnp.float32), jnp.full(3, 1.0), np.ones(3, np.float32)):
                result = function(x + 0, dt)
                np.testing.assert_array_equal(result, np.full(3, 2.5))
                assert result.dtype == model.add.eval_shape(x, dt).dtype == jnp.float32
                assert not result.weak_type
        for traced in (model.add, model.take):
            assert kinds(traced) == set()


def test_number_in_any_stays_weak(model: Any, impl: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impl, "returned", [lambda x: x * jnp.ones(2, jnp.bfloat16)])
    for x in (0.5, jnp.asarray(0.5)):
        model.anything.clear_cache()
        assert model.anything(x).dtype == jnp.bfloat16
        assert jax.jit(model.anything)(x).dtype == jnp.bfloat16
        assert model.anything.eval_shape(x).dtype == jnp.bfloat16


@pytest.mark.parametrize("is_kept", [False, True])
def test_weak_fields_trace_once_more(model: Any, impl: Any, is_kept: bool) -> None:
    clear(model.step)
    way = model.step.keep if is_kept else model.step
    for _ in range(2):
        for plate in (make_plate(model), jax.tree.map(weak, make_plate(model))):
            result = way(plate, 0.5)
            assert not result.u.weak_type
            assert not result.part.w.weak_type
            assert result.part.rate.weak_type
            # A field that is returned unchanged is the caller's own array.
            assert result.alpha is plate.alpha
    assert impl.traces["step"] == 2
    assert kinds(model.step) == {"weak type"}
    if not is_kept:
        with pytest.raises(RuntimeError, match=r"`Plate.u` was consumed by `step`"):
            plate.u + 1


def test_weak_result_of_implementation_becomes_strong(model: Any, impl: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impl, "step", lambda plate, **_: jax.tree.map(weak, plate))
        result = model.step(make_plate(model), 0.5)
    assert not result.u.weak_type
    assert not result.part.w.weak_type
    assert result.part.rate.weak_type


def test_undeclared_argument_keeps_its_weak_type() -> None:
    seen = []

    @jit
    def see(x: Any) -> Any:
        seen.append(x.weak_type)
        return x * jnp.ones(2, jnp.bfloat16)

    for x in (1.0, jnp.asarray(1.0), jnp.float32(1.0)):
        see(x)
    assert seen == [True, False]
