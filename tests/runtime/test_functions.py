# Some values have deliberately wrong types.
# mypy: disable-error-code="arg-type, operator, comparison-overlap"
# mypy: disable-error-code="union-attr, index, attr-defined, unreachable"
# mypy: no-warn-unused-ignores
"""Generated functions: one compiled program per structure, donation per field."""

import dataclasses
import functools
import inspect
import pickle
import threading
import warnings
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import DonationWarning, Function, jit
from tests.generated import package
from tests.runtime import model
from tests.runtime.made import make_plate
from tests.runtime.sample import Plate, step


def test_a_parameter_may_be_called_self() -> None:
    def call(receiver: Any, self: Any) -> Any:
        return receiver.run((), [], [self], (self,))

    made: Any = Function(call, lambda self: self + 1, name="successor")
    assert made(self=jnp.ones(())) == 2
    assert made.keep(self=jnp.ones(())) == 2
    assert made.eval_shape(self=jnp.ones(())).shape == ()
    assert made.donation(self=jnp.ones(())) == {}


def test_unchanged_fields_are_not_outputs_of_the_program() -> None:
    plate = make_plate()
    shapes = jax.tree.leaves(step.lower(plate, 0.5).out_info)
    # u, the changed weights and the time are outputs. Five unchanged leaves are not.
    assert sorted(shape.shape for shape in shapes) == [(), (2,), (4,)]
    assert len(jax.tree.leaves(step.eval_shape(plate, 0.5))) == 8


def test_trace_in_another_thread_does_not_affect_a_call() -> None:
    inside, done = threading.Event(), threading.Event()

    def wait(x: Any) -> Any:
        inside.set()
        done.wait()
        return x

    tracing = threading.Thread(target=jax.jit(wait), args=(1.0,))
    tracing.start()
    inside.wait()
    plate = make_plate()
    step(plate, 0.5)
    done.set()
    tracing.join()
    assert plate.u.is_deleted()


def test_leaves_that_are_not_arrays_are_an_error() -> None:
    holes = jax.tree.map(lambda _: None, make_plate())
    with pytest.raises(TypeError, match="NoneType, which is not an array"):
        step.keep(holes, 0.5)
    step.keep(make_plate(), 0.5)
    plate = make_plate()
    leaves, treedef = jax.tree.flatten(plate)
    odd = jax.tree.unflatten(treedef, [None, *leaves[1:]])
    with pytest.raises(TypeError, match=r"`plate\.u` contains a NoneType"):
        step.keep(odd, 0.5)


def test_result_that_is_not_an_array_is_an_error() -> None:
    bad: Function[Any, Any] = Function(
        lambda self, x: self.run((), [], [x], (x,)),
        lambda x: {"a": (x, "text")},
        name="bad",
    )
    with pytest.raises(TypeError, match=r"`bad` returned result\['a'\]\[1\] of type str"):
        bad(1.0)


@functools.partial(jit, static="n", donated=["plate", "x"])
def advance(plate: Plate, x: jax.Array, *rest: Any, n: int = 1, **named: Any) -> Any:
    """Advance."""
    return plate.u * n + sum(rest) + sum(named.values()), plate.alpha, x + n


class Solver:
    @jit(static=("self", "n"))
    def solve(self, x: jax.Array, n: int = 1) -> jax.Array:
        return x * n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solver)

    def __hash__(self) -> int:
        return 1


def test_jit_for_functions_outside_schemas() -> None:
    plate, x = make_plate(), jnp.ones(4)
    with pytest.warns(DonationWarning, match=r"`plate\.first\.w` \(float32\[2\]\)"):
        u, alpha, moved = advance(plate, x, 1.0, n=2, shift=jnp.ones(4))
    assert (u == 4).all()
    # An array argument may be donated. `plate.alpha` never is.
    assert alpha is not plate.alpha
    assert (alpha == plate.alpha).all()
    assert x.is_deleted()
    assert plate.u.is_deleted()
    assert (moved == 3).all()
    assert advance.__name__ == "advance"
    assert advance.__doc__ == "Advance."
    assert pickle.loads(pickle.dumps(advance)) is advance
    assert Solver().solve(jnp.ones(()), n=3) == 3
    with pytest.raises(TypeError, match=r"no parameter `m`\. It has `x`$"):
        jit(model.double, static="m")
    for given, named in ((0, "0"), ((0, 1), "0"), (("x", 0), "0"), (None, "None")):
        with pytest.raises(TypeError, match=rf"no parameter `{named}`\. It has `x`$"):
            jit(model.double, static=given)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="argument `n` of `advance`"):
        advance(make_plate(), jnp.ones(4), n=[])  # type: ignore[arg-type]


def test_jit_keeps_the_arrays_of_an_object_that_it_does_not_donate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fields of a class may have their roles in any order."""
    monkeypatch.syspath_prepend(tmp_path)
    schema = """
from codegen.schema import donated, dynamic, f32

class Part:
    a: dynamic[f32]
    b: donated[f32]

class Outer:
    part: dynamic[Part]
    u: donated[f32]
"""
    mixed: Any = package.write_text(schema, "mixed", tmp_path, "mixed_roles").load("mixed")
    part = mixed.Part(a=1.0, b=2.0)
    assert jit(lambda part: part)(part) == part
    outer = mixed.Outer(part=part, u=3.0)
    assert jit(lambda outer: outer).keep(outer) == outer
    assert jit(lambda outer: outer, donated="outer")(outer).part == part
    package.forget("mixed_roles")


def test_missing_attribute_of_a_method_is_suggested_by_python() -> None:
    solve = Solver().solve
    assert list(inspect.signature(solve).parameters) == ["x", "n"]
    with pytest.raises(AttributeError, match="'Method' object has no attribute 'kep'") as raised:
        getattr(solve, "kep")  # noqa: B009
    # From these two, Python suggests `keep`.
    assert (raised.value.name, raised.value.obj) == ("kep", solve)


# Returned unchanged: only arrays that are never donated stay the same array.
@jit(donated="plate")
def exchange(plate: Plate, how: jax.Array) -> Plate:
    """Exchange a dynamic array and the donated ones."""
    return dataclasses.replace(plate, u=plate.alpha, alpha=plate.u + how)


@jit
def same(plate: Plate) -> Plate:
    return plate


@jit
def twice(x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
    return y, y


def test_array_moved_to_a_donated_field_is_copied() -> None:
    plate = make_plate()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DonationWarning)
        first = exchange(plate, jnp.zeros(4))
        second = exchange(first, jnp.zeros(4))
    assert (plate.alpha == 2).all()
    assert second.u.tolist() == [1, 1, 1, 1]
    assert second.alpha.tolist() == [2, 2, 2, 2]


def test_a_donated_field_of_a_dynamic_argument_is_copied() -> None:
    plate = make_plate()
    other = same(plate)
    assert other.alpha is plate.alpha
    assert other.u is not plate.u
    step(other, 0.5)
    assert (plate.u == 1).all()


def test_array_moved_from_a_donated_field_is_copied() -> None:
    plate = make_plate()
    moved = jit(lambda p: dataclasses.replace(p, alpha=p.u))(plate)
    step(plate, 0.5)
    assert (moved.alpha == 1).all()


def test_array_argument_is_copied_each_time() -> None:
    x, y = jnp.zeros(3), jnp.ones(3)
    first, second = twice(x, y)
    assert len({id(y), id(first), id(second)}) == 3
    first.delete()
    assert (y == 1).all()
    assert (second == 1).all()


def test_one_array_in_two_dynamic_fields_becomes_two() -> None:
    plate = make_plate()
    both = jit(lambda p: dataclasses.replace(p, extra=p.alpha, alpha=p.alpha))(plate)
    assert (both.extra is plate.alpha) is not (both.alpha is plate.alpha)


def test_exchanged_dynamic_arrays_are_the_arrays_of_the_call() -> None:
    plate = dataclasses.replace(make_plate(), extra=jnp.full(4, 7.0))
    exchanged = jit(lambda p: dataclasses.replace(p, extra=p.alpha, alpha=p.extra))
    for _ in range(2):  # The call that traces, and a later one.
        result = exchanged(plate)
        assert result.extra is plate.alpha
        assert result.alpha is plate.extra


def test_dict_keys_keep_their_exact_value_and_type() -> None:
    kept = jit(lambda d: d)
    for key in (0.0, -0.0, 0, False, (1, 2), (True, 2), (1.0, 2)):
        (found,) = kept({key: jnp.ones(())})
        assert repr(found) == repr(key)
