"""State in a training loop: jit and scan give the same numbers, and the statistics match the data."""

import jax.numpy as jnp
import numpy as np
import pytest

from examples.running import (
    MEANS,
    SCALES,
    WEIGHTS,
    make_data,
    make_regression,
    train_by_jit,
    train_by_scan,
)

SAMPLES = 400


def test_scan_and_jit_give_equal_results() -> None:
    x, y = make_data(20)
    scanned, errors = train_by_scan(make_regression(), x, y)
    jitted, errors_of_jit = train_by_jit(make_regression(), x, y)
    assert int(scanned.steps) == int(jitted.steps) == 20
    assert scanned.rng == jitted.rng != make_regression().rng
    np.testing.assert_allclose(errors, errors_of_jit, rtol=1e-5)
    np.testing.assert_allclose(scanned.weights, jitted.weights, rtol=1e-5)


def test_statistics_equal_those_of_the_data() -> None:
    x, y = make_data(SAMPLES)
    seen = train_by_scan(make_regression(), x, y)[0].inputs
    assert int(seen.count) == SAMPLES
    np.testing.assert_allclose(seen.mean, x.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(jnp.sqrt(seen.spread / SAMPLES), x.std(axis=0), rtol=1e-4)


def test_the_regression_learns() -> None:
    x, y = make_data(SAMPLES)
    trained, errors = train_by_scan(make_regression(), x, y)
    assert float(errors[-20:].mean()) < 1e-3 * float(errors[:20].mean())
    # These weights are for normalised inputs. Input noise shrinks them a little.
    np.testing.assert_allclose(trained.weights, WEIGHTS * SCALES, rtol=0.1)
    assert float(trained.bias) == pytest.approx(float(WEIGHTS @ MEANS) + 1.0, rel=0.05)
