"""The implementations."""

from typing import Any

import jax
import jax.numpy as jnp

# Implementations that `run` calls by name; tests add more.
known: dict[str, Any] = {}


def make() -> Any:
    return jnp.full(2, 7.0)


def step(cache: Any, row: Any) -> Any:
    """Write a row in place, and return the object with the same Ref."""
    cache.k[row] = cache.k[row] + cache.u[0]
    return cache.replace(u=cache.u + 1)


def peek(cache: Any) -> Any:
    return cache.k[..., 0] + cache.u


def swap(pair: Any) -> Any:
    """Move the Refs of both caches to the other one."""
    first, second = pair.first, pair.second
    return pair.replace(first=first.replace(k=second.k), second=second.replace(k=first.k))


def both(one: Any, other: Any) -> Any:
    """Write both Refs, and return the objects in the other order."""
    one.k[0] = other.k[0] * 2
    other.k[1] = one.k[0] + 1
    return other.replace(u=other.u + 1), one


def bare(x: Any, y: Any) -> None:
    """Exchange the contents of two Refs."""
    x[...], y[...] = y[...], x[...]


def count(x: Any, y: Any) -> Any:
    x[...] = x[...] + 1
    return x[...] + y


def run(cache: Any, what: str) -> Any:
    return known[what](cache)


def new(cache: Any) -> Any:
    """Return a Ref that is created inside."""
    return cache.replace(k=jax.new_ref(cache.k[...]))


known["new"] = new
