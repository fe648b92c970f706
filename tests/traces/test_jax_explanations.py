"""JAX's own log and explanations for generated functions contain the user's names."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jaxtyping import Float

from codegen.runtime import jit
from tests.traces.plates import make_plate

Table = Float[jax.Array, "rows cols"]
Column = Float[jax.Array, "rows"]


def test_jax_explanations_use_names_of_the_schema(
    model: Any, caplog: pytest.LogCaptureFixture
) -> None:
    model.step.clear_cache()
    with jax.explain_cache_misses(True), jax.log_compiles(True):
        model.step(make_plate(model), 0.1)
        first = caplog.text
        caplog.clear()
        model.step(make_plate(model, u=jnp.ones((5, 4)), alpha=jnp.ones(5)), 0.1)
        model.step(make_plate(model, thickness=0.002), 0.1)
        model.step(make_plate(model, law=model.Cubic()), 0.1)
        model.step.keep(make_plate(model), 0.1)
    assert "never seen function:\n    step id=" in first
    text = caplog.text
    assert "never seen function" not in text
    assert text.count("TRACING CACHE MISS") == 4
    assert text.count("for step defined at") == 4
    assert text.count("traced_impl.py:10") == 4
    assert text.count(f"CACHE MISS at {__file__}:") == 4
    assert "Finished XLA compilation of jit(step)" in text
    assert "at plate.u, now f32[5,4] and before f32[4,4]" in text
    if jax.__version_info__ < (0, 11):  # After this, it does not mention static values.
        assert "thickness=0.002" in text
        assert "thickness=0.001" in text


def test_clear_cache_frees_compiled_programs() -> None:
    @jit(static="n", donated="x")
    def double(x: Any, n: Any) -> Any:
        return x * n

    double(jnp.ones(3), 2)
    double.keep(jnp.ones(3), 3)
    programs = [weakref.ref(one) for one in double._programs.values()]
    pair: Any = double._history.pair
    run = weakref.ref(pair[0]._fun)
    del pair
    double.clear_cache()
    gc.collect()
    assert [one() for one in programs] == [None, None]
    assert run() is None
    assert double(jnp.ones(3), 2).tolist() == [2, 2, 2]


def test_jaxtyping_annotations_name_sizes_in_traces() -> None:
    @jit
    def add(x: Table, y: list[Column]) -> Any:
        return x + y[0][:, None]

    for rows in (2, 3):
        add(jnp.ones((rows, 4)), [jnp.ones(rows)])
    found = [(change.path, change.detail) for change in add.traces[-1].changes]
    assert found == [("x", "rows: 2 -> 3"), ("y[0]", "rows: 2 -> 3")]


def test_annotations_that_are_not_types_are_ignored() -> None:
    def add(x: Any) -> Any:
        return x

    add.__annotations__["x"] = "what is added"
    compiled = jit(add)
    compiled(jnp.ones(2))
    compiled(jnp.ones(3))
    (change,) = compiled.traces[-1].changes
    assert (change.path, change.kind, change.detail) == ("x", "shape", "")
