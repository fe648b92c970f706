"""Test that the classifier of `examples.digits` learns, and that training is reproducible."""

import tomllib
from pathlib import Path

import jax
import numpy as np
import pytest
from orbax.checkpoint.experimental.v1.training import Checkpointer

from codegen.runtime.checkpoint import from_dict
from examples import digits, transformer
from examples.digits import CONFIG, Data, load, make_training, train
from generated.digits import Config, evaluate
from generated.transformer import Config as TransformerConfig


@pytest.fixture(scope="module")
def data() -> Data:
    return load()


def test_training_reaches_95_percent_accuracy_on_test_digits(data: Data) -> None:
    assert train(data).test_accuracy >= 0.95


def test_untrained_classifier_is_no_better_than_guessing(data: Data) -> None:
    metrics = evaluate(make_training().model, data.test)
    assert float(metrics.accuracy) < 0.3
    # A uniform guess has loss ln 10. Random weights are confident and wrong, so their loss is higher.
    assert float(metrics.loss) > 0.9 * np.log(10.0)


def test_the_same_seed_gives_the_same_classifier(data: Data) -> None:
    config = CONFIG.replace(epochs=1)
    one, other = (train(data, config, seed=1).training.model for _ in range(2))
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(left, right)


def test_configuration_is_read_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(digits.__file__).parent
    assert from_dict(Config, tomllib.loads((folder / "digits.toml").read_text())) == CONFIG
    other = from_dict(TransformerConfig, tomllib.loads((folder / "transformer.toml").read_text()))
    assert other == TransformerConfig(stacked=False, layers=6, steps=400)
    for example in (digits, transformer):
        with pytest.raises(SystemExit):
            example.main(["--restore", str(tmp_path / "nowhere")])
        assert "nowhere holds no state that was saved whole" in capsys.readouterr().err
        with Checkpointer(tmp_path / example.__name__) as steps:
            steps.save(7, {"a": np.zeros(1)})
        with pytest.raises(SystemExit):
            example.main(["--save", str(steps.directory)])
        assert f"has later steps: pass `--restore {steps.directory}`" in capsys.readouterr().err
