# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Every leaf of an object, with what the schema says of its axes.

    map_leaves(mlp, lambda leaf: leaf.path)
    # an Mlp of paths; at `first.w` stood
    # Leaf(array, "Mlp.first.w", (Axis("pixels", None), Axis("hidden", "model")), None)

The object is taken apart and put together by the class's own functions, as JAX does it:
statics stay, a part that several paths share is seen once, at its owner's. An object of
another generated package is walked through by that package's own copy of this module.
"""

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import jax

from .dtypes import has_dtype
from .shapes import (
    AnyOf,
    Dim,
    Each,
    Given,
    Items,
    MeshAxes,
    Opaque,
    Part,
    Shape,
    Shaped,
    Shapes,
    Weak,
)
from .sizes import names_of
from .split import is_generated, is_of


@dataclasses.dataclass(frozen=True, slots=True)
class Axis:
    """A declared axis of an array, or any number of them: `*batch` and `...`."""

    # As the outermost object calls it.
    dim: Dim
    # The mesh axes that it is sharded over.
    mesh: MeshAxes

    @property
    def is_variadic(self) -> bool:
        """Whether it stands for any number of axes."""
        dim = self.dim
        return isinstance(dim, str) and (dim == "..." or dim.startswith("*"))


@dataclasses.dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf and where it is; or a subtree of which the schema says nothing."""

    value: Any
    path: str  # Example: "Mlp.first.w"
    # None: the schema says nothing of it.
    axes: tuple[Axis, ...] | None
    # A PartitionSpec in place of what the axes give.
    spec: tuple[MeshAxes, ...] | None


@dataclasses.dataclass(frozen=True, slots=True)
class Scope:
    """The names of dimensions in an object of a class."""

    shapes: Shapes
    # What the dimension parameters of the class are to its holder.
    bound: Mapping[str, Axis]

    def axis(self, dim: Dim) -> Axis:
        """Return a dimension as the outermost object knows it."""
        if isinstance(dim, int):
            return Axis(dim, None)
        if isinstance(dim, tuple):
            left, operator, right = dim
            return Axis((self.axis(left).dim, operator, self.axis(right).dim), None)
        return self.bound.get(dim) or Axis(dim, self.shapes.mesh.get(dim))

    def names(self) -> set[str]:
        """Return what the outermost object calls the dimensions of the class."""
        written = _names(self.shapes) | self.shapes.sizes.keys()
        dims = (self.axis(name).dim for name in written)
        return {dim for dim in dims if isinstance(dim, str) and dim not in ("...", "_")}


# Called for every leaf; returns what takes its place.
Visit: TypeAlias = Callable[[Leaf], Any]
# Called for every generated object.
Enter: TypeAlias = Callable[[Scope], None]
# By type parameters: called for every value of one, with its path.
Types: TypeAlias = Mapping[str, Callable[[Any, str], Any]]

_NOTHING: Final = Opaque()
_SCALAR: Final = Shaped("Shaped")
_UNKNOWN: Final = Axis("_", None)


def map_leaves(value: Any, visit: Visit, enter: Enter | None = None) -> Any:
    """Replace the leaves of an object.

    Args:
        value: an object of a generated class
        visit: called for every leaf, and for every subtree without generated objects of
            which the schema says nothing; returns what takes its place
        enter: called for every object, nested ones too
    """
    return value.__codegen_map__(visit, enter, None, {}, type(value).__qualname__)


def map_object(
    obj: Any,
    visit: Visit,
    enter: Enter | None,
    dims: Mapping[str, Axis] | None,
    types: Types,
    path: str,
) -> Any:
    """Replace the leaves of an object that may be part of another one.

    Args:
        obj: an object of a class of this package
        visit: see `map_leaves`
        enter: see `map_leaves`
        dims: what its dimension parameters are to its holder; None: it has no holder
        types: what replaces the leaves of the values of its type parameters
        path: where it is
    """
    record = type(obj).__codegen_record__
    scope = Scope(record.shapes, _bound(record.shapes, dims))
    if enter is not None:
        enter(scope)
    walk = _Walk(visit, enter, scope, types)
    children, key = record.flatten(obj)
    fields = record.shapes.fields
    mapped = tuple(
        walk.value(child, fields.get(name, _NOTHING), f"{path}.{name}")
        for name, child in zip(record.data_fields, children, strict=True)
    )
    return record.unflatten(key, mapped)


def _bound(shapes: Shapes, dims: Mapping[str, Axis] | None) -> Mapping[str, Axis]:
    """Return what the parameters of a class, and of its bases, are to a holder."""
    if dims is None:
        return {}
    bound = {name: dims.get(name, _UNKNOWN) for name in shapes.parameters}
    for name, own in shapes.inherited.items():
        if name in dims and isinstance(own, str) and bound.get(own) is _UNKNOWN:
            bound[own] = dims[name]
    return bound


@dataclasses.dataclass(frozen=True, slots=True)
class _Walk:
    visit: Visit
    enter: Enter | None
    scope: Scope
    types: Types

    def value(self, value: Any, shape: Shape, path: str) -> Any:
        """Replace the leaves of a value that is declared with a shape."""
        if isinstance(shape, AnyOf):
            shape = _chosen(shape, value)
        if isinstance(shape, Given) and shape.parameter in self.types:
            return self.types[shape.parameter](value, path)
        if is_generated(value):
            return self._part(value, shape if isinstance(shape, Part) else Part(), path)
        if isinstance(shape, Each | Items) and type(value) in (tuple, list, dict):
            return self._items(value, shape, path)
        if isinstance(shape, Shaped | Weak) and _is_leaf(value):
            declared = shape if isinstance(shape, Shaped) else _SCALAR
            axes = tuple(map(self.scope.axis, declared.dims))
            return self.visit(Leaf(value, path, axes, declared.spec))
        return self._opaque(value, path)

    def _part(self, obj: Any, part: Part, path: str) -> Any:
        axes = {name: self.scope.axis(dim) for name, dim in part.dims.items()}
        types = {n: functools.partial(self._typed, s) for n, s in part.types.items()}
        return obj.__codegen_map__(self.visit, self.enter, axes, types, path)

    def _typed(self, shape: Shape, value: Any, path: str) -> Any:
        return self.value(value, shape, path)

    def _items(self, value: Any, shape: Each | Items, path: str) -> Any:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        shapes = [shape.item] * len(keys) if isinstance(shape, Each) else shape.items
        if len(shapes) != len(keys):
            return self._opaque(value, path)
        mapped = [
            self.value(value[key], item, f"{path}[{key!r}]")
            for key, item in zip(keys, shapes, strict=True)
        ]
        if isinstance(value, dict):
            return dict(zip(keys, mapped, strict=True))
        return type(value)(mapped)

    def _opaque(self, value: Any, path: str) -> Any:
        """Replace the leaves of a tree in which generated objects speak for themselves.

        A tree without any is visited as a whole, one without leaves not at all.
        """
        flatten = jax.tree_util.tree_flatten_with_path
        located, treedef = flatten(value, is_leaf=is_generated)
        if not located:
            return value
        if not any(is_generated(leaf) for _, leaf in located):
            return self.visit(Leaf(value, path, None, None))
        mapped: list[Any] = []
        for inner, leaf in located:
            where = path + jax.tree_util.keystr(inner)
            if is_generated(leaf):
                mapped.append(self._part(leaf, Part(), where))
            else:
                mapped.append(self.visit(Leaf(leaf, where, None, None)))
        return jax.tree_util.tree_unflatten(treedef, mapped)


def _chosen(shape: AnyOf, value: Any) -> Shape:
    """Return which of several shapes a value has; where none fits, the nearest."""
    options = [option for option in shape.options if option is not None]
    for fits in (_fits, _is_like):
        for option in options:
            if fits(option, value):
                return option
    return _NOTHING


def _fits(shape: Shape, value: Any) -> bool:
    if not _is_like(shape, value):
        return False
    if isinstance(shape, Shaped):
        ndim = getattr(value, "ndim", None)
        axes = [Axis(dim, None) for dim in shape.dims]
        return (ndim is None or fits_rank(axes, ndim)) and _has_dtype(shape, value)
    if isinstance(shape, Part):
        if not is_of(value, shape.of):
            return False
        shapes = type(value).__codegen_record__.shapes
        return shape.dims.keys() <= {*shapes.parameters, *shapes.inherited}
    return not isinstance(shape, Items) or len(shape.items) == len(value)


def _is_like(shape: Shape, value: Any) -> bool:
    """Tell whether a value is of the sort of a shape: an object, a container, a leaf."""
    match shape:
        case Part():
            return is_generated(value)
        case Items():
            return type(value) is tuple
        case Each():
            return type(value) in (tuple, list, dict)
        case Shaped():
            return _is_leaf(value)
        case Weak():
            return _is_leaf(value) and not getattr(value, "shape", ())
        case _:
            return True


def fits_rank(axes: Sequence[Axis], ndim: int) -> bool:
    """Tell whether an array may have so many axes, where these are declared."""
    variadic = any(axis.is_variadic for axis in axes)
    fixed = len(axes) - variadic
    return ndim == fixed or (variadic and ndim > fixed)


def _has_dtype(shape: Shaped, value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    return dtype is None or has_dtype(dtype, shape.dtype)


def _is_leaf(value: Any) -> bool:
    return bool(jax.tree_util.all_leaves([value]))


def _names(shapes: Shapes) -> set[str]:
    """Return the names of the dimensions that a class's own arrays and parts have."""
    found: set[str] = set()
    return found.union(*map(_names_in, shapes.fields.values()))


def _names_in(shape: "Shape | None") -> set[str]:
    """Return the names of the dimensions in a shape, as they are written there."""
    match shape:
        case Shaped():
            return _names_of(shape.dims)
        case Part():
            names = _names_of(shape.dims.values())
            return names.union(*map(_names_in, shape.types.values()))
        case Each():
            return _names_in(shape.item)
        case Items():
            return set().union(*map(_names_in, shape.items))
        case AnyOf():
            return set().union(*map(_names_in, shape.options))
        case _:
            return set()


def _names_of(dims: Iterable[Dim]) -> set[str]:
    return {name for dim in dims for name in names_of(dim)} - {"...", "_"}
