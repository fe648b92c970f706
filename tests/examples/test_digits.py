"""The classifier of `examples.digits` learns, and does so reproducibly."""

import jax
import numpy as np
import pytest

from examples.digits import CONFIG, Data, load, make_training, train
from generated.digits import evaluate


@pytest.fixture(scope="module")
def data() -> Data:
    return load()


def test_training_reaches_95_percent_on_digits_it_never_saw(data: Data) -> None:
    assert train(data).test_accuracy >= 0.95


def test_an_untrained_classifier_guesses(data: Data) -> None:
    metrics = evaluate(make_training().model, data.test)
    assert float(metrics.accuracy) < 0.3
    # Guessing one digit of ten costs ln 10; random weights are confident and wrong.
    assert float(metrics.loss) > 0.9 * np.log(10.0)


def test_the_same_seed_gives_the_same_classifier(data: Data) -> None:
    config = CONFIG.replace(epochs=1)
    one, other = (train(data, config, seed=1).training.model for _ in range(2))
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(left, right)


def test_another_seed_gives_another_classifier(data: Data) -> None:
    config = CONFIG.replace(epochs=1)
    one, other = (train(data, config, seed=seed).training.model for seed in (1, 2))
    assert not np.array_equal(one.first.w, other.first.w)


def test_a_constant_schedule_learns_too(data: Data) -> None:
    optimiser = CONFIG.optimiser.replace(schedule="constant", learning_rate=1e-3)
    config = CONFIG.replace(optimiser=optimiser, epochs=8)
    assert train(data, config).test_accuracy > 0.9


def test_every_part_of_the_data_shows_every_digit(data: Data) -> None:
    for part in data:
        assert set(np.asarray(part.labels).tolist()) == set(range(10))
