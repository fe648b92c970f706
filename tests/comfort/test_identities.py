"""A field of type `identity[T]` compares by identity. Python numbers may be mapped by vmap."""

import copy
import gc
import importlib
import pickle
from typing import Any

# mypy: disable-error-code="operator"
import jax
import numpy as np
import pytest
from jax import numpy as jnp


@pytest.fixture(scope="module")
def identities(plates: Any) -> Any:
    """The module of `schemas/identities.pyi`."""
    return importlib.import_module(f"{plates.__package__}.identities")


def test_new_object_retraces(identities: Any) -> None:
    traced = []

    @jax.jit
    def applied(model: Any) -> Any:
        traced.append(model.function)
        return model.function(model.w)

    def scaled(by: float) -> Any:
        return lambda w: w * by

    double = scaled(2.0)
    ones = jnp.ones(2)
    for model in (identities.Model(ones, double), identities.Model(ones + 1, double)):
        assert applied(model).tolist() == (2 * model.w).tolist()
    assert traced == [double]
    # Equal code but another closure: this needs its own program.
    assert applied(identities.Model(ones, scaled(3.0))).tolist() == [3.0, 3.0]
    assert len(traced) == 2


def test_identity_accepts_any_object(identities: Any) -> None:
    config = identities.Config
    for value in ([1], {}, object(), 1.5, jnp.ones(2), config):
        one = config(value)
        assert one.client is value
        assert one == config(value)
        assert hash(one) == hash(config(value))
        assert one.replace(sizes=(1,)).client is value
    assert config([1]) != config([1])
    # An array is stored itself, not a view of memory that may be freed.
    array = np.arange(3.0)
    held = config(array)
    copied = jax.tree.map(lambda x: x, held)
    assert copied.client is copy.deepcopy(held).client is config((array,)).client[0] is array
    assert pickle.loads(pickle.dumps(held)).client.tolist() == [0.0, 1.0, 2.0]
    model = identities.Model(jnp.ones(2), print, config({}), ([], []), either=[1])
    same = identities.Model(model.w, print, model.config, model.several, model.either)
    assert model == same
    assert model != same.replace(several=([], []))
    assert same.replace(either=2).either == 2
    assert repr(config(print)) == "Config(client=<built-in function print>, sizes=())"


def test_key_of_a_dead_object_is_not_reused(identities: Any) -> None:
    # Another object may get the same `id`.
    seen = set()
    for number in range(50):
        value = [number]
        seen.add(id(value))
        assert identities.Config(value).client == [number]
        del value
        gc.collect(0)
    assert len(seen) < 50


def test_unpickled_object_is_a_different_object(identities: Any) -> None:
    one = identities.Config([1])
    again = pickle.loads(pickle.dumps(one))
    assert again.client == [1]
    assert again != one
    named = identities.Config(jax.nn.relu)
    assert pickle.loads(pickle.dumps(named)) == named
    assert len(one.fingerprint()) == 64


def test_numbers_may_be_mapped_by_vmap(identities: Any) -> None:
    rates = jnp.arange(3.0)
    batch = identities.Weights(rates, w=jnp.ones((3, 2)), count=jnp.arange(3), rates={"a": rates})
    assert batch.rate is rates
    scaled = jax.vmap(lambda x: x.replace(w=x.w * x.rate + x.count + x.rates["a"]).check())(batch)
    assert scaled.w.tolist() == [[0.0, 0.0], [3.0, 3.0], [6.0, 6.0]]
    several = [identities.Weights(float(i), w=jnp.ones(2)) for i in range(3)]
    stacked = jax.tree.map(lambda *x: jnp.stack([jnp.asarray(one) for one in x]), *several)
    assert stacked.rate.shape == (3,)
    assert identities.Weights(**{f: getattr(stacked, f) for f in ("rate", "w")}).rate.shape == (3,)
    with pytest.raises(ValueError, match=r"`Weights.rate` is declared as a float or a 0-d array"):
        batch.check()
