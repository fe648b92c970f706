"""Calls that fail for reasons that resemble others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import Array

from codegen.runtime import ConsumedError, DonationWarning, jit, max_traces, settings
from tests.runtime.sample import Linear

TEXTS = (
    "row was deleted from the database",
    "Array has been deleted, says the database",
    "Buffer has been deleted",
)


def failing(text: str) -> Callable[[Linear], Linear]:
    def fail(_: Any) -> Any:
        raise RuntimeError(text)

    @jit(donated="part")
    def step(part: Linear) -> Linear:
        like = jax.eval_shape(lambda x: x, part.w)
        return Linear(jax.pure_callback(fail, like, part.w), part.b)

    return step


@pytest.mark.parametrize("text", TEXTS)
def test_error_of_a_running_program_is_raised_unchanged(text: str) -> None:
    part = Linear(jnp.ones(2), jnp.zeros(2))
    with pytest.raises(jax.errors.JaxRuntimeError, match=text):
        failing(text)(part)
    # As in plain JAX, the array is deleted.
    with pytest.raises((RuntimeError, ValueError), match="deleted"):
        part.w + 1
    assert part.b.tolist() == [0, 0]


def test_deleted_argument_is_not_reported_as_a_nan() -> None:
    step = jit(lambda x: x + 1, donated="x")
    x = jnp.ones(2)
    step(x)
    with (
        jax.debug_nans(True),
        pytest.raises(ConsumedError, match=r"`x` of `<lambda>` is a deleted array") as caught,
    ):
        step(x)
    assert not any("NaN" in note for note in getattr(caught.value, "__notes__", ()))


def test_array_in_two_places_is_refused_before_a_trace() -> None:
    seen: list[int] = []

    @jit(donated=("one", "other"))
    def add(one: Array, other: Array) -> Array:
        seen.append(1)
        raise TypeError

    x = jnp.ones(2)
    with pytest.raises(ValueError, match="`one` and `other` of `add` are the same array"):
        add(x, x)
    with settings(unused_donation="error"), pytest.raises(ValueError, match="are the same array"):
        add(x, x)
    with max_traces(0), pytest.raises(ValueError, match="are the same array"):
        add(x, x)
    assert not seen
    assert x.tolist() == [1, 1]


def test_tracer_error_names_the_argument_of_the_inner_function() -> None:
    @jit(donated="part")
    def inner(part: Linear, x: Array) -> Linear:
        return part if x > 0 else Linear(part.w + float(part.b[0]), part.b)

    @jit(donated="part")
    def outer(y: Array, part: Linear) -> Linear:
        return inner(part, y * 2)

    @jit
    def sized(part: Linear, n: Array) -> Array:
        return jnp.zeros(n)

    part, x = Linear(jnp.ones(2), jnp.zeros(2)), jnp.int32(1)

    def function_and_argument(call: Callable[[], object]) -> list[str]:
        with pytest.raises(TypeError, match=r"the value of the argument") as caught:
            call()
        pattern = r"the function (\w+) at (.*):\d+ for jit.* the value of the argument (\S*)\."
        ((function, file, argument),) = re.findall(pattern, str(caught.value))
        assert file == __file__
        return [function, argument]

    assert function_and_argument(lambda: inner(part, x)) == ["inner", "x"]
    assert function_and_argument(lambda: inner.keep(part, x)) == ["inner", "x"]
    assert function_and_argument(lambda: outer(x, part)) == ["inner", "x"]
    assert function_and_argument(lambda: sized(part, x)) == ["sized", "n"]
    assert part.w.tolist() == [1, 1]


def test_without_jax_internals_there_is_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(jax.stages.Lowered, "compiler_ir")

    @jit(donated="part")
    def step(part: Linear) -> Array:
        return part.w.sum()

    part = Linear(jnp.ones(2), jnp.zeros(2))
    assert step(part) == 2
    with pytest.raises(ConsumedError):
        part.w + 1
    with pytest.raises(AttributeError, match="compiler_ir"):
        step.donation(Linear(jnp.ones(2), jnp.zeros(2)))
    monkeypatch.undo()
    with pytest.warns(DonationWarning):
        step(Linear(jnp.ones(3), jnp.zeros(3)))
