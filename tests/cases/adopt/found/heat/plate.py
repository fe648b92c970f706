from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Callable, ClassVar, Generic, NamedTuple, TypeVar

import distrax
import equinox as eqx
import jax
import jax.numpy as jnp
import jax_dataclasses as jdc
import jax_md.dataclasses
import numpy as np
import numpyro.distributions
import simple_pytree
from mujoco import mjx
from penzai import pz
from torax._src.static_dataclass import StaticDataclass

from . import _compat
from ._compat import *

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from chex import dataclass

T = TypeVar("T")


@pytree
class Plate(Generic[T]):
    """By an alias that came through a star."""

    u: jax.Array  # temperature [K]
    extra: T
    LIMIT: ClassVar[int] = 3
    n: int = _compat.struct.field(pytree_node=False, default=3)


class Hot(_compat.Struct):
    t: float = 0.0
    names: list[str] = _compat.struct.field(pytree_node=False, default_factory=list)

    def __post_init__(self):
        if self.t < 0:
            raise ValueError(self.t)


class Hotter(Hot):
    more: jax.Array = np.zeros(3)


@frozen
class Params:
    w: jax.Array
    b: jax.Array


@dataclass
class Mutable:
    w: jax.Array


class Layer(eqx.Module):
    w: jax.Array
    f: Callable = eqx.field(static=True)

    def __init__(self, key):
        self.w = jax.random.normal(key, (3,))
        self.f = jnp.tanh


class Step(NamedTuple):
    loss: jax.Array
    count: int = 0


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Grid:
    x: jax.Array
    h: float = dataclasses.field(metadata=dict(static=True))
    k: float = dataclasses.field(metadata={"static": True})


ROLE = bool(T)


def constant(**options):
    """A field that is static."""
    return dataclasses.field(metadata={"static": True}, **options)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Helped:
    x: jax.Array
    n: int = constant(default=3)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Doubtful:
    x: jax.Array
    n: int = dataclasses.field(metadata={"static": ROLE})


@dataclasses.dataclass
class Called:
    x: jax.Array
    shape: tuple[int, ...]
    cache: object = None


jax.tree_util.register_dataclass(
    Called, data_fields=["x"], meta_fields=["shape"], drop_fields=["cache"]
)


@dataclasses.dataclass(frozen=True)
class Config:
    order: int = 2


@dataclasses.dataclass(frozen=True)
class Unused:
    order: int = 2


@jdc.pytree_dataclass
class Jdc:
    x: jax.Array
    n: jdc.Static[int]


@pz.pytree_dataclass
class Penzai(pz.Struct):
    x: jax.Array
    n: int = dataclasses.field(metadata={"pytree_node": False})


@simple_pytree.dataclass
class Simple(simple_pytree.Pytree):
    x: jax.Array
    n: int = simple_pytree.static_field()


class Source(StaticDataclass):
    scale: float = 1.0


@jax.tree_util.register_pytree_node_class
class ByHand:
    def tree_flatten(self):
        return (), None


def register(cls):
    made = dataclasses.dataclass(frozen=True)(cls)
    jax.tree_util.register_pytree_node(made, vars, made)
    return made


@register
class Own:
    x: jax.Array


def make():
    @pytree
    class Inner:
        x: jax.Array

    return Inner


@jax_md.dataclasses.dataclass
class Fluid:
    x: jax.Array
    n: int = jax_md.dataclasses.static_field()

    def moved(self):
        return self.set(x=self.x.at[0].set(1.0))


class System(mjx.Model):
    x: jax.Array


class Normal(distrax.Distribution):
    x: jax.Array


class Cauchy(numpyro.distributions.Distribution):
    pass


@jax.jit
def use(params, plate):
    return params["w"] + params.to_tuple()[0]


def run(plate: Plate, config: Config):
    assert jax.tree.leaves(config) and jax.tree.leaves(plate)
    return plate


jitted = jax.jit(run, static_argnames="config", donate_argnums=(0,))


import flax
from flax.training import checkpoints


def save(plate):
    checkpoints.save_checkpoint("plates", plate, 1)
    return flax.serialization.to_bytes(plate)


def save_all(plates):
    return list(map(flax.serialization.to_bytes, plates))


import copyreg
import pickle as pkl
from pickle import loads

import cloudpickle
import joblib


class Store:
    def __reduce__(self):
        return Store, ()


def pickled(plate, file):
    copyreg.pickle(Store, Store.__reduce__)
    joblib.dump(plate, file)
    cloudpickle.dump(plate, file)
    pkl.Pickler(file).dump(plate)
    pkl.dump(plate, file)
    return loads(file) or pkl.load(file)
