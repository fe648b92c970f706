"""Classes that no schema declares."""

import enum
import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import optax
from jax import Array


class Pair(NamedTuple):
    """Two named numbers."""

    first: object
    second: object


@dataclass(frozen=True)
class Options:
    """Options of another library."""

    rate: float
    names: tuple[str, ...] = ()


@functools.partial(jax.tree_util.register_dataclass, data_fields=["value"], meta_fields=["size"])
@dataclass
class Node:
    """A pytree of another library."""

    value: Array
    size: int


class Rights(enum.Flag):
    """Permissions."""

    READ = 1
    WRITE = 2


class Kept(enum.IntFlag, boundary=enum.KEEP):
    """Flags that keep unnamed bits. One name covers two bits, and one bit has no name."""

    A = 1
    B = 2
    BOTH = 3
    NONE = 0


class Few(enum.Flag, boundary=enum.CONFORM):
    """Flags that drop unknown bits."""

    A = 1
    C = 4


class Level(enum.IntEnum):
    """Numbers, one of them with two names."""

    LOW = 1
    SMALL = 1
    HIGH = 2


Named = enum.Enum("Named", {"a|b": "x", "a": 1.5, "\ud83d\ude00": b"\0"})


@dataclass(frozen=True)
class Wrapping:
    """A dataclass whose constructor changes its fields."""

    inner: object

    def __post_init__(self) -> None:
        object.__setattr__(self, "inner", (self.inner,))


def heating(x: Array) -> Array:
    """Heat by one."""
    return x + 1


# DOUBLE and TRIPLE have the same text, and MAPPED has that of `heating`, which it wraps.
DOUBLE = lambda x: 2 * x  # noqa: E731
TRIPLE = lambda x: 3 * x  # noqa: E731
MAPPED = jax.vmap(heating)


def masking() -> Any:
    """Create an optimiser with different states for different parameters."""
    each = {"decays": optax.adam(0.1), "": optax.sgd(0.1, momentum=0.9)}
    return optax.multi_transform(each, lambda params: params.labels())


def descend(training: Any) -> Any:
    """Take one step towards zero with `masking`."""
    model, transform = training.model, masking()
    grads = jax.grad(lambda model: (model.w**2).sum() + (model.b**2).sum())(model)
    updates, optimiser = transform.update(grads, training.optimiser, model)
    return training.replace(model=optax.apply_updates(model, updates), optimiser=optimiser)
