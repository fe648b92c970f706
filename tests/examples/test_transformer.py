"""Test that the transformer of `examples.transformer` learns equally with a stack and a tuple of layers."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from orbax.checkpoint.experimental.v1.training import Checkpointer

from benchmarks.killed import bits
from codegen.runtime import stack, unstack
from examples import transformer
from examples.transformer import LENGTH, Text, load, make_model, make_training, saved, train
from generated.transformer import Config, Scanned, Unrolled, train_step


@pytest.fixture(scope="module")
def text() -> Text:
    return load()


def make_models(text: Text, layers: int) -> tuple[Scanned, Unrolled]:
    both = [
        make_model(Config(layers=layers, stacked=stacked), len(text.vocabulary))
        for stacked in (True, False)
    ]
    scanned, unrolled = both
    assert isinstance(scanned, Scanned)
    assert isinstance(unrolled, Unrolled)
    return scanned, unrolled


def test_both_forms_learn_the_same(
    text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transformer, "BATCH", 4)  # instead of 16, to save time
    config = Config(steps=20, layers=2)
    trainings = [make_training(model, config) for model in make_models(text, layers=2)]
    with Checkpointer(tmp_path) as steps:
        ended, scanned = train(trainings[0], text, steps=steps)
    _, unrolled = train(trainings[1], text)
    np.testing.assert_allclose(scanned, unrolled, rtol=1e-4)
    # A uniform guess has the entropy of the vocabulary as loss.
    assert scanned[0] == pytest.approx(np.log(len(text.vocabulary)), rel=0.02)
    assert scanned[-1] < scanned[0] - 0.4
    # An interrupted training resumes to the same bits.
    shutil.rmtree(tmp_path / "20")
    halfway, first = saved(tmp_path)
    again, losses = train(halfway, text, first=first)
    assert first == 10
    assert losses == scanned[10:]
    assert bits(again) == bits(ended)


def test_both_forms_start_with_the_same_weights(text: Text) -> None:
    scanned, unrolled = make_models(text, layers=3)
    np.testing.assert_array_equal(scanned.embedding, unrolled.embedding)
    assert stack(unrolled.blocks) == scanned.blocks
    assert unstack(scanned.blocks) == unrolled.blocks


def test_matrices_decay_and_positions_are_frozen(text: Text) -> None:
    scanned, unrolled = make_models(text, layers=1)
    passages = np.zeros((2, LENGTH + 1), np.int32)
    config = Config(learning_rate=1.0, layers=1)
    for model in (scanned, unrolled):
        training, _ = train_step.keep(make_training(model, config), passages)
        np.testing.assert_array_equal(training.model.positions, model.positions)
        assert (training.model.embedding != model.embedding).any()
    assert scanned.labels().blocks == unrolled.labels().blocks[0]
    assert scanned.mask("decay").blocks.up
    assert not scanned.mask("decay").embedding
