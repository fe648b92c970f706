"""The implementation of `schemas/transformer.pyi`: a layer, the model and one training step.

training, loss = transformer.train_step(training, passages)
"""

from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from generated.transformer import Block, Scanned, Training, Transformer, Unrolled


def normalised(x: Array, scale: Array) -> Array:
    """Normalise the last axis by its root mean square.

    Source: B. Zhang and R. Sennrich, Root Mean Square Layer Normalization, NeurIPS 2019.
    """
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


def block(layer: Block, x: Array) -> Array:
    """Apply one layer: (batch, length, width) to the same shape.

    Source: A. Vaswani et al., Attention Is All You Need, NeurIPS 2017; with normalisation before
    each part, as in R. Xiong et al., On Layer Normalization in the Transformer Architecture, ICML 2020.
    """
    given = normalised(x, layer.attention_scale)
    query, key, value = jnp.einsum("btw,iwhd->ibthd", given, layer.query_key_value)
    seen = jax.nn.dot_product_attention(query, key, value, is_causal=True)
    x = x + jnp.einsum("bthd,hdw->btw", seen, layer.output)
    given = normalised(x, layer.perceptron_scale)
    return x + jax.nn.gelu(given @ layer.up) @ layer.down


def logits(model: Transformer, characters: Array) -> Array:
    """Compute unnormalised log-probabilities: (batch, length) to (batch, length, vocabulary)."""
    x = model.embedding[characters] + model.positions
    match model:
        case Scanned():
            x, _ = jax.lax.scan(lambda x, layer: (layer.apply(x), None), x, model.blocks)
        case Unrolled():
            for layer in model.blocks:
                x = layer.apply(x)
        case _:
            raise TypeError(f"a {type(model).__name__} has no layers")
    return normalised(x, model.scale) @ model.embedding.T


def decays(model: Transformer) -> Transformer:
    """Mark the arrays that have weight decay."""
    return model.mask("decay")


def frozen(model: Transformer) -> Transformer:
    """Mark the arrays that are not trained."""
    return model.mask("frozen")


def make_optimizer(learning_rate: float) -> optax.GradientTransformation:
    """Create AdamW with weight decay only for matrices and without updates of frozen arrays."""
    return optax.chain(
        optax.adamw(learning_rate, mask=decays), optax.masked(optax.set_to_zero(), frozen)
    )


def train_step(training: Training, passages: Array) -> tuple[Training, Array]:
    """Take one gradient step of the cross-entropy."""

    def loss(model: Transformer) -> Array:
        scores = model.logits(passages[:, :-1])
        each = optax.softmax_cross_entropy_with_integer_labels(scores, passages[:, 1:])
        return jnp.mean(each)

    weights: Any = training.model  # the annotations of optax allow only built-in containers
    value, gradient = jax.value_and_grad(loss)(weights)
    rate = training.config.learning_rate
    updates, state = make_optimizer(rate).update(gradient, training.optimiser_state, weights)
    model: Any = optax.apply_updates(weights, updates)
    return training.replace(model=model, optimiser_state=state), value
