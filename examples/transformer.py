"""Train a transformer on the licence of JAX, with its layers in a stack or in a tuple.

python -m examples.transformer
python -m examples.transformer --config examples/transformer.toml --save /tmp/transformer
python -m examples.transformer --restore /tmp/transformer --save /tmp/transformer
"""

import tomllib
from argparse import ArgumentParser
from contextlib import nullcontext
from importlib.metadata import files
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
from orbax.checkpoint.experimental.v1.training import Checkpointer

from codegen.runtime.checkpoint import from_dict, pack, restore
from examples.transformer_model import make_optimizer
from generated.transformer import Config, Scanned, Training, Transformer, Unrolled, train_step

LENGTH, BATCH = 64, 16
BETWEEN_SAVES = 10  # steps
CONFIG = Config()


class Text(NamedTuple):
    """A text as one number per character."""

    characters: np.ndarray[Any, np.dtype[np.int32]]
    vocabulary: tuple[str, ...]


def load() -> Text:
    """Load the Apache License, 11 kB of English text that JAX includes."""
    (path,) = [each for each in files("jax") or () if each.name == "LICENSE"]
    text = path.read_text(encoding="utf-8")
    vocabulary = tuple(sorted({*text}))
    numbers = {character: number for number, character in enumerate(vocabulary)}
    return Text(np.array([numbers[each] for each in text], np.int32), vocabulary)


def make_model(config: Config, vocabulary: int, seed: int = 0) -> Transformer:
    """Create an untrained model. The initial weights are the same for a stack and for a tuple."""
    kind: type[Scanned | Unrolled] = Scanned if config.stacked else Unrolled
    sizes = {"vocabulary": vocabulary, "length": LENGTH, "layers": config.layers}
    return kind.abstract(width=64, heads=4, head=16, **sizes).init(jax.random.key(seed))


def make_training(model: Transformer, config: Config = CONFIG) -> Training:
    """Create the state before the first step."""
    weights: Any = model
    return Training(model, make_optimizer(config.learning_rate).init(weights), config)


def train(
    training: Training,
    text: Text,
    *,
    seed: int = 0,
    first: int = 0,
    steps: Checkpointer | None = None,
) -> tuple[Training, list[float]]:
    """Train. The same seed gives the same model, also if the training was interrupted.

    Args:
        training: the state to continue from
        text: the training data
        seed: for the positions of the passages
        first: the number of steps that this state has completed
        steps: saves the state at intervals

    Returns:
        the final state, and the loss of every step
    """
    losses = []
    for step in range(first, training.config.steps):
        # The positions depend only on the seed and the step, so nothing else must be saved.
        places = np.random.default_rng((seed, step))
        starts = places.integers(0, len(text.characters) - LENGTH, (BATCH, 1))
        passages = text.characters[starts + np.arange(LENGTH + 1)]
        training, loss = train_step(training, passages)
        losses.append(float(loss))
        if steps is not None and (step + 1) % BETWEEN_SAVES == 0:
            arrays, about = pack(training)
            steps.save(step + 1, arrays, custom_metadata={"codegen_about": about})
    return training, losses


def saved(folder: Path) -> tuple[Training, int]:
    """Restore the last complete checkpoint; also return its number of completed steps."""
    with Checkpointer(str(folder.absolute())) as steps:
        last = steps.latest
    if last is None:
        raise FileNotFoundError(f"{folder} holds no state that was saved whole")
    return restore(last.path, Training), last.step


def main(arguments: list[str] | None = None) -> None:
    """Train, and print the loss."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--config", type=Path, help="a `Config` as TOML")
    parser.add_argument("--save", type=Path, metavar="DIR", help="where to save now and then")
    parser.add_argument("--restore", type=Path, metavar="DIR", help="what `--save` had, to go on")
    given = parser.parse_args(arguments)
    text, config, first = load(), CONFIG, 0
    if given.config is not None:
        config = from_dict(Config, tomllib.loads(given.config.read_text(encoding="utf-8")))
    training = make_training(make_model(config, len(text.vocabulary)), config)
    if given.restore is not None:
        try:
            training, first = saved(given.restore)
        except FileNotFoundError as error:
            parser.error(str(error))
        if given.config is not None and training.config != config:
            parser.error(f"{given.restore} was saved with another configuration")
    with nullcontext() if given.save is None else Checkpointer(given.save.absolute()) as steps:
        if steps is not None and steps.latest is not None and steps.latest.step > first:
            parser.error(f"{given.save} has later steps: pass `--restore {given.save}` to go on")
        _, losses = train(training, text, first=first, steps=steps)
    print("step  loss [nat per character]")
    for step, loss in enumerate(losses, first + 1):
        if step == 1 or step % 50 == 0:
            print(f"{step:4}  {loss:.4f}")


if __name__ == "__main__":
    main()
