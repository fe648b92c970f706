"""Convert values that are assigned to a draft's field, or to items of it.

    draft.t = 1                     # a 0-d array of float32, as the constructor makes it
    draft.t = x                     # TypeError where x is of another dtype
    draft.at.u[0, 1:] = 0.0         # draft.u = draft.u.at[0, 1:].set(0.0)
    draft.at.u[index] *= 2.0        # draft.u = draft.u.at[index].set(draft.u[index] * 2)
    draft.at.u[draft.u < 0] = 0.0   # draft.u = jnp.where(draft.u < 0, 0, draft.u)

The constructor accepts arrays of any dtype, and `check()` checks them. A draft accepts
only the declared dtype: its values pass through loops, where another dtype causes an
error far from its origin. No value is weakly typed, so none causes a second trace.

With a mask and a scalar, nothing depends on the number of selected items. So this works
in traces too, where JAX's own masks do not. An index that occurs more than once is
written once, as in NumPy.
"""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from ..classes.values import CONVERTED, as_array, without_weak_type
from ..containers import Leaves
from ..converters import as_part, as_scalar
from ..keys.messages import Owner, a_or_an, describe_array_type, mistyped
from ..keys.names import has_dtype, is_kind, is_ref
from ..shapes import SCALARS, dtype_remedy
from .state import AnyDraft, DraftError, DraftNode, assigned_object, is_draft


def _array(value: object, declared: str, owner: Owner, path: str) -> Any:
    """Convert to an array of a dtype or of a kind; refuse another dtype."""
    if type(value) in CONVERTED:
        return as_array(value, declared, owner, path)
    dtype = getattr(value, "dtype", None)
    if dtype is None or not has_dtype(dtype, declared):
        remedy = dtype_remedy(value, declared)
        raise mistyped(value, owner, path, describe_array_type(declared), remedy)
    is_numpy = isinstance(value, np.ndarray | np.generic)
    return jnp.asarray(value) if is_numpy else without_weak_type(value)


def _scalar(value: object, kind: type[Any], owner: Owner, path: str) -> object:
    """Convert to a number of a type, or a 0-d array of it; refuse another dtype."""
    scalar = as_scalar(value, kind, owner, path)
    dtype = getattr(scalar, "dtype", None)
    if dtype is not None and not is_kind(dtype, SCALARS[kind.__name__][1]):
        wanted = f"{a_or_an(kind.__name__)} or a 0-d array of that kind"
        remedy = dtype_remedy(value, kind.__name__)
        raise mistyped(value, owner, path, wanted, remedy)
    return scalar


def _part(value: Any, kind: type[Any], owner: Owner, path: str) -> object:
    """Convert an object of a generated class, or its draft."""
    held = assigned_object(value) if is_draft(value) else value
    return as_part(held, kind, owner, path)


def without_drafts(value: object, owner: Owner, path: str) -> object:
    """Replace each draft in a value of any kind by its current object."""
    leaves, treedef = jax.tree_util.tree_flatten(value, is_leaf=is_draft)
    objects = [assigned_object(leaf) if is_draft(leaf) else leaf for leaf in leaves]
    is_same = all(map(operator.is_, objects, leaves))
    return value if is_same else jax.tree_util.tree_unflatten(treedef, objects)


LEAVES: Final = Leaves(_array, _scalar, _part, without_drafts)


# --- items


class DraftAt:
    """The `at` of a draft, which gives access to items of its arrays."""

    __slots__ = ("__codegen_of__",)

    __codegen_of__: DraftNode

    def __init__(self, draft: AnyDraft) -> None:
        object.__setattr__(self, "__codegen_of__", draft.__codegen_node__)

    if not TYPE_CHECKING:
        # Type checkers must see only the declared arrays.

        def __getattr__(self, name: str) -> "Items":
            if name == "__codegen_of__" or name not in self.__codegen_of__.cells:
                raise AttributeError(f"a draft's `at` has no array `{name}`")
            return Items(self.__codegen_of__, name)

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise AttributeError(
                f"cannot assign to `draft.at.{name}`. Write `draft.at.{name}[i] = ...` for "
                f"items, or `draft.{name} = ...` for the whole array"
            )


class Items:
    """The items of one array of a draft."""

    __slots__ = ("_name", "_node")

    def __init__(self, node: DraftNode, name: str) -> None:
        self._node = node
        self._name = name

    def __getitem__(self, index: object) -> "Item":
        self._node.require(self._name, "read")
        return Item(self, index)

    def __setitem__(self, index: object, value: "ArrayLike | Item") -> None:
        self._node.require_writable(self._name)
        array, is_whole = self.array(), False
        if isinstance(value, Item):
            is_whole = value.masks(self, index)
            value = value.value if is_whole else value.selected()
        new: Any = value if is_whole else self.converted(value)
        mask = _mask(index, array)
        if mask is not None and (is_whole or new.ndim == 0):
            array = jnp.where(mask, new, array)
        else:
            array = array.at[index].set(new)
        self._node.cells[self._name].value = array

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(
                f"`draft.at.{self._name}` has no attribute `{name}`. If `draft.{self._name}` "
                f"is an object, write `draft.{self._name}.at.{name}[...]`",
                name=name,
                obj=self,
            )

    def array(self) -> Array:
        """Return the current array."""
        value, name = self._node.read(self._name), self._name
        if is_ref(value):
            raise DraftError(
                f"{self._node.place(name)} is a Ref: write its content in place, "
                f"`draft.{name}[index] = value`"
            )
        if is_draft(value) or value is None or not jax.tree_util.all_leaves([value]):
            whole = f"Assign the whole value with `draft.{name} = ...`"
            items = (
                f", or assign to one of its arrays: `draft.{name}.at.FIELD[...] = ...`"
            )
            raise DraftError(
                f"{self._node.place(name)} is not an array, so `draft.at.{name}[...]` is not "
                f"possible. {whole}{items if is_draft(value) else ''}"
            )
        return jnp.asarray(value)

    def converted(self, value: object) -> Array:
        """Convert a value to the array's dtype; refuse another dtype."""
        dtype = self.array().dtype
        is_key = is_kind(dtype, jax.dtypes.extended)
        name = "key" if is_key else np.dtype(dtype).name
        array: Array = _array(value, name, self._node.key.cls, f"{self._name}[...]")
        return array


def _in_place(operate: Callable[..., Any]) -> "Callable[[Item, ArrayLike], Item]":
    """Return a method that applies an operator to items and keeps the result in their
    place.
    """

    def update(self: "Item", other: ArrayLike) -> "Item":
        if jnp.ndim(other):
            self.value, self.mask = self.selected(), None
        both: list[Any] = [self.value, other]
        if self.mask is not None:
            # Items that are not selected are 1 meanwhile. Another number may give a
            # NaN: `where` would discard it, but not its gradient.
            both = [jnp.where(self.mask, x, jnp.ones_like(x, shape=())) for x in both]
        self.value = self.items.converted(operate(*both))
        return self

    return update


class Item:
    """The items at an index, for `+=` and similar operators."""

    __slots__ = ("index", "items", "mask", "value")

    def __init__(self, items: Items, index: object) -> None:
        self.items, self.index = items, index
        array = items.array()
        # The mask, until an operator has computed an array of only the selected items.
        # Until then the value is the whole array.
        self.mask = _mask(index, array)
        self.value: Array = array[index] if self.mask is None else array

    def masks(self, items: Items, index: object) -> bool:
        """Return whether its value is a whole array in which a mask selects these
        items.
        """
        return self.mask is not None and items is self.items and index is self.index

    def selected(self) -> Array:
        """Return the items as an array."""
        return self.value if self.mask is None else self.value[self.index]

    __iadd__ = _in_place(operator.add)
    __isub__ = _in_place(operator.sub)
    __imul__ = _in_place(operator.mul)
    __itruediv__ = _in_place(operator.truediv)
    __ifloordiv__ = _in_place(operator.floordiv)
    __imod__ = _in_place(operator.mod)
    __ipow__ = _in_place(operator.pow)
    __iand__ = _in_place(operator.and_)
    __ior__ = _in_place(operator.or_)
    __ixor__ = _in_place(operator.xor)
    __ilshift__ = _in_place(operator.lshift)
    __irshift__ = _in_place(operator.rshift)


def _mask(index: Any, array: Array) -> Array | None:
    """Return an index that is a boolean array with as many axes as the array it selects
    from.
    """
    if getattr(index, "dtype", None) != np.bool_ or not index.ndim:
        return None
    if index.shape != array.shape[: index.ndim]:
        raise IndexError(
            f"a mask of shape {index.shape} does not fit an array of shape "
            f"{array.shape}: it must have the shape of the array, or of its leading "
            "axes"
        )
    return jnp.reshape(index, (*index.shape, *[1] * (array.ndim - index.ndim)))
