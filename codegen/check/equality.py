"""Which values of a schema are the same: equal to Python, or equal as keys.

frozenset((1, True))    ->    one member twice: Python takes them for equal
(1, 1.0)                ->    two keys, as the types differ
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from codegen.check.assignable import Misfit, coerce
from codegen.program import nodes
from codegen.program.nodes import Enum, Field, Program, Value
from codegen.program.types import Ref

# The enums whose members are equal to their values.
_NUMBERS_AND_TEXTS = ("IntEnum", "IntFlag", "StrEnum")


class Equality(Struct, frozen=True, eq=False):
    """Maps values to objects that are equal where the values are.

    Python silently keeps the first of equal members, so the schema would list more members than
    there are. Classes and frozendicts compare exactly; everything else as in Python.
    """

    program: Program
    # A small number for each object, and for the defaults of fields: this keeps large values small.
    _numbers: dict[object, int] = field(default_factory=dict[object, int])
    _defaults: dict[tuple[Ref, str], object] = field(default_factory=dict[tuple[Ref, str], object])

    def python_key(self, value: Value) -> object:
        """Return an object that is equal where Python finds the values equal."""
        match value:
            case nodes.Constant():
                return (value.value,)
            case nodes.EnumMember():
                enum = self.program.enums[value.ref]
                if enum.kind in _NUMBERS_AND_TEXTS:
                    return self.python_key(enum_values(enum)[value.member])
                return self.exact_key(value)
            case nodes.Collection():
                return _collection_key(value, self.python_key)
            case _:
                return self.exact_key(value)

    def exact_key(self, value: Value) -> object:
        """Return an object that is equal where the values are the same key."""
        match value:
            case nodes.Constant():
                # All NaNs have the same text. The text of a zero includes its sign.
                return value.value.__class__, repr(value.value)
            case nodes.EnumMember():
                return self.compared_ref(value.ref), value.member
            case nodes.Collection():
                return _collection_key(value, self.exact_key)
            case nodes.Entries():
                # The order of a frozendict is part of its key.
                pairs = ((self.exact_key(key), self.exact_key(held)) for key, held in value.items)
                return "frozendict", tuple(pairs)
            case nodes.Construction():
                return self.construction_key(value)
            case nodes.DTypeName():
                return "dtype", value.dtype
            case nodes.Imported():
                return "imported", value.module, value.name
            case nodes.FactoryCall():
                return "made", value.module, value.attribute

    def compared_ref(self, ref: Ref) -> Ref:
        """Return the name under which a class or enum is compared."""
        return ref

    def construction_key(self, call: nodes.Construction) -> object:
        """Return a number for each object."""
        content = call.ref, tuple(self._arguments(call))
        return "object", self._numbers.setdefault(content, len(self._numbers))

    def _arguments(self, call: nodes.Construction) -> Iterator[tuple[str, object]]:
        """Yield the fields of an object; an omitted one has its default."""
        node = self.program.classes[call.ref]
        names = [field.name for field in node.positional]
        by_name = dict(zip(names, call.arguments, strict=False))
        # A surplus argument is reported separately, and makes the call equal to no other.
        yield from (("", self.exact_key(one)) for one in call.arguments[len(names) :])
        by_name.update(call.keywords)
        for one in node.fields:
            if one.name in by_name:
                yield one.name, self.exact_key(self._stored_value(by_name[one.name], one))
            elif one.default is not None:
                place = call.ref, one.name
                if place not in self._defaults:
                    self._defaults[place] = ...  # for a default that leads back to itself
                    self._defaults[place] = self.exact_key(self._stored_value(one.default, one))
                yield one.name, self._defaults[place]

    def _stored_value(self, value: Value, place: Field) -> Value:
        """Return the value that a field stores for a given value."""
        # The result of a converter is unknown, but equal values have equal results.
        held = value if place.convert is not None else coerce(value, place.type, self.program)
        return value if isinstance(held, Misfit) else held


def _collection_key(value: nodes.Collection, of: Callable[[Value], object]) -> tuple[str, object]:
    items = map(of, value.items)
    return value.container, frozenset(items) if value.container == "frozenset" else tuple(items)


def enum_values(node: Enum) -> dict[str, Value]:
    """Return the values of an enum's members, with `auto()` counted as in Python."""
    values: dict[str, Value] = {}
    largest: float | None = None
    for member in node.members:
        value = member.value or _auto_value(node, member.name, largest)
        if isinstance(value, nodes.Constant) and isinstance(value.value, int | float):
            largest = value.value if largest is None else max(largest, value.value)
        values[member.name] = value
    return values


def _auto_value(node: Enum, name: str, largest: float | None) -> nodes.Constant:
    """Return the value of `auto()` after a largest value."""
    if node.kind == "StrEnum":
        return nodes.Constant(name.lower())
    if largest is None:
        return nodes.Constant(1)
    return nodes.Constant(2 ** int(largest).bit_length() if "Flag" in node.kind else largest + 1)
