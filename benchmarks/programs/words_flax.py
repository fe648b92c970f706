"""A transformer that predicts the next token, with one table for its input and its output."""

from functools import partial
from typing import Any

import flax.struct
import jax
import jax.numpy as jnp
import optax
from jax import Array


@flax.struct.dataclass
class Config:
    """What stays the same in a run."""

    heads: int = flax.struct.field(pytree_node=False, default=4)
    rate: float = flax.struct.field(pytree_node=False, default=3e-3)  # learning rate
    dropout: float = flax.struct.field(pytree_node=False, default=0.1)


@flax.struct.dataclass
class Block:
    """Attention, and a layer of its own for each token."""

    queries: Array  # (width, 3 * width), with keys and values
    out: Array  # (width, width)
    up: Array  # (width, inner)
    down: Array  # (inner, width)


@flax.struct.dataclass
class Model:
    """The trained parameters."""

    table: Array  # (vocabulary, width)
    position: Array  # (length, width)
    blocks: tuple[Block, Block]


@flax.struct.dataclass
class Training:
    """The training state."""

    model: Model
    optimiser: Any
    rng: Array
    config: Config = flax.struct.field(pytree_node=False, default=Config())


def initial(rng: Array, vocabulary: int, width: int, inner: int, length: int) -> Model:
    keys = iter(jax.random.split(rng, 10))

    def normal(*shape: int) -> Array:
        return 0.02 * jax.random.normal(next(keys), shape)

    def block() -> Block:
        return Block(
            queries=normal(width, 3 * width),
            out=normal(width, width),
            up=normal(width, inner),
            down=normal(inner, width),
        )

    table, position = normal(vocabulary, width), normal(length, width)
    return Model(table=table, position=position, blocks=(block(), block()))


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


@partial(jax.jit, donate_argnums=0)
def train_step(training: Training, tokens: Array) -> tuple[Training, Array]:
    config = training.config
    rng, now = jax.random.split(training.rng)
    value, gradient = jax.value_and_grad(loss)(training.model, tokens, config, now)
    updates, state = optax.adamw(config.rate).update(gradient, training.optimiser, training.model)
    model = optax.apply_updates(training.model, updates)
    return training.replace(model=model, optimiser=state, rng=rng), value
