"""Functions check dtypes and shapes by default when they are traced, and at no other time."""

import importlib
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.pipeline import compile as compile_schemas
from codegen.runtime import settings
from tests.calls.test_tracebacks import make_plate as make_called
from tests.generated.package import Package, forget, write

HERE = Path(__file__).parent


def build(folder: Path, name: str, **options: Any) -> Any:
    """Build the schemas as a package with this name; return its module."""
    compiled = compile_schemas(schemas(str(HERE / "checked")), Options("schemas", name, **options))
    assert not compiled.report, compiled.report
    return write(compiled.rendered, folder, name).load("checked")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on `sys.path` with the implementations."""
    folder = tmp_path_factory.mktemp("checked")
    shutil.copy(HERE / "checked_impl.py", folder)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def checked(place: Path) -> Iterator[Any]:
    """The generated module."""
    yield build(place, "checked")
    forget("checked")


@pytest.fixture
def impl(place: Path) -> Iterator[Any]:
    module = importlib.import_module("checked_impl")
    module.calls.clear()
    yield module
    module.result.clear()


def plate(checked: Any, u: Any = 3, alpha: Any = None, **others: Any) -> Any:
    """Create a plate from arrays, or from sizes."""
    made = [jnp.ones(x) if isinstance(x, int) else x for x in (u, u if alpha is None else alpha)]
    return checked.Plate(*made, **others)


def fails(text: str, call: Callable[..., Any], *arguments: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        call(*arguments)


def test_array_arguments_are_checked(checked: Any, impl: Any) -> None:
    x, y, z = jnp.ones(3), jnp.ones((3, 2)), jnp.ones(2)
    assert checked.arrays(jnp.ones(3), y, z).shape == (3,)
    for text, arguments in {
        "`arrays`: `x` is declared as an array float32[n], but is float32[3,1]": (
            jnp.ones((3, 1)), y, z),
        "`arrays`: `x` is declared as an array float32[n], but is float16[3]": (
            jnp.ones(3, jnp.float16), y, z),
        "axis 0 of `y` has the size 2 and is declared as `n`, but `n` is 3 according to axis 0 of `x`": (
            x, y.T, z),
        "axis 0 of `z` has the size 3 and is declared as `m`, but `m` is 2": (x, y, jnp.ones(3)),
        "`z` is declared as an array float32[m], but is float32[]": (x, y, 0.0),
    }.items():  # fmt: skip
        for call in (checked.arrays, checked.arrays.keep, checked.arrays.lower,
                     checked.arrays.eval_shape, checked.arrays.donation):  # fmt: skip
            fails(text, call, *arguments)
    # Nothing was run, so nothing was consumed.
    assert not x.is_deleted()
    assert impl.calls == ["first"]


def test_dtype_error_names_the_type_that_accepts_both(checked: Any, impl: Any) -> None:
    half, number = jnp.ones(3, jnp.bfloat16), jnp.ones(3, jnp.int32)
    for call, kind in {
        lambda: checked.arrays(half, jnp.ones((3, 2)), jnp.ones(2)): "`Float[n]`",
        lambda: checked.plate(plate(checked, half, 3)): "`Float[n]`",
        lambda: checked.scalar(jnp.ones(3)): "a float or a 0-d array of it",
    }.items():
        fails(kind, call)
    with pytest.raises(ValueError, match="`x`") as error:
        checked.sized(number)
    assert "Float" not in str(error.value)
    assert checked.any_float(half).dtype == jnp.bfloat16


def test_objects_are_checked_by_every_kind_of_call(checked: Any, impl: Any) -> None:
    short, wide = plate(checked, 4, 3), plate(checked, jnp.ones(4, jnp.float16), 4)
    for call in (
        checked.plate,
        checked.plate.keep,
        checked.plate.lower,
        checked.plate.eval_shape,
        checked.plate.donation,
        jax.jit(checked.plate),
        lambda one: jax.vmap(lambda _: checked.plate(one))(jnp.ones(2)),
        lambda one: checked.two(plate(checked), one),
    ):
        fails("alpha` has the size 3", call, short)
        fails("u` is declared as an array float32[n], but is float16[4]",
              call, wide)  # fmt: skip
    assert not short.u.is_deleted()
    batch = jax.tree.map(lambda x: jnp.stack([x, x]), plate(checked))
    assert jax.vmap(checked.plate)(batch).u.shape == (2, 3)


def test_results_are_checked_before_anything_is_consumed(checked: Any, impl: Any) -> None:
    given = plate(checked)
    for result, text in [
        (plate(checked, 3, 2), "`plate`: axis 0 of `result.alpha` has the size 2"),
        (plate(checked, jnp.ones(3, jnp.int32)), "`result.u` is declared as an array float32[n]"),
    ]:
        impl.result[:] = [result]
        fails(text, lambda: checked.plate(given))
        assert not given.u.is_deleted()
    impl.result[:] = [jnp.ones(2)]
    fails("axis 0 of `result` has the size 2 and is declared as `n`, but `n` is 3",
          lambda: checked.sized(jnp.ones(3)))  # fmt: skip
    impl.result[:] = [jnp.ones(3, jnp.int32)]
    fails("`sized`: `result` is declared as an array float32[n], but is int32[3]",
          lambda: checked.sized(jnp.ones(3)))  # fmt: skip
    impl.result[:] = [(jnp.ones(3), jnp.ones(1, jnp.int32))]
    fails("`result[1]` is declared as an array int32[], but is int32[1]",
          lambda: checked.containers((jnp.ones(3), 1), {}))  # fmt: skip


def test_dimensions_must_agree_among_arrays_and_within_each_object(checked: Any, impl: Any) -> None:
    # Each object has its own dimensions: a coarse grid may follow from a fine one.
    impl.result[:] = [plate(checked, 2)]
    assert checked.two(plate(checked, 4), plate(checked, 2)).u.shape == (2,)
    assert checked.plate.keep(plate(checked, 4)).u.shape == (2,)
    impl.result.clear()
    fails("axis 0 of `force` has the size 3 and is declared as `n`, but `n` is 4",
          lambda: checked.forced(plate(checked, 4), jnp.ones(3)))  # fmt: skip
    fails("axis 0 of `force` has the size 1",
          lambda: checked.forced(plate(checked, 4), jnp.ones(1)))  # fmt: skip
    fails("`n` is 4 according to `n`", lambda: checked.sized(jnp.ones(3), n=4))
    assert checked.sized(jnp.ones(3)).shape == (3,)
    fails("axis 0 of `table` has the size 2",
          lambda: checked.constant(jnp.ones(3), np.ones((2, 1), np.float32)))  # fmt: skip
    linear = checked.Linear(jnp.ones((3, 2)))
    impl.result[:] = [jnp.ones(2)]
    assert checked.layered(jnp.ones(3), linear).shape == (2,)
    fails("axis 0 of `linear.w` has the size 3 and is declared as `n`, but `n` is 2",
          lambda: checked.layered(jnp.ones(2), linear))  # fmt: skip
    impl.result[:] = [jnp.ones(3)]
    checked.layered.clear_cache()
    fails("axis 0 of `result` has the size 3 and is declared as `m`, but `m` is 2",
          lambda: checked.layered(jnp.ones(3), linear))  # fmt: skip


def test_containers_stacks_keys_and_scalars_are_checked(checked: Any, impl: Any) -> None:
    x, rng = jnp.ones(3), jax.random.key(0)
    impl.result[:] = [(x, jnp.int32(1))]
    checked.containers((x, 1), {"a": x, "b": None})
    fails("axis 0 of `named['a']` has the size 2",
          lambda: checked.containers((x, 1), {"a": jnp.ones(2)}))  # fmt: skip
    impl.result.clear()
    assert checked.keys(rng, jax.random.split(rng)).shape == ()
    fails("`rng` is declared as an array key[], but is", lambda: checked.keys(jnp.zeros(2)))
    fails("`rng` is declared as an array key[], but is",
          lambda: checked.keys(jax.random.split(rng)))  # fmt: skip
    fails("create a key with `jax.random.key`", lambda: checked.keys(jax.random.key_data(rng)))
    blocks = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), plate(checked))
    impl.result[:] = [x]
    assert checked.deep(blocks, jnp.ones(2)).shape == (3,)
    fails("axis 0 of `x` has the size 3", lambda: checked.deep(blocks, x))
    fails("`blocks.u`", lambda: checked.deep(plate(checked), x))
    impl.result.clear()
    assert checked.scalar(1.0) == checked.scalar(jnp.ones(())) == 1.0


def test_float0_is_accepted_for_integers_bools_and_keys(checked: Any, impl: Any) -> None:
    counted = checked.Counted(1.0, jnp.int32(2), jnp.bool_(True), jax.random.key(0))
    gradient = jax.grad(lambda one: one.x * 2, allow_int=True)(counted)
    assert gradient.count.dtype == gradient.on.dtype == gradient.rng.dtype == jax.dtypes.float0
    impl.result[:] = [()]
    checked.counted(gradient)
    fails("`counted.x` is declared as an array float32[], but is",
          lambda: checked.counted(gradient.replace(x=gradient.count)))  # fmt: skip


def test_any_is_not_checked(checked: Any, impl: Any) -> None:
    wide = plate(checked, jnp.ones(4, jnp.float16), 3)
    checked.anything(wide)
    checked.anything([wide, {"a": wide}])
    checked.plate(plate(checked, aside=wide))
    # Moments may have another dtype than the parameters.
    state = optax.adam(1e-3, mu_dtype=jnp.bfloat16).init(plate(checked))
    checked.anything(state)


def test_vmap_over_a_dimension_removes_its_axis_from_all_arrays(checked: Any, impl: Any) -> None:
    x, y = jnp.ones((3, 2)), jnp.ones(2)
    whole = plate(checked)
    axes = whole.axes("n")
    for call in (checked.plate, jax.jit(checked.plate)):
        mapped = jax.vmap(call, in_axes=(axes,), out_axes=axes)
        assert mapped(whole).u.shape == (3,)
        assert jax.jit(mapped)(whole).u.shape == (3,)
    # Map one axis of a function's own arrays, or both. `y` has no `n`.
    assert jax.vmap(checked.matrix, in_axes=(0, None))(x, y).shape == (3, 2)
    both = jax.vmap(jax.vmap(checked.matrix, in_axes=(0, None)), in_axes=(1, 0), out_axes=1)
    assert both(x, y).shape == (3, 2)
    # An object with `n` must lose the axis too. Otherwise it does not fit.
    assert jax.vmap(checked.matrix, in_axes=(0, None, axes))(x, y, whole).shape == (3, 2)
    fails(
        "`x` is declared as an array float32[n, m], but is float32[2]",
        lambda: jax.vmap(checked.matrix, in_axes=(0, None, None))(x, y, whole),
    )
    # A program that was accepted inside `vmap` is not accepted outside of it.
    row = checked.Plate(jnp.ones(()), jnp.ones(()))
    for way in (checked.plate, checked.plate.keep, jax.jit(lambda one: checked.plate(one).u)):
        fails("`plate.u` is declared as an array float32[n], but is float32[]",
              way, row)  # fmt: skip
    # Dtypes and results are checked in any case.
    fails("is float16[]", lambda: jax.vmap(checked.plate, in_axes=(axes,), out_axes=axes)(
        plate(checked, jnp.ones(3, jnp.float16))))  # fmt: skip
    impl.result[:] = [jnp.ones((3, 2))]
    checked.matrix.clear_cache()
    fails("`result` is declared as an array float32[m], but is float32[3,2]",
          lambda: jax.vmap(checked.matrix.keep, in_axes=(0, None))(x + 0, y))  # fmt: skip


def test_shard_map_with_parts_of_arrays_passes_checks(checked: Any, impl: Any) -> None:
    mesh = jax.make_mesh((1,), ("rows",), (jax.sharding.AxisType.Auto,))
    part = jax.P("rows")
    whole = plate(checked, grid=checked.Grid(6))
    for given, text in {jnp.float32: "", jnp.float16: "is float16[3]"}.items():
        x = jnp.ones(3, given)
        mapped = jax.shard_map(
            lambda x: checked.plate(whole.replace(u=x)).u, mesh=mesh, in_specs=part, out_specs=part
        )
        if text:
            fails(text, mapped, x)
        else:
            assert mapped(x).shape == (3,)
    fails("`n` is 6 according to `plate.grid.n`", lambda: checked.plate(whole))


def test_checks_can_be_disabled_in_three_ways(place: Path, checked: Any, impl: Any) -> None:
    def wide() -> Any:
        return plate(checked, jnp.ones(4, jnp.float16), 3)

    assert settings.checks is True
    checked.free(wide())
    with settings(checks=False):
        checked.plate(wide())
    fails("`plate`", lambda: checked.plate(wide()))
    # The setting is part of the key of a call, so a program is never used with another setting.
    checked.plate.clear_cache()
    impl.calls.clear()
    for on in (True, False, True, False):
        with settings(checks=on):
            checked.plate.keep(plate(checked))
    assert len(impl.calls) == 2
    module = build(place, "unchecked", checks=False)
    module.plate(module.Plate(jnp.ones(4, jnp.float16), jnp.ones(3)))
    forget("unchecked")


def test_zero_disables_checks_as_false_does(checked: Any) -> None:
    """Regression: it had no effect on a program that was compiled before."""
    checked.plate(plate(checked))
    with settings(checks=0):  # type: ignore[arg-type]
        checked.plate(plate(checked, jnp.ones(4), 3))


def test_interrupt_while_a_block_begins_restores_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Regression: checks stayed off in this thread."""

    def interrupted(self: Any, switches: Any) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(type(settings), "assign", interrupted)
    with pytest.raises(KeyboardInterrupt), settings(checks=False):
        pass
    assert settings.checks is True
    assert not settings.is_changed


def test_changed_setting_during_a_call_does_not_affect_it(called: Package, impl: Any) -> None:
    """A program without checks is never used when checks are enabled."""
    model = called.load("model")
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
            model.step.keep(make_called(model), 1.0)
            is_over.append(None)
            thread.join()
            settings.checks = True
            with pytest.raises(ValueError, match=r"alpha"):
                model.step.keep(make_called(model).replace(alpha=jnp.ones(1)), 1.0)
    finally:
        settings.checks = True
        sys.setswitchinterval(switching)
    with pytest.raises(AttributeError):
        settings.cheks = True  # type: ignore[attr-defined]
