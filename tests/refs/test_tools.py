"""Checkpoints, stacks, meshes, masks and export of objects with Refs."""

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import checkpoint, stack, unstack
from codegen.runtime.export import export


@pytest.fixture
def obj(cache: Any) -> Any:
    return cache.Cache(jnp.arange(6.0).reshape(3, 2), jnp.ones(3))


def test_checkpoint_has_the_content_and_restores_a_new_ref(
    cache: Any, obj: Any, tmp_path: Path
) -> None:
    pair = cache.Pair(obj, obj.replace(k=jnp.ones((3, 2))), jax.new_ref(jax.random.key(3)))
    packed = checkpoint.pack(pair)
    assert packed.arrays["first.k"].tolist() == obj.k[...].tolist()
    # An abstract object has the same description.
    abstract = cache.Pair.abstract(n=3, m=2)
    assert checkpoint.pack(abstract).about == packed.about
    for like in (None, abstract, pair):
        options = {} if like is None else {"like": like}
        again = checkpoint.unpack(cache.Pair, *packed, **options)
        assert again == pair
        assert again.check().first.k is not obj.k
        cache.step.keep(again.first, 0)
        assert obj.k[0, 1] == 1
    with pytest.raises(ValueError, match=r"`like` has float32\[4, 2\]"):
        checkpoint.unpack(cache.Pair, *packed, like=cache.Pair.abstract(n=4, m=2))
    with pytest.raises(TypeError, match=r"cannot pack `first\.k`: it is a tracer"):
        jax.jit(lambda given: [checkpoint.pack(given), None][1])(pair)
    checkpoint.save(tmp_path / "pair.npz", pair)
    restored = checkpoint.restore(tmp_path / "pair.npz", cache.Pair, like=abstract)
    assert restored == pair
    assert isinstance(restored.rng, jax.Ref)


def test_stacks_have_refs_of_their_own(cache: Any, obj: Any) -> None:
    other = obj.replace(k=jnp.ones((3, 2)))
    stacked = stack([obj, other])
    assert stacked.k[...].shape == (2, 3, 2)
    assert cache.Stack(stacked).check()
    first, second = unstack(stacked)
    assert (first, second) == (obj, other)
    abstract = unstack(cache.Stack.abstract(n=3, m=2, layers=2).blocks)
    assert abstract[1].k == jax.ShapeDtypeStruct((3, 2), jnp.float32, is_ref=True)


def test_trees_of_axes_specs_labels_and_masks(obj: Any) -> None:
    spec = jax.sharding.PartitionSpec
    assert (obj.axes("m").k, obj.axes("n").k, obj.axes("m").u) == (1, 0, None)
    assert (obj.specs().k, obj.specs().t) == (spec("rows"), spec())
    assert (obj.labels().k, obj.labels().u) == ("cache", "")
    assert (obj.mask("cache").k, obj.mask("cache").u) == (True, False)
    assert obj.fingerprint() == obj.zeros().fingerprint()


def test_objects_on_a_mesh_keep_their_refs(cache: Any, obj: Any) -> None:
    mesh = jax.make_mesh((1,), ("rows",), axis_types=(jax.sharding.AxisType.Auto,))
    shardings = obj.shardings(mesh)
    placed = cache.Cache(
        jax.device_put(obj.k[...], shardings.k), jnp.copy(jax.device_put(obj.u, shardings.u))
    )
    assert placed.k.sharding == shardings.k
    with jax.set_mesh(mesh):
        new = cache.step(placed, 0)
        assert new.k is placed.k is new.constrain().k
    assert cache.step(new, 1).k.sharding == shardings.k
    whole = obj.globalize(mesh)
    assert whole == obj
    assert whole.k is not obj.k


def test_export_names_the_field(cache: Any, obj: Any) -> None:
    for given in (obj, cache.Cache.abstract(n=3, m=2)):
        with pytest.raises(TypeError, match=r"`step` cannot be exported: `cache\.k` is a Ref"):
            export(cache.step, given, 0)


def test_check_refuses_a_ref_in_the_place_of_an_array(obj: Any) -> None:
    with pytest.raises(ValueError, match=r"`Cache\.u` is declared as an array, but is a Ref"):
        obj.replace(u=jax.new_ref(obj.u)).check()
