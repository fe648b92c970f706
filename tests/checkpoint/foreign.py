"""Classes that no schema declares."""

import enum
import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import optax
from jax import Array


class Pair(NamedTuple):
    """Two numbers under names."""

    first: object
    second: object


@dataclass(frozen=True)
class Options:
    """What somebody else's library takes."""

    rate: float
    names: tuple[str, ...] = ()


@functools.partial(jax.tree_util.register_dataclass, data_fields=["value"], meta_fields=["size"])
@dataclass
class Node:
    """A pytree of somebody else's."""

    value: Array
    size: int


class Rights(enum.Flag):
    """What may be done."""

    READ = 1
    WRITE = 2


class Kept(enum.IntFlag, boundary=enum.KEEP):
    """Flags that keep bits without a name; one name for two of them, and one for none."""

    A = 1
    B = 2
    BOTH = 3
    NONE = 0


class Few(enum.Flag, boundary=enum.CONFORM):
    """Flags that drop other bits."""

    A = 1
    C = 4


class Level(enum.IntEnum):
    """Numbers, one of them under two names."""

    LOW = 1
    SMALL = 1
    HIGH = 2


Named = enum.Enum("Named", {"a|b": "x", "a": 1.5, "\ud83d\ude00": b"\0"})


@dataclass(frozen=True)
class Wrapping:
    """Not what its constructor makes of its fields."""

    inner: object

    def __post_init__(self) -> None:
        object.__setattr__(self, "inner", (self.inner,))


def heating(x: Array) -> Array:
    """Heat by one."""
    return x + 1


# One text says both, and that of `heating` what it wraps.
DOUBLE = lambda x: 2 * x  # noqa: E731
TRIPLE = lambda x: 3 * x  # noqa: E731
MAPPED = jax.vmap(heating)


def masking() -> Any:
    """An optimiser that has states for some parameters, and others for others."""
    each = {"decays": optax.adam(0.1), "": optax.sgd(0.1, momentum=0.9)}
    return optax.multi_transform(each, lambda params: params.labels())


def descend(training: Any) -> Any:
    """One step towards zero, by `masking`."""
    model, transform = training.model, masking()
    grads = jax.grad(lambda model: (model.w**2).sum() + (model.b**2).sum())(model)
    updates, optimiser = transform.update(grads, training.optimiser, model)
    return training.replace(model=optax.apply_updates(model, updates), optimiser=optimiser)
