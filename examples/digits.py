"""Train a multilayer perceptron on scikit-learn's handwritten digits.

python -m examples.digits
python -m examples.digits --config examples/digits.toml --save /tmp/digits
python -m examples.digits --restore /tmp/digits --save /tmp/digits
"""

import time
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import ArrayLike
from orbax.checkpoint.experimental.v1.training import Checkpointer
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from codegen.runtime.checkpoint import from_dict, pack, restore
from examples.digits_model import initial_state
from generated.digits import (
    Architecture,
    Batch,
    Config,
    Mlp,
    Optimiser,
    Training,
    evaluate,
    train_step,
)

CONFIG = Config(
    architecture=Architecture(hidden=128, middle_layers=1),
    optimiser=Optimiser(learning_rate=3e-3, steps=40 * 11),
    batch_size=128,
    epochs=40,
)


class Data(NamedTuple):
    """Images for training and for testing."""

    train: Batch  # 1437 images
    test: Batch  # 360 images


class Outcome(NamedTuple):
    """A trained classifier and what training it took."""

    training: Training
    test_accuracy: float
    steps: int
    seconds_per_step: float  # without compilation


def load() -> Data:
    """Load the digits. A fifth is held out, with the same share of each digit in both parts.

    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI
    Machine Learning Repository (1998); 8 x 8 pixels of 17 grey levels.
    """
    images, labels = load_digits(return_X_y=True)
    parts = train_test_split(images / 16.0, labels, test_size=0.2, random_state=0, stratify=labels)
    train_images, test_images, train_labels, test_labels = parts
    return Data(_batch(train_images, train_labels), _batch(test_images, test_labels))


def _batch(images: ArrayLike, labels: ArrayLike) -> Batch:
    return Batch(
        images=jnp.asarray(np.asarray(images, np.float32)),
        labels=jnp.asarray(np.asarray(labels, np.int32)),
    )


def make_model(architecture: Architecture, rng: Array) -> Mlp:
    """Create an untrained classifier.

    Args:
        architecture: the sizes of its layers.
        rng: a key, `jax.random.key(seed)`.
    """
    return Mlp.abstract(
        activation=jax.nn.gelu,
        pixels=architecture.pixels,
        hidden=architecture.hidden,
        classes=architecture.classes,
        middle=architecture.middle_layers,
    ).init(rng)


def make_training(config: Config = CONFIG, seed: int = 0) -> Training:
    """Create the state before the first step."""
    model_key, noise_key = jax.random.split(jax.random.key(seed))
    model = make_model(config.architecture, model_key)
    return Training(
        model=model,
        optimiser_state=initial_state(config.optimiser, model),
        rng=noise_key,
        config=config,
    )


def batches(data: Batch, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Yield one epoch of batches in random order, without the incomplete last batch.

    All batches have the same size, so one compiled program suffices.
    """
    order = rng.permutation(len(data.labels))
    for start in range(0, len(order) - size + 1, size):
        chosen = order[start : start + size]
        yield Batch(images=data.images[chosen], labels=data.labels[chosen])


def train(
    data: Data,
    config: Config = CONFIG,
    seed: int = 0,
    *,
    steps: Checkpointer | None = None,
    training: Training | None = None,
    first: int = 0,
) -> Outcome:
    """Train. The same seed gives the same classifier, also if the training was interrupted.

    Args:
        data: the images
        config: the hyperparameters
        seed: for the weights, the noise and the order of the images
        steps: saves the state after each epoch
        training: the state to continue from, or None for an untrained one
        first: the number of epochs that this state has completed
    """
    training = training or make_training(config, seed)
    taken, seconds = 0, 0.0
    for epoch in range(first, config.epochs):
        started = time.perf_counter()
        # Each epoch has its own order, so nothing from earlier epochs must be saved.
        order = np.random.default_rng((seed, epoch))
        for batch in batches(data.train, config.batch_size, order):
            training, _ = train_step(training, batch)
            taken += epoch > first
        training.model.last.b.block_until_ready()
        # The first epoch compiles.
        seconds += (time.perf_counter() - started) * (epoch > first)
        if steps is not None:
            arrays, about = pack(training)
            steps.save(epoch + 1, arrays, custom_metadata={"codegen_about": about})
    accuracy = float(evaluate(training.model, data.test).accuracy)
    return Outcome(training, accuracy, taken, seconds / max(taken, 1))


def saved(folder: Path) -> tuple[Training, int]:
    """Restore the last complete checkpoint; also return its number of completed epochs."""
    with Checkpointer(str(folder.absolute())) as steps:
        last = steps.latest
    if last is None:
        raise FileNotFoundError(f"{folder} holds no state that was saved whole")
    config = restore(last.path, Config, at="config")
    like = jax.eval_shape(lambda: make_training(config))
    return restore(last.path, Training, like=like), last.step


def main(arguments: list[str] | None = None) -> None:
    """Train, and print the test accuracy and the time per step."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--config", type=Path, help="a `Config` as TOML")
    parser.add_argument("--save", type=Path, metavar="DIR", help="where to save each epoch")
    parser.add_argument("--restore", type=Path, metavar="DIR", help="what `--save` had, to go on")
    given = parser.parse_args(arguments)
    config, training, first = CONFIG, None, 0
    if given.restore is not None:
        try:
            training, first = saved(given.restore)
        except FileNotFoundError as error:
            parser.error(str(error))
        config = training.config
    if given.config is not None:
        config = from_dict(Config, tomllib.loads(given.config.read_text(encoding="utf-8")))
        if training is not None and training.config != config:
            parser.error(f"{given.restore} was saved with another configuration")
    with nullcontext() if given.save is None else Checkpointer(given.save.absolute()) as steps:
        if steps is not None and steps.latest is not None and steps.latest.step > first:
            parser.error(f"{given.save} has later steps: pass `--restore {given.save}` to go on")
        outcome = train(load(), config, steps=steps, training=training, first=first)
    weights = sum(leaf.size for leaf in jax.tree.leaves(outcome.training.model))
    print(f"{weights} weights, {config.epochs} epochs of batches of {config.batch_size}")
    print(f"test accuracy: {outcome.test_accuracy:.1%}")
    print(f"time per step: {1e3 * outcome.seconds_per_step:.2f} ms")


if __name__ == "__main__":
    main()
