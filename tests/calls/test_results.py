"""A result has its declared type. Otherwise tracing the function raises a TypeError."""

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.calls.test_tracebacks import make_plate


@pytest.fixture
def returning(model: Any, impl: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that makes an implementation return a value."""

    def prepare(name: str, value: Any) -> Any:
        impl.returned[0] = value if callable(value) else lambda _: value
        function = getattr(model, name)
        function.clear_cache()
        return function

    before = impl.returned[0]
    yield prepare
    impl.returned[0] = before


def rejected_results(model: Any, x: Any) -> dict[str, list[tuple[Any, str]]]:
    """For each function, results that it must not return, with the expected error."""
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


def test_result_of_another_type_is_an_error(model: Any, returning: Any) -> None:
    x = jnp.ones(4)
    for name, values in rejected_results(model, x).items():
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
                    end = "return this type, or change the declared type"
                    assert text.endswith(end), (name, text)
    with pytest.raises(TypeError, match=r"^`result\[1\]` of `pair` is declared as an array of"):
        returning("pair", (model.Part(x), None))(x)
    with pytest.raises(
        TypeError, match=r"^`result\['a'\]` of `parts` .* returned an array float32"
    ):
        returning("parts", {"a": x})(x)


def test_result_of_the_declared_type_is_accepted(model: Any, returning: Any) -> None:
    x, part, plate = jnp.ones(4), model.Part(jnp.ones(4)), make_plate(model)
    finer = model.Finer(x, bias=1.0)
    passing = {
        "plate": [plate],
        "part": [part, finer],
        "force": [model.Spring(1.0)],
        "array": [x, np.ones(4, np.float32)],
        "scalar": [x[0], np.float32(1)],
        "number": [x[0], 1.0, np.float32(1)],
        "rng": [jax.random.key(0)],
        "pair": [(part, x[0]), (finer, 1)],
        "parts": [{}, {"a": part, "b": finer}],
        "several": [(), (x, x)],
        "either": [part, x],
        "perhaps": [None, finer],
        "anything": [None, x, {"a": (part, x)}],
        "nothing": [None],
    }
    for name, values in passing.items():
        for value in values:
            found = returning(name, value)(x)
            structure: Any = jax.tree.structure(found)
            assert structure == jax.tree.structure(value), name
            for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(value), strict=True):
                if not jnp.issubdtype(one.dtype, jax.dtypes.prng_key):
                    np.testing.assert_array_equal(one, other, err_msg=name)


def test_number_result_becomes_array_of_declared_dtype(model: Any, returning: Any) -> None:
    for name, value in {"scalar": 1, "pair": (model.Part(jnp.ones(4)), 2)}.items():
        found = jax.tree.leaves(returning(name, value)(jnp.ones(1)))[-1]
        assert found.dtype == jnp.float32, name
        assert not found.weak_type, name
    with pytest.raises(TypeError, match="the result of `array`"):
        returning("array", 1j)(jnp.ones(1))


def test_rejected_result_consumes_nothing(model: Any, impl: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impl, "step", lambda plate, **_: plate.u)
        plate = make_plate(model)
        with pytest.raises(TypeError, match="the result of `step` is declared as a `Plate`"):
            model.step(plate, 0.1)
    assert not plate.u.is_deleted()
    assert model.step(plate, 0.1).t == jnp.float32(0.1)


def test_none_instead_of_an_array_is_an_error(model: Any, returning: Any) -> None:
    plate = make_plate(model)
    for result in (plate.like(None), plate.like(None, u=plate.u)):
        step = returning("plate", result)
        for call in (step, step.keep, step.eval_shape):
            with pytest.raises(TypeError, match="contains a NoneType where an array is declared"):
                call(jnp.ones(3))
