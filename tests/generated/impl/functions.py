"""Implementations for the schemas. `traces` counts the traces of each."""

import collections
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

traces: collections.Counter[str] = collections.Counter()
seen: list[Any] = []


def advance(plant: Any, dt: Array, n: int) -> Any:
    traces["advance"] += 1

    def raised(tank: Any) -> Any:
        return tank.replace(level=tank.level + dt * n)

    return plant.replace(
        cold=raised(plant.cold),
        tanks=tuple(map(raised, plant.tanks)),
        spare=None if plant.spare is None else raised(plant.spare),
        gauges={name: gauge + dt for name, gauge in plant.gauges.items()},
    )


def read(plant: Any) -> Array:
    traces["read"] += 1
    total: Array = plant.cold.level.sum() + plant.hot.level.sum()
    return total


def ones() -> Array:
    return jnp.ones(2)


def step(**arguments: Any) -> Any:
    traces["step"] += 1
    seen[:] = arguments.values()
    parts, x, linear, buffer, count, bias, _flag, _scalars, _grid, _force = seen
    moved = parts.replace(a=parts.a + x * count)
    return moved, buffer.sum() + linear.w.sum() + (0 if bias is None else bias)


def constant() -> Array:
    traces["constant"] += 1
    return jnp.ones(())


def first(a: Array, unused: Array) -> Array:
    return a + 1


def identity(**arguments: Any) -> Any:
    traces["identity"] += 1
    (value,) = arguments.values()
    return value


def paired(self: Any, change: Any, swap: bool) -> Any:
    changed = change(self)
    return (changed, self) if swap else (self, changed)


def nothing(plant: Any) -> None:
    traces["nothing"] += 1


def moved(point: Any, by: Array) -> Any:
    traces["moved"] += 1
    return point.replace(x=point.x + by)


def tagged(x: Array, tag: Any) -> Array:
    traces["tagged"] += 1
    seen.append(tag)
    return x + len(seen)


def tagged_object(value: Any) -> Array:
    traces["tagged_object"] += 1
    seen.append(value.tag)
    result: Array = value.x + len(seen)
    return result


def kind_of_layer(network: Any) -> Any:
    traces["kind_of_layer"] += 1
    return network, jnp.float32(len(type(network.layer).__name__))


def warm(plate: Any, by: Any) -> Any:
    traces["warm"] += 1
    return plate.replace(u=plate.u + by)


def applied(function: Any, x: Array) -> Array:
    traces["applied"] += 1
    result: Array = function(x)
    return result


def recolored(color: Any, x: Array) -> Array:
    traces["recolored"] += 1
    return x + len(color.name)


def noise(rng: Array, like: Array) -> Array:
    noise: Array = jax.random.normal(rng, like.shape)
    return noise


def tree_sum(tree: Any, extra: Any) -> Any:
    traces["tree_sum"] += 1
    return sum(jnp.sum(leaf) for leaf in jax.tree.leaves((tree, extra)))


def right_of(left: Any) -> Any:
    return left.right


def shadowed(key: Any, kept: Any, donated: Any, impl: str, result: Any) -> Any:
    return {impl: kept * donated + key + result.Float32}
