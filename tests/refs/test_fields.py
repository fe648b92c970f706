"""Objects with Ref fields: created, compared, shown, copied, pickled and checked."""

import copy
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import diff


def make(cache: Any, **changes: Any) -> Any:
    return cache.Cache(**{"k": jnp.ones((3, 2)), "u": jnp.ones(3)} | changes)


def test_constructor_keeps_a_ref_and_copies_an_array(cache: Any) -> None:
    ref, array = jax.new_ref(jnp.ones((3, 2))), jnp.ones((3, 2))
    kept, copied = make(cache, k=ref), make(cache, k=array)
    assert kept.k is ref
    assert kept.replace(t=1.0).k is ref
    copied.k[0, 0] = 5.0
    assert array[0, 0] == 1
    assert make(cache, k=np.ones((3, 2))).k.dtype == jnp.float32
    changed = kept.replace(k=array)
    assert isinstance(changed.k, jax.Ref)
    assert changed.k is not ref
    assert cache.Made(y=jnp.ones(2)).x[...].tolist() == [7, 7]
    assert cache.Cache.__dataclass_fields__["k"].metadata["role"] == "ref"
    assert cache.Cache.__annotations__["k"] == "Ref"


REFUSED = {
    "None": (lambda: None, r"`Cache\.k` takes a Ref of an array of float32, but was given None"),
    "number": (lambda: 1.0, r"but was given 1\.0 \(float\): pass a Ref, or an array"),
    "list": (lambda: [1.0], r"was given \[1\.0\] \(list\)"),
    "dtype": (lambda: jax.new_ref(jnp.ones(3, int)), r"a Ref int32\[3\]: .*astype\('float32'\)"),
    "array": (lambda: jnp.ones(3, int), r"an array int32\[3\] .*: convert it with `\.astype"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_constructor_refuses_by_name(cache: Any, case: str) -> None:
    value, message = REFUSED[case]
    with pytest.raises(TypeError, match=message):
        make(cache, k=value())


def test_function_takes_only_refs_as_bare_arguments(cache: Any) -> None:
    x, y = jax.new_ref(jnp.zeros(2)), jax.new_ref(jnp.ones(2))
    cache.bare(x, y)
    assert (x[...].tolist(), y[...].tolist()) == ([1, 1], [0, 0])
    with pytest.raises(TypeError, match=r"argument `y` of `bare` takes a Ref .*new_ref\(array\)"):
        cache.bare(x, jnp.ones(2))
    struct: Any = jax.ShapeDtypeStruct
    with pytest.raises(TypeError, match=r"is_ref=True"):
        cache.bare.eval_shape(struct((2,), jnp.float32), struct((2,), jnp.float32))


def test_comparison_is_by_content_and_repr_shows_the_type(cache: Any) -> None:
    one, other = make(cache), make(cache)
    assert one == other
    other.k[2, 1] = 4.0
    assert one != other
    assert repr(one).startswith("Cache(k=Ref(f32[3,2]), u=")
    differences = diff(one, other)
    assert repr(differences) == "k: Ref(f32[3,2]) != Ref(f32[3,2]), first at [2, 1]: 1.0 != 4.0"
    assert one.like(None, k=0).k == 0


def test_copy_shares_and_deepcopy_and_pickle_do_not(cache: Any) -> None:
    pair = cache.Pair(make(cache), make(cache), jax.new_ref(jax.random.key(0)))
    shared = copy.copy(pair)
    assert shared.first.k is pair.first.k
    others = copy.deepcopy(pair), pickle.loads(pickle.dumps(pair))
    for other in others:
        assert other == pair
        assert other.first.k is not pair.first.k
        other.first.k[0, 0] = other.second.k[0, 0] + 3
        assert pair.first.k[0, 0] == 1
        assert cache.step.keep(other.first, 0).u[0] == 2  # Functions take it.
    assert others[0].first == others[1].first
    # A Ref of several objects stays one.
    one = make(cache)
    for two in (
        copy.deepcopy([one, copy.copy(one)]),
        pickle.loads(pickle.dumps([one, one.like(0, k=one.k)])),
    ):
        assert two[0].k is two[1].k


def test_shared_ref(cache: Any) -> None:
    ref, array = jax.new_ref(jnp.ones(2)), jnp.ones(2)
    assert len(jax.tree.leaves(cache.Tied(ref, ref))) == 1
    with pytest.raises(ValueError, match=r"pass one Ref, `jax\.new_ref\(array\)`, to both"):
        cache.Tied(array, array)


def test_check_covers_dtype_shape_and_whether_it_is_a_ref(cache: Any) -> None:
    assert make(cache).check()
    with pytest.raises(ValueError, match=r"axis 0 of `Cache\.u` has the size 3 .*`Cache\.k`"):
        make(cache, k=jnp.ones((4, 2))).check()
    with pytest.raises(ValueError, match=r"`Cache\.k` is declared as an array float32\[n, m\]"):
        make(cache, k=jnp.ones(3)).check()
    with pytest.raises(
        ValueError, match=r"`Cache\.k` is declared as a `jax\.Ref`, but is an array"
    ):
        make(cache).like(jnp.ones((3, 2))).check()
    with pytest.raises(ValueError, match=r"is 1\.0 \(float\): .* `jax\.new_ref\(array\)`"):
        make(cache).like(1.0).check()


def test_abstract_zeros_and_init_create_refs(cache: Any) -> None:
    abstract = cache.Cache.abstract(n=3, m=2)
    assert abstract.check().k == jax.ShapeDtypeStruct((3, 2), jnp.float32, is_ref=True)
    zeros, first = abstract.zeros(), abstract.init(jax.random.key(0))
    for made, number in ((zeros, 0), (first, 1)):
        assert isinstance(made.k, jax.Ref)
        assert made.k[...].tolist() == [[number] * 2] * 3
    assert first.zeros() == zeros
    assert cache.step.eval_shape(abstract, 0).k.is_ref
    stack = cache.Stack.abstract(n=3, m=2, layers=4).init(jax.random.key(0))
    assert stack.blocks.k[...].shape == (4, 3, 2)
    assert cache.Made.abstract().init(jax.random.key(0)).x[...].tolist() == [7, 7]
