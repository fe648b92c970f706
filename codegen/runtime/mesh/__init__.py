# mypy: disable-error-code="no-any-return, no-untyped-call"
"""Meshes: specs and shardings of arrays by named dimension, and values that processes
must share.

    nx = Dim(mesh="rows")                       # in the schema
    plate.specs()                               # Plate(u=P("rows"), t=P(), ...)
    jax.device_put(plate, plate.shardings(mesh))
    plate = plate.constrain()                   # inside jit, under jax.set_mesh(mesh)

An axis of an array is sharded over the mesh axes of its dimension, or of
`field(spec=...)`. Sizes, arithmetic, `_`, `*batch` and `...` are not sharded. If a mesh
axis would occur twice in one array, the first axis gets it. Arrays without declarations
are replicated.
"""

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec

from ..classes.bases import ShapedPytree
from ..dims import expand_axes, require_rank
from ..keys.messages import mistyped
from ..keys.names import content_of, in_ref_like, is_kind, is_ref
from ..leaves import Axis, DeclaredLeaf, map_leaves
from ..shapes.dimensions import format_dim
from ..tracing import is_tracing
from .fingerprints import assert_same_everywhere as assert_same_everywhere
from .fingerprints import fingerprint as fingerprint

T = TypeVar("T")
S = TypeVar("S", bound=ShapedPytree)

AnyMesh: TypeAlias = Mesh | AbstractMesh
# The mesh axes of every axis of an array.
Axes: TypeAlias = Sequence[tuple[str, ...]]

# Before this version, XLA merges two slices: the slice by which a constraint gives a
# device its part of an unsharded array, and the slice that a scatter takes of that part
# at an index outside of it on all devices but one. Rows then get the values of other
# rows.
_MERGES_SLICES: Final = jax.__version_info__ < (0, 12)


def specs_of(obj: T) -> T:
    """Return a PartitionSpec for every array of an object."""
    return map_leaves(obj, lambda leaf: _spec(_declared_axes(leaf)))


def shardings_of(obj: T, mesh: AnyMesh) -> T:
    """Return a NamedSharding for every array of an object."""
    _require_mesh(obj, mesh)
    return map_leaves(
        obj, lambda leaf: NamedSharding(mesh, _spec(_divided_axes(leaf, mesh)))
    )


def constrained(obj: T, mesh: AnyMesh | None) -> T:
    """Return an object with every array in its sharding."""
    target = _context_mesh() if mesh is None else mesh
    if mesh is None and target.empty:
        raise ValueError(
            f"`{type(obj).__qualname__}.constrain()` needs a mesh: call it under "
            "`jax.set_mesh(mesh)`, or pass one"
        )
    _require_mesh(obj, target)
    return map_leaves(
        obj, lambda leaf: _constrained(leaf, target, _divided_axes(leaf, target))
    )


def globalized(obj: S, mesh: Mesh) -> S:
    """Return the global object, combined from the parts of all processes."""
    _require_mesh(obj, mesh)
    return map_leaves(obj, lambda leaf: _globalized(leaf, mesh)).check()


def placed(obj: S) -> S:
    """Place an object on the mesh of the context, if there is one."""
    mesh = _context_mesh()
    known = [tuple(_mesh_axes_of(obj))]
    if not any(_axes_of_type(known, mesh, AxisType.Auto, AxisType.Explicit)):
        return obj
    try:
        is_declared = obj.check() is obj
    except ValueError:
        is_declared = False

    def place(leaf: DeclaredLeaf) -> object:
        if not leaf.has_rank or (leaf.is_loose and not is_declared):
            return leaf.value
        try:
            axes = _divided_axes(leaf, mesh)
        except ValueError:
            if leaf.is_loose:
                return leaf.value
            raise
        return _constrained(leaf, mesh, axes)

    return map_leaves(obj, place)


# --- over which axes of a mesh an array is sharded


def _declared_axes(leaf: DeclaredLeaf) -> Axes:
    require_rank(leaf)
    taken: set[str] = set()
    axes: list[tuple[str, ...]] = []
    for names in _axes_per_dimension(
        leaf, expand_axes(leaf) if leaf.spec is None else ()
    ):
        axes.append(tuple(name for name in names if name not in taken))
        taken.update(names)
    return axes


def _axes_on(leaf: DeclaredLeaf, mesh: AnyMesh) -> Axes:
    """Return the declared axes that the mesh has.

    An array that is sharded over an Explicit axis has it in its type, and JAX converts
    every result of a program to its type. Auto axes on the same array would then be
    lost.
    """
    axes, types = _declared_axes(leaf), (AxisType.Explicit, AxisType.Auto)
    typed, others = (_axes_of_type(axes, mesh, each) for each in types)
    return [names or rest for names, rest in zip(typed, others, strict=True)]


def _divided_axes(leaf: DeclaredLeaf, mesh: AnyMesh) -> Axes:
    """Return the declared axes that the mesh has; refuse an array that they do not
    divide.
    """
    axes = _axes_on(leaf, mesh)
    shape: Sequence[int] = getattr(leaf.value, "shape", ())
    for index, (size, names) in enumerate(zip(shape, axes, strict=False)):
        devices = math.prod(mesh.shape[name] for name in names)
        if size % devices:
            dim = format_dim(expand_axes(leaf)[index].dim)
            raise ValueError(
                f"axis {index} of `{leaf.path}` (`{dim}`) has the size {size}, but must be "
                f"a multiple of {devices}, the number of devices along "
                f"{', '.join(names)}: change the size, the mesh, or `field(spec=...)`"
            )
    return axes


def _mesh_axes_of(obj: object) -> set[str]:
    names: set[str] = set()
    map_leaves(
        obj, lambda leaf: names.update(*_axes_per_dimension(leaf, leaf.axes or ()))
    )
    return names


def _require_mesh(obj: object, mesh: object) -> None:
    """Refuse a mesh of the wrong type, or one without any axis of an object's schema."""
    if not isinstance(mesh, Mesh | AbstractMesh):
        remedy = 'create one, as with `jax.make_mesh((8,), ("data",))`'
        raise mistyped(mesh, type(obj).__qualname__, "mesh", "a mesh", remedy)
    wanted = _mesh_axes_of(obj)
    if wanted and not wanted & set(mesh.axis_names):
        raise ValueError(
            f"`{type(obj).__qualname__}` is sharded over {sorted(wanted)}, but the "
            f"mesh has {[*mesh.axis_names]}: create a mesh with at least one of the "
            "schema's axes. An axis of size 1 shards nothing"
        )


def _axes_of_type(axes: Axes, mesh: AnyMesh, *types: AxisType) -> Axes:
    pairs = zip(mesh.axis_names, mesh.axis_types, strict=True)
    found = [name for name, each in pairs if each in types]
    return [tuple(name for name in names if name in found) for names in axes]


def _axes_per_dimension(
    leaf: DeclaredLeaf, axes: Iterable[Axis]
) -> list[tuple[str, ...]]:
    """Return the mesh axes of each axis of an array: none, one or several."""
    entries = [axis.mesh for axis in axes] if leaf.spec is None else leaf.spec
    return [(each,) if isinstance(each, str) else tuple(each or ()) for each in entries]


def _spec(axes: Axes) -> PartitionSpec:
    """Return a spec without trailing `None`, as JAX does in the specs of results."""
    end = max((count for count, names in enumerate(axes, 1) if names), default=0)
    return PartitionSpec(*axes[:end])


# --- placing arrays


def _context_mesh() -> AnyMesh:
    """Return the mesh of `jax.set_mesh`; outside any trace, with its devices."""
    mesh = jax.sharding.get_abstract_mesh()
    return mesh if mesh.empty or is_tracing() else jax.sharding.get_mesh()


def _constrained(leaf: DeclaredLeaf, mesh: AnyMesh, axes: Axes) -> object:
    """Constrain an array: over axes in its type by `reshard`, over others by the
    compiler.
    """
    value = leaf.value
    if leaf.axes is None or not hasattr(value, "shape") or is_ref(value):
        return value  # A Ref stays where it was created.
    auto = NamedSharding(mesh, _spec(_axes_of_type(axes, mesh, AxisType.Auto)))
    explicit = NamedSharding(mesh, _spec(_axes_of_type(axes, mesh, AxisType.Explicit)))
    if {AxisType.Auto, AxisType.Explicit} <= {*mesh.axis_types}:
        value = _constrain_both(value, explicit, auto)
    elif AxisType.Explicit in mesh.axis_types:
        value = jax.reshard(value, explicit)
    elif AxisType.Auto in mesh.axis_types:
        value = jax.lax.with_sharding_constraint(value, auto)
    if _MERGES_SLICES and is_tracing():
        return jax.lax.optimization_barrier(value)
    return value


@functools.partial(jax.jit, static_argnums=(1, 2))
def _constrain_both(
    value: object, explicit: NamedSharding, auto: NamedSharding
) -> object:
    """Constrain an array over axes of both types.

    This is one program. As separate calls outside of a program, each would undo the
    other.
    """
    return jax.lax.with_sharding_constraint(jax.reshard(value, explicit), auto)


def _globalized(leaf: DeclaredLeaf, mesh: Mesh) -> object:
    """Return the global array of the processes' parts; a Python number stays unchanged."""
    sharding = NamedSharding(mesh, _spec(_axes_on(leaf, mesh)))

    def globalized(value: Any) -> Any:
        if not hasattr(value, "dtype"):
            return value
        if is_kind(value.dtype, jax.dtypes.prng_key):
            data = globalized(jax.random.key_data(value))
            return jax.random.wrap_key_data(data, impl=jax.random.key_impl(value))
        try:
            return jax.make_array_from_process_local_data(sharding, np.asarray(value))
        except ValueError as error:
            raise ValueError(
                f"`{leaf.path}` has the shape {value.shape} in this process, which is "
                f"not part of an array with the sharding {sharding.spec} over "
                f"{dict(mesh.shape)}: {error}"
            ) from error

    return jax.tree_util.tree_map(
        lambda value: in_ref_like(value, globalized(content_of(value))), leaf.value
    )
