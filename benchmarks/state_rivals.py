"""The step of `examples.running` without drafts: by hand, and with flax.nnx."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax import nnx
from jax import Array

from generated.running import Regression

RATE, NOISE = 0.02, 0.05


def by_hand(regression: Regression, x: Array, y: Array) -> tuple[Regression, Array]:
    """Replace the changed fields, and pass on the key."""

    def loss(w: tuple[Array, Array]) -> tuple[Array, Regression]:
        weights, bias = w
        seen = regression.inputs
        count = seen.count + 1
        deviation = x - seen.mean
        mean = seen.mean + deviation / count
        spread = seen.spread + deviation * (x - mean)
        rng, key = jax.random.split(regression.rng)
        width = jnp.maximum(jnp.sqrt(spread / jnp.maximum(count - 1, 1)), 1e-6)
        noise = NOISE * jax.random.normal(key, x.shape)
        error = (weights @ ((x - mean) / width + noise) + bias - y) ** 2
        inputs = seen.replace(count=count, mean=mean, spread=spread)
        return error, regression.replace(inputs=inputs, rng=rng)

    w = (regression.weights, regression.bias)
    (value, regression), (weights, bias) = jax.value_and_grad(loss, has_aux=True)(w)
    regression = regression.replace(
        weights=regression.weights - RATE * weights,
        bias=regression.bias - RATE * bias,
        steps=regression.steps + 1,
    )
    return regression, value


class Count(nnx.Variable[Array]):
    """A variable that is not a parameter."""


class NnxRegression(nnx.Module):
    """The same model with variables as fields."""

    def __init__(self, features: int) -> None:
        zeros = jnp.zeros(features)
        self.weights = nnx.Param(zeros)
        self.bias = nnx.Param(jnp.zeros(()))
        self.count = Count(jnp.zeros((), jnp.int32))
        self.mean = Count(zeros)
        self.spread = Count(zeros)
        self.steps = Count(jnp.zeros((), jnp.int32))
        self.rngs = nnx.Rngs(0)


def with_nnx(model: NnxRegression, x: Array, y: Array) -> Array:
    """Write to the variables of the model."""

    def loss(model: NnxRegression) -> Array:
        model.count[...] += 1
        deviation = x - model.mean[...]
        model.mean[...] += deviation / model.count[...]
        model.spread[...] += deviation * (x - model.mean[...])
        width = jnp.sqrt(model.spread[...] / jnp.maximum(model.count[...] - 1, 1))
        noise = NOISE * jax.random.normal(model.rngs(), x.shape)
        inputs = (x - model.mean[...]) / jnp.maximum(width, 1e-6) + noise
        return (model.weights[...] @ inputs + model.bias[...] - y) ** 2

    value, gradient = nnx.value_and_grad(loss)(model)
    model.weights[...] -= RATE * gradient["weights"][...]
    model.bias[...] -= RATE * gradient["bias"][...]
    model.steps[...] += 1
    found: Array = value
    return found
