# JAX's stubs leave some things untyped, and the package is built by the tests.
# mypy: disable-error-code="redundant-expr, operator, no-untyped-call, import-not-found"
# mypy: disable-error-code="func-returns-value, attr-defined"
"""A result is of its declared type: else it is a TypeError when the function is traced."""

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.calls.test_tracebacks import make_plate
from tests.generated.package import Package


@pytest.fixture
def returning(model: Any, impl: Any) -> Iterator[Callable[..., Any]]:
    """Makes one of the functions return a value."""

    def prepare(name: str, value: Any) -> Any:
        impl.returned[0] = value if callable(value) else lambda _: value
        function = getattr(model, name)
        function.clear_cache()
        return function

    before = impl.returned[0]
    yield prepare
    impl.returned[0] = before


def refused(model: Any, x: Any) -> dict[str, list[tuple[Any, str]]]:
    """By function, what it may not return, with what the error says of it."""
    part = model.Part(x)
    plate = make_plate(model)
    return {
        "plate": [
            (x, "an array float32[4]"),
            (None, "None (NoneType)"),
            (part, "a `Part` with arrays"),
            ((plate,), "a `tuple` with arrays"),
            ({"u": x}, "a `dict` with arrays"),
        ],
        "part": [(plate, "a `Plate` with arrays"), (x, "an array"), (None, "None")],
        "force": [(part, "a `Part` with arrays"), (x, "an array")],
        "array": [
            (part, "a `Part` with arrays"),
            (None, "None"),
            ((x,), "a `tuple`"),
            ("x", "'x'"),
        ],
        "number": [(part, "a `Part` with arrays"), (None, "None"), ("x", "'x'")],
        "nothing": [(x, "an array"), (plate, "a `Plate` with arrays")],
        "rng": [(None, "None"), (part, "a `Part`")],
        "pair": [(part, "a `Part`"), ((part,), "a `tuple`"), ([part, x], "a `list`")],
        "parts": [(part, "a `Part`"), ((part,), "a `tuple`")],
        "several": [(x, "an array"), ([x], "a `list`")],
        "either": [(plate, "a `Plate`"), (None, "None"), ((x,), "a `tuple`")],
        "perhaps": [(x, "an array"), (plate, "a `Plate`")],
    }


def test_what_is_not_of_the_declared_type_is_refused(model: Any, returning: Any) -> None:
    x = jnp.ones(4)
    for name, values in refused(model, x).items():
        for value, said in values:
            function = returning(name, value)
            others = (function.keep, function.eval_shape, function.lower, jax.jit(function))
            for call in (function, *others):
                with pytest.raises(TypeError) as caught:
                    call(x)
                text = str(caught.value)
                assert text.startswith(f"the result of `{name}` is declared as "), (name, text)
                assert f"but the implementation returned {said}" in text, (name, text)
                assert ": " in text, (name, text)
                if value is None or said == "a `tuple` with arrays":  # as `return plate, loss`
                    end = "return what is declared, or declare what is returned"
                    assert text.endswith(end), (name, text)
    with pytest.raises(TypeError, match=r"^`result\[1\]` of `pair` is declared as an array of"):
        returning("pair", (model.Part(x), None))(x)
    with pytest.raises(
        TypeError, match=r"^`result\['a'\]` of `parts` .* returned an array float32"
    ):
        returning("parts", {"a": x})(x)


def test_what_is_of_the_declared_type_passes(model: Any, returning: Any) -> None:
    x, part, plate = jnp.ones(4), model.Part(jnp.ones(4)), make_plate(model)
    finer = model.Finer(x, bias=1.0)
    passing = {
        "plate": [plate],
        "part": [part, finer],
        "force": [model.Spring(1.0)],
        "array": [x, np.ones(4, np.float32), np.float32(1), x[0]],
        "number": [x[0], 1.0, np.float32(1)],
        "rng": [jax.random.key(0)],
        "pair": [(part, x[0]), (finer, 1)],
        "parts": [{}, {"a": part, "b": finer}],
        "several": [(), (x, x[:2])],
        "either": [part, x],
        "perhaps": [None, finer],
        "anything": [None, x, {"a": (part, x)}],
        "nothing": [None],
    }
    for name, values in passing.items():
        for value in values:
            found = returning(name, value)(x)
            assert jax.tree.structure(found) == jax.tree.structure(value), name
            for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(value), strict=True):
                if not jnp.issubdtype(one.dtype, jax.dtypes.prng_key):
                    np.testing.assert_array_equal(one, other, err_msg=name)


def test_numbers_become_arrays_of_the_declared_dtype(model: Any, returning: Any) -> None:
    for name, value in {"array": 1, "pair": (model.Part(jnp.ones(4)), 2)}.items():
        found = jax.tree.leaves(returning(name, value)(jnp.ones(1)))[-1]
        assert found.dtype == jnp.float32, name
        assert not found.weak_type, name
    with pytest.raises(TypeError, match="the result of `array`"):
        returning("array", 1j)(jnp.ones(1))


def test_nothing_is_consumed_where_a_result_is_refused(model: Any, impl: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impl, "step", lambda plate, *_: plate.u)
        plate = make_plate(model)
        with pytest.raises(TypeError, match="the result of `step` is declared as a `Plate`"):
            model.step(plate, 0.1)
    assert not plate.u.is_deleted()
    assert model.step(plate, 0.1).t == jnp.float32(0.1)


@pytest.fixture
def checks(called: Package) -> Iterator[Any]:
    """The settings of the package, whose checks are on; they begin off."""
    settings = called.load("_runtime.settings").settings
    assert settings.checks is False
    settings.checks = True
    yield settings
    settings.checks = False


def test_with_checks_shapes_and_dtypes_are_as_declared(
    model: Any, checks: Any, returning: Any
) -> None:
    right, short = make_plate(model), make_plate(model, alpha=jnp.ones(3))
    wide = make_plate(model, u=jnp.ones(4, jnp.float16))
    for way, call in {
        "called": lambda plate: model.step(plate, 0.1),
        "keep": lambda plate: model.step.keep(plate, 0.1),
        "lower": lambda plate: model.step.lower(plate, 0.1),
        "eval_shape": lambda plate: model.step.eval_shape(plate, 0.1),
        "donation": lambda plate: model.step.donation(plate, 0.1),
        "in an Any": lambda plate: returning("anything", 0)({"a": [plate]}),
        "result": lambda plate: returning("plate", plate)(0),
        "in a result": lambda plate: returning("anything", {"a": [plate]})(0),
        "in jit": jax.jit(lambda plate: model.step(plate, 0.1)),
        "under vmap": lambda plate: jax.vmap(lambda t: model.step(plate, t))(jnp.ones(2)),
    }.items():
        with pytest.raises(ValueError, match=r"`Plate.alpha`") as of_shape:
            call(short)
        with pytest.raises(ValueError, match=r"`Plate.u`") as of_dtype:
            call(wide)
        assert "3" in str(of_shape.value), way
        assert "float16" in str(of_dtype.value), way
    assert not short.u.is_deleted()
    with pytest.raises(
        TypeError, match=r"the result of `array` is declared as an array of float32"
    ):
        returning("array", jnp.ones(4, jnp.int32))(0)
    assert model.step(right, 0.1).t == jnp.float32(0.1)
    # Objects of a stack are checked one by one, as they are inside of `vmap`.
    stack = jax.tree.map(lambda x: jnp.stack([x, x]), make_plate(model))
    assert jax.vmap(lambda plate: model.step(plate, 0.1))(stack).u.shape == (2, 4)


def test_checks_are_what_a_call_finds_set(model: Any, impl: Any, checks: Any) -> None:
    wide = make_plate(model, u=jnp.ones(4, jnp.float16))
    model.step.clear_cache()
    for on in (False, True, False, True):
        checks.checks = on
        if on:
            with pytest.raises(ValueError, match=r"`Plate.u`"):
                model.step.keep(wide, 0.1)
        else:
            model.step.keep(wide, 0.1)
    impl.traces.clear()
    for on in (False, True, False, True):
        checks.checks = on
        model.step.keep(make_plate(model), 0.1)
    assert impl.traces["step"] == 2


def test_nothing_in_the_place_of_an_array_is_refused(model: Any, returning: Any) -> None:
    plate = make_plate(model)
    for result in (plate.like(None), plate.like(None, u=plate.u)):
        step = returning("plate", result)
        for call in (step, step.keep, step.eval_shape):
            with pytest.raises(TypeError, match="holds a NoneType in the place of an array"):
                call(jnp.ones(3))


def test_checks_are_what_they_were_when_a_call_began(
    called: Package, model: Any, impl: Any
) -> None:
    """A program that checks nothing is never found where checks are asked for."""
    settings = called.load("_runtime.settings").settings
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(15):
            model.step.clear_cache()
            is_over: list[None] = []

            def toggle(is_over: list[None] = is_over) -> None:
                while not is_over:
                    settings.checks = not settings.checks

            thread = threading.Thread(target=toggle)
            thread.start()
            model.step.keep(make_plate(model), 1.0)
            is_over.append(None)
            thread.join()
            settings.checks = True
            with pytest.raises(ValueError, match=r"alpha"):
                model.step.keep(make_plate(model).replace(alpha=jnp.ones(1)), 1.0)
    finally:
        settings.checks = False
        sys.setswitchinterval(switching)
    with pytest.raises(AttributeError):
        settings.cheks = True
