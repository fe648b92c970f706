# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Where a dimension is: `plate.axes("nx")`, for `vmap`.

plate.axes("nx")        # Plate(u=0, alpha=0, t=None, grid=..., ...)
axes = (plate.axes("nx"), None)
jax.vmap(step, in_axes=axes, out_axes=plate.axes("nx"))(plate, dt)
"""

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

import jax

from ..keys.messages import mistyped
from ..keys.names import is_generated
from ..shapes.declared import AnyOf, Dim, Each, Items, Part, Shape, Shaped, Shapes
from ..shapes.sizes import names_of, shown_dim
from .leaves import Axis, Leaf, fits_rank, map_leaves


class Sizes:
    """The sizes of an object's dimensions, to find arrays that lack one of their axes.

    An array of `*batch`, `...` or a union fits its declaration even where `vmap` has taken
    one of its axes, and another axis stands in its place. It is taken to be as declared
    where its dimensions are of one size in the whole object, and no array that has them
    is of another rank than declared. So the wrong axis is meant only where all arrays of
    the dimension are such, and all of them lack the same.
    """

    def __init__(self) -> None:
        self._found: dict[Dim, set[int]] = {}
        # The dimensions of arrays that are not as declared.
        self._doubtful: set[Dim] = set()

    def collect(self, leaf: Leaf) -> None:
        """Take the sizes of a leaf."""
        if not has_rank(leaf):
            self._doubtful.update(axis.dim for axis in leaf.axes or ())
            return
        for dim, size in _sized(leaf):
            self._found.setdefault(dim, set()).add(size)

    def agree(self, leaf: Leaf) -> bool:
        """Tell whether a leaf of `*batch`, `...` or a union is taken to be as declared."""
        return all(
            dim not in self._doubtful and self._found[dim] == {size}
            for dim, size in _sized(leaf)
        )


def axes_of(obj: Any, dim: Any) -> Any:
    """Return the object with the position of a dimension in place of every array.

    Raises:
        TypeError: the dimension is given by something else than its name
        ValueError: the object has no such dimension
    """
    if not isinstance(dim, str):
        name = f"{type(obj).__qualname__}.axes"
        raise mistyped(dim, name, "dim", "the name of a dimension", 'write `"nx"`')
    found: list[int] = []

    def position(leaf: Leaf) -> int | None:
        place = _position(leaf, dim)
        if place is not None:
            found.append(place)
        return place

    axes = map_leaves(obj, position)
    if not found or dim in ("_", "..."):
        known = _known(obj)
        if dim not in known:
            raise _unknown(type(obj).__qualname__, dim, known)
    return axes


def has_rank(leaf: Leaf) -> bool:
    """Tell whether an array has as many axes as declared, where both are known."""
    ndim = getattr(leaf.value, "ndim", None)
    return leaf.axes is None or ndim is None or fits_rank(leaf.axes, ndim)


def require_rank(leaf: Leaf) -> None:
    """Refuse an array of whose axes the schema says nothing, as a stack of them.

    Raises:
        ValueError: with the field's path
    """
    if has_rank(leaf):
        return
    raise ValueError(
        f"`{leaf.path}` is declared as [{shown_dims(leaf.axes or ())}], and has the "
        f"shape {tuple(leaf.value.shape)}, so that its axes have no names: ask an "
        "object whose arrays are as declared; of a stack of objects, one of them"
    )


def shown_dims(axes: tuple[Axis, ...]) -> str:
    """Show dimensions as a schema writes them: `nx + 1, ny`."""
    return ", ".join(shown_dim(axis.dim) for axis in axes)


def real_axes(leaf: Leaf) -> list[Axis]:
    """Return one dimension for every axis of a leaf: `*batch` as often as it is there."""
    axes = list(leaf.axes or ())
    variadic = [index for index, axis in enumerate(axes) if axis.is_variadic]
    if not variadic:
        return axes
    (index,) = variadic
    ndim = getattr(leaf.value, "ndim", None)
    behind = axes[index + 1 :]
    if ndim is None:
        if any(axis.mesh for axis in behind):
            raise ValueError(
                f"`{leaf.path}` holds {type(leaf.value).__qualname__}, no array, so that "
                f"nobody knows how many axes `{axes[index].dim}` stands for: ask an "
                "object of arrays or of `jax.ShapeDtypeStruct`"
            )
        return axes[:index]
    several = [Axis(axes[index].dim, None)] * (ndim - len(axes) + 1)
    return [*axes[:index], *several, *behind]


def _sized(leaf: Leaf) -> list[tuple[Dim, int]]:
    """Return the sizes of the dimensions of a leaf that have names."""
    shape: Sequence[int] = getattr(leaf.value, "shape", ())
    axes = real_axes(leaf) if shape else []
    return [
        (axis.dim, size)
        for axis, size in zip(axes, shape, strict=False)
        if isinstance(axis.dim, str) and not axis.is_variadic and axis.dim != "_"
    ]


def _position(leaf: Leaf, dim: str) -> int | None:
    """Return where a dimension first is in an array: where it is twice, in its first.

    Behind `*batch` or `...` it is counted from the end, if the rank is not known.
    """
    require_rank(leaf)
    axes = leaf.axes or ()
    position = _first(dim, axes)
    if position is None:
        return None
    if not any(axis.is_variadic for axis in axes[:position]):
        return position
    # Of a leaf without rank nothing is added, and the position stays negative.
    ndim: int = getattr(leaf.value, "ndim", 0)
    return ndim - len(axes) + position


def _first(dim: str, axes: tuple[Axis, ...]) -> int | None:
    places = [i for i, axis in enumerate(axes) if dim == axis.dim]
    places += [i for i, axis in enumerate(axes) if dim in axis.also]
    return places[0] if places else None


def _known(obj: Any, *, is_outermost: bool = True) -> set[str]:
    """Return the names of an object's dimensions, of arrays that it lacks too."""
    record = type(obj).__codegen_record__
    shapes: Shapes = record.shapes
    bases = shapes.bases.values()
    said = [*shapes.fields.values(), *(Part(base.dims, base.types) for base in bases)]
    known = set(shapes.sizes).union(*map(_names_in, said))
    known -= {"...", "_"}.union(*(base.dims for base in bases))
    # What a part's class calls its parameters, its holder does not know.
    own = set(shapes.parameters)
    known = known | own if is_outermost else known - own
    children, _ = record.flatten(obj)
    for part in jax.tree_util.tree_leaves(children, is_leaf=is_generated):
        if is_generated(part):
            known |= _known(part, is_outermost=False)
    return known


def _names_in(shape: "Shape | None") -> set[str]:
    """Return the names of the dimensions in a shape, as they are written there."""
    dims: Iterable[Dim] = ()
    inner: Iterable[Shape | None] = ()
    match shape:
        case Shaped():
            dims = shape.dims
        case Part():
            dims, inner = shape.dims.values(), shape.types.values()
        case Each():
            inner = (shape.item,)
        case Items():
            inner = shape.items
        case AnyOf():
            inner = shape.options
        case _:
            pass
    names = {name for dim in dims for name in names_of(dim)}
    return names.union(*map(_names_in, inner))


def _unknown(name: str, dim: str, known: set[str]) -> ValueError:
    if f"*{dim}" in known:
        return ValueError(
            f"`{name}` has `*{dim}`, any number of axes under one name, so that there "
            f"is no one position of `{dim}`: map over a dimension with a name of its own"
        )
    names = sorted(each for each in known if not each.startswith("*"))
    near = difflib.get_close_matches(dim, names, n=1)
    meant = f": did you mean `{near[0]}`?" if near else "."
    listed = ", ".join(f"`{each}`" for each in names) or "none with a name"
    return ValueError(f"`{name}` has no dimension `{dim}`{meant} It has {listed}")
