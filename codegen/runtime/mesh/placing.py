# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Bring an array to where it is to lie on a mesh, inside a program or outside of any.

constrained(leaf, mesh)                     # the leaf's array, sharded as declared
globalized(array, sharding, "Plate.u")      # of what every process has of it
"""

import functools
from collections.abc import Sequence
from typing import Any, Final

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding

from ..dims.leaves import Leaf
from ..keys.names import is_kind
from ..tracing import is_tracing
from .specs import (
    AnyMesh,
    axes_of_type,
    divided_axes,
    restricted,
    spec_of,
    usable_axes,
)

# JAX leaves them untyped.
_reshard: Final[Any] = jax.reshard
_constrain: Final[Any] = jax.lax.with_sharding_constraint
_barrier: Final[Any] = jax.lax.optimization_barrier
_make_array: Final[Any] = jax.make_array_from_process_local_data

# Until then XLA makes one slice of two: of that by which a constraint gives a device its
# part of an array that lies whole, and of one that a scatter takes of that part, at an
# index outside of it on all devices but one. Then rows are where others were.
_MERGES_SLICES: Final = jax.__version_info__ < (0, 12)


def context_mesh() -> AnyMesh:
    """Return the mesh of `jax.set_mesh`: outside any trace, with its devices."""
    mesh = jax.sharding.get_abstract_mesh()
    return mesh if mesh.empty or is_tracing() else jax.sharding.get_mesh()


def constrained(leaf: Leaf, mesh: AnyMesh) -> Any:
    """Return an array of a leaf, constrained; what is no array stays.

    JAX has one function for axes that the compiler shards, and another for those that
    are part of an array's type.
    """
    value = leaf.value
    if leaf.axes is None or not hasattr(value, "shape"):
        return value
    axes = divided_axes(leaf, mesh, usable_axes(mesh))

    def sharding(names: Sequence[str]) -> NamedSharding:
        return NamedSharding(mesh, spec_of(restricted(axes, names)))

    auto = axes_of_type(mesh, AxisType.Auto)
    explicit = axes_of_type(mesh, AxisType.Explicit)
    if auto and explicit:
        value = _constrain_both(value, sharding(explicit), sharding(auto))
    elif explicit:
        value = _reshard(value, sharding(explicit))
    elif auto:
        value = _constrain(value, sharding(auto))
    return _barrier(value) if _MERGES_SLICES and is_tracing() else value


@functools.partial(jax.jit, static_argnums=(1, 2))
def _constrain_both(value: Any, explicit: NamedSharding, auto: NamedSharding) -> Any:
    """Constrain an array over axes of both types.

    In one program: by themselves, outside of any, each undoes what the other has done.
    """
    return _constrain(_reshard(value, explicit), auto)


def globalized(value: Any, sharding: NamedSharding, path: str) -> Any:
    """Return the global array of what processes have; a Python number stays."""
    if not hasattr(value, "dtype"):
        return value
    if is_kind(value.dtype, jax.dtypes.prng_key):
        data = globalized(jax.random.key_data(value), sharding, path)
        return jax.random.wrap_key_data(data, impl=jax.random.key_impl(value))
    try:
        return _make_array(sharding, np.asarray(value))
    except ValueError as error:
        shape = tuple(value.shape)
        raise ValueError(
            f"`{path}`, of shape {shape} in this process, is no part of an array that is "
            f"sharded as {sharding.spec} over a mesh of {dict(sharding.mesh.shape)}: {error}"
        ) from error
