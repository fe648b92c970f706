"""Classes that look like the ones with a bug, and have none: no program may confirm them."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping

import jax
import numpy as np


@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True, eq=False)
class Levels:
    boundaries: np.ndarray

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Levels)
            and len(self.boundaries) == len(other.boundaries)
            and np.array_equal(self.boundaries, other.boundaries)
        )

    def __hash__(self) -> int:
        return hash(tuple(self.boundaries.ravel().tolist()))


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Flattened:
    structure: jax.ShapeDtypeStruct | np.ndarray = dataclasses.field(metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Model:
    first: jax.Array
    second: jax.Array
    third: jax.Array
    sizes: Mapping[str, float] = dataclasses.field(metadata={"static": True})
    count: int = dataclasses.field(metadata={"static": True})
    activation: Callable[..., jax.Array] = dataclasses.field(metadata={"static": True})
    context: object = dataclasses.field(metadata={"static": True}, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", types.MappingProxyType(dict(self.sizes)))
