"""A transformer that predicts the next token, with one table for its input and its output."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jax import Array


class Config(eqx.Module):
    """What stays the same in a run."""

    heads: int = eqx.field(static=True, default=4)
    rate: float = eqx.field(static=True, default=3e-3)  # learning rate
    dropout: float = eqx.field(static=True, default=0.1)


def normal(rng: Array, *shape: int) -> Array:
    return 0.02 * jax.random.normal(rng, shape)


class Block(eqx.Module):
    """Attention, and a layer of its own for each token."""

    queries: Array  # (width, 3 * width), with keys and values
    out: Array  # (width, width)
    up: Array  # (width, inner)
    down: Array  # (inner, width)

    def __init__(self, rng: Array, width: int, inner: int) -> None:
        keys = jax.random.split(rng, 4)
        self.queries = normal(keys[0], width, 3 * width)
        self.out = normal(keys[1], width, width)
        self.up = normal(keys[2], width, inner)
        self.down = normal(keys[3], inner, width)


class Model(eqx.Module):
    """The trained parameters."""

    table: Array  # (vocabulary, width)
    position: Array  # (length, width)
    blocks: tuple[Block, Block]

    def __init__(self, rng: Array, vocabulary: int, width: int, inner: int, length: int) -> None:
        keys = jax.random.split(rng, 4)
        self.table = normal(keys[0], vocabulary, width)
        self.position = normal(keys[1], length, width)
        self.blocks = (Block(keys[2], width, inner), Block(keys[3], width, inner))


class Training(eqx.Module):
    """The training state."""

    model: Model
    optimiser: Any
    rng: Array
    config: Config = Config()


def normed(x: Array) -> Array:
    return x / jnp.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)


def dropped(x: Array, rng: Array, rate: float) -> Array:
    return jnp.where(jax.random.bernoulli(rng, 1 - rate, x.shape), x / (1 - rate), 0.0)


def attended(block: Block, x: Array, heads: int) -> Array:
    b, t, w = x.shape
    qkv = (normed(x) @ block.queries).reshape(b, t, 3, heads, w // heads)
    mixed = jax.nn.dot_product_attention(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2], is_causal=True)
    return x + mixed.reshape(b, t, w) @ block.out


def logits(model: Model, tokens: Array, config: Config, rng: Array) -> Array:
    x = model.table[tokens] + model.position[: tokens.shape[1]]
    for block, now in zip(model.blocks, jax.random.split(rng, len(model.blocks)), strict=True):
        x = attended(block, x, config.heads)
        hidden = jax.nn.gelu(normed(x) @ block.up)
        x = x + dropped(hidden @ block.down, now, config.dropout)
    return normed(x) @ model.table.T


def loss(model: Model, tokens: Array, config: Config, rng: Array) -> Array:
    found = logits(model, tokens, config, rng)[:, :-1]
    return optax.softmax_cross_entropy_with_integer_labels(found, tokens[:, 1:]).mean()


def start(model: Model, config: Config, rng: Array) -> Training:
    state = optax.adamw(config.rate).init(model)
    return Training(model=model, optimiser=state, rng=rng, config=config)


@eqx.filter_jit(donate="all-except-first")
def train_step(tokens: Array, training: Training) -> tuple[Training, Array]:
    config = training.config
    rng, now = jax.random.split(training.rng)
    value, gradient = jax.value_and_grad(loss)(training.model, tokens, config, now)
    updates, state = optax.adamw(config.rate).update(gradient, training.optimiser, training.model)
    model = optax.apply_updates(training.model, updates)
    return Training(model, state, rng, config), value
