# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Where the arrays of an object are on a mesh of devices, from their dimensions.

    nx = Dim(mesh="rows")                       # in the schema
    plate.specs()                               # Plate(u=P("rows"), t=P(), ...)
    jax.device_put(plate, plate.shardings(mesh))
    plate = plate.constrain()                   # inside jit, under jax.set_mesh(mesh)

An axis of an array is sharded over the mesh axes of its dimension, or of `field(spec=...)`;
sizes, arithmetic, `_`, `*batch` and `...` over none. Where a mesh axis would come twice in
one array, the first has it. What the schema says nothing of is replicated.

JAX cannot say in a program that an axis of an array is sharded over mesh axes of type
Auto and Explicit both: such an axis is sharded over the Explicit ones alone.
"""

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec

from ..call.tracing import is_tracing
from ..classes.split import is_generated
from ..dims.axes import Sizes, has_rank, real_axes, require_rank
from ..dims.leaves import Leaf, map_leaves
from ..keys.dtypes import is_kind
from ..keys.messages import mistyped
from ..shapes.declared import MeshAxes
from ..shapes.sizes import shown_dim

AnyMesh: TypeAlias = Mesh | AbstractMesh

# JAX leaves them untyped.
_Spec: Final[Any] = PartitionSpec
_reshard: Final[Any] = jax.reshard
_constrain: Final[Any] = jax.lax.with_sharding_constraint
_barrier: Final[Any] = jax.lax.optimization_barrier
_make_array: Final[Any] = jax.make_array_from_process_local_data

# Until then XLA makes one slice of two: of that by which a constraint gives a device its
# part of an array that lies whole, and of one that a scatter takes of that part, at an
# index outside of it on all devices but one. Then rows are where others were.
_MERGES_SLICES: Final = jax.__version_info__ < (0, 12)


def specs_of(obj: Any) -> Any:
    """Return the object with a PartitionSpec in place of every array."""
    return map_leaves(obj, lambda leaf: _spec(_entries(leaf)))


def shardings_of(obj: Any, mesh: AnyMesh) -> Any:
    """Return the object with a NamedSharding in place of every array.

    Raises:
        ValueError: the mesh has none of the axes of the object's schema, or does not
            divide the size of a dimension
    """
    _require_axes(obj, mesh)

    def shard(leaf: Leaf) -> NamedSharding:
        entries = _on_mesh(leaf, mesh, mesh.axis_names)
        return NamedSharding(mesh, _spec(entries))

    return map_leaves(obj, shard)


def constrain(obj: Any, mesh: AnyMesh | None = None) -> Any:
    """Bring the arrays of an object to their shardings; inside `jit` too.

    What the schema says nothing of is left where it is.

    Args:
        obj: an object of a generated class
        mesh: in place of the one of `jax.set_mesh`

    Raises:
        ValueError: there is no mesh, or one that does not fit the object
    """
    mesh = _context_mesh() if mesh is None else mesh
    _require_mesh(obj, mesh)
    if mesh.empty:
        raise ValueError(
            f"`{type(obj).__qualname__}.constrain()` needs a mesh: call it under "
            "`jax.set_mesh(mesh)`, or give it one"
        )
    _require_axes(obj, mesh)
    return map_leaves(obj, lambda leaf: _constrained(leaf, mesh))


def follow_schema(tree: Any) -> Any:
    """Constrain the objects of a tree to the mesh of the context, if there is one.

    Objects whose schema has no axis of the mesh stay where they are; so do arrays of
    another rank than declared, as those of a stack of objects, and those inside of `vmap`
    over a dimension. JAX does not tell whether there is a `vmap`: it traces a program
    once, with it and without. So of what fits any rank, as `*batch` does, see `Sizes`.
    """
    mesh = _context_mesh()
    if mesh.empty:
        return tree

    def follow(value: Any) -> Any:
        if not is_generated(value) or not mesh_axes_of(value) & set(_usable(mesh)):
            return value
        sizes = Sizes()
        map_leaves(value, sizes.collect)

        def may_follow(leaf: Leaf) -> bool:
            if not hasattr(leaf.value, "shape"):
                return False
            entries = _restricted_to(leaf, mesh, _usable(mesh))
            return sizes.agree(leaf) and _indivisible_axis(leaf, mesh, entries) is None

        def place(leaf: Leaf) -> Any:
            if not has_rank(leaf) or (leaf.is_loose and not may_follow(leaf)):
                return leaf.value
            return _constrained(leaf, mesh)

        return map_leaves(value, place)

    return jax.tree_util.tree_map(follow, tree, is_leaf=is_generated)


def from_process_local(obj: Any, mesh: Mesh) -> Any:
    """Make the global object of which every process has brought its part.

    Args:
        obj: has in every array what this process brings: along an axis that is sharded
            over processes its share, in the order of the mesh, else all of it
        mesh: over the devices of all processes

    Raises:
        ValueError: the mesh does not fit the object
    """
    _require_axes(obj, mesh)

    def make(leaf: Leaf) -> Any:
        entries = _restricted_to(leaf, mesh, mesh.axis_names)
        sharding = NamedSharding(mesh, _spec(entries))
        leaves, treedef = jax.tree_util.tree_flatten(leaf.value)
        made = [_made_global(value, sharding, leaf.path) for value in leaves]
        return jax.tree_util.tree_unflatten(treedef, made)

    return map_leaves(obj, make)


def mesh_axes_of(obj: Any) -> set[str]:
    """Return all mesh axes over which the schema shards arrays of an object."""
    found: set[str] = set()

    def collect(leaf: Leaf) -> None:
        axes = [axis.mesh for axis in leaf.axes or ()]
        found.update(_names(axes if leaf.spec is None else leaf.spec))

    map_leaves(obj, collect)
    return found


def _entries(leaf: Leaf) -> list[MeshAxes]:
    """Return the mesh axes of every axis of a leaf."""
    if leaf.axes is None:
        return []
    require_rank(leaf)
    if leaf.spec is not None:
        return list(leaf.spec)
    taken: set[str] = set()
    entries: list[MeshAxes] = []
    for axis in real_axes(leaf):
        names = [name for name in _names([axis.mesh]) if name not in taken]
        taken.update(names)
        entries.append(_entry(names))
    return entries


def _names(entries: Iterable[MeshAxes]) -> list[str]:
    """Return the mesh axes of some axes of an array, in their order."""
    names: list[str] = []
    for entry in entries:
        names += [entry] if isinstance(entry, str) else list(entry or ())
    return names


def _entry(names: Sequence[str]) -> MeshAxes:
    """Return mesh axes as a PartitionSpec has them."""
    if not names:
        return None
    return names[0] if len(names) == 1 else tuple(names)


def _restricted(entries: Iterable[MeshAxes], names: Iterable[str]) -> list[MeshAxes]:
    """Return the entries without the axes that a mesh lacks."""
    known = set(names)
    return [_entry([n for n in _names([entry]) if n in known]) for entry in entries]


def _spec(entries: Sequence[MeshAxes]) -> PartitionSpec:
    """Return a PartitionSpec without `None` at its end, as JAX shows those of results."""
    end = len(entries)
    while end and entries[end - 1] is None:
        end -= 1
    spec: PartitionSpec = _Spec(*entries[:end])
    return spec


def _on_mesh(leaf: Leaf, mesh: AnyMesh, names: Iterable[str]) -> list[MeshAxes]:
    """Return the entries of a leaf with these axes of a mesh, which divide it.

    Raises:
        ValueError: they do not
    """
    entries = _restricted_to(leaf, mesh, names)
    index = _indivisible_axis(leaf, mesh, entries)
    if index is not None:
        over = _names([entries[index]])
        raise _indivisible(leaf, index, over, _devices(mesh, over))
    return entries


def _restricted_to(leaf: Leaf, mesh: AnyMesh, names: Iterable[str]) -> list[MeshAxes]:
    """Return the entries of a leaf with these axes of a mesh.

    An axis of an array that is sharded over an Explicit one has a type that says so, and
    JAX brings every result of a program to its type: Auto ones besides would be lost.
    """
    entries = _restricted(_entries(leaf), names)
    explicit = _restricted(entries, _axes_of_type(mesh, AxisType.Explicit))
    return [typed or entry for typed, entry in zip(explicit, entries, strict=True)]


def _indivisible_axis(
    leaf: Leaf, mesh: AnyMesh, entries: Sequence[MeshAxes]
) -> int | None:
    """Return the first axis of a leaf that its mesh axes do not divide."""
    shape: Sequence[int] = getattr(leaf.value, "shape", ())
    for index, (size, entry) in enumerate(zip(shape, entries, strict=False)):
        if size % _devices(mesh, _names([entry])):
            return index
    return None


def _devices(mesh: AnyMesh, names: Iterable[str]) -> int:
    return math.prod(mesh.shape[name] for name in names)


def _indivisible(
    leaf: Leaf, index: int, over: Sequence[str], devices: int
) -> ValueError:
    dim = shown_dim(real_axes(leaf)[index].dim)
    axes = " and ".join(f"`{name}`" for name in over)
    plural = "is" if len(over) == 1 else "together are"
    return ValueError(
        f"`{leaf.path}` has {leaf.value.shape[index]} of `{dim}` along axis {index}, "
        f"which {devices} devices do not divide: {axes} of the mesh {plural} of size "
        f"{devices}. Take a multiple of {devices}, or another mesh, or keep the axis "
        "whole: `field(spec=...)`"
    )


def _require_mesh(obj: Any, mesh: Any) -> None:
    if not isinstance(mesh, Mesh | AbstractMesh):
        kind = type(obj).__qualname__
        remedy = 'make one, as `jax.make_mesh((8,), ("data",))`'
        raise mistyped(mesh, kind, "mesh", "a mesh", remedy)


def _require_axes(obj: Any, mesh: AnyMesh) -> None:
    _require_mesh(obj, mesh)
    wanted = mesh_axes_of(obj)
    if not wanted or wanted & set(mesh.axis_names):
        return
    sizes = ", ".join(str(mesh.shape[name]) for name in mesh.axis_names)
    names = ", ".join(f'"{name}"' for name in [*mesh.axis_names, min(wanted)])
    raise ValueError(
        f"`{type(obj).__qualname__}` is sharded over {_listed(sorted(wanted))}, and the "
        f"mesh has {_listed(mesh.axis_names)}: make one with at least one of the "
        "schema's axes, of size 1 where nothing is to be sharded, as "
        f"`jax.make_mesh(({sizes}, 1), ({names}))`"
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "no axes"


def _usable(mesh: AnyMesh) -> list[str]:
    """Return the axes of a mesh that are not manual, as they are in `shard_map`."""
    return [
        *_axes_of_type(mesh, AxisType.Auto),
        *_axes_of_type(mesh, AxisType.Explicit),
    ]


def _axes_of_type(mesh: AnyMesh, kind: AxisType) -> list[str]:
    pairs = zip(mesh.axis_names, mesh.axis_types, strict=True)
    return [name for name, each in pairs if each == kind]


def _context_mesh() -> AnyMesh:
    """Return the mesh of `jax.set_mesh`: outside any trace, with its devices."""
    mesh = jax.sharding.get_abstract_mesh()
    return mesh if mesh.empty or is_tracing() else jax.sharding.get_mesh()


def _constrained(leaf: Leaf, mesh: AnyMesh) -> Any:
    """Return an array of a leaf, constrained; what is no array stays.

    JAX has one function for axes that the compiler shards, and another for those that
    are part of an array's type.
    """
    value = leaf.value
    if leaf.axes is None or not hasattr(value, "shape"):
        return value
    entries = _on_mesh(leaf, mesh, _usable(mesh))

    def sharding(names: Sequence[str]) -> NamedSharding:
        return NamedSharding(mesh, _spec(_restricted(entries, names)))

    auto = _axes_of_type(mesh, AxisType.Auto)
    explicit = _axes_of_type(mesh, AxisType.Explicit)
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


def _made_global(value: Any, sharding: NamedSharding, path: str) -> Any:
    """Return the global array of what processes have; a Python number stays."""
    if not hasattr(value, "dtype"):
        return value
    if is_kind(value.dtype, jax.dtypes.prng_key):
        data = _made_global(jax.random.key_data(value), sharding, path)
        return jax.random.wrap_key_data(data, impl=jax.random.key_impl(value))
    try:
        return _make_array(sharding, np.asarray(value))
    except ValueError as error:
        shape = tuple(value.shape)
        raise ValueError(
            f"`{path}`, of shape {shape} in this process, is no part of an array that is "
            f"sharded as {sharding.spec} over a mesh of {dict(sharding.mesh.shape)}: {error}"
        ) from error
