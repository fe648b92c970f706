"""Train a tied autoencoder with optax. Encoder and decoder share one dictionary.

    python -m examples.autoencoder

optax, `jax.jit` and `jax.grad` are the plain ones. They see the dictionary as one set of
leaves: it has one gradient, the sum over both uses, and optimizer moments only once.
"""

from typing import Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from sklearn.datasets import load_digits

from generated.autoencoder import Decoder, Encoder, Separate, Tied

CODES = 12
STEPS = 400


class Autoencoder(Protocol):
    """Either kind of autoencoder: with and without declared sharing."""

    @property
    def encoder(self) -> Encoder: ...
    @property
    def decoder(self) -> Decoder: ...


class Outcome(NamedTuple):
    """A trained autoencoder, and the number of values in the optimizer state."""

    model: Tied
    error: float  # mean squared error of a pixel
    moments: int


def load() -> Array:
    """Handwritten digits, (1797, 64), with grey levels from 0 to 1.

    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI
    Machine Learning Repository (1998).
    """
    images, _ = load_digits(return_X_y=True)
    return jnp.asarray(np.asarray(images, np.float32) / 16.0)


def encode(encoder: Encoder, images: Array) -> Array:
    """Compute how much of each atom is in the images: (..., pixels) to (..., codes)."""
    return (images - encoder.mean) @ encoder.dictionary.atoms.T


def decode(decoder: Decoder, code: Array) -> Array:
    """Reconstruct images from the atoms: (..., codes) to (..., pixels)."""
    return code @ decoder.dictionary.atoms + decoder.mean


def make_tied(pixels: int, codes: int, rng: Array) -> Tied:
    """Create an untrained autoencoder."""
    return Tied.abstract(pixels=pixels, codes=codes).init(rng)


def separate(model: Tied) -> Separate:
    """Return the same model without declared sharing; it still has one object in two fields."""
    return Separate(encoder=model.encoder, decoder=model.decoder)


def loss(model: Autoencoder, images: Array) -> Array:
    """Return the mean squared error of the reconstructed images."""
    painted = model.decoder.decode(model.encoder.encode(images))
    return jnp.mean((painted - images) ** 2)


def train(images: Array, codes: int = CODES, steps: int = STEPS, seed: int = 0) -> Outcome:
    """Train on all images at once. The same seed gives the same autoencoder."""
    optimizer = optax.adam(optax.cosine_decay_schedule(0.03, steps))

    @jax.jit
    def step(model: Tied, state: optax.OptState) -> tuple[Tied, optax.OptState]:
        gradient: Any = jax.grad(loss)(model, images)
        weights: Any = model  # the annotations of optax allow only built-in containers
        updates, state = optimizer.update(gradient, state, weights)
        changed: Tied = jax.tree.map(jnp.add, weights, updates)
        return changed, state

    model = make_tied(images.shape[-1], codes, jax.random.key(seed))
    fresh: Any = model
    state = optimizer.init(fresh)
    for _ in range(steps):
        model, state = step(model, state)
    moments = sum(leaf.size for leaf in jax.tree.leaves(state) if leaf.ndim)
    return Outcome(model, float(loss(model, images)), moments)


def least_error(images: Array, codes: int = CODES) -> float:
    """Return the lower bound of the error of linear autoencoders: that of principal components.

    Source: P. Baldi and K. Hornik, Neural Networks 2 (1989) 53.
    """
    centred = np.asarray(images - images.mean(0))
    squares = np.linalg.svd(centred, compute_uv=False) ** 2
    return float(squares[codes:].sum() / centred.size)


def main() -> None:
    """Train, and print the error and its lower bound."""
    images = load()
    outcome = train(images)
    dictionary = outcome.model.dictionary
    shared = dictionary is outcome.model.encoder.dictionary is outcome.model.decoder.dictionary
    print(f"{dictionary.atoms.shape[0]} codes of {images.shape[-1]} pixels, {STEPS} steps")
    print(f"error of a pixel: {outcome.error:.5f}, at least {least_error(images):.5f}")
    print(f"one dictionary: {shared}; numbers the optimizer kept: {outcome.moments}")


if __name__ == "__main__":
    main()
