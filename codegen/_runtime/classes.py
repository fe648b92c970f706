# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The bases of generated classes: equality, hashing, copying and pickling.

    Grid(nx=4) == Grid(nx=4)            # True: the same key
    Grid(nx=1) == Grid(nx=True)         # TypeError: a bool is no int
    pickle.loads(pickle.dumps(plate))   # its key is interned anew, through the checks

What differs from class to class stands in its own module, what does not stands here.
"""

import copy
from typing import Any, ClassVar, Self

import jax

from .equality import equal_leaves
from .keys import Key
from .registration import Record


class Keyed:
    """What every generated class has: its key, beside its fields.

    Slots stand here alone, so that a class may derive from both bases below: a dynamic
    class from a static one, or a static class from an abstract one that is dynamic.
    """

    __slots__ = ("__codegen_key__", "__weakref__")

    __codegen_key__: Key
    __codegen_record__: ClassVar[Record]


class Static(Keyed):
    """A class whose fields are all static: compared and hashed by its key."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        # A key holds the class, so that two classes have no key in common.
        theirs: Any = other
        try:
            return self.__codegen_key__ is theirs.__codegen_key__
        except AttributeError:
            return NotImplemented

    def __hash__(self) -> int:
        return self.__codegen_key__.hashed

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (self.__codegen_key__, ())


class Pytree(Keyed):
    """A class with arrays: compared by class, static values and array content."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        if self.__codegen_key__ is not other.__codegen_key__:
            return False
        mine, treedef = jax.tree_util.tree_flatten(self)
        theirs, other_treedef = jax.tree_util.tree_flatten(other)
        same = bool(treedef == other_treedef)  # type: ignore[operator]
        return same and all(map(equal_leaves, mine, theirs))

    def __hash__(self) -> int:
        name = type(self).__qualname__
        raise TypeError(
            f"unhashable: a `{name}` holds arrays, whose content has no hash. Pass it "
            "to `jax.jit` as an ordinary argument, not as a static one; for a dict, "
            "use one of its static fields, or `id(...)`, as the key"
        )

    # Not left to `__reduce__`: a static base would give the object itself as its copy.
    def __copy__(self) -> Self:
        children, key = type(self).__codegen_record__.flatten(self)
        copied: Self = restore(key, children)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        children, key = type(self).__codegen_record__.flatten(self)
        copied: Self = restore(key, copy.deepcopy(children, memo))
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        children, key = type(self).__codegen_record__.flatten(self)
        return restore, (key, children)


def restore(key: Key, children: tuple[Any, ...]) -> Any:
    """Make the object of a key and children, as unpickling and copying do."""
    return key.cls.__codegen_record__.unflatten(key, children)
