# Some calls are deliberately wrong.
# mypy: disable-error-code="arg-type, attr-defined, union-attr"
# mypy: no-warn-unused-ignores
"""Which buffers are donated, which calls are rejected, and which warnings are reported."""

import textwrap
import warnings
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import ConsumedError, DonationWarning, jit, settings
from tests import forked
from tests.runtime.made import make_bag, make_plate
from tests.runtime.sample import Grid, Linear, Plate, Point, double, step
from tests.xla import COMPILED_QUICKLY

CHECKOUT = Path(__file__).parents[2]


def run_on_four_devices(program: str) -> list[str]:
    """Run a program in a separate process; return the printed lines."""
    flags = f"{COMPILED_QUICKLY} --xla_force_host_platform_device_count=4"
    code = textwrap.dedent(program)
    ran = forked.run("-W", "error", "-c", code, cwd=CHECKOUT, env={"XLA_FLAGS": flags})
    return ran.stdout.splitlines()


BAG = {
    "bag.pair[0]": True,
    "bag.pair[1][0]": True,
    "bag.named['a'].w": True,
    "bag.named['b']": True,
    "bag.layers[0].w": True,
    "bag.layers[1].w": True,
    "bag.extra": True,
}


def test_donation_lists_the_donated_leaves() -> None:
    plate = make_plate()
    assert step.donation(plate, 0.5) == {"plate.u": True, "plate.first.w": True}
    assert not plate.u.is_deleted()
    abstract = jax.eval_shape(lambda p: p, plate)
    assert step.donation(abstract, jnp.float32(0.5), n=7) == step.donation(plate, 0.5)
    assert double.donation(make_bag()) == BAG


def test_only_donated_bytes_are_aliased() -> None:
    lowered = double.lower(make_bag())
    assert lowered.as_text().count("tf.aliasing_output") == len(BAG)
    memory = lowered.compile().memory_analysis()
    assert memory.alias_size_in_bytes == 4 * (2 + 3 + 5 + 4 + 7 + 8 + 9)
    lowered = step.lower(make_plate(), 0.5)
    assert lowered.compile().memory_analysis().alias_size_in_bytes == 4 * (4 + 2)


def test_the_rest_of_the_object_stays_alive() -> None:
    bag = make_bag()
    donated = [bag.pair[0], bag.pair[1][0], bag.named["b"], bag.named["a"].w, bag.extra]
    donated += [layer.w for layer in bag.layers]
    result = double(bag)
    assert all(array.is_deleted() for array in donated)
    kept = [bag.total, bag.named["a"].b, *[layer.b for layer in bag.layers]]
    assert not any(array.is_deleted() for array in kept)
    assert [float(x.sum()) for x in kept] == [10, 6, 0, 0]
    assert (result.pair[1][0] == 2).all()
    assert result.pair[1][1] is None


def test_a_program_is_compiled_once() -> None:
    compiled: list[str] = []

    def listen(event: str, _: float, **__: Any) -> None:
        if event.endswith("backend_compile_duration"):
            compiled.append(event)

    plate = make_plate(grid=Grid(32, 1))
    dt = jnp.float32(0.5)
    jax.block_until_ready(plate)
    jax.monitoring.register_event_duration_secs_listener(listen)
    try:
        plate = step(plate, dt)
        step(plate, dt)
    finally:
        jax.monitoring.unregister_event_duration_listener(listen)
    assert len(compiled) == 1


def test_one_array_at_two_donated_paths_is_an_error() -> None:
    u = jnp.ones(2)
    plate = make_plate(u=u, first=Linear(u, jnp.zeros(2)), alpha=1.0)
    with pytest.raises(ValueError, match=r"`plate\.u` and `plate\.first\.w` of `step`"):
        step(plate, 0.5)
    assert (plate.u == 1).all()
    assert step.keep(plate, 0.5).u.shape == (2,)


def test_array_that_is_donated_and_read_is_an_error() -> None:
    plate = make_plate()
    with pytest.raises(
        ValueError, match=r"`plate\.u` and `plate\.alpha` .* which this call donates and also reads"
    ):
        step(plate.__class__(plate.u, plate.u, plate.grid, plate.first), 0.5)
    for alias in (plate.u[:], jnp.array(plate.u, copy=False)):
        with pytest.raises(ValueError, match=r"`plate\.u` and `plate\.alpha`"):
            step(make_plate(u=plate.u, alpha=alias), 0.5)
    two = jit(lambda p, q: (p.x + 1, q.x), donated=("p",))
    point = Point(jnp.ones(2), jnp.ones(2))
    with pytest.raises(ValueError, match=r"`p\.x` and `q\.x`"):
        two(point, point)
    assert (point.x == 1).all()


def test_value_without_a_buffer_may_be_at_two_paths() -> None:
    add = jit(lambda p, q: (p["a"] + q["a"], q["a"] * 2.0), donated=("p", "q"))
    for value in (1.0, np.ones(3, "float32")):
        first, second = add({"a": value}, {"a": value})
        assert np.all(first == 2)
        assert np.all(second == 2)
    point = Point(np.ones(3, "float32"), 1.0)
    both = jit(lambda p, q: (p.x + 1, q.x + 2), donated=("p", "q"))
    first, second = both(point, point)
    assert np.all(second == 3)
    with pytest.raises(ConsumedError):
        both(point, point)


def test_aliases_on_several_devices_are_an_error() -> None:
    """Without this check, jax 0.10 crashes here."""
    program = """
        import jax, jax.numpy as jnp
        from jax.sharding import NamedSharding, PartitionSpec
        from tests.runtime.sample import Grid, Linear, Plate, step

        assert len(jax.devices()) == 4
        mesh = jax.make_mesh((4,), ("x",))
        for sharding in (None, NamedSharding(mesh, PartitionSpec("x"))):
            u, w = (jax.device_put(jnp.ones(8), sharding) for _ in range(2))
            for alpha, weight in ((u, w), (w, u)):
                plate = Plate(u, alpha, Grid(1, 1), Linear(weight, 0.0))
                try:
                    step(plate, 0.5)
                except ValueError as error:
                    print(error)
            plate = Plate(u, jnp.ones(8), Grid(1, 1), Linear(w, 0.0))
            print(step.donation(plate, 0.5), step(plate, 0.5).u.sum(), u.is_deleted())
    """
    lines = run_on_four_devices(program)
    table = "{'plate.u': True, 'plate.first.w': True} 12.0 True"
    assert lines[2] == lines[5] == table
    assert [line.split(" of ")[0] for line in lines[:2]] == [
        "`plate.u` and `plate.alpha`",
        "`plate.u` and `plate.first.w`",
    ]


def lossy(plate: Plate) -> jax.Array:
    return plate.u.sum() + plate.first.w.sum()


def test_unused_donation_is_reported_once() -> None:
    reduce = jit(lossy, donated="plate")
    plate = make_plate()
    array = plate.u
    with pytest.warns(DonationWarning) as caught:
        assert reduce(plate) == 6
    (warning,) = caught
    assert warning.filename == __file__
    assert "`lossy` does not reuse" in str(warning.message)
    assert "`plate.u` (float32[4]), `plate.first.w` (float32[2])" in str(warning.message)
    assert array.is_deleted()
    with pytest.raises(ConsumedError):
        plate.u + 1
    reduce(make_plate())
    assert reduce.donation(make_plate()) == {"plate.u": False, "plate.first.w": False}
    assert reduce.keep(make_plate()) == 6
    other = make_plate(u=jnp.ones(5), alpha=jnp.ones(5))
    with pytest.warns(DonationWarning, match=r"float32\[5\]"):
        reduce(other)
    reduce(make_plate(u=jnp.ones(5), alpha=jnp.ones(5)))


@pytest.mark.parametrize(
    ("function", "table"),
    [
        # Unused, though a result could use its buffer.
        (lambda p: jnp.full(4, p.first.w.sum()), {"u": False, "first.w": False}),
        # Two results and one leaf of a shape; two leaves and one result of a shape.
        (lambda p: (p.u + 1, p.u + 2, p.first.w * 2), {"u": True, "first.w": True}),
        # Different shapes of equal size: XLA decides.
        (lambda p: (p.u.reshape(2, 2), p.first.w.astype(jnp.bfloat16)), None),
        # Returned unchanged.
        (lambda p: p, {"u": True, "first.w": True}),
    ],
)
def test_donation_agrees_with_the_aliases_of_xla(
    function: Any, table: dict[str, bool] | None
) -> None:
    function.__name__ = "function"
    call = jit(function, donated="p")
    found = call.donation(make_plate())
    if table is not None:
        assert found == {f"p.{path}": used for path, used in table.items()}
    text = call.lower(make_plate()).compile().as_text().partition("\n")[0]
    head = text.partition("entry_computation_layout")[0]
    extra = sum(not used for used in found.values())
    assert sum(found.values()) <= head.count("-alias)") <= sum(found.values()) + extra
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DonationWarning)
        call(make_plate())


def test_jax_emits_no_donation_warning() -> None:
    @jit(donated=("a", "b", "c"))
    def mixed(a: jax.Array, b: jax.Array, c: jax.Array) -> tuple[jax.Array, ...]:
        return a * b, c.sum()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        arrays = [jnp.ones(3), jnp.ones(3), jnp.ones(4)]
        mixed(*arrays)
    assert [each.category for each in caught] == [DonationWarning]
    assert "`b` (float32[3]), `c` (float32[4])" in str(caught[0].message)
    assert all(array.is_deleted() for array in arrays)


def test_unused_donation_setting_error_raises_before_running() -> None:
    reduce = jit(lossy, donated="plate")
    # New programs, known ones, and other shapes and dtypes of a known structure.
    cases = [(4, "float32"), (4, "float32"), (5, "float32"), (5, "float16")]
    for function in (reduce, jit(lossy, donated="plate")):
        for n, dtype in cases:
            plate = make_plate(u=jnp.ones(n, dtype), alpha=jnp.ones(n, dtype))
            with (
                settings(unused_donation="error"),
                pytest.raises(DonationWarning, match=rf"`plate\.u` \({dtype}\[{n}\]\)") as caught,
            ):
                function(plate)
            assert not hasattr(caught.value, "result")
            assert (plate.u == 1).all()
            assert (plate.first.w == 1).all()
            with settings(unused_donation="error"):
                assert function.keep(plate) == n + 2
                assert jax.jit(function)(plate) == n + 2
        with settings(unused_donation="ignore"):
            assert function(make_plate()) == 6
    with pytest.raises(ValueError, match="`unused_donation` must be one of"):
        settings.unused_donation = "raise"  # type: ignore[assignment]


def test_warning_filter_that_makes_an_error_loses_no_result() -> None:
    reduce = jit(lossy, donated="plate")
    plate, other = make_plate(), make_plate(u=jnp.ones(5), alpha=jnp.ones(5))
    with warnings.catch_warnings():
        warnings.simplefilter("error", DonationWarning)
        # The first call of a structure warns before it runs, and once.
        with pytest.raises(DonationWarning, match=r"`plate\.u`") as caught:
            reduce(plate)
        assert not hasattr(caught.value, "result")
        assert (plate.u == 1).all()
        assert reduce(plate) == 6
        # A later trace warns after it has run.
        with pytest.raises(DonationWarning, match=r"float32\[5\]") as caught:
            reduce(other)
        assert caught.value.result == 7
        assert "has its result" in caught.value.__notes__[0]
        with pytest.raises(ConsumedError):
            other.u + 1


def test_unused_donation_is_reported_for_each_compilation() -> None:
    """The function is compiled for other shapes, and for other shardings of the same shapes."""
    program = """
        import warnings
        import jax, jax.numpy as jnp
        from jax.sharding import NamedSharding, PartitionSpec
        from codegen.runtime import jit
        from tests.runtime.sample import Point

        mesh = jax.make_mesh((4,), ("x",))
        split = NamedSharding(mesh, PartitionSpec("x"))
        whole = NamedSharding(mesh, PartitionSpec())
        total = jit(lambda p: p.x.sum(), donated="p")
        for sharding, n in ((split, 8), (whole, 8), (split, 8), (split, 4), (whole, 8)):
            for _ in range(2):
                point = Point(jax.device_put(jnp.ones(n), sharding), 1.0)
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    total(point)
                print(len(caught), end=" ")
    """
    assert run_on_four_devices(program) == ["1 0 1 0 0 0 1 0 0 0 "]


def test_array_that_xla_copies_is_deleted_and_not_reported() -> None:
    """XLA copies an array while a view of it is alive."""
    x, point = jnp.ones(4), Point(jnp.ones(4), jnp.ones(4))
    views = [np.asarray(x), np.asarray(point.x)]
    grow = jit(lambda x, p: (x + 1, p.x + 1), donated=("x", "p"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        grow(x, point)
    assert x.is_deleted()
    with pytest.raises(ConsumedError):
        point.x + 1
    assert all((view == 1).all() for view in views)


def test_debug_nans_disables_donation() -> None:
    same = jit(lambda p: p, donated="p")
    point, x = Point(jnp.ones(4), jnp.ones(4)), jnp.ones(3)
    with jax.debug_nans(True):
        assert (same(point).x == 1).all()
        assert (same(x) == 1).all()
    with pytest.raises(ConsumedError):
        point.x + 1


def test_debug_nans_after_compilation_with_donation() -> None:
    root = jit(lambda p: Point(jnp.log(p.x), p.y), donated="p")
    root(Point(jnp.ones(4), jnp.ones(4)))  # compiled with donation
    with jax.debug_nans(True):
        with pytest.raises((RuntimeError, ValueError), match=r"delete|donat") as raised:
            root(Point(-jnp.ones(4), jnp.ones(4)))
        assert not isinstance(raised.value, ConsumedError)
        assert any(".keep(...)`" in note for note in raised.value.__notes__)
        jax.clear_caches()
        with pytest.raises(FloatingPointError):
            root(Point(-jnp.ones(4), jnp.ones(4)))
