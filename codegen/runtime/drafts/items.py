# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Item assignment through a draft: `draft.at.u[i] = x`, `draft.at.u[i] += x`.

    draft.at.u[0, 1:] = 0.0         # draft.u = draft.u.at[0, 1:].set(0.0)
    draft.at.u[index] *= 2.0        # draft.u = draft.u.at[index].set(draft.u[index] * 2)
    draft.at.u[draft.u < 0] = 0.0   # draft.u = jnp.where(draft.u < 0, 0, draft.u)

With a mask and a scalar nothing depends on how many items the mask selects, so that this
works in traces too, where JAX's own masks do not. An index that occurs more than once is
written once, as NumPy does it.
"""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, overload

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from .state import DraftError, Node, Twin
from .values import as_strong_array

At_co = TypeVar("At_co", bound="DraftAt", covariant=True)


class DraftAt:
    """What drafts have as `at`: their arrays, by items."""

    __slots__ = ("__codegen_node__",)

    __codegen_node__: Node

    def __init__(self, draft: Twin) -> None:
        object.__setattr__(self, "__codegen_node__", draft.__codegen_node__)

    if not TYPE_CHECKING:
        # Type checkers are to know the declared arrays and no others.

        def __getattr__(self, name: str) -> "Items":
            if name == "__codegen_node__" or name not in self.__codegen_node__.cells:
                raise AttributeError(f"a draft's `at` has no array `{name}`")
            return Items(self.__codegen_node__, name)

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise AttributeError(
                f"items are assigned with an index, as `draft.at.{name}[i] = ...`, and "
                f"the whole array as `draft.{name} = ...`"
            )


class ItemsOf(Generic[At_co]):
    """The `at` of every draft, whose type each of them says to type checkers."""

    if TYPE_CHECKING:

        def __init__(self, cls: type[At_co]) -> None: ...

    @overload
    def __get__(self, draft: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, draft: Twin, owner: type[Any]) -> At_co: ...
    def __get__(self, draft: Twin | None, owner: type[Any]) -> Any:
        return self if draft is None else DraftAt(draft)


class Items:
    """The items of one array of a draft."""

    __slots__ = ("_name", "_node")

    def __init__(self, node: Node, name: str) -> None:
        self._node = node
        self._name = name

    def __getitem__(self, index: Any) -> "Item":
        self._node.require(self._name, "read")
        return Item(self, index)

    def __setitem__(self, index: Any, value: "ArrayLike | Item") -> None:
        self._node.require_writable(self._name)
        if isinstance(value, Item):
            if value.items is self and value.is_for(index):
                self._node.cells[self._name].value = value.updated
                return
            value = value.value()
        self._node.cells[self._name].value = self.with_items(index, value)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            text = f"the items of an array have no `{name}`"
            if not name.startswith("_") and isinstance(self.held(), Twin):
                part = self._name
                text = (
                    f"{self._node.place(part)} is a part with arrays of its own: write "
                    f"`draft.{part}.at.{name}[...]`"
                )
            raise AttributeError(text, name=name, obj=self)

    def held(self) -> Any:
        """Return what the field holds now."""
        return self._node.cells[self._name].value

    def array(self) -> Array:
        """Return the array as it is now."""
        self._node.require_alive(self._name)
        value = self.held()
        if value is None:
            raise DraftError(
                f"{self._node.place(self._name)} is None, and has no items"
            )
        if isinstance(value, Twin) or not jax.tree_util.all_leaves([value]):
            raise DraftError(self._refusal(value))
        return jnp.asarray(value)

    def _refusal(self, value: Any) -> str:
        """Say of what is no array how it is changed."""
        name = self._name
        place = self._node.place(name)
        if isinstance(value, Twin):
            return (
                f"{place} is a part with arrays of its own: write "
                f"`draft.{name}.at.FIELD[...]`"
            )
        return (
            f"{place} holds a {type(value).__name__}, which is assigned as a whole: "
            f"write `draft.{name} = ...`"
        )

    def with_items(self, index: Any, value: Any) -> Array:
        """Return the array as it is now with some items set."""
        return self.set_in(self.array(), index, value)

    def set_in(self, array: Array, index: Any, value: Any) -> Array:
        """Return an array with some items set."""
        value = self.converted(value, array)
        if is_mask(index) and value.ndim == 0:
            return jnp.where(_expanded(index, array), value, array)
        return array.at[index].set(value)

    def converted(self, value: Any, array: Array) -> Array:
        """Bring a value to the array's dtype; refuse another dtype."""
        is_key = jnp.issubdtype(array.dtype, jax.dtypes.extended)
        declared = "key" if is_key else np.dtype(array.dtype).name
        owner = self._node.key.cls
        converted: Array = as_strong_array(value, declared, owner, f"{self._name}[...]")
        return converted


class Item:
    """What stands at an index, for `+=` and its like."""

    __slots__ = ("array", "before", "index", "items", "updated")

    def __init__(self, items: Items, index: Any) -> None:
        self.items = items
        self.index = index
        # What the draft held when the items were read.
        self.before: Any = items.held()
        self.array = items.array()
        # The whole array, once an operator has been at work.
        self.updated: Array | None = None

    def is_for(self, index: Any) -> bool:
        """Tell whether an operator made all that an assignment would make now."""
        if self.updated is None or self.items.held() is not self.before:
            return False
        return _is_same(index, self.index)

    def value(self) -> Array:
        """Return the items as an array."""
        array = self.array if self.updated is None else self.updated
        return array[self.index]

    def _update(self, operate: Callable[[Any, Any], Any], other: ArrayLike) -> Self:
        array = self.array if self.updated is None else self.updated
        if is_mask(self.index) and jnp.ndim(other) == 0:
            # What is not selected is 1 meanwhile: of another number the result may be a
            # NaN, which `where` would leave out, and its gradient would not.
            mask = _expanded(self.index, array)
            both = (jnp.where(mask, x, _one(x)) for x in (array, other))
            changed = self.items.converted(operate(*both), array)
            self.updated = jnp.where(mask, changed, array)
        else:
            changed = operate(array[self.index], other)
            self.updated = self.items.set_in(array, self.index, changed)
        return self

    def __iadd__(self, other: ArrayLike) -> Self:
        return self._update(operator.add, other)

    def __isub__(self, other: ArrayLike) -> Self:
        return self._update(operator.sub, other)

    def __imul__(self, other: ArrayLike) -> Self:
        return self._update(operator.mul, other)

    def __itruediv__(self, other: ArrayLike) -> Self:
        return self._update(operator.truediv, other)

    def __ifloordiv__(self, other: ArrayLike) -> Self:
        return self._update(operator.floordiv, other)

    def __imod__(self, other: ArrayLike) -> Self:
        return self._update(operator.mod, other)

    def __ipow__(self, other: ArrayLike) -> Self:
        return self._update(operator.pow, other)

    def __iand__(self, other: ArrayLike) -> Self:
        return self._update(operator.and_, other)

    def __ior__(self, other: ArrayLike) -> Self:
        return self._update(operator.or_, other)

    def __ixor__(self, other: ArrayLike) -> Self:
        return self._update(operator.xor, other)

    def __ilshift__(self, other: ArrayLike) -> Self:
        return self._update(operator.lshift, other)

    def __irshift__(self, other: ArrayLike) -> Self:
        return self._update(operator.rshift, other)


def _is_same(one: Any, other: Any) -> bool:
    """Tell whether two indices are one; `u[a:b] += x` may make its slice twice."""
    if type(one) is slice and type(other) is slice:
        pairs = (one.start, other.start), (one.stop, other.stop), (one.step, other.step)
        return all(map(operator.is_, *zip(*pairs, strict=True)))
    return one is other


def _one(value: Any) -> Any:
    """Return 1 of a value's type, as weak as that is."""
    if isinstance(value, bool | int | float | complex):
        return type(value)(1)
    return jnp.ones((), jnp.asarray(value).dtype)


def is_mask(index: Any) -> bool:
    """Tell whether an index is one array of booleans."""
    return getattr(index, "dtype", None) == np.bool_ and getattr(index, "ndim", 0) > 0


def _expanded(mask: Any, array: Array) -> Array:
    """Give a mask of the leading axes as many axes as the array."""
    if mask.shape != array.shape[: mask.ndim]:
        raise IndexError(
            f"a mask of shape {mask.shape} selects nothing of an array of shape "
            f"{array.shape}: it has the shape of the array or of its leading axes"
        )
    return jnp.reshape(mask, (*mask.shape, *[1] * (array.ndim - mask.ndim)))
