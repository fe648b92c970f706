"""A call loses no argument that it does not consume."""

import contextlib
import math
import operator
import pickle
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import ConsumedError
from tests.generated.package import Build

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def kept(built: Build) -> Any:
    """The generated module."""
    package = built(HERE / "kept", "kept_package")
    shutil.copy(HERE / "kept_impl.py", package.folder.parent)
    return package.kept


def cache(kept: Any) -> Any:
    return kept.Cache(jax.new_ref(jnp.zeros(3)), jnp.zeros(3))


def whole(kept: Any, **changes: Any) -> Any:
    values = {"part": kept.Part(jnp.ones(3)), "alpha": jnp.ones(3), "x": jnp.ones(3)}
    return kept.Whole(**values | changes)


# --- Refs


def test_ref_is_written_in_place_and_returned_unchanged(kept: Any) -> None:
    given = cache(kept)
    ref, x = given.ref, jnp.ones(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # No donation warning: the buffer of `used` is reused.
        for number in range(1, 4):
            given = kept.write(given, x)
            assert given.ref is ref
            assert given.used.tolist() == ref[...].tolist() == [number] * 3
        assert kept.write.donation(given, x) == {"cache.used": True}
        again = kept.write.keep(given, x)
    assert again.ref is ref
    assert ref[...].tolist() == [4] * 3
    assert not given.used.is_deleted()
    assert kept.write.eval_shape(given, x).used.shape == (3,)


def test_returning_another_ref_is_an_error_before_consuming(kept: Any) -> None:
    given = cache(kept)
    with pytest.raises(TypeError, match=r"`moved` returned result\.ref, which is a new Ref"):
        kept.moved(given, jnp.ones(3))
    assert given.used.tolist() == given.ref[...].tolist() == [0] * 3


def test_unpickled_ref_can_be_written(kept: Any) -> None:
    """JAX 0.12 cannot use a Ref that it has unpickled itself, and would lose what it consumed."""
    again = pickle.loads(pickle.dumps(kept.write.keep(cache(kept), jnp.ones(3))))
    assert kept.write(again, jnp.ones(3)).used.tolist() == again.ref[...].tolist() == [2] * 3


# --- deleted leaves


@pytest.mark.parametrize("name", ["outer", "outer_kept"])
def test_deleted_leaf_that_a_call_would_return_is_an_error(kept: Any, name: str) -> None:
    function = getattr(kept, name)
    function.clear_cache()
    for _ in range(3):  # Both on the call that traces and on later calls.
        for call in (function, function.keep):
            given = whole(kept)
            given.alpha.delete()
            with pytest.raises(ConsumedError, match=rf"`whole\.alpha` of `{name}`"):
                call(given)
            assert given.x.tolist() == [1] * 3
        function(whole(kept))
    # A later trace of the same structure.
    given = whole(kept, part=kept.Part(jnp.ones(4)), alpha=jnp.ones(4), x=jnp.ones(4))
    given.alpha.delete()
    with pytest.raises(ConsumedError, match=rf"`whole\.alpha` of `{name}`"):
        function(given)
    assert given.x.tolist() == [1] * 4


# --- leaves that cannot become arrays


@contextlib.contextmanager
def warnings_are_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


NUMBERS: list[tuple[Any, Any, Callable[[], Any], Any]] = [
    (0, 2**31, contextlib.nullcontext, OverflowError),
    (0, -(2**70), contextlib.nullcontext, OverflowError),
    (np.float64(0), np.float64(1e300), warnings_are_errors, RuntimeWarning),
    (0.0, math.nan, lambda: jax.debug_nans(True), FloatingPointError),
    (np.zeros(2), np.array([0, math.nan]), lambda: jax.debug_nans(True), FloatingPointError),
    (0, 1, lambda: jax.transfer_guard("disallow"), jax.errors.JaxRuntimeError),
    (np.zeros(2), np.ones(2), lambda: jax.transfer_guard("disallow"), jax.errors.JaxRuntimeError),
]


def advance(function: Any, given: Any) -> Any:
    """Call a function, always from the same line."""
    return function(given)


@pytest.mark.parametrize(("fits", "number", "within", "error"), NUMBERS)
@pytest.mark.parametrize("is_warm", [False, True])
@pytest.mark.parametrize("name", ["outer", "outer.keep", "outer_kept"])
def test_number_that_cannot_be_returned_is_an_error_before_consuming(
    kept: Any, fits: Any, number: Any, within: Any, error: Any, is_warm: bool, name: str
) -> None:
    function = operator.attrgetter(name)(kept)
    getattr(kept, name.partition(".")[0]).clear_cache()
    for _ in range(3 * is_warm):
        advance(function, whole(kept, aside=fits))
    given = whole(kept, aside=number)
    with within(), pytest.raises(error):
        advance(function, given)
    assert given.x.tolist() == given.alpha.tolist() == [1] * 3
    assert advance(function, given.replace(aside=fits)).x.tolist() == [2] * 3


@pytest.mark.parametrize("name", ["outer", "outer_kept"])
def test_number_is_an_array_in_the_result_of_a_call_that_waits_for_a_trace(
    kept: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: only the call of the thread that traced converted it."""
    impl = sys.modules["kept_impl"]
    outer, barrier = impl.outer, threading.Barrier(4)

    def slow(whole: Any) -> Any:
        time.sleep(0.05)
        return outer(whole)

    function: Any = getattr(kept, name)
    function.keep(whole(kept))  # imports the implementation

    def call(number: int) -> Any:
        given = whole(kept, steps=number)
        barrier.wait()
        return function(given)

    monkeypatch.setattr(impl, "outer", slow)
    with ThreadPoolExecutor(4) as pool:
        results = [*pool.map(call, range(4))]
    assert [type(one.steps) for one in results] == [type(jnp.ones(1))] * 4
    assert [int(one.steps) for one in results] == [0, 1, 2, 3]


@pytest.mark.parametrize("is_warm", [False, True])
def test_error_of_a_number_that_does_not_fit_names_its_path(kept: Any, is_warm: bool) -> None:
    kept.outer.clear_cache()
    for number, advice in ((2**40, "jax_enable_x64"), (2**70, "static")):
        for _ in range(3 * is_warm):
            advance(kept.outer, whole(kept))
        for call in (kept.outer, kept.outer.keep):
            for given, path in (
                (whole(kept, steps=number), r"whole\.steps"),
                (whole(kept, aside={"n": (0, number)}), r"whole\.aside\['n'\]\[1\]"),
            ):
                with pytest.raises(OverflowError, match=rf"`{path}` of `outer` is .*{advice}"):
                    advance(call, given)
                assert given.x.tolist() == [1] * 3


@pytest.mark.parametrize("is_warm", [False, True])
def test_number_that_cannot_be_returned_writes_no_ref(kept: Any, is_warm: bool) -> None:
    kept.write.clear_cache()
    for function in (kept.write, kept.write.keep):
        write, given = lambda given: function(given, jnp.ones(3)), cache(kept)  # noqa: B023
        for _ in range(3 * is_warm):
            given = advance(write, given)
        given = kept.Cache(given.ref, jnp.zeros(3), steps=2**31)
        with pytest.raises(OverflowError, match=r"`cache\.steps` of `write`"):
            advance(write, given)
        assert given.ref[...].tolist() == [3 * is_warm] * 3
        assert given.used.tolist() == [0] * 3


def test_array_that_was_consumed_in_another_object_is_an_error_with_its_path(kept: Any) -> None:
    for make in (kept.outer.keep, kept.outer_kept):
        first = whole(kept)
        second = make(first)
        # Regression: a large frozen part must not be copied at every step.
        assert second.part.u is first.part.u
        kept.consume(second.part)
        for call in (kept.outer, kept.outer.keep, kept.outer_kept):
            with pytest.raises(
                ConsumedError, match=r"`whole\.part\.u` of `\w+` is a deleted array"
            ):
                call(first)
            assert not first.x.is_deleted()
        with pytest.raises(ConsumedError, match=r"`part\.u` of `consume` is a deleted array"):
            kept.consume(first.part)
        with pytest.raises(ConsumedError, match=r"`Part\.u` was consumed by `consume`"):
            second.part.u + 1


# --- arrays in two objects


# --- arrays with a common buffer


def key() -> Any:
    return jax.random.key(0)


@pytest.mark.parametrize("is_warm", [False, True])
def test_key_and_its_data_in_one_call_are_an_error_with_both_paths(
    kept: Any, is_warm: bool
) -> None:
    kept.both.clear_cache()
    rng = key()
    data = jax.random.key_data(rng)
    if is_warm:
        kept.both(key(), jnp.zeros(2, jnp.uint32))
    for _ in range(2):
        with pytest.raises(ValueError, match="`rng` and `data` of `both` are the same array"):
            kept.both(rng, data)
    for given in (
        kept.Seeded(rng, data=data),
        kept.Seeded(jax.random.wrap_key_data(data), data=data),
        kept.Seeded(rng, second=jax.random.wrap_key_data(data)),
        kept.Seeded(rng, second=rng),
        kept.Seeded(key(), data=data, second=jax.random.wrap_key_data(data)),
    ):
        kept.seed.clear_cache()
        if is_warm:
            kept.seed(jax.tree.map(jnp.copy, given))
        for _ in range(2):
            with pytest.raises(ValueError, match=r"`seeded\.\w+` and `seeded\.\w+` of `seed`"):
                kept.seed(given)
        assert kept.seed.keep(given).rng is not rng
    assert not rng.is_deleted()
    assert not data.is_deleted()
    assert kept.seed(kept.Seeded(rng, data=jnp.copy(data), second=key())).data is not None


def test_key_in_place_of_an_array_is_detected(kept: Any) -> None:
    kept.anything(jax.random.key(0), jnp.zeros(2, jnp.uint32))
    rng = jax.random.key(1)
    for _ in range(2):
        other = jax.random.wrap_key_data(jax.random.key_data(rng))
        with pytest.raises(ValueError, match="`rng` and `data` of `anything` are the same array"):
            kept.anything(rng, other)
    assert kept.anything(rng, jax.random.key(2)).dtype == other.dtype


@jax.tree_util.register_pytree_node_class
class Pair:
    """Two keys, or one key twice, that nothing holds."""

    def __init__(self, seeds: list[int]) -> None:
        self.seeds = seeds

    def tree_flatten(self) -> tuple[list[Any], None]:
        keys = {seed: jax.random.key(seed) for seed in self.seeds}
        return [keys[seed] for seed in self.seeds], None

    @classmethod
    def tree_unflatten(cls, _: None, keys: list[Any]) -> list[Any]:
        return keys


def test_keys_of_any_type_are_compared(kept: Any) -> None:
    for hold in (lambda pair: pair, lambda pair: kept.Stock(jax.random.key(2), pair)):
        kept.renew(hold(Pair([0, 1])))  # Also on calls that do not trace.
        with pytest.raises(ValueError, match=r"`keys.* and `keys.* of `renew` are the same array"):
            kept.renew(hold(Pair([0, 0])))
    keys = kept.renew([jax.random.key(0), jax.random.key(1)])
    kept.renew(keys)
    with pytest.raises(RuntimeError, match=r"`keys\[0\]` of `renew` is a deleted array"):
        kept.renew(keys)


def test_arrays_with_one_buffer_are_an_error_if_xla_reads_both(kept: Any) -> None:
    kept.add(jnp.ones(3), jnp.ones(3))
    for make in (
        lambda x: x.addressable_data(0),
        lambda x: jax.device_put(x, x.device),
        lambda x: jax.make_array_from_single_device_arrays(x.shape, x.sharding, [x]),
    ):
        x = jnp.arange(3.0)
        with pytest.raises(ValueError, match="`x` and `y` of `add` share a buffer") as error:
            kept.add(x, make(x))
        assert "jnp.copy" in str(error.value)
        assert x.tolist() == [0, 1, 2]
        assert kept.add.keep(x, make(x)).tolist() == [0, 2, 4]
