"""Type checkers see the declared signature of a function, in each way to call it.

`mypy --strict` also checks this file, and an unused ignore is an error.
"""

from typing import assert_type

import jax
import jax.numpy as jnp
import pytest
from jax import Array

from codegen.runtime import jit
from codegen.runtime.drafts import DraftRef, PytreeDraft
from generated.heat import Grid, Plate, step
from generated.materials import Material


@jit(static="n", donated="plate")
def advance(plate: Plate, dt: Array, n: int = 1) -> Plate:
    return plate


class Solver:
    @jit(static="self")
    def solve(self, x: Array, n: int = 1) -> Array:
        return x * n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solver)

    def __hash__(self) -> int:
        return 3


class CacheDraft(PytreeDraft):
    k = DraftRef()


def read_ref(draft: CacheDraft) -> None:
    """Only type checkers read this."""
    assert_type(draft.k, jax.Ref)


def test_function_calls_have_declared_types() -> None:
    u, dt = jnp.ones((2, 2)), jnp.ones(())
    plate = Plate(jnp.copy(u), u + 1, Grid(2, 2), Material("copper", 401.0, 8960.0, 385.0))
    for function in (step, advance):
        assert_type(function.keep(plate, dt), Plate)
        assert_type(function.eval_shape(plate, dt, n=2), Plate)
        lowered: jax.stages.Lowered = function.lower(plate, dt)
        compiled: jax.stages.Compiled = function.lower(plate, dt, n=2).compile()
        assert isinstance(compiled, type(lowered.compile()))
        assert_type(function.lower(plate, dt).compile()(plate.replace(u=jnp.copy(u)), dt), Plate)
        with pytest.raises(TypeError):
            function.lower(plate, dt).compile()(plate, dt, m=1)  # type: ignore[call-arg]
        assert_type(function.donation(plate, dt), dict[str, bool])
    with pytest.raises(TypeError):
        step.donation(plate, dt, m=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        advance.keep(plate)  # type: ignore[call-arg]
    assert_type(step(plate, 0.5, n=1), Plate)


def test_method_calls_have_declared_types() -> None:
    solver, x = Solver(), jnp.ones(2)
    assert_type(solver.solve(x, n=2), Array)
    assert_type(solver.solve.keep(x), Array)
    assert_type(solver.solve.donation(x), dict[str, bool])
    with pytest.raises(TypeError):
        solver.solve.keep(x, m=1)  # type: ignore[call-arg]
