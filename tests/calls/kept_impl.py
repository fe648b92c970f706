"""The implementations."""

from typing import Any

import jax


def write(cache: Any, x: Any) -> Any:
    """Write to the Ref in place, and return it unchanged."""
    cache.ref[...] = cache.ref[...] + x
    return cache.replace(used=cache.used + 1)


def moved(cache: Any, x: Any) -> Any:
    """Return a different Ref than the caller's."""
    return cache.replace(ref=jax.new_ref(x))


def outer(whole: Any) -> Any:
    """Return everything but `x`."""
    return whole.replace(x=whole.x + 1)


def consume(part: Any) -> Any:
    """Use the buffer."""
    return part.replace(u=part.u * 2)


def seeded(seeded: Any) -> Any:
    """Split the key."""
    return seeded.replace(rng=jax.random.split(seeded.rng)[0])


def renewed(keys: Any) -> Any:
    """Split each key of a container."""
    return jax.tree.map(lambda key: jax.random.split(key)[0], keys)


def both(rng: Any, data: Any) -> Any:
    """Use the key and its data."""
    return jax.random.split(rng)[0], data + 1


def add(x: Any, y: Any) -> Any:
    """Use both."""
    return x + y


def anything(rng: Any, data: Any) -> Any:
    return jax.random.split(rng)[0]
