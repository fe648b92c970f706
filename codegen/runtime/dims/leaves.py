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

from ..classes.split import is_generated, is_of
from ..keys.dtypes import has_dtype
from ..shapes.declared import (
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
from ..shapes.sizes import names_of
from ..shapes.terms import Terms, terms_of


@dataclasses.dataclass(frozen=True, slots=True)
class Axis:
    """A declared axis of an array, or any number of them: `*batch` and `...`."""

    # As the outermost object calls it.
    dim: Dim
    # The mesh axes that it is sharded over.
    mesh: MeshAxes
    # What else it is called: a class below the declared one may have a name for it too.
    also: frozenset[Dim] = frozenset()

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
    # Whether an array of another rank would do, too: of `*batch`, `...` or a union.
    is_loose: bool = False
    # Whether it is declared as an array, which has no weak type.
    is_strong: bool = False


@dataclasses.dataclass(slots=True)
class Declared:
    """What a holder says of a part."""

    of: str | None  # the class that it speaks of
    dims: Mapping[str, Axis]
    # What replaces the leaves of each value of a type parameter, with its path.
    types: Mapping[str, Callable[[Any, str], Any]]


# Called for every leaf; returns what takes its place.
Visit: TypeAlias = Callable[[Leaf], Any]
# Called for every generated object, with the names of its dimensions.
Enter: TypeAlias = Callable[[set[str]], None]
_Terms: TypeAlias = Terms[Axis, Callable[[Any, str], Any]]

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
    return value.__codegen_map__(visit, enter, None, type(value).__qualname__)


def map_object(
    obj: Any,
    visit: Visit,
    enter: Enter | None,
    declared: Declared | None,
    path: str,
) -> Any:
    """Replace the leaves of an object that may be part of another one.

    Args:
        obj: an object of a class of this package
        visit: see `map_leaves`
        enter: see `map_leaves`
        declared: what its holder says of it; None: it has no holder
        path: where it is
    """
    record = type(obj).__codegen_record__
    shapes: Shapes = record.shapes
    placing = _Placing(visit, enter, shapes, is_outermost=declared is None)
    given = declared or Declared(None, {}, {})
    name = record.name
    found = terms_of(shapes, name, given.of, Terms(given.dims, given.types), placing)
    walks = {name: _Walk(visit, enter, shapes, terms) for name, terms in found.items()}
    written = {
        field: base for base, one in shapes.bases.items() for field in one.fields
    }
    if enter is not None:
        enter(_names(shapes, walks, name, written))
    children, key = record.flatten(obj)
    fields = shapes.fields
    mapped: list[Any] = []
    for field, child in zip(record.data_fields, children, strict=True):
        walk = walks[written.get(field, name)]
        where = f"{path}.{field}"
        mapped.append(walk.value(child, fields.get(field, _NOTHING), where))
    return record.unflatten(key, tuple(mapped))


@dataclasses.dataclass(slots=True)
class _Placing:
    """Dimensions as axes, types as what replaces the leaves of their values."""

    visit: Visit
    enter: Enter | None
    shapes: Shapes
    is_outermost: bool

    def free(self, name: str) -> Axis:
        return Axis(name, self.shapes.mesh.get(name)) if self.is_outermost else _UNKNOWN

    def dim(self, dim: Dim, terms: _Terms) -> Axis:
        return self._walk(terms).axis(dim)

    def type(self, shape: Shape, terms: _Terms) -> Callable[[Any, str], Any]:
        return functools.partial(self._walk(terms).typed, shape)

    def same_dim(self, given: Axis, said: Axis) -> Axis:
        if said is _UNKNOWN or given == said:
            return given
        also = (given.also | {said.dim} | said.also) - {given.dim, "_"}
        return Axis(given.dim, given.mesh or said.mesh, also)

    def same_type(
        self, given: Callable[[Any, str], Any], said: Callable[[Any, str], Any]
    ) -> Callable[[Any, str], Any]:
        # The class of the object says it more exactly.
        return said

    def _walk(self, terms: _Terms) -> "_Walk":
        return _Walk(self.visit, self.enter, self.shapes, terms)


@dataclasses.dataclass(slots=True)
class _Walk:
    visit: Visit
    enter: Enter | None
    shapes: Shapes
    terms: _Terms
    # Whether it is within a union that has arrays of several ranks.
    in_union: bool = False
    # And within one that has a Python number, which has a weak type.
    or_number: bool = False

    def axis(self, dim: Dim) -> Axis:
        """Return a dimension as the outermost object knows it."""
        if isinstance(dim, int):
            return Axis(dim, None)
        if isinstance(dim, tuple):
            left, operator, right = dim
            sides = self.axis(left).dim, self.axis(right).dim
            return (
                _UNKNOWN if "_" in sides else Axis((sides[0], operator, sides[1]), None)
            )
        if dim == "_":
            return _UNKNOWN
        return self.terms.dims.get(dim) or Axis(dim, self.shapes.mesh.get(dim))

    def value(self, value: Any, shape: Shape, path: str) -> Any:
        """Replace the leaves of a value that is declared with a shape."""
        if isinstance(shape, AnyOf):
            in_union = self.in_union or _has_several_ranks(shape)
            or_number = self.or_number or any(
                isinstance(o, Weak) for o in shape.options
            )
            walk = dataclasses.replace(self, in_union=in_union, or_number=or_number)
            return walk.value(value, _chosen(shape, value), path)
        if isinstance(shape, Given) and shape.parameter in self.terms.types:
            return self.terms.types[shape.parameter](value, path)
        if is_generated(value):
            return self._part(value, shape if isinstance(shape, Part) else Part(), path)
        if isinstance(shape, Each | Items) and type(value) in (tuple, list, dict):
            return self._items(value, shape, path)
        if isinstance(shape, Shaped | Weak) and _is_leaf(value):
            declared = shape if isinstance(shape, Shaped) else _SCALAR
            axes = tuple(map(self.axis, declared.dims))
            is_loose = self.in_union or any(axis.is_variadic for axis in axes)
            is_strong = declared is shape and not self.or_number
            return self.visit(
                Leaf(value, path, axes, declared.spec, is_loose, is_strong)
            )
        return self._opaque(value, path)

    def typed(self, shape: Shape, value: Any, path: str) -> Any:
        """Replace the leaves of a value of a type parameter that is this shape."""
        return self.value(value, shape, path)

    def _part(self, obj: Any, part: Part, path: str) -> Any:
        dims = {name: self.axis(dim) for name, dim in part.dims.items()}
        types = {n: functools.partial(self.typed, s) for n, s in part.types.items()}
        declared = Declared(part.of, dims, types)
        return obj.__codegen_map__(self.visit, self.enter, declared, path)

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


def _has_several_ranks(shape: AnyOf) -> bool:
    """Tell whether arrays of several ranks fit a union, those of containers too."""
    options = [o for o in shape.options if not (o is None or isinstance(o, Part))]
    ranks = {len(o.dims) if isinstance(o, Shaped) else None for o in options}
    return len(ranks) > 1 or (None in ranks and len(options) > 1)


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
        return is_of(value, shape.of)
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


def _names(
    shapes: Shapes, walks: Mapping[str, _Walk], own: str, written: Mapping[str, str]
) -> set[str]:
    """Return what the outermost object calls the dimensions of an object's class."""
    axes = [walks[own].axis(name) for name in shapes.sizes]
    for field, shape in shapes.fields.items():
        axes += map(walks[written.get(field, own)].axis, _names_in(shape))
    dims = {dim for axis in axes for dim in (axis.dim, *axis.also)}
    return {dim for dim in dims if isinstance(dim, str) and dim not in ("...", "_")}


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
