"""Which axes an array has, as far as it is of the declared rank.

position(leaf, "nx")        # 0: what `plate.axes("nx")` has in the place of `u`
real_axes(leaf)             # `*batch` as often as it is there
"""

from collections.abc import Sequence

from ..leaves import Axis, Leaf
from ..shapes.declared import Dim
from ..shapes.sizes import fits_rank, is_variadic, shown_dim


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


def position(leaf: Leaf, dim: str) -> int | None:
    """Return where a dimension first is in an array: where it is twice, in its first.

    Behind `*batch` or `...` it is counted from the end, if the rank is not known.
    """
    require_rank(leaf)
    axes = leaf.axes or ()
    places = [i for i, axis in enumerate(axes) if dim == axis.dim]
    places += [i for i, axis in enumerate(axes) if dim in axis.also]
    if not places or not any(is_variadic(axis.dim) for axis in axes[: places[0]]):
        return places[0] if places else None
    # Of a leaf without rank nothing is added, and the position stays negative.
    ndim: int = getattr(leaf.value, "ndim", 0)
    return ndim - len(axes) + places[0]


def has_rank(leaf: Leaf) -> bool:
    """Tell whether an array has as many axes as declared, where both are known."""
    ndim = getattr(leaf.value, "ndim", None)
    if leaf.axes is None or ndim is None:
        return True
    return fits_rank([axis.dim for axis in leaf.axes], ndim)


def require_rank(leaf: Leaf) -> None:
    """Refuse an array of whose axes the schema says nothing, as a stack of them.

    Raises:
        ValueError: with the field's path
    """
    if has_rank(leaf):
        return
    dims = ", ".join(shown_dim(axis.dim) for axis in leaf.axes or ())
    raise ValueError(
        f"`{leaf.path}` is declared as [{dims}], and has the shape "
        f"{tuple(leaf.value.shape)}, so that its axes have no names: ask an object "
        "whose arrays are as declared; of a stack of objects, one of them"
    )


def real_axes(leaf: Leaf) -> list[Axis]:
    """Return one dimension for every axis of a leaf: `*batch` as often as it is there."""
    axes = list(leaf.axes or ())
    variadic = [index for index, axis in enumerate(axes) if is_variadic(axis.dim)]
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
        if isinstance(axis.dim, str) and not is_variadic(axis.dim) and axis.dim != "_"
    ]
