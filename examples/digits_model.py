"""The implementation of `schemas/digits.pyi`: the classifier, its loss and one training step.

training, metrics = digits.train_step(training, batch)
"""

from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from generated.digits import Batch, Linear, Metrics, Mlp, Optimiser, Training


def affine(layer: Linear, x: Array) -> Array:
    """Compute the layer's output, x @ w + b: (..., n_in) to (..., n_out)."""
    return x @ layer.w + layer.b


def logits(model: Mlp, images: Array) -> Array:
    """Compute unnormalised log-probabilities: (batch, pixels) to (batch, classes)."""
    x = model.activation(model.first.apply(images))
    for layer in model.middle:
        x = model.activation(layer.apply(x))
    return model.last.apply(x)


def make_optimizer(config: Optimiser) -> optax.GradientTransformation:
    """Create the configured AdamW.

    An optax optimizer consists of closures, which a trace key cannot compare. So its
    parameters are static fields, and each trace creates the optimizer again.

    Source: I. Loshchilov and F. Hutter, Decoupled Weight Decay Regularization, ICLR
    2019; for the cosine schedule the same authors' SGDR, ICLR 2017.
    """
    rate: float | optax.Schedule = config.learning_rate
    if config.schedule == "cosine":
        rate = optax.cosine_decay_schedule(config.learning_rate, config.steps)
    return optax.adamw(rate, weight_decay=config.weight_decay)


def initial_state(config: Optimiser, model: Mlp) -> optax.OptState:
    """Return the state of the optimizer before the first step."""
    weights: Any = model  # the annotations of optax allow only built-in containers
    return make_optimizer(config).init(weights)


def train_step(training: Training, batch: Batch) -> tuple[Training, Metrics]:
    """Take one gradient step of the loss on noisy images.

    Input noise of small variance penalises the slope of the network.

    Source: C. M. Bishop, Training with Noise is Equivalent to Tikhonov
    Regularization, Neural Computation 7 (1995) 108.
    """
    config = training.config
    rng, noise_key = jax.random.split(training.rng)
    noise = config.noise * jax.random.normal(noise_key, batch.images.shape)
    noisy = batch.replace(images=batch.images + noise)

    def loss(model: Mlp) -> tuple[Array, Metrics]:
        metrics = _metrics(model, noisy, config.label_smoothing)
        return metrics.loss, metrics

    weights: Any = training.model
    gradient, metrics = jax.grad(loss, has_aux=True)(weights)
    updates, optimiser_state = make_optimizer(config.optimiser).update(
        gradient, training.optimiser_state, weights
    )
    model: Mlp = jax.tree.map(jnp.add, weights, updates)
    return (
        training.replace(model=model, optimiser_state=optimiser_state, rng=rng),
        metrics,
    )


def evaluate(model: Mlp, batch: Batch) -> Metrics:
    """Classify a batch without noise."""
    return _metrics(model, batch, smoothing=0.0)


def _metrics(model: Mlp, batch: Batch, smoothing: float) -> Metrics:
    scores = model.logits(batch.images)
    targets = optax.smooth_labels(jax.nn.one_hot(batch.labels, scores.shape[-1]), smoothing)
    correct = jnp.argmax(scores, axis=-1) == batch.labels
    return Metrics(
        loss=jnp.mean(optax.softmax_cross_entropy(scores, targets)),
        accuracy=jnp.mean(correct, dtype=jnp.float32),
    )
