"""Refuse mixins that would make a class differ from its schema.

    check_mixins("Wave", Doubling)      # before the class: is it a mixin at all?

    class Wave(Doubling, Pytree): ...

    check_members(Wave)                 # after it: do both define something?

A mixin comes before the package's own bases, so its `__repr__` and its operators have
precedence. It could silently hide members that the generated code needs, or be hidden
by them.
"""

import dataclasses
from typing import Any, Final

import jax

from .classes.subclasses import clash_with, is_checked_base, mixin_fault
from .declared import described

_RULES: Final = (
    "Either move the mixin to a module that imports generated modules only under "
    "`TYPE_CHECKING`. Or, if the output folder is inside its package, import the "
    "generated class below everything that the schema imports from that module, and "
    "import that module first in the package's `__init__`"
)


def explain_import(error: ImportError, module: str) -> None:
    """Add advice to the error of a circular import."""
    if "partially initialized" in error.msg and _RULES not in error.msg:
        error.msg += (
            f". `{module}` imports names from a module that imports it. {_RULES}"
        )


def check_mixins(name: str, *mixins: Any) -> None:
    """Refuse a class that is no mixin, and an order of bases that is impossible."""
    for place, mixin in enumerate(mixins, 1):
        if fault := mixin_fault(mixin):
            raise _refused(name, mixin, fault)
        for other in mixins[place:]:
            # Some classes override `issubclass`.
            if mixin in other.__mro__:
                derived = f"the later mixin `{other.__qualname__}` derives from it"
                raise _refused(name, mixin, f"{derived}: remove `{mixin.__qualname__}`")


def check_members(cls: type[Any]) -> None:
    """Refuse mixins, including inherited ones, that define a generated member."""
    for mixin in cls.__mro__:
        fault = "" if is_checked_base(mixin) else clash_with(cls, mixin)
        if fault:
            raise _refused(cls.__qualname__, mixin, f"both define {fault}")
    if hasattr(cls, "__codegen_field_types__"):
        _use_field_types(cls)


def _refused(name: str, mixin: object, fault: str) -> TypeError:
    shown = getattr(mixin, "__qualname__", None) or repr(mixin)
    of = f" of `{mixin.__module__}`" if hasattr(mixin, "__module__") else ""
    return TypeError(f"`{name}` cannot have the mixin `{shown}`{of}: {fault}")


# --- the types of fields as classes, for mjx: it asks `field.type is jax.Array`


def _use_field_types(cls: type[Any]) -> None:
    """Make the `type` of each field a class: for a mixin with
    `__codegen_field_types__ = True`.
    """
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
