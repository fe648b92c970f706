"""Test that the autoencoder of `examples.autoencoder` reaches the optimum, with one dictionary."""

import jax
import numpy as np
import pytest
from jax import Array

from codegen.runtime import preserve_identities
from examples.autoencoder import (
    CODES,
    Outcome,
    encode,
    least_error,
    load,
    loss,
    make_tied,
    separate,
    train,
)
from generated.autoencoder import Tied


@pytest.fixture(scope="module")
def images() -> Array:
    return load()


@pytest.fixture(scope="module")
def outcome(images: Array) -> Outcome:
    return train(images)


@pytest.fixture
def untrained(images: Array) -> Tied:
    return make_tied(images.shape[-1], CODES, jax.random.key(0))


def test_error_reaches_that_of_principal_components(images: Array, outcome: Outcome) -> None:
    least = least_error(images)
    assert least == pytest.approx(0.0157902, rel=1e-4)
    assert least <= outcome.error < 1.01 * least
    # The atoms are orthonormal, like principal components.
    atoms = np.asarray(outcome.model.dictionary.atoms)
    np.testing.assert_allclose(atoms @ atoms.T, np.eye(CODES), atol=0.02)
    # The bias is the mean of the images, except for the part that the atoms represent.
    code = encode(outcome.model.encoder, images)
    assert float(abs(code.mean())) < 0.05


def test_dictionary_is_shared_before_and_after_training(untrained: Tied, outcome: Outcome) -> None:
    for model in (untrained, outcome.model):
        assert model.dictionary is model.encoder.dictionary is model.decoder.dictionary
        assert model.encoder.mean is model.decoder.mean
        assert [leaf.shape for leaf in jax.tree.leaves(model)] == [(CODES, 64), (64,)]


def test_adam_state_has_two_moments_per_parameter(outcome: Outcome) -> None:
    assert outcome.moments == 2 * (CODES * 64 + 64)


def test_the_gradient_is_the_sum_over_both_uses(images: Array, untrained: Tied) -> None:
    tied = jax.grad(loss)(untrained, images)
    apart = jax.grad(loss)(separate(untrained), images)
    parts = apart.encoder.dictionary.atoms, apart.decoder.dictionary.atoms
    np.testing.assert_allclose(tied.dictionary.atoms, sum(parts), rtol=1e-4, atol=1e-6)
    assert not np.allclose(parts[0], parts[1])


def test_preserve_identities_gives_the_same_gradient_without_declaration(
    images: Array, untrained: Tied
) -> None:
    tied = jax.grad(loss)(untrained, images)
    found = preserve_identities(jax.grad)(loss)(separate(untrained), images)
    assert found.encoder.dictionary is found.decoder.dictionary
    assert found.encoder.mean is found.decoder.mean
    np.testing.assert_allclose(found.encoder.dictionary.atoms, tied.dictionary.atoms, rtol=1e-5)
