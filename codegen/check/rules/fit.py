"""Whether a value is one of a type.

misfit(inspection, <"0.01">, <float>)    ->    Misfit(<"0.01">, "`float`")
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codegen.check.rule import Inspection
from codegen.check.rules.ranges import is_exact, out_of_range
from codegen.program.mutable import default_help
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
from codegen.program.types import (
    AnyDims,
    Anything,
    Array,
    Batch,
    Callable,
    ClassType,
    DType,
    EnumType,
    External,
    FixedTuple,
    Identity,
    Literals,
    Mapping,
    NoneType,
    Ref,
    Scalar,
    Sequence,
    Size,
    Type,
    TypeParameter,
    Union,
    apart,
)
from codegen.schema.scope import a_or_an, listed
from codegen.schema.vocabulary import number_of

# What is said where an array cannot be initialised; where it can, there is more to say.
NO_AXES: Final = "a number has no axes: leave the default out"


class Misfit(Struct, frozen=True):
    """The part of a value that does not fit its type."""

    value: Value
    expected: str  # in words; empty where no default is possible at all
    advice: str = ""


def misfit(inspection: Inspection, value: Value, type: Type) -> Misfit | None:
    """The part of a value that does not fit a type; None where all of it does."""
    if isinstance(value, Made):
        return None  # type checkers hold what the function returns against the type
    match type:
        case Union():
            found = [misfit(inspection, value, member) for member in type.members]
            if not all(found):
                return None
            expected = dict.fromkeys(m.expected for m in found if m is not None and m.expected)
            return Misfit(value, " or ".join(expected), "write one of these, or widen the type")
        case Sequence() | FixedTuple():
            return _items(inspection, value, type)
        case Mapping():
            return _entries(inspection, value, type)
        case ClassType():
            is_one = isinstance(value, Construction) and derives(inspection, value.ref, type.ref)
            advice = f"call the class: `{type.ref.name}(...)`"
            return (
                None if is_one else Misfit(value, a_or_an(_named(type.ref, value, "not")), advice)
            )
        case Anything() | Callable() | External() | Identity() | TypeParameter() if isinstance(
            value, Imported
        ):
            return None
        case Identity():
            help = 'name what is imported, or what makes it: `field(factory="module:function")`'
            return Misfit(value, "", help)
        case External():
            help = (
                "import it and name it, as `module.NAME`: the schema knows nothing about this type"
            )
            return Misfit(value, "", help)
        case Callable():
            return Misfit(value, "", "name a function that is imported, or write `T | None = None`")
        case Array():
            return _array(value, type)
        case _:
            expected_one = _plain(value, type)
            advice = _advice(inspection, type)
            if expected_one and _is_inexact(value, type):
                advice = "write a float that is near enough, such as `1e16`, or take `int`"
            return Misfit(value, expected_one, advice) if expected_one else None


def derives(inspection: Inspection, ref: Ref, ancestor: Ref) -> bool:
    """Whether a class is another, or one of its subclasses."""
    return ancestor in (ref, *inspection.program.graph.bases(ref))


def _items(inspection: Inspection, value: Value, type: Sequence | FixedTuple) -> Misfit | None:
    container = type.container if isinstance(type, Sequence) else "tuple"
    if container == "list":
        return Misfit(value, "", default_help(type, "static"))
    if not isinstance(value, Items) or value.container != container:
        tuple_help = "write `(a, b)`; a tuple of a single item is `(a,)`"
        advice = tuple_help if container == "tuple" else "write `frozenset((a, b))`"
        return Misfit(value, f"a {container}", advice)
    if isinstance(type, FixedTuple):
        elements = type.elements
    else:
        count = type.size.value if isinstance(type.size, Size) else len(value.items)
        elements = (type.element,) * count
    if len(value.items) != len(elements):
        advice = "give one value for each type, or write `tuple[T, ...]` for any number"
        return Misfit(value, f"a tuple of {len(elements)}", advice)
    found = (misfit(inspection, v, t) for v, t in zip(value.items, elements, strict=True))
    return next((one for one in found if one), None)


def _entries(inspection: Inspection, value: Value, type: Mapping) -> Misfit | None:
    if type.container == "dict":
        return Misfit(value, "", default_help(type, "static"))
    if not isinstance(value, Entries):
        return Misfit(value, "a frozendict", 'write `frozendict({"a": 1})`')
    for key, item in value.items:
        wrong = misfit(inspection, key, type.key) or misfit(inspection, item, type.value)
        if wrong is not None:
            return wrong
    return None


def _plain(value: Value, type: Type) -> str:
    """What was expected of a value without parts, empty where it fits."""
    constant = value.value if isinstance(value, Constant) else ...
    match type:
        case Anything() | TypeParameter():
            return ""
        case NoneType():
            return "" if constant is None else "`None`"
        case Scalar():
            if _is_inexact(value, type):
                return f"a number that `{type.name}` holds exactly"
            return "" if _is_scalar(constant, type.name) else f"`{type.name}`"
        case Literals():
            same = any(v == constant and v.__class__ is constant.__class__ for v in type.values)
            return "" if same else "one of " + ", ".join(ascii(v) for v in type.values)
        case EnumType():
            same = isinstance(value, EnumMember) and value.ref == type.ref
            return "" if same else f"a member of `{_named(type.ref, value, 'not of')}`"
        case DType():
            return "" if isinstance(value, DTypeName) else "a dtype by its name, such as `f32`"
        case _:
            return "another value"


def _named(ref: Ref, value: Value, joint: str) -> str:
    """A class or enum that is expected; of another of the same name it is told apart."""
    if isinstance(value, EnumMember | Construction):
        wanted, given = apart(ref, value.ref)
        if wanted not in (ref.name, given):
            return f"{wanted}`, {joint} `{given}"
    return ref.name


_EXAMPLES = {
    "bool": "write `True` or `False`",
    "bytes": 'write `b"..."`',
    "complex": "write a number, such as `1 + 2j`",
    "float": "write a number, such as `0.5`",
    "int": "write a whole number, such as `3`",
    "str": 'write `"..."`',
}


def _advice(inspection: Inspection, type: Type) -> str:
    match type:
        case Scalar():
            return _EXAMPLES[type.name]
        case EnumType():
            members = inspection.program.enums[type.ref].members
            names = [f"{type.ref.name}.{member.name}" for member in members]
            return f"write {listed(names, 'or')}" if names else "the enum has no members"
        case DType():
            return "write `f32`, without a module"
        case _:
            return "write one of these"


_ACCEPTED: dict[str, tuple[type[object], ...]] = {
    "bool": (bool,),
    "bytes": (bytes,),
    "complex": (int, float, complex),
    "float": (int, float),
    "int": (int,),
    "str": (str,),
}


def _is_scalar(value: object, name: str) -> bool:
    # The class itself, since `True` is an `int` for Python.
    return value.__class__ in _ACCEPTED[name]


def _is_inexact(value: Value, type: Type) -> bool:
    """Whether it is an int for a float that would be another number."""
    constant = value.value if isinstance(value, Constant) else None
    is_float = isinstance(type, Scalar) and type.name in ("float", "complex")
    if not is_float or not isinstance(constant, int) or isinstance(constant, bool):
        return False
    return not is_exact(constant)


# What an array without axes takes, which is no Python scalar by itself.
_NUMBERS = {
    "bool": "`True` or `False`",
    "complex": "a number",
    "float": "a real number",
    "int": "a whole number",
}


def _array(value: Value, type: Array) -> Misfit | None:
    """A number fits a 0-d array of a dtype that can hold it."""
    if type.dtype == "key":
        return Misfit(value, "", "leave it out: a key is made by `jax.random.key`")
    if any(not isinstance(dim, AnyDims | Batch) for dim in type.shape):
        return Misfit(value, "", NO_AXES)
    scalar = number_of(type.dtype)
    constant = value.value if isinstance(value, Constant) else None
    if not _is_scalar(constant, scalar) and not (
        type.dtype == "Shaped" and constant.__class__ is bool
    ):
        return Misfit(value, _NUMBERS[scalar], _EXAMPLES[scalar])
    assert isinstance(constant, bool | int | float | complex)
    if expected := out_of_range(constant, type.dtype):
        return Misfit(value, expected, "write a value of this range, or take another dtype")
    return None
