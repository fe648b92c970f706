"""The transformer of `examples.transformer` learns the same with its layers in a stack and in a tuple."""

import numpy as np
import pytest

from examples.transformer import LENGTH, Text, load, make_models, make_training, train
from generated._runtime.shapes import stack, unstack
from generated.transformer import train_step


@pytest.fixture(scope="module")
def text() -> Text:
    return load()


def test_both_forms_learn_the_same(text: Text) -> None:
    scanned, unrolled = (
        train(model, text, steps=10) for model in make_models(len(text.vocabulary), layers=2)
    )
    np.testing.assert_allclose(scanned, unrolled, rtol=1e-4)
    # Guessing costs as much as a character of many has bits.
    assert scanned[0] == pytest.approx(np.log(len(text.vocabulary)), rel=0.02)
    assert scanned[-1] < scanned[0] - 0.4


def test_both_forms_start_with_the_same_weights(text: Text) -> None:
    scanned, unrolled = make_models(len(text.vocabulary), layers=3)
    np.testing.assert_array_equal(scanned.embedding, unrolled.embedding)
    assert stack(unrolled.blocks) == scanned.blocks
    assert unstack(scanned.blocks) == unrolled.blocks


def test_matrices_decay_and_positions_are_frozen(text: Text) -> None:
    scanned, unrolled = make_models(len(text.vocabulary), layers=1)
    passages = np.zeros((2, LENGTH + 1), np.int32)
    for model in (scanned, unrolled):
        training, _ = train_step.keep(make_training(model, learning_rate=1.0), passages)
        np.testing.assert_array_equal(training.model.positions, model.positions)
        assert (training.model.embedding != model.embedding).any()
    assert scanned.labels().blocks == unrolled.labels().blocks[0]
    assert scanned.mask("decay").blocks.up
    assert not scanned.mask("decay").embedding
