"""Train the transformer of `examples.transformer`, and let it continue a text.

python -m examples.decoder
python -m examples.decoder --prompt "You may" --steps 50

The keys and values of all characters so far are in a cache of two Refs. Each call writes one
position of them in place, so that nothing of the cache is copied or computed again.
"""

from argparse import ArgumentParser

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from examples import transformer
from generated.decoder import Cache, decode
from generated.transformer import Config, Scanned


def make_cache(model: Scanned) -> Cache:
    """Create an empty cache for one text."""
    layers, _, _, heads, head = model.blocks.query_key_value.shape
    length = model.positions.shape[0]
    return Cache.abstract(layers=layers, length=length, heads=heads, head=head).zeros()


def generate(
    model: Scanned, prompt: list[int], count: int, *, temperature: float = 0.3, seed: int = 0
) -> list[int]:
    """Continue a text.

    Args:
        model: a trained model
        prompt: the characters of the text, at least one
        count: how many characters to add; the model has positions for all but the last
        temperature: of the softmax from which characters are drawn
        seed: of the draws

    Returns:
        the prompt and the added characters
    """
    rng, cache, scores = np.random.default_rng(seed), make_cache(model), jnp.zeros(())
    for character in prompt:
        cache, scores = decode(model, cache, character)
    characters = [*prompt]
    for _ in range(count):
        characters.append(_draw(scores, temperature, rng))
        if len(characters) < len(prompt) + count:
            cache, scores = decode(model, cache, characters[-1])
    return characters


def _draw(scores: Array, temperature: float, rng: np.random.Generator) -> int:
    odds = np.asarray(jax.nn.softmax(scores / temperature), np.float64)
    return int(rng.choice(odds.size, p=odds / odds.sum()))


def main(arguments: list[str] | None = None) -> None:
    """Train, and print a text."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--prompt", default="Licensed under", help="the beginning of the text")
    parser.add_argument("--steps", type=int, default=200, help="of the training (default: 200)")
    given = parser.parse_args(arguments)
    text, config = transformer.load(), Config(steps=given.steps)
    if not given.prompt or {*given.prompt} - {*text.vocabulary}:
        parser.error("the prompt needs characters of the licence of JAX")
    training = transformer.make_training(
        transformer.make_model(config, len(text.vocabulary)), config
    )
    training, _ = transformer.train(training, text)
    model = training.model
    assert isinstance(model, Scanned)
    prompt = [text.vocabulary.index(each) for each in given.prompt]
    characters = generate(model, prompt, transformer.LENGTH + 1 - len(prompt))
    print("".join(text.vocabulary[each] for each in characters))


if __name__ == "__main__":
    main()
