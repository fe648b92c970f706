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
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, TypeAlias

import jax

from ..keys.names import has_dtype, is_generated, is_of
from ..shapes.declared import (
    AnyOf,
    Dim,
    Each,
    Given,
    Items,
    MeshAxes,
    Opaque,
    Parent,
    Part,
    Shape,
    Shaped,
    Shapes,
    Weak,
)


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


# Called for every leaf; returns what takes its place.
Visit: TypeAlias = Callable[[Leaf], Any]
# Replaces the leaves of a value of a type parameter, with its path.
_Replace: TypeAlias = Callable[[Any, str], Any]


# Not frozen, as one is made for each object of a walk: to fill a frozen one takes longer.
@dataclasses.dataclass(slots=True)
class Terms:
    """What the parameters of a class are, where an object is."""

    of: str | None  # the class
    dims: dict[str, Axis]
    types: dict[str, _Replace]


_NOTHING: Final = Opaque()
_SCALAR: Final = Shaped("Shaped")
_UNKNOWN: Final = Axis("_", None)


def map_leaves(value: Any, visit: Visit) -> Any:
    """Replace the leaves of an object.

    Args:
        value: an object of a generated class
        visit: called for every leaf, and for every subtree without generated objects of
            which the schema says nothing; returns what takes its place
    """
    return value.__codegen_map__(visit, None, type(value).__qualname__)


def map_object(obj: Any, visit: Visit, declared: Terms | None, path: str) -> Any:
    """Replace the leaves of an object that may be part of another one.

    Args:
        obj: an object of a class of this package
        visit: see `map_leaves`
        declared: what its holder says of it; None: it has no holder
        path: where it is
    """
    record = type(obj).__codegen_record__
    shapes: Shapes = record.shapes
    walks = _walks(record.schema, shapes, visit, declared)
    written = {
        field: base for base, one in shapes.bases.items() for field in one.fields
    }
    children, key = record.flatten(obj)
    mapped: list[Any] = []
    for field, child in zip(record.data_fields, children, strict=True):
        walk = walks[written.get(field, record.schema)]
        where = f"{path}.{field}"
        mapped.append(walk.value(shapes.fields.get(field, _NOTHING), child, where))
    return record.unflatten(key, tuple(mapped))


@dataclasses.dataclass(slots=True)
class _Walk:
    """A walk through what is written in the terms of one class."""

    visit: Visit
    shapes: Shapes
    terms: Terms
    # Whether it is within a union that has arrays of several ranks.
    in_union: bool = False

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

    def value(self, shape: Shape, value: Any, path: str) -> Any:
        """Replace the leaves of a value that is declared with a shape."""
        if isinstance(shape, AnyOf):
            in_union = self.in_union or _has_several_ranks(shape)
            walk = dataclasses.replace(self, in_union=in_union)
            return walk.value(_chosen(shape, value), value, path)
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
            return self.visit(Leaf(value, path, axes, declared.spec, is_loose))
        return self._opaque(value, path)

    def _part(self, obj: Any, part: Part, path: str) -> Any:
        dims = {name: self.axis(dim) for name, dim in part.dims.items()}
        types: dict[str, _Replace] = {
            name: functools.partial(self.value, inner)
            for name, inner in part.types.items()
        }
        # A class without names of its own may still hold what its holder has named.
        mapped = getattr(type(obj), "__codegen_map__", map_object)
        return mapped(obj, self.visit, Terms(part.of, dims, types), path)

    def _items(self, value: Any, shape: Each | Items, path: str) -> Any:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        shapes = [shape.item] * len(keys) if isinstance(shape, Each) else shape.items
        if len(shapes) != len(keys):
            return self._opaque(value, path)
        mapped = [
            self.value(item, value[key], f"{path}[{key!r}]")
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


def _walks(
    own: str, shapes: Shapes, visit: Visit, declared: Terms | None
) -> dict[str, _Walk]:
    """Return a walk in the terms of each class of an object's chain, its own first.

        class Base(dims=(a, b)): w: dynamic[f32[a, b]]
        class Mid(Base[b, a], dims=(a, b)): v: dynamic[f32[a, b]]
        class Hold: p: dynamic[Base[x, y]]

    A holder speaks of the class that it declares, and an object may be of one below that.
    Of a `Mid` in `p` the terms of `Base`, in which `w` is written, are a=x, b=y, as the
    holder says; those of `Mid`, in which `v` is, are b=x, a=y, as follows from `Base[b, a]`.
    """
    chain = [own, *shapes.bases]
    bases = list(shapes.bases.values())
    known = [Terms(name, {}, {}) for name in chain]
    if declared is not None and declared.of in chain:
        place = chain.index(declared.of)
        known[place] = declared
        for i in range(place, 0, -1):
            names = bases[i - 2].dims if i > 1 else shapes.parameters
            _learn(known[i - 1], names, bases[i - 1], known[i])
    free = {} if declared is None else dict.fromkeys(shapes.parameters, _UNKNOWN)
    walk = _Walk(visit, shapes, Terms(own, free | known[0].dims, known[0].types))
    walks = {own: walk}
    for (name, base), said in zip(shapes.bases.items(), known[1:], strict=True):
        walk = walks[name] = _Walk(visit, shapes, _terms_above(walk, base, said))
    return walks


def _learn(below: Terms, names: Collection[str], base: Parent, known: Terms) -> None:
    """Learn of a class's own parameters, of some names, from those of its base."""
    for name, dim in base.dims.items():
        if name in known.dims and isinstance(dim, str) and dim in names:
            said = known.dims[name]
            below.dims[dim] = _same(below.dims.get(dim, said), said)
    for name, shape in base.types.items():
        if name in known.types and isinstance(shape, Given):
            below.types.setdefault(shape.parameter, known.types[name])


def _terms_above(below: _Walk, base: Parent, known: Terms) -> Terms:
    """Return the terms of a base, by those of the class that derives from it."""
    dims: dict[str, Axis] = {}
    for name, dim in base.dims.items():
        said = below.axis(dim)
        dims[name] = _same(known.dims.get(name, said), said)
    types = dict(known.types)
    for name, shape in base.types.items():
        if not isinstance(shape, Given):
            # The class of the object says it more exactly.
            types[name] = functools.partial(below.value, shape)
        elif shape.parameter in below.terms.types:
            types.setdefault(name, below.terms.types[shape.parameter])
    return Terms(known.of, dims, types)


def _same(given: Axis, said: Axis) -> Axis:
    """Return an axis by what a holder says, and a class below the declared one."""
    if said is _UNKNOWN or given == said:
        return given
    also = (given.also | {said.dim} | said.also) - {given.dim, "_"}
    return Axis(given.dim, given.mesh or said.mesh, also)


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
