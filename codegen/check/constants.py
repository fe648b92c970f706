"""Values as constructors bring them to their types; no constructor does it for class constants.

rate: ClassVar[float] = 1                ->    1.0
rates: ClassVar[tuple[float, ...]] = (1, 2)    ->    (1.0, 2.0)
"""

from __future__ import annotations

from msgspec.structs import replace

from codegen.program import types
from codegen.program.nodes import (
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    Imported,
    Items,
    Made,
    Value,
)
from codegen.program.types import Type
from codegen.schema.vocabulary import KINDS_OF_SEVERAL, number_of


def brought(value: Value, type: Type) -> Value:
    """Return a value that fits a type as a constructor would bring it to the type."""
    found = brought_or_none(value, type)
    assert found is not None, (value, type)
    return found


def brought_or_none(value: Value, type: Type) -> Value | None:
    """Bring a value to a type in a field or a constant; None where it is none of the type."""
    match type, value:
        case types.Union(), _:
            found = [brought_or_none(value, member) for member in type.members]
            fitting = [one for one in found if one is not None]
            # A member that takes it as it is goes first.
            return next((one for one in fitting if _same(one, value)), (*fitting, None)[0])
        case _, Imported() | Made():
            return value
        case types.Scalar(), Constant():
            return _scalar(value, type.name)
        case types.Array(), Constant():
            return _number(value, type.dtype)
        case types.Sequence(), Items() if value.container == type.container:
            return _items(value, (type.element,) * len(value.items))
        case types.FixedTuple(), Items(container="tuple"):
            return _items(value, type.elements) if len(value.items) == len(type.elements) else None
        case types.Mapping(), Entries():
            keys = _several(tuple(k for k, _ in value.items), (type.key,) * len(value.items))
            values = _several(tuple(v for _, v in value.items), (type.value,) * len(value.items))
            if keys is None or values is None:
                return None
            return replace(value, items=tuple(zip(keys, values, strict=True)))
        case types.NoneType(), Constant():
            return value if value.value is None else None
        case types.Literals(), Constant():
            return value if any(_is(value.value, v) for v in type.values) else None
        case types.EnumType(), EnumMember():
            return value if value.ref == type.ref else None
        case (types.ClassType(), Construction()) | (types.DType(), DTypeName()):
            return value
        case types.Anything() | types.TypeParameter(), _:
            return value
        case _:
            return None


def _items(value: Items, elements: tuple[Type, ...]) -> Items | None:
    items = _several(value.items, elements)
    return None if items is None else replace(value, items=items)


def _several(values: tuple[Value, ...], elements: tuple[Type, ...]) -> tuple[Value, ...] | None:
    found = [brought_or_none(v, t) for v, t in zip(values, elements, strict=True)]
    fitting = tuple(one for one in found if one is not None)
    return fitting if len(fitting) == len(found) else None


_WIDENED = {"float": (int, float), "complex": (int, float, complex)}


def _scalar(value: Constant, name: str) -> Constant | None:
    given = value.value
    if given.__class__.__name__ == name:
        return value
    if given.__class__ not in _WIDENED.get(name, ()):
        return None
    assert isinstance(given, int | float)
    try:
        number = float(given)
    except OverflowError:
        return value
    return replace(value, value=number if name == "float" else complex(number))


def _number(value: Constant, dtype: str) -> Constant | None:
    """Bring a number to a dtype, or to what a kind of dtypes has for numbers of its type."""
    if dtype not in KINDS_OF_SEVERAL:
        return _scalar(value, number_of(dtype))
    if dtype == "Inexact" and isinstance(value.value, int):
        return _scalar(value, "float")
    return value if isinstance(value.value, int | float | complex) else None


def _same(one: Value, other: Value) -> bool:
    """Say whether nothing was brought to another type: `1` and `1.0` are equal to Python."""
    match one, other:
        case Constant(), Constant():
            return _is(one.value, other.value)
        case Items(), Items():
            return all(map(_same, one.items, other.items))
        case Entries(), Entries():
            pairs = zip(one.items, other.items, strict=True)
            return all(_same(a, b) for p, q in pairs for a, b in zip(p, q, strict=True))
        case _:
            return True


def _is(one: object, other: object) -> bool:
    return one.__class__ is other.__class__ and one == other
