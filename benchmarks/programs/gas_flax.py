"""Particles in a periodic box that repel each other."""

from functools import partial

import flax.struct
import jax
import jax.numpy as jnp
from jax import Array


@flax.struct.dataclass
class Box:
    """What stays the same in a run."""

    side: float = flax.struct.field(pytree_node=False)  # [m]
    cutoff: float = flax.struct.field(pytree_node=False, default=0.25)  # range of the force [m]
    skin: float = flax.struct.field(pytree_node=False, default=0.05)  # neighbours are further [m]
    stiffness: float = flax.struct.field(pytree_node=False, default=100.0)  # [N/m]
    friction: float = flax.struct.field(pytree_node=False, default=0.5)  # [1/s]
    temperature: float = flax.struct.field(pytree_node=False, default=0.1)  # [J]


@flax.struct.dataclass
class Neighbours:
    """Neighbour lists, valid until a particle has moved by half a skin."""

    index: Array  # (n, k) int32, n where there is none
    x: Array  # (n, 2) positions at that time [m]


@flax.struct.dataclass
class Gas:
    """The state."""

    x: Array  # (n, 2) position [m]
    v: Array  # (n, 2) velocity [m/s]
    near: Neighbours
    rng: Array
    box: Box = flax.struct.field(pytree_node=False)


def shortest(d: Array, box: Box) -> Array:
    return d - box.side * jnp.round(d / box.side)


@partial(jax.jit, static_argnums=(1, 2))
def neighbours(x: Array, box: Box, k: int) -> Neighbours:
    d = shortest(x[:, None] - x[None], box)
    n = len(x)
    is_near = (d**2).sum(-1) < (box.cutoff + box.skin) ** 2
    index = jnp.where(is_near & ~jnp.eye(n, dtype=bool), jnp.arange(n), n)
    return Neighbours(index=jnp.sort(index, axis=1)[:, :k].astype(jnp.int32), x=x)


def force(gas: Gas) -> Array:
    index, box = gas.near.index, gas.box
    d = shortest(gas.x[:, None] - gas.x[index], box)
    r = jnp.sqrt((d**2).sum(-1) + 1e-12)
    is_near = (index < len(gas.x)) & (r < box.cutoff)
    size = jnp.where(is_near, box.stiffness * (box.cutoff - r) / r, 0.0)
    return (size[..., None] * d).sum(1)


@partial(jax.jit, static_argnames="steps", donate_argnums=0)
def step(gas: Gas, dt: Array, steps: int = 1) -> Gas:
    def once(gas: Gas, _: None) -> tuple[Gas, None]:
        box = gas.box
        rng, now = jax.random.split(gas.rng)
        noise = jax.random.normal(now, gas.v.shape)
        kick = jnp.sqrt(2 * box.friction * box.temperature * dt) * noise
        v = gas.v + dt * (force(gas) - box.friction * gas.v) + kick
        x = (gas.x + dt * v) % box.side
        moved = (shortest(x - gas.near.x, box) ** 2).sum(-1).max()
        k = gas.near.index.shape[1]
        near = jax.lax.cond(
            moved > (box.skin / 2) ** 2,
            lambda: neighbours(x, box, k),
            lambda: gas.near,
        )
        return gas.replace(x=x, v=v, rng=rng, near=near), None

    return jax.lax.scan(once, gas, length=steps)[0]
