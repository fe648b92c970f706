"""A transformer learns the licence of JAX, with its layers in a stack and in a tuple.

python -m examples.transformer
"""

from importlib.metadata import files
from typing import Any, NamedTuple

import jax
import numpy as np

from examples.transformer_model import optimiser
from generated.transformer import Scanned, Training, Transformer, Unrolled, train_step

LENGTH, BATCH = 64, 16


class Text(NamedTuple):
    """A text as numbers, one a character."""

    characters: np.ndarray[Any, np.dtype[np.int32]]
    vocabulary: tuple[str, ...]


def load() -> Text:
    """The Apache License, 11 kB of English, which JAX ships with."""
    (path,) = [each for each in files("jax") or () if each.name == "LICENSE"]
    text = path.read_text(encoding="utf-8")
    vocabulary = tuple(sorted({*text}))
    numbers = {character: number for number, character in enumerate(vocabulary)}
    return Text(np.array([numbers[each] for each in text], np.int32), vocabulary)


def make_models(vocabulary: int, layers: int, seed: int = 0) -> tuple[Scanned, Unrolled]:
    """The same weights twice: each layer of a stack has the key that it has in a tuple."""
    sizes = {"vocabulary": vocabulary, "length": LENGTH, "layers": layers}
    key = jax.random.key(seed)
    scanned = Scanned.abstract(width=64, heads=4, head=16, **sizes).init(key)
    return scanned, Unrolled.abstract(width=64, heads=4, head=16, **sizes).init(key)


def make_training(model: Transformer, learning_rate: float = 3e-3) -> Training:
    """The state before the first step."""
    weights: Any = model
    return Training(model, optimiser(model, learning_rate).init(weights), learning_rate)


def train(model: Transformer, text: Text, steps: int, seed: int = 0) -> list[float]:
    """The loss of every step, on passages from random places."""
    training, losses = make_training(model), []
    order = np.random.default_rng(seed)
    for _ in range(steps):
        starts = order.integers(0, len(text.characters) - LENGTH, (BATCH, 1))
        passages = text.characters[starts + np.arange(LENGTH + 1)]
        training, loss = train_step(training, passages)
        losses.append(float(loss))
    return losses


def main() -> None:
    """Train both, and print their losses side by side."""
    text, steps = load(), 200
    models = make_models(len(text.vocabulary), layers=4)
    scanned, unrolled = (train(model, text, steps) for model in models)
    print("step  stacked  in a tuple  [nat per character]")
    for step in (0, *range(49, steps, 50)):
        print(f"{step + 1:4}  {scanned[step]:7.4f}  {unrolled[step]:10.4f}")


if __name__ == "__main__":
    main()
