"""The transformer of `examples.transformer` learns the same with its layers in a stack and in a tuple."""

import numpy as np
import pytest

from examples.transformer import Text, load, make_models, train
from generated._runtime.shapes import stack, unstack


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
