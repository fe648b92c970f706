"""Implementations for the schemas."""

import importlib
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array


def advance(plate: Any, dt: Array, n: int) -> Any:
    """Multiply n times. There are no spatial differences, because explicit axes do not support them."""
    u = plate.u
    for _ in range(n):
        u = u + dt * plate.alpha * u
    return plate.replace(u=u, t=plate.t + n * dt)


def train(training: Any, images: Array) -> Any:
    """Take one step of gradient descent with momentum."""
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
    """Use neither of the donated arrays."""
    result: Array = plate.alpha.sum()
    return result


def double(**arguments: Any) -> Any:
    """Double every array of the only argument."""
    (obj,) = arguments.values()
    return jax.tree.map(lambda x: x * 2, obj)


# Each moves or updates data along sharded axes, in a way that XLA partitions differently.
CHANGES: dict[str, Callable[[Array], Array]] = {
    "set a row": lambda u: u.at[0].set(9.0),
    "set a column": lambda u: u.at[:, 1].set(9.0),
    "set an item": lambda u: u.at[3, 1].set(9.0),
    "set a row, transposed": lambda u: u.T.at[0].set(9.0).T,
    "set, then add": lambda u: u.at[0].set(9.0) + 1,
    "add at indices": lambda u: u.at[jnp.array([5, 0, 5])].add(1.0),
    "gather": lambda u: u[jnp.arange(u.shape[0]) * 3 % 5],
    "roll": lambda u: jnp.roll(u, 1, 0) - jnp.roll(u, 1, 1),
    "cumsum": lambda u: jnp.cumsum(u, 0) + jnp.cumsum(u, 1),
    "sort": lambda u: jnp.sort(-u, 0) + jnp.sort(-u, 1),
}


def change(plate: Any, how: str) -> Any:
    """Change `u` in one of these ways, which explicit axes do not support."""
    function = CHANGES[how]
    spec = jax.typeof(plate.u).sharding.spec
    if any(spec):
        function = jax.sharding.auto_axes(function, out_sharding=spec)
    return plate.replace(u=function(plate.u))
