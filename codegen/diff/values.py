"""Whether two defaults are the same value: Python's `==` considers `1`, `1.0` and `True` equal.

static[Any] = 1      ->  static[Any] = 1.0      # another value, and another key
static[float] = 1    ->  static[float] = 1.0    # the same: the type makes 1.0 of both
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.check.assignable import Misfit, coerce, coerce_checked
from codegen.check.equality import Equality
from codegen.diff.comparison import Comparison
from codegen.program import nodes, types
from codegen.program.nodes import Class, ClassConstant, Field, Parameter, Program, Value
from codegen.program.types import Ref


def is_same_default(
    comparison: Comparison, old: Field | Parameter, new: Field | Parameter, *, retyped: bool
) -> bool:
    """Return whether omitting an argument means the same as before.

    If the type changed, that is reported already. Then a changed coercion of the same text is not
    reported again.
    """
    if old.default is None or new.default is None:
        return old.default is new.default
    if retyped and is_same_value(comparison, old.default, new.default):
        return True
    before = _held(old.default, old, comparison.old)
    return is_same_value(comparison, before, _held(new.default, new, comparison.new))


def is_same_constant(comparison: Comparison, old: ClassConstant, new: ClassConstant) -> bool:
    """Return whether a class constant kept its value."""
    before = coerce_checked(old.value, old.type, comparison.old)
    return is_same_value(comparison, before, coerce_checked(new.value, new.type, comparison.new))


def is_same_value(comparison: Comparison, old: Value | None, new: Value | None) -> bool:
    """Return whether two values are the same as written, even if their classes were renamed."""
    if old is None or new is None:
        return old is new
    before = _VersionEquality(comparison.old, comparison=comparison, is_old=True)
    after = _VersionEquality(comparison.new, comparison=comparison, is_old=False)
    return before.exact_key(old) == after.exact_key(new)


def _held(value: Value, place: Field | Parameter, program: Program) -> Value:
    """Return what a field or parameter contains when it is given a value."""
    is_converted = isinstance(place, Field) and place.convert is not None
    # A method passes its arguments on unchanged. The result of a converter is unknown.
    if place.role is None or is_converted:
        return value
    if place.role != "static" and isinstance(place.type, types.Union):
        # The first member that accepts the value converts it. In a static union, the value's own
        # type has priority.
        coerced = (coerce(value, member, program) for member in place.type.members)
        return next((one for one in coerced if not isinstance(one, Misfit)), value)
    return coerce_checked(value, place.type, program)


class _VersionEquality(Equality, frozen=True, eq=False, kw_only=True):
    """Maps values to keys that are equal if the two versions mean the same."""

    comparison: Comparison
    is_old: bool

    def compared_ref(self, ref: Ref) -> Ref:
        """Return the new name of a class or enum."""
        return self.comparison.new_ref(ref) if self.is_old else ref

    def construction_key(self, call: nodes.Construction) -> object:
        """Return a comparable key for the result of a constructor call."""
        return self.compared_ref(call.ref), frozenset(self._arguments(call))

    def _arguments(self, call: nodes.Construction) -> Iterator[tuple[str, object]]:
        """Yield the field values that the call gives, by their new names."""
        node = self.program.classes[call.ref]
        fields = {field.name: field for field in node.fields}
        names = self._new_names(node)
        by_position = zip((f.name for f in node.positional), call.arguments, strict=False)
        for name, value in (*by_position, *call.keywords):
            yield names.get(name, name), self.exact_key(_held(value, fields[name], self.program))

    def _new_names(self, node: Class) -> dict[str, str]:
        new = self.comparison.new.classes.get(self.compared_ref(node.ref)) if self.is_old else None
        if new is None:
            return {}
        now = self.comparison.fields_now(node, new)
        return {name: field.name for name, field in now.items()}
