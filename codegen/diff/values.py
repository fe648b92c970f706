"""Whether two defaults are one value: Python's `==` takes `1`, `1.0` and `True` for the same.

static[Any] = 1      ->  static[Any] = 1.0      # another value, and another key
static[float] = 1    ->  static[float] = 1.0    # the same: the type makes 1.0 of both
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from codegen.check.assignable import Misfit, coerce, coerced
from codegen.diff.comparison import Comparison
from codegen.program import types
from codegen.program.nodes import (
    Class,
    ClassConstant,
    Collection,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    FactoryCall,
    Field,
    Imported,
    Parameter,
    Program,
    Value,
)
from codegen.program.types import Ref


def is_same_default(
    comparison: Comparison, old: Field | Parameter, new: Field | Parameter, *, retyped: bool
) -> bool:
    """Whether what is left out means the same as before.

    What a type that is another one, as is said then, makes of the same text is not said again.
    """
    if old.default is None or new.default is None:
        return old.default is new.default
    if retyped and is_same_value(comparison, old.default, new.default):
        return True
    before = _held(old.default, old, comparison.old)
    return is_same_value(comparison, before, _held(new.default, new, comparison.new))


def is_same_constant(comparison: Comparison, old: ClassConstant, new: ClassConstant) -> bool:
    """Whether a class constant has the value that it had."""
    before = coerced(old.value, old.type, comparison.old)
    return is_same_value(comparison, before, coerced(new.value, new.type, comparison.new))


def is_same_value(comparison: Comparison, old: Value | None, new: Value | None) -> bool:
    """Whether two values are the same as they stand, whatever their classes are called."""
    if old is None or new is None:
        return old is new
    before = _Exact(comparison, comparison.old, is_old=True)
    after = _Exact(comparison, comparison.new, is_old=False)
    return before.of(old) == after.of(new)


def _held(value: Value, place: Field | Parameter, program: Program) -> Value:
    """What a field or parameter holds of a value that is given for it."""
    is_converted = isinstance(place, Field) and place.convert is not None
    # A method passes on what it is given; nobody knows what a converter returns.
    if place.role is None or is_converted:
        return value
    if place.role != "static" and isinstance(place.type, types.Union):
        # The first member that takes it converts it; a static one that it is of goes first.
        found = (coerce(value, member, program) for member in place.type.members)
        return next((one for one in found if not isinstance(one, Misfit)), value)
    return coerced(value, place.type, program)


class _Exact(Struct, frozen=True):
    """Makes of a value what is equal where the two versions mean the same."""

    comparison: Comparison
    program: Program
    is_old: bool

    def of(self, value: Value) -> object:
        match value:
            case EnumMember():
                return self._ref(value.ref), value.member
            case DTypeName():
                return "dtype", value.dtype
            case Collection(container="frozenset"):
                return "frozenset", sorted(map(self.of, value.items), key=repr)
            case Collection():
                return "tuple", list(map(self.of, value.items))
            case Entries():
                # The order of a frozendict is part of its key.
                return "frozendict", [(self.of(key), self.of(held)) for key, held in value.items]
            case Imported():
                return "imported", value.module, value.name
            case FactoryCall():
                return "made", value.module, value.attribute
            case Construction():
                return self._ref(value.ref), sorted(self._arguments(value), key=repr)
            case _:
                # A NaN has the text of every other; zeros have that of their sign.
                return value.value.__class__.__name__, repr(value.value)

    def _ref(self, ref: Ref) -> Ref:
        return self.comparison.new_ref(ref) if self.is_old else ref

    def _arguments(self, call: Construction) -> Iterator[tuple[str, object]]:
        """What the call gives to fields, by their new names."""
        node = self.program.classes[call.ref]
        fields = {field.name: field for field in node.fields}
        names = self._new_names(node)
        by_position = zip((f.name for f in node.positional), call.arguments, strict=False)
        for name, value in (*by_position, *call.keywords):
            yield names.get(name, name), self.of(_held(value, fields[name], self.program))

    def _new_names(self, node: Class) -> dict[str, str]:
        new = self.comparison.new.classes.get(self._ref(node.ref)) if self.is_old else None
        if new is None:
            return {}
        now = self.comparison.fields_now(node, new)
        return {name: field.name for name, field in now.items()}
