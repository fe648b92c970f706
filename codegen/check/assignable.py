"""Check whether a value is of a type, and coerce it as a constructor would.

coerce(<1>, <float>, program)         ->    <1.0>
coerce(<"0.01">, <float>, program)    ->    Misfit(<"0.01">, "`float`", "write a number, such as `0.5`")
out_of_range(300, "int8")             ->    "a number from -128 to 127"
out_of_range(2**53 + 1, "float64")    ->    ""; an array takes the nearest number
is_exact(2**53 + 1)                   ->    False; a Python float, which is a key, does not
"""

from __future__ import annotations

import operator
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from codegen.check.narrower import is_subclass
from codegen.program import nodes, types
from codegen.program.mutable import default_help
from codegen.program.nodes import Program, Value
from codegen.program.types import Ref, Type
from codegen.schema.scope import a_or_an, counted, listed
from codegen.schema.vocabulary import KINDS_OF_SEVERAL, PLAIN_TYPES, number_of

# The advice for a number as the default of an array; `init` may be able to create the array.
NO_AXES: Final = "a number has no axes: remove the default"


class Misfit(Struct, frozen=True):
    """The part of a value that does not fit its type."""

    value: Value
    expected: str  # in words; empty where no default is possible
    advice: str = ""


_Coerced: TypeAlias = Value | Misfit


# --- values


def coerce(value: Value, type: Type, program: Program) -> Value | Misfit:
    """Return a value as a constructor converts it to a type, or the part of it that
    does not fit.
    """
    if isinstance(value, nodes.FactoryCall):
        return value  # type checkers compare the function's result with the type
    match type:
        case types.Union():
            return _coerce_to_member(value, type, program)
        case types.Sequence() | types.FixedTuple():
            return _coerce_items(value, type, program)
        case types.Mapping():
            return _coerce_entries(value, type, program)
        case types.ClassType():
            if isinstance(value, nodes.Construction) and is_subclass(program, value.ref, type.ref):
                return value
            expected = a_or_an(_format_expected(type.ref, value, "not"))
            return Misfit(value, expected, f"call the class: `{type.ref.name}(...)`")
        case types.Anything() | types.TypeParameter():
            return value
        case types.Callable() | types.External() | types.Identity():
            return (
                value
                if isinstance(value, nodes.Imported)
                else Misfit(value, "", _NAME_ADVICE[type.__class__])
            )
        case types.Array():
            return _coerce_to_array(value, type)
        case types.Scalar():
            return _coerce_to_scalar(value, type)
        case _:
            return _check_plain_value(value, type, program)


def coerce_checked(value: Value, type: Type, program: Program) -> Value:
    """Return a value of a checked program as a constructor converts it to its type."""
    coerced = coerce(value, type, program)
    assert not isinstance(coerced, Misfit), coerced
    return coerced


def _coerce_to_member(value: Value, type: types.Union, program: Program) -> _Coerced:
    results = [coerce(value, member, program) for member in type.members]
    fitting = [one for one in results if not isinstance(one, Misfit)]
    if fitting:
        # A member that takes the value unchanged goes first.
        return next((one for one in fitting if one is value), fitting[0])
    expected = dict.fromkeys(m.expected for m in results if isinstance(m, Misfit) and m.expected)
    advice = "write a value that the type allows, or add the type of this value to the annotation"
    return Misfit(value, " or ".join(expected), advice)


def _coerce_items(
    value: Value, type: types.Sequence | types.FixedTuple, program: Program
) -> _Coerced:
    container = type.container if isinstance(type, types.Sequence) else "tuple"
    if container == "list":
        return Misfit(value, "", default_help(type, "static"))
    if not isinstance(value, nodes.Collection) or value.container != container:
        tuple_help = "write `(a, b)`, or `(a,)` for a single item"
        advice = tuple_help if container == "tuple" else "write `frozenset((a, b))`"
        return Misfit(value, f"a {container}", advice)
    if isinstance(type, types.FixedTuple):
        elements = type.elements
    else:
        count = type.size.value if isinstance(type.size, types.Size) else len(value.items)
        elements = (type.element,) * count
    if len(value.items) != len(elements):
        advice = "give one value for each type, or write `tuple[T, ...]` for any number"
        return Misfit(value, f"a tuple of {counted(len(elements), 'item')}", advice)
    items = _coerce_all(value.items, elements, program)
    if isinstance(items, Misfit):
        return items
    return value if items is value.items else replace(value, items=items)


def _coerce_entries(value: Value, type: types.Mapping, program: Program) -> _Coerced:
    if type.container == "dict":
        return Misfit(value, "", default_help(type, "static"))
    if not isinstance(value, nodes.Entries):
        return Misfit(value, "a frozendict", 'write `frozendict({"a": 1})`')
    flat = tuple(one for pair in value.items for one in pair)
    coerced = _coerce_all(flat, (type.key, type.value) * len(value.items), program)
    if isinstance(coerced, Misfit) or coerced is flat:
        return coerced if isinstance(coerced, Misfit) else value
    return replace(value, items=tuple(zip(coerced[::2], coerced[1::2], strict=True)))


def _coerce_all(
    values: tuple[Value, ...], wanted: tuple[Type, ...], program: Program
) -> tuple[Value, ...] | Misfit:
    """Coerce each value to its type. Return the first misfit, or `values` itself if nothing
    changes.
    """
    coerced: list[Value] = []
    for value, type in zip(values, wanted, strict=True):
        result = coerce(value, type, program)
        if isinstance(result, Misfit):
            return result
        coerced.append(result)
    return values if all(map(operator.is_, coerced, values)) else tuple(coerced)


_NAME_ADVICE: Final[dict[object, str]] = {
    types.Callable: "write the name of an imported function, or `T | None = None`",
    types.External: "import the value and write its name, such as `module.NAME`: codegen knows nothing "
    "about this type",
    types.Identity: 'write an imported name, or `field(factory="module:function")`',
}


def _check_plain_value(value: Value, type: Type, program: Program) -> _Coerced:
    """Return a value without parts, which no constructor converts."""
    constant = value.value if isinstance(value, nodes.Constant) else ...
    match type:
        case types.NoneType():
            return value if constant is None else Misfit(value, "`None`", "write `None`")
        case types.Literals():
            if any(v == constant and v.__class__ is constant.__class__ for v in type.values):
                return value
            expected = "one of " + ", ".join(ascii(v) for v in type.values)
            return Misfit(value, expected, f"write {expected}")
        case types.EnumType():
            if isinstance(value, nodes.EnumMember) and value.ref == type.ref:
                return value
            expected = f"a member of `{_format_expected(type.ref, value, 'not of')}`"
            return Misfit(value, expected, _members_help(type.ref, program))
        case types.PlainType():
            plain = PLAIN_TYPES[type.name]
            is_one = isinstance(value, nodes.DTypeName if plain.default else nodes.Imported)
            return value if is_one else Misfit(value, plain.default, plain.advice)
        case _:
            return Misfit(value, "another value", "write a value of this type")


def _format_expected(ref: Ref, value: Value, joint: str) -> str:
    """Return the name of an expected class or enum. If the given one has the same name, qualify
    both.
    """
    if isinstance(value, nodes.EnumMember | nodes.Construction):
        wanted, given = types.display_names(ref, value.ref)
        if wanted not in (ref.name, given):
            return f"{wanted}`, {joint} `{given}"
    return ref.name


def _members_help(ref: Ref, program: Program) -> str:
    names = [f"{ref.name}.{member.name}" for member in program.enums[ref].members]
    return f"write {listed(names, 'or')}" if names else "add a member to the enum, which has none"


# --- numbers and text

_ACCEPTED: Final[dict[str, tuple[type[object], ...]]] = {
    "bool": (bool,),
    "bytes": (bytes,),
    "complex": (int, float, complex),
    "float": (int, float),
    "int": (int,),
    "str": (str,),
}
_EXAMPLES: Final = {
    "bool": "write `True` or `False`",
    "bytes": 'write `b"..."`',
    "complex": "write a number, such as `1 + 2j`",
    "float": "write a number, such as `0.5`",
    "int": "write an integer, such as `3`",
    "str": 'write `"..."`',
}
# Types of values for a 0-d array that are not Python scalars.
_NUMBERS: Final = {
    "bool": "`True` or `False`",
    "complex": "a number",
    "float": "a real number",
    "int": "an integer",
}


def _coerce_to_scalar(value: Value, type: types.Scalar) -> _Coerced:
    if not isinstance(value, nodes.Constant) or not _is_scalar(value.value, type.name):
        return Misfit(value, f"`{type.name}`", _EXAMPLES[type.name])
    is_inexact = isinstance(value.value, int) and not is_exact(value.value)
    if is_inexact and type.name in ("float", "complex"):
        expected = f"a number that `{type.name}` can represent exactly"
        return Misfit(
            value, expected, "write the nearest float, such as `1e16`, or use the type `int`"
        )
    return _widen(value, type.name)


def _is_scalar(value: object, name: str) -> bool:
    # Compare the exact class, since `True` is an `int` in Python.
    return value.__class__ in _ACCEPTED[name]


def _widen(value: nodes.Constant, name: str) -> nodes.Constant:
    """Convert an int or a float to a wider number type, given by name."""
    if name not in ("float", "complex") or value.value.__class__.__name__ == name:
        return value
    assert isinstance(value.value, int | float)
    return replace(value, value=float(value.value) if name == "float" else complex(value.value))


def _coerce_to_array(value: Value, type: types.Array) -> _Coerced:
    """Return a number for a 0-d array if the dtype can hold it."""
    if type.is_ref:
        instead = 'or write `field(factory="module:function")` for a field'
        return Misfit(value, "", f"remove the default: a Ref is created from an array, {instead}")
    if type.dtype == "key":
        return Misfit(value, "", "remove the default: create a key with `jax.random.key`")
    if any(not isinstance(dim, types.AnyDims | types.Batch) for dim in type.shape):
        return Misfit(value, "", NO_AXES)
    scalar = number_of(type.dtype)
    is_bool = (
        type.dtype == "Shaped"
        and isinstance(value, nodes.Constant)
        and value.value.__class__ is bool
    )
    if not isinstance(value, nodes.Constant) or not (is_bool or _is_scalar(value.value, scalar)):
        return Misfit(value, _NUMBERS[scalar], _EXAMPLES[scalar])
    assert isinstance(value.value, bool | int | float | complex)
    if expected := out_of_range(value.value, type.dtype):
        return Misfit(value, expected, "write a value in this range, or use another dtype")
    return _widen(value, _number_type_for(value.value, type.dtype))


def _number_type_for(value: complex, dtype: str) -> str:
    """Return the name of the Python number type from which an array of a dtype or kind
    is created.
    """
    if dtype not in KINDS_OF_SEVERAL:
        return number_of(dtype)
    return "float" if dtype == "Inexact" and isinstance(value, int) else value.__class__.__name__


# --- ranges of numbers

# The least number that each dtype rounds to a value that is not finite.
_TOO_LARGE: Final = {
    "bfloat16": float.fromhex("0x1.feffffp+127"),
    "float16": 65520.0,
    "float32": float.fromhex("0x1.ffffffp+127"),
    "float8_e4m3b11fnuz": 31.0,
    "float8_e4m3fn": float.fromhex("0x1.d000000000001p+8"),
    "float8_e4m3fnuz": 248.0,
    "float8_e5m2": 61440.0,
    "float8_e5m2fnuz": 61440.0,
}


def is_exact(value: int) -> bool:
    """Return whether a float is exactly this number, as static values require."""
    try:
        return int(float(value)) == value
    except OverflowError:
        return False


def out_of_range(value: complex, dtype: str) -> str:
    """Return the range of an array's dtype or kind, in words, if a number is outside of it."""
    kind = dtype.lower()
    if kind == "bool" or value.__class__ is bool:
        return ""
    is_whole = kind in ("real", "num", "shaped") and value.__class__ is int
    if kind.startswith(("int", "uint")) or is_whole:
        low, high = _integer_range("int" if is_whole else kind)
        assert isinstance(value, int)
        return "" if low <= value <= high else f"a number from {low} to {high}"
    parts = (value.real, value.imag)
    limit = _TOO_LARGE.get("float32" if kind == "complex64" else kind)
    if limit is None:
        return "" if all(_is_finite(part) for part in parts) else "a number below 1.8e308"
    if all(abs(part) < limit for part in parts):
        return ""
    return f"a finite number of {kind}, below {limit:.8g}"


def _is_finite(value: float) -> bool:
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _integer_range(kind: str) -> tuple[int, int]:
    """Return the integers that a dtype holds; for a kind, those of 64 bits."""
    bits = int(kind.lstrip("uint") or "64")
    return (0, 2**bits - 1) if kind.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
