"""Test `step.lower(...).compile()`: the stages of JAX, with the declared arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import ConsumedError, jit
from tests.runtime import model
from tests.runtime.made import make_plate
from tests.runtime.sample import step, total


def test_compiled_program_takes_the_declared_arguments() -> None:
    compiled = step.lower(make_plate(), 0.5, n=2).compile()
    model.traces.clear()
    for dt in (0.5, np.float64(0.25), jnp.asarray(0.125)):
        plate = make_plate()
        result = compiled(plate, dt, n=2)
        assert result == step.keep(make_plate(), dt, n=2)
        assert type(result) is type(plate)
        # Arguments are consumed as in a call. Unchanged fields are the same objects.
        assert plate.u.is_deleted()
        assert plate.first.w.is_deleted()
        assert result.alpha is plate.alpha
        assert not plate.t.is_deleted()
        with pytest.raises(ConsumedError, match=r"`Plate\.u` was consumed by `step`"):
            plate.u + 1
    assert model.traces["step"] <= 1  # for `keep`


def test_lowered_and_compiled_have_the_interface_of_jax() -> None:
    plate = make_plate()
    lowered = step.lower(plate, 0.5)
    compiled = lowered.compile()
    assert "tf.aliasing_output" in lowered.as_text()
    assert lowered.compiler_ir() is not None
    for stage in (lowered, compiled):
        assert stage.in_tree == lowered.in_tree
        assert len(jax.tree.leaves(stage.out_info)) == len(jax.tree.leaves(lowered.out_info))
        stage.cost_analysis()
    assert compiled.memory_analysis().alias_size_in_bytes > 0
    assert "HloModule" in compiled.as_text()
    assert compiled.input_shardings is not None
    options = {"xla_embed_ir_in_executable": True}
    assert lowered.compile(compiler_options=options)(plate, 0.5).t == 0.5
    with pytest.raises(ConsumedError):
        compiled(plate, 0.5)
    assert isinstance(lowered, jax.stages.Lowered)
    assert isinstance(compiled, jax.stages.Compiled)


def test_lower_accepts_shapes() -> None:
    shapes = jax.eval_shape(lambda plate: plate, make_plate())
    compiled = step.lower(shapes, jnp.float32(0.5)).compile()
    assert compiled(make_plate(), 0.5) == step(make_plate(), 0.5)


DIFFERENCES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a static value": (lambda call: call(make_plate(), 0.5, n=3), r"  n  2 -> 3  static"),
    "a structure": (
        lambda call: call(make_plate(layers=()), 0.5, n=2),
        r"  plate.layers +tuple of 1 -> tuple of 0 +structure",
    ),
    "a dtype": (
        lambda call: call(make_plate(u=jnp.ones(4, jnp.bfloat16)), 0.5, n=2),
        r"  plate.u  f32 -> bf16  dtype",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENCES)
def test_other_arguments_are_an_error_that_names_the_path(name: str) -> None:
    compiled = step.lower(make_plate(), 0.5, n=2).compile()
    seen: list[Any] = []

    def call(plate: Any, *args: Any, **kwargs: Any) -> None:
        seen.append(plate)
        compiled(plate, *args, **kwargs)

    wrong, words = DIFFERENCES[name]
    model.traces.clear()
    with pytest.raises(TypeError, match=f"(?s)^`step` was compiled for other .*{words}") as raised:
        wrong(call)
    assert "help: call `step` itself, which compiles for any arguments" in str(raised.value)
    assert not seen[0].u.is_deleted()
    assert not model.traces
    assert compiled(make_plate(), 0.5, n=2) == step(make_plate(), 0.5, n=2)


def test_arguments_are_checked_as_in_a_call() -> None:
    compiled: Any = step.lower(make_plate(), 0.5).compile()
    with pytest.raises(TypeError, match=r"^step\(\) missing"):
        compiled(make_plate())
    with pytest.raises(TypeError, match="argument `plate` of `step` takes a `Plate`"):
        compiled([jnp.ones(3)], [jnp.ones(3)])
    plate = make_plate()
    with pytest.raises(ValueError, match="are the same array, which this call donates"):
        compiled(plate.replace(alpha=plate.u), 0.5)
    assert not plate.u.is_deleted()


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, jax.grad])
def test_call_of_a_compiled_program_inside_a_trace_is_an_error(transform: Any) -> None:
    plate = make_plate()
    compiled = step.lower(plate, 0.5).compile()

    def call(dt: Any) -> Any:
        return compiled(plate, dt).u.sum()

    dt = jnp.ones(3) if transform is jax.vmap else 0.5
    with pytest.raises(TypeError, match="the compiled `step` cannot be called inside"):
        transform(call)(dt)
    with pytest.raises(TypeError, match="the compiled `step` cannot be called inside"):
        transform(lambda _: call(0.5))(dt)
    assert not plate.u.is_deleted()


def test_compiled_function_without_donation() -> None:
    first, second = make_plate().first, make_plate().first
    compiled = total.lower(first, second).compile()
    for _ in range(2):
        assert compiled(first, second) == total(first, second)


def test_compiled_function_with_array_arguments() -> None:
    @jit(static="n", donated=("x", "y"))
    def both(x: Any, y: Any, n: int = 1) -> Any:
        return x * n, y[:1]

    compiled = both.lower(jnp.ones(3), jnp.ones(3)).compile()
    x, y = jnp.ones(3), jnp.ones(3)
    assert compiled(x, y)[0].tolist() == [1.0] * 3
    # XLA cannot reuse `y`, but it is consumed too.
    for array in (x, y):
        with pytest.raises(ConsumedError, match="of `both` is a deleted array"):
            compiled(array, jnp.ones(3))
    # Weak types become strong in a call, as in `lower`.
    assert both.lower(2.0, jnp.ones(3)).compile()(jnp.float32(2), jnp.ones(3))[0] == 2.0


def test_compiled_program_works_after_caches_are_cleared() -> None:
    compiled = step.lower(make_plate(), 0.5).compile()
    step.clear_cache()
    jax.clear_caches()
    model.traces.clear()
    plate = make_plate()
    assert compiled(plate, 0.5).t == 0.5
    assert plate.u.is_deleted()
    with pytest.raises(TypeError, match=r"  n  1 -> 2  static"):
        compiled(make_plate(), 0.5, n=2)
    with jax.disable_jit():
        plate = make_plate()
        with pytest.raises(ValueError, match="Disable jit is not supported"):
            compiled(plate, 0.5)
        assert not plate.u.is_deleted()
    assert not model.traces
