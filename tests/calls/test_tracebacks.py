"""Tracer errors of JAX name the field, and tracebacks show the user's code."""

import traceback
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import jit


def make_plate(model: Any, **changes: Any) -> Any:
    values = {
        "u": jnp.ones(4),
        "alpha": jnp.ones(4),
        "part": model.Part(jnp.ones(4)),
        "layers": (model.Part(jnp.ones(4)),),
    }
    return model.Plate(**values | changes)


def raised(call: Any) -> BaseException:
    """Return the error of a call. Its traceback begins with this function."""
    try:
        call()
    except Exception as error:  # noqa: BLE001
        return error
    raise AssertionError("nothing was raised")


def test_tracer_error_names_the_field(model: Any, impl: Any) -> None:
    parts = {"a": model.Part(jnp.ones(4))}
    calls = {
        "called": lambda: model.branch(make_plate(model), parts, 0.1),
        "keep": lambda: model.branch.keep(make_plate(model), parts, 0.1),
        "lower": lambda: model.branch.lower(make_plate(model), parts, 0.1),
        "eval_shape": lambda: model.branch.eval_shape(make_plate(model), parts, 0.1),
        "in jit": lambda: jax.jit(model.branch)(make_plate(model), parts, 0.1),
    }
    for way, call in calls.items():
        impl.errors.clear()
        error = raised(call)
        assert isinstance(error, jax.errors.ConcretizationTypeError)
        named = ["plate.u", "plate.alpha", "plate.layers[0].rate", "parts['a'].w", "dt"]
        for said, name in zip([*impl.errors, error], [*named, "plate.u"], strict=True):
            assert f"the value of the argument {name}." in str(said), (way, name)
            assert f"tracing the function branch at {impl.__file__}:" in str(said), way


def test_lowered_text_and_tracer_error_use_declared_names(model: Any, impl: Any) -> None:
    text = model.bare.lower(make_plate(model), 0.1).as_text(debug_info=True)
    assert "@jit_bare" in text
    assert 'loc("plate.part.w")' in text

    def decide(plate: Any, **_: Any) -> Any:
        return plate if plate.u[0] > 0 else None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impl, "step", decide)
        error = raised(lambda: model.bare(make_plate(model), 0.1))
    assert f"tracing the function bare at {__file__}:" in str(error)
    assert "the value of the argument plate.u." in str(error)


def generated_frames(error: BaseException) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)
    return [
        f.name for f in frames if "codegen/runtime" in f.filename or f.name.startswith("_codegen")
    ]


def test_traceback_shows_only_user_frames(model: Any, impl: Any) -> None:
    plate = make_plate(model)
    nested = jit(lambda plate: model.branch(plate, {}, 0.1))
    calls = {
        "called": lambda: model.branch(plate, {}, 0.1),
        "keep": lambda: model.branch.keep(plate, {}, 0.1),
        "lower": lambda: model.branch.lower(plate, {}, 0.1),
        "eval_shape": lambda: model.branch.eval_shape(plate, {}, 0.1),
        "donation": lambda: model.branch.donation(plate, {}, 0.1),
        "in jit": lambda: nested(plate),
        "wrong argument": lambda: model.step(3, 0.1),
        "no argument": lambda: model.step(dt=1.0),
    }
    for way, call in calls.items():
        error = raised(call)
        assert generated_frames(error) == [], way
        names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        assert names[:2] == ["raised", "<lambda>"], way
        if "argument" not in way:
            assert names[-1] == "branch", way


def test_traceback_has_all_frames_if_jax_filtering_is_off(model: Any) -> None:
    before = getattr(jax.config, "jax_traceback_filtering")  # noqa: B009  # mypy knows no options
    jax.config.update("jax_traceback_filtering", "off")
    try:
        error = raised(lambda: model.branch(make_plate(model), {}, 0.1))
    finally:
        jax.config.update("jax_traceback_filtering", before)
    assert "_codegen_call_branch" in generated_frames(error)


@jax.tree_util.register_pytree_with_keys_class
class OneKey:
    """A pytree whose two leaves have the same key path."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def tree_flatten_with_keys(self) -> Any:
        key = jax.tree_util.GetAttrKey("x")
        return ((key, self.x), (key, self.y)), None

    @classmethod
    def tree_unflatten(cls, _: None, children: Any) -> "OneKey":
        return cls(*children)


def test_two_leaves_with_one_path_are_both_kept(model: Any, impl: Any) -> None:
    impl.returned[:] = [lambda one: one.x - 2 * one.y]
    assert model.anything(OneKey(1.0, 5.0)) == -9.0
    impl.returned[:] = [lambda x: x]
