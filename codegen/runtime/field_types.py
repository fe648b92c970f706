"""The types of fields as classes, for mjx: it asks `field.type is jax.Array`.

    dataclasses.fields(Contact)[0].type    # jax.Array; in other classes a string

A mixin asks for it with `__codegen_field_types__ = True`.
"""

import dataclasses
from typing import Any

import jax

from .declared import described


def use_field_types(cls: type[Any]) -> None:
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
            return described(record.meta_fields[self.name]).python_type(object)
        return described(record.data_fields[self.name]).python_type(jax.Array)
