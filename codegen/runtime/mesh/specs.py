# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Over which axes of a mesh an array is sharded, from its dimensions.

    nx = Dim(mesh="rows")                       # in the schema
    declared_axes(leaf)                         # [("rows",), ()]
    sharding_of(leaf, mesh, mesh.axis_names)    # NamedSharding(mesh, P("rows"))

An axis of an array is sharded over the mesh axes of its dimension, or of `field(spec=...)`;
sizes, arithmetic, `_`, `*batch` and `...` over none. Where a mesh axis would come twice in
one array, the first has it. What the schema says nothing of is replicated.

JAX cannot say in a program that an axis of an array is sharded over mesh axes of type
Auto and Explicit both: such an axis is sharded over the Explicit ones alone.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from jax.sharding import AbstractMesh, AxisType, Mesh, PartitionSpec

from ..dims.axes import real_axes, require_rank
from ..dims.leaves import Leaf, map_leaves
from ..keys.messages import mistyped
from ..shapes.declared import MeshAxes
from ..shapes.sizes import shown_dim

AnyMesh: TypeAlias = Mesh | AbstractMesh
# The mesh axes of every axis of an array.
Axes: TypeAlias = Sequence[tuple[str, ...]]

# JAX leaves it untyped.
_Spec: Final[Any] = PartitionSpec


def declared_axes(leaf: Leaf) -> Axes:
    """Return the mesh axes of every axis of a leaf, as the schema says."""
    if leaf.axes is None:
        return []
    require_rank(leaf)
    if leaf.spec is not None:
        return list(map(_names, leaf.spec))
    taken: set[str] = set()
    axes: list[tuple[str, ...]] = []
    for axis in real_axes(leaf):
        axes.append(tuple(name for name in _names(axis.mesh) if name not in taken))
        taken.update(axes[-1])
    return axes


def axes_on(leaf: Leaf, mesh: AnyMesh, names: Iterable[str]) -> Axes:
    """Return the mesh axes of every axis of a leaf, as far as they are among the names.

    An axis of an array that is sharded over an Explicit one has a type that says so, and
    JAX brings every result of a program to its type: Auto ones besides would be lost.
    """
    axes = restricted(declared_axes(leaf), names)
    explicit = restricted(axes, axes_of_type(mesh, AxisType.Explicit))
    return [typed or each for typed, each in zip(explicit, axes, strict=True)]


def restricted(axes: Axes, names: Iterable[str]) -> Axes:
    """Return the mesh axes that are among the names."""
    known = set(names)
    return [tuple(name for name in each if name in known) for each in axes]


def spec_of(axes: Axes) -> PartitionSpec:
    """Return a PartitionSpec without `None` at its end, as JAX shows those of results."""
    end = len(axes)
    while end and not axes[end - 1]:
        end -= 1
    spec: PartitionSpec = _Spec(*axes[:end])
    return spec


def divided_axes(leaf: Leaf, mesh: AnyMesh, names: Iterable[str]) -> Axes:
    """Return what `axes_on` does, where it divides the array.

    Raises:
        ValueError: it does not
    """
    axes = axes_on(leaf, mesh, names)
    index = indivisible_axis(leaf, mesh, axes)
    if index is None:
        return axes
    dim, over = shown_dim(real_axes(leaf)[index].dim), axes[index]
    devices = _devices(mesh, over)
    shown = " and ".join(f"`{name}`" for name in over)
    plural = "is" if len(over) == 1 else "together are"
    raise ValueError(
        f"`{leaf.path}` has {leaf.value.shape[index]} of `{dim}` along axis {index}, "
        f"which {devices} devices do not divide: {shown} of the mesh {plural} of size "
        f"{devices}. Take a multiple of {devices}, or another mesh, or keep the axis "
        "whole: `field(spec=...)`"
    )


def indivisible_axis(leaf: Leaf, mesh: AnyMesh, axes: Axes) -> int | None:
    """Return the first axis of a leaf that its mesh axes do not divide."""
    shape: Sequence[int] = getattr(leaf.value, "shape", ())
    for index, (size, names) in enumerate(zip(shape, axes, strict=False)):
        if size % _devices(mesh, names):
            return index
    return None


def mesh_axes_of(obj: Any) -> set[str]:
    """Return all mesh axes over which the schema shards arrays of an object."""
    found: set[str] = set()

    def collect(leaf: Leaf) -> None:
        axes = [axis.mesh for axis in leaf.axes or ()]
        for each in axes if leaf.spec is None else leaf.spec:
            found.update(_names(each))

    map_leaves(obj, collect)
    return found


def require_mesh(obj: Any, mesh: Any) -> None:
    """Refuse what is no mesh."""
    if not isinstance(mesh, Mesh | AbstractMesh):
        remedy = 'make one, as `jax.make_mesh((8,), ("data",))`'
        raise mistyped(mesh, type(obj).__qualname__, "mesh", "a mesh", remedy)


def require_axes(obj: Any, mesh: AnyMesh) -> None:
    """Refuse a mesh that has none of the axes of an object's schema."""
    require_mesh(obj, mesh)
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


def usable_axes(mesh: AnyMesh) -> list[str]:
    """Return the axes of a mesh that are not manual, as they are in `shard_map`."""
    return axes_of_type(mesh, AxisType.Auto) + axes_of_type(mesh, AxisType.Explicit)


def axes_of_type(mesh: AnyMesh, kind: AxisType) -> list[str]:
    """Return the axes of a mesh that are of a type."""
    pairs = zip(mesh.axis_names, mesh.axis_types, strict=True)
    return [name for name, each in pairs if each == kind]


def _names(axes: MeshAxes) -> tuple[str, ...]:
    """Return the mesh axes of one axis of an array, of which there may be one or none."""
    return (axes,) if isinstance(axes, str) else tuple(axes or ())


def _devices(mesh: AnyMesh, names: Iterable[str]) -> int:
    return math.prod(mesh.shape[name] for name in names)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "no axes"
