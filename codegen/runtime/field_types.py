"""The types of fields as classes, for mjx: it asks `field.type is jax.Array`.

    dataclasses.fields(Contact)[0].type    # jax.Array; in other classes a string

A mixin asks for it with `__codegen_field_types__ = True`.
"""

import dataclasses
import types
from typing import Any, Final, Union

import jax

from .declared import AnyOf, Each, Items, Part, resolved
from .keys.names import Generated

_UNION: Final[Any] = Union


def use_field_types(cls: Any) -> None:
    """Make the `type` of each field a class."""
    for field in cls.__dataclass_fields__.values():
        field.__class__ = _ResolvedField


class _ResolvedField(dataclasses.Field[Any]):
    """A field whose `type` is a class, which is looked up when it is read."""

    __slots__ = ()

    @property
    def type(self) -> Any:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """The class of its values: `jax.Array` for all leaves."""
        metadata: Any = self.metadata
        record = metadata.cls.__codegen_record__
        if self.name in record.meta_fields:
            return _python_type(record.meta_fields[self.name], object)
        return _python_type(record.data_fields.get(self.name), jax.Array)


def _python_type(declared: Any, otherwise: Any) -> Any:
    """Return the Python type of a description; `otherwise` is the type of all leaves."""
    match declared:
        case Part():
            return resolved(declared.cls)
        case AnyOf():
            options = tuple(_python_type(one, otherwise) for one in declared.options)
            return _UNION[options]
        case Items():
            items = tuple(_python_type(one, otherwise) for one in declared.items)
            return types.GenericAlias(tuple, items)
        case Each() if declared.kind is tuple:
            item = _python_type(declared.item, otherwise)
            return types.GenericAlias(tuple, (item, ...))
        case None:
            return None
        case _:
            is_class = isinstance(declared, type)
            is_static = otherwise is object
            is_kept = is_class and (is_static or issubclass(declared, Generated))
            return declared if is_kept else otherwise
