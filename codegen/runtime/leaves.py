"""Every leaf of an object, with the declarations of its axes.

    map_leaves(mlp, lambda leaf: leaf.path)
    # an Mlp of paths. For "Mlp.first.w" the function was given
    # DeclaredLeaf(array, "Mlp.first.w", (Axis("pixels", None), Axis("hidden", "model")), None)

The class's own functions flatten and unflatten the object, as in JAX. Statics are kept.
A part that several paths share is visited once, at its owner's path.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import jax

from .classes.values import is_weak
from .declared import (
    CONTAINERS,
    AnyOf,
    Declared,
    Dim,
    Each,
    Items,
    MeshAxes,
    Opaque,
    Part,
    Shape,
    Shaped,
    Weak,
)
from .keys.names import Generated, has_class_name, has_dtype, is_generated
from .shapes.dimensions import (
    Substitution,
    alternatives,
    fits_rank,
    is_variadic,
    names_in_dim,
    names_in_shape,
    object_shapes,
    substitute,
)

T = TypeVar("T")


class Axis(NamedTuple):
    """A declared axis of an array, or any number of them: `*batch` and `...`."""

    # Its name in the outermost object.
    dim: Dim
    # The mesh axes over which it is sharded.
    mesh: MeshAxes
    # Its other names: a subclass of the declared class may have a name for it too.
    also: frozenset[Dim] = frozenset()


class DeclaredLeaf(NamedTuple):
    """A leaf and its path; or a subtree about which the schema declares nothing."""

    value: Any
    path: str  # Example: "Mlp.first.w"
    # None: the schema declares nothing.
    axes: tuple[Axis, ...] | None = None
    # A PartitionSpec that overrides the one from the axes.
    spec: tuple[MeshAxes, ...] | None = None
    # Whether an array of another rank is also allowed: for `*batch`, `...` or a union.
    is_loose: bool = False
    # Whether it is declared as an array, so that a Python number is not allowed.
    is_array: bool = False

    @property
    def has_rank(self) -> bool:
        """Whether an array has as many axes as declared, if both are known."""
        ndim = getattr(self.value, "ndim", None)
        dims = [axis.dim for axis in self.axes or ()]
        return self.axes is None or ndim is None or fits_rank(dims, ndim)


def map_leaves(
    value: T,
    visit: Callable[[DeclaredLeaf], object],
    names: set[str] | None = None,
    declared: Declared = Any,
) -> T:
    """Replace the leaves of a value. The result is typed as the value, as in JAX.

    Args:
        value: an object of a generated class, or another value that may contain some
        visit: called for every leaf, and for every subtree without generated objects
            and without a declaration; returns the replacement
        names: a set to which the dimension names are added, also those of missing
            arrays
        declared: the declared type of the value
    """
    mapper = _LeafMapper(visit, names, {}, [])
    if declared is Any and is_generated(value):
        new: T = mapper.object(value, None, type(value).__qualname__)
    else:
        new = mapper.value(substitute(declared, Substitution()), value, "")
    return new


class _LeafMapper(NamedTuple):
    """A walk through the content of one object."""

    visit: Callable[[DeclaredLeaf], object]
    names: set[str] | None
    # The mesh axes of dimensions, by their names there.
    mesh: Mapping[str, MeshAxes]
    # The dimensions that are equal there.
    equal: list[tuple[Dim, Dim]]
    # Whether it is within a union that has arrays of several ranks.
    in_union: bool = False

    def object(self, obj: Generated, part: Part | None, path: str) -> Any:
        """Replace the leaves of an object. The outermost one has no holder."""
        record = type(obj).__codegen_record__
        declared = object_shapes(record, part, path)
        equal = self.equal + declared.equal
        if self.names is not None:
            own = {*record.parameters, *record.sizes}
            dims = [declared.own.dims.get(name, name) for name in own]
            dims += [dim for pair in equal for dim in pair]
            named = map(names_in_shape, declared.fields.values())
            self.names.update(*map(names_in_dim, dims), *named)
        # The holder has given the mesh axes of the dimensions that it has named.
        mesh = {
            **record.mesh,
            **{n: self.mesh.get(n) for n in names_in_shape(part)},
        }
        inner = self._replace(mesh=mesh, equal=equal, in_union=False)
        children, key = record.flatten(obj)
        mapped = (
            inner.value(declared.fields.get(name, Opaque()), child, f"{path}.{name}")
            for name, child in zip(record.data_fields, children, strict=True)
        )
        return record.unflatten(key, tuple(mapped))

    def value(self, shape: Shape, value: Any, path: str) -> Any:
        """Replace the leaves of a value that is declared with a shape."""
        if isinstance(shape, AnyOf):
            walk = self._replace(in_union=self.in_union or _has_several_ranks(shape))
            return walk.value(best_alternative(shape, value), value, path)
        if is_generated(value):
            stack = shape.stacked if isinstance(shape, Opaque) else ()
            part = shape if isinstance(shape, Part) else Part(stacked=stack)
            return self.object(value, part, path)
        if isinstance(shape, Shaped | Weak) and _is_leaf(value):
            array = shape if isinstance(shape, Shaped) else Shaped("")
            axes, spec = tuple(map(self._axis, array.dims)), array.spec
            if spec is not None:
                spec = (*(axis.mesh for axis in axes[: array.stacked]), *spec)
            is_loose = self.in_union or any(map(is_variadic, array.dims))
            return self.visit(
                DeclaredLeaf(value, path, axes, spec, is_loose, array is shape)
            )
        has_items = isinstance(shape, Each | Items) and type(value) in CONTAINERS
        located, treedef = jax.tree_util.tree_flatten_with_path(
            value,
            is_leaf=(lambda item: item is not value) if has_items else is_generated,
        )
        if not has_items and not any(is_generated(leaf) for _, leaf in located):
            # Generated objects have their own declarations. A tree without them is
            # visited as a whole, and not at all if it has no leaves.
            dims = shape.stacked if isinstance(shape, Opaque) else ()
            axes = tuple(map(self._axis, (*dims, "...")))
            leaf = DeclaredLeaf(value, path, axes if dims else None)
            return self.visit(leaf) if located else value
        shapes = item_shapes(shape, len(located))
        mapped = [
            self.value(inner, one, path + jax.tree_util.keystr(place))
            for inner, (place, one) in zip(shapes, located, strict=True)
        ]
        return jax.tree_util.tree_unflatten(treedef, mapped)

    def _axis(self, dim: Dim) -> Axis:
        if not isinstance(dim, str):
            return Axis(dim, None)
        also = {other for pair in self.equal if dim in pair for other in pair} - {dim}
        names = [dim, *(name for name in also if isinstance(name, str))]
        meshes = [self.mesh[name] for name in names if self.mesh.get(name)]
        return Axis(dim, meshes[0] if meshes else None, frozenset(also))


def _has_several_ranks(shape: AnyOf) -> bool:
    """Return whether arrays of several ranks fit a union, including arrays in
    containers.
    """
    options = [one for one in alternatives(shape) if not isinstance(one, Part)]
    ranks = {len(o.dims) if isinstance(o, Shaped) else None for o in options}
    return len(ranks) > 1 or (None in ranks and len(options) > 1)


def best_alternative(shape: AnyOf, value: object) -> Shape:
    """Return the alternative of a union that fits a value best."""
    options, weak = alternatives(shape), is_weak(value)
    likely = sorted(options, key=lambda one: isinstance(one, Weak) != weak)
    return max(likely, key=lambda one: _match_quality(one, value), default=Opaque())


def _match_quality(shape: Shape, value: object) -> int:
    """Return 2 if a value fits a shape, 1 if it is at least of its type, else 0."""
    match shape:
        case Part():
            return 1 + has_class_name(value, shape.of) if is_generated(value) else 0
        case Items():
            return 1 + (len(shape.items) == len(value)) if type(value) is tuple else 0
        case Each():
            return 2 if type(value) in CONTAINERS else 0
        case Shaped():
            ndim, dtype = getattr(value, "ndim", None), getattr(value, "dtype", None)
            fits = (ndim is None or fits_rank(shape.dims, ndim)) and (
                dtype is None or has_dtype(dtype, shape.dtype)
            )
            return 1 + fits if _is_leaf(value) else 0
        case Weak():
            return _match_quality(Shaped(shape.kind.capitalize()), value)
        case _:
            return 2


def _is_leaf(value: object) -> bool:
    return bool(jax.tree_util.all_leaves([value]))


def item_shapes(shape: object, count: int) -> tuple[Shape, ...]:
    """Return the shapes of a number of items."""
    if isinstance(shape, Each):
        return (shape.item,) * count
    if isinstance(shape, Items) and len(shape.items) == count:
        return shape.items
    return (shape if isinstance(shape, Opaque) else Opaque(),) * count
