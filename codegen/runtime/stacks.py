"""Stack several objects into one, whose arrays have a leading axis, and unstack one.

layers = stack([first, second])  # what a field `stacked[Block, layers]` holds
first, second = unstack(layers)
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp

from .classes.values import diff, same_tree
from .keys.messages import Text, format_line, format_shape
from .keys.names import content_of, in_ref_like, is_generated

T = TypeVar("T")


def stack(objects: Iterable[T]) -> T:
    """Return an object whose arrays stack those of several objects along a new first
    axis.

    Raises:
        ValueError: there are no objects, or two differ in a static value, in structure,
            or in the dtype or shape of an array; the error names the place
    """
    several = list(objects)
    if not several:
        raise ValueError("`stack` needs at least one object")
    shapes = [jax.tree.map(lambda x: Text(format_shape(x)), one) for one in several]
    first = shapes[0]
    for i, one in enumerate(shapes):
        if not same_tree(first, one):
            why = " != ".join(format_line(each)[:60] for each in (first, one))
            if is_generated(one) and type(one) is type(first):
                why = repr(diff(first, one))
            raise ValueError(
                f"`stack` needs objects of the same structure, but objects 0 and {i} "
                f"differ: {why}"
            )

    def stacked(*column: object) -> object:
        array = _of_leaves(lambda *one: jnp.stack(one), *map(content_of, column))
        return in_ref_like(column[0], array)

    result: T = jax.tree_util.tree_map(stacked, *several)
    return result


def unstack(obj: T) -> tuple[T, ...]:
    """Return the objects along the first axis of an object's arrays.

    Raises:
        ValueError: its arrays have no common leading axis; the error names them
    """
    located, treedef = jax.tree_util.tree_flatten_with_path(obj)
    sizes = {jax.tree_util.keystr(p): getattr(x, "shape", ())[:1] for p, x in located}
    if len({*sizes.values()}) != 1 or () in sizes.values():
        # The first path of each size.
        first_paths = {size: path for path, size in reversed(sizes.items())}
        text = " and ".join(f"{path} {[*size]}" for size, path in first_paths.items())
        kind = type(obj).__qualname__
        raise ValueError(
            "`unstack` needs arrays with a first axis of the same size, but this "
            f"`{kind}` has {text or 'no arrays'}"
        )
    rows = zip(*(_unstacked(leaf) for _, leaf in located), strict=True)
    return tuple(jax.tree_util.tree_unflatten(treedef, row) for row in rows)


def _unstacked(leaf: object) -> list[Any]:
    return [in_ref_like(leaf, one) for one in _of_leaves(_items, content_of(leaf))]


def _items(array: Any) -> list[Any]:
    # By index: iterating over an array moves its items to one device. JAX does not
    # index along an explicit axis of a mesh.
    laid: Any = jax.typeof(array).sharding
    reshard: Any = jax.sharding.reshard
    if laid.spec and laid.spec[0] is not None:
        spec = type(laid.spec)(None, *laid.spec[1:])
        array = reshard(array, laid.update(spec=spec))
    return [array[i] for i in range(array.shape[0])]


def _of_leaves(function: Callable[..., Any], *leaves: object) -> Any:
    """Call a function; for `jax.ShapeDtypeStruct`s return its abstract result."""
    is_abstract = any(isinstance(leaf, jax.ShapeDtypeStruct) for leaf in leaves)
    return jax.eval_shape(function, *leaves) if is_abstract else function(*leaves)
