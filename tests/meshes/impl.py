"""What the functions of these schemas run."""

import importlib
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array


def advance(plate: Any, dt: Array, n: int) -> Any:
    """Grow n times; not by differences in space, which explicit axes do not have."""
    u = plate.u
    for _ in range(n):
        u = u + dt * plate.alpha * u
    return plate.replace(u=u, t=plate.t + n * dt)


def train(training: Any, images: Array) -> Any:
    """Take a step of gradient descent with momentum."""
    scalars = importlib.import_module("declared_on_meshes.model").Scalars

    def loss(model: Any) -> Array:
        x = images @ model.first.w + model.first.b
        for layer in model.middle:
            x = jnp.tanh(x) @ layer.w + layer.b
        return jnp.mean((x @ model.last.w + model.last.b) ** 2)

    value, gradient = jax.value_and_grad(loss)(training.model)
    mu = jax.tree.map(lambda m, g: 0.9 * m + g, training.moments["mu"], gradient)
    model = jax.tree.map(lambda w, m: w - 0.01 * m, training.model, mu)
    moments = {"mu": mu, "count": training.moments["count"] + 1}
    rng = jax.random.fold_in(training.rng, 1)
    return training.replace(model=model, moments=moments, rng=rng), scalars(loss=value)


def total(plate: Any, other: Array) -> Array:
    """Read neither of the donated arrays."""
    result: Array = plate.alpha.sum()
    return result


def double(obj: Any) -> Any:
    """Double every array."""
    return jax.tree.map(lambda x: x * 2, obj)
