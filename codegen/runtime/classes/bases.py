# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The bases of generated classes: equality, hashing, copying, pickling and checking.

What differs from class to class stands in its own module, what does not stands here.
"""

import copy
import importlib
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from ..keys.interning import TraceKey, intern_key, reduced
from ..keys.messages import pretty
from ..shapes.check import check_shapes
from .registration import Record
from .trees import like, same_tree


class Keyed:
    """What every generated class has: its key, beside its fields.

    Slots stand here alone, so that a class may derive from both bases below: a dynamic
    class from a static one, or a static class from an abstract one that is dynamic.
    """

    __slots__ = ("__codegen_key__", "__weakref__")

    __codegen_key__: TraceKey
    __codegen_record__: ClassVar[Record]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # What is generated has a constructor of its own, before it has a record.
        if hasattr(cls, "__codegen_record__") and "__new__" not in vars(cls):
            inherited: Any = cls.__new__
            if not getattr(inherited, "__isabstractmethod__", False):
                type.__setattr__(cls, "__new__", _refuse_subclass)

    def __repr__(self) -> str:
        # Once for all classes: `dataclass` would compile one for each, on import.
        return pretty(self)

    if TYPE_CHECKING:
        # It is made when the class is registered; pyright is not told of the one that
        # `dataclass` makes where the constructor is written out.
        def __replace__(self, /, **changes: Any) -> Self:
            raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def check(self) -> Self:
        """Hold every array, nested ones too, against its declared dtype and shape.

        Within an object one dimension has one size. Returns the object itself.

        Raises:
            ValueError: says the field by its path, and what was expected and found
        """
        check_shapes(self)
        return self

    def fingerprint(self) -> str:
        """Return a digest of the schema and of the static values, nested ones too.

        64 hexadecimal digits, the same in every process and on every Python.
        """
        # A feature of its own, which is written where a schema names a mesh axis.
        mesh = importlib.import_module("..mesh", __package__)
        digest: str = mesh.fingerprint(self)
        return digest


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


class Pytree(Keyed):
    """A class with arrays: compared by class, static values and array content."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        is_alike = self.__codegen_key__ is other.__codegen_key__
        return is_alike and same_tree(self, other)

    def __hash__(self) -> int:
        name = type(self).__qualname__
        raise TypeError(
            f"unhashable: a `{name}` holds arrays, whose content has no hash. Pass it "
            "to `jax.jit` as an ordinary argument, not as a static one; for a dict, "
            "use one of its static fields, or `id(...)`, as the key"
        )

    # Not left to `__reduce__`: a static base would give the object itself as its copy.
    def __copy__(self) -> Self:
        record = type(self).__codegen_record__
        children, key = record.flatten(self)
        copied: Self = record.unflatten(key, children)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        record = type(self).__codegen_record__
        children, key = record.flatten(self)
        copied: Self = record.unflatten(key, copy.deepcopy(children, memo))
        return copied

    def like(self, leaf: Any, /, **fields: Any) -> Self:
        """Return an object of the same structure with other values in it, unchecked.

        `plate.like(None, u=0)` is what in_axes, masks and labels take.

        Args:
            leaf: what stands in the place of every leaf
            fields: in place of whole fields, dynamic and donated ones: a value, an
                object like what the field holds, or one value for all of it

        Raises:
            TypeError: there is no such field, or it is static
        """
        made: Self = like(self, leaf, fields)
        return made


def _refuse_subclass(cls: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Stand in for the constructor that `@dataclass` would give a Python subclass.

    It would ask for the fields of the generated class by Python's own TypeError.
    """
    intern_key(cls, (), ())
    raise AssertionError
