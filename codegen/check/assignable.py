"""Whether a value is of a type, what a constructor makes of it, and whether a type is narrower.

coerce(<1>, <float>, program)                  ->    <1.0>
coerce(<"0.01">, <float>, program)             ->    Misfit(<"0.01">, "`float`", "write a number ...")
is_narrower(<f32[3]>, <Float[...]>, program)   ->    True
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from codegen.check.ranges import is_exact, out_of_range
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
    Program,
    Value,
)
from codegen.program.types import (
    AnyDim,
    AnyDims,
    Anything,
    Array,
    Batch,
    Callable,
    ClassType,
    Dim,
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
from codegen.schema.vocabulary import KINDS_OF_SEVERAL, number_of

# The advice for a number in the place of an array; `init` may be able to create the array.
NO_AXES: Final = "a number has no axes: leave the default out"


class Misfit(Struct, frozen=True):
    """The part of a value that does not fit its type."""

    value: Value
    expected: str  # in words; empty where no default is possible at all
    advice: str = ""


_Coerced: TypeAlias = Value | Misfit


# --- values


def coerce(value: Value, type: Type, program: Program) -> Value | Misfit:
    """Return a value as a constructor converts it to a type, or the part of it that does not fit."""
    if isinstance(value, Made):
        return value  # type checkers compare the result of the function with the type
    match type:
        case Union():
            return _coerce_to_member(value, type, program)
        case Sequence() | FixedTuple():
            return _coerce_items(value, type, program)
        case Mapping():
            return _coerce_entries(value, type, program)
        case ClassType():
            if isinstance(value, Construction) and derives(program, value.ref, type.ref):
                return value
            expected = a_or_an(_shown(type.ref, value, "not"))
            return Misfit(value, expected, f"call the class: `{type.ref.name}(...)`")
        case Anything() | TypeParameter():
            return value
        case Callable() | External() | Identity():
            return (
                value if isinstance(value, Imported) else Misfit(value, "", _NAMED[type.__class__])
            )
        case Array():
            return _coerce_to_array(value, type)
        case Scalar():
            return _coerce_to_scalar(value, type)
        case _:
            return _of_plain(value, type, program)


def coerced(value: Value, type: Type, program: Program) -> Value:
    """Return a value of a checked program as a constructor converts it to its type."""
    found = coerce(value, type, program)
    assert not isinstance(found, Misfit), found
    return found


def derives(program: Program, ref: Ref, ancestor: Ref) -> bool:
    """Whether a class is another, or one of its subclasses."""
    return ancestor in (ref, *program.graph.bases(ref))


def _coerce_to_member(value: Value, type: Union, program: Program) -> _Coerced:
    found = [coerce(value, member, program) for member in type.members]
    fitting = [one for one in found if not isinstance(one, Misfit)]
    if fitting:
        # A member that takes it as it is goes first.
        return next((one for one in fitting if _is_same(one, value)), fitting[0])
    expected = dict.fromkeys(m.expected for m in found if isinstance(m, Misfit) and m.expected)
    return Misfit(value, " or ".join(expected), "write one of these, or widen the type")


def _is_same(one: Value, other: Value) -> bool:
    """Whether nothing was converted: Python's `==` takes `1` and `1.0` for the same."""
    match one, other:
        case Constant(), Constant():
            return one.value.__class__ is other.value.__class__ and one == other
        case Items(), Items():
            return all(map(_is_same, one.items, other.items))
        case Entries(), Entries():
            pairs = zip(one.items, other.items, strict=True)
            return all(_is_same(a, b) for p, q in pairs for a, b in zip(p, q, strict=True))
        case _:
            return True


def _coerce_items(value: Value, type: Sequence | FixedTuple, program: Program) -> _Coerced:
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
    items = _coerce_all(value.items, elements, program)
    return items if isinstance(items, Misfit) else replace(value, items=items)


def _coerce_entries(value: Value, type: Mapping, program: Program) -> _Coerced:
    if type.container == "dict":
        return Misfit(value, "", default_help(type, "static"))
    if not isinstance(value, Entries):
        return Misfit(value, "a frozendict", 'write `frozendict({"a": 1})`')
    flat = tuple(one for pair in value.items for one in pair)
    found = _coerce_all(flat, (type.key, type.value) * len(value.items), program)
    if isinstance(found, Misfit):
        return found
    return replace(value, items=tuple(zip(found[::2], found[1::2], strict=True)))


def _coerce_all(
    values: tuple[Value, ...], types: tuple[Type, ...], program: Program
) -> tuple[Value, ...] | Misfit:
    """Coerce each value to its type; the first misfit, if there is one."""
    coerced: list[Value] = []
    for value, type in zip(values, types, strict=True):
        found = coerce(value, type, program)
        if isinstance(found, Misfit):
            return found
        coerced.append(found)
    return tuple(coerced)


_NAMED: Final[dict[object, str]] = {
    Callable: "name a function that is imported, or write `T | None = None`",
    External: "import it and name it, as `module.NAME`: the schema knows nothing about this type",
    Identity: 'name what is imported, or what makes it: `field(factory="module:function")`',
}


def _of_plain(value: Value, type: Type, program: Program) -> _Coerced:
    """Return a value without parts, which no constructor converts."""
    constant = value.value if isinstance(value, Constant) else ...
    match type:
        case NoneType():
            return value if constant is None else Misfit(value, "`None`", _ONE_OF_THESE)
        case Literals():
            if any(v == constant and v.__class__ is constant.__class__ for v in type.values):
                return value
            expected = "one of " + ", ".join(ascii(v) for v in type.values)
            return Misfit(value, expected, _ONE_OF_THESE)
        case EnumType():
            if isinstance(value, EnumMember) and value.ref == type.ref:
                return value
            expected = f"a member of `{_shown(type.ref, value, 'not of')}`"
            return Misfit(value, expected, _members_help(type.ref, program))
        case DType():
            if isinstance(value, DTypeName):
                return value
            expected = "a dtype by its name, such as `f32`"
            return Misfit(value, expected, "write `f32`, without a module")
        case _:
            return Misfit(value, "another value", _ONE_OF_THESE)


_ONE_OF_THESE = "write one of these"


def _shown(ref: Ref, value: Value, joint: str) -> str:
    """The name of a class or enum that is expected; of another of the same name it is told apart."""
    if isinstance(value, EnumMember | Construction):
        wanted, given = apart(ref, value.ref)
        if wanted not in (ref.name, given):
            return f"{wanted}`, {joint} `{given}"
    return ref.name


def _members_help(ref: Ref, program: Program) -> str:
    names = [f"{ref.name}.{member.name}" for member in program.enums[ref].members]
    return f"write {listed(names, 'or')}" if names else "the enum has no members"


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
    "int": "write a whole number, such as `3`",
    "str": 'write `"..."`',
}
# What a 0-d array takes, which is not a Python scalar.
_NUMBERS: Final = {
    "bool": "`True` or `False`",
    "complex": "a number",
    "float": "a real number",
    "int": "a whole number",
}


def _coerce_to_scalar(value: Value, type: Scalar) -> _Coerced:
    if not isinstance(value, Constant) or not _is_scalar(value.value, type.name):
        return Misfit(value, f"`{type.name}`", _EXAMPLES[type.name])
    is_inexact = isinstance(value.value, int) and not is_exact(value.value)
    if is_inexact and type.name in ("float", "complex"):
        expected = f"a number that `{type.name}` holds exactly"
        return Misfit(
            value, expected, "write a float that is near enough, such as `1e16`, or take `int`"
        )
    return _widened(value, type.name)


def _is_scalar(value: object, name: str) -> bool:
    # The class itself, since `True` is an `int` for Python.
    return value.__class__ in _ACCEPTED[name]


def _widened(value: Constant, name: str) -> Constant:
    """Convert an int or a float to the name of a wider number."""
    if name not in ("float", "complex") or value.value.__class__.__name__ == name:
        return value
    assert isinstance(value.value, int | float)
    return replace(value, value=float(value.value) if name == "float" else complex(value.value))


def _coerce_to_array(value: Value, type: Array) -> _Coerced:
    """A number fits a 0-d array of a dtype that can hold it."""
    if type.dtype == "key":
        return Misfit(value, "", "leave it out: a key is made by `jax.random.key`")
    if any(not isinstance(dim, AnyDims | Batch) for dim in type.shape):
        return Misfit(value, "", NO_AXES)
    scalar = number_of(type.dtype)
    is_bool = (
        type.dtype == "Shaped" and isinstance(value, Constant) and value.value.__class__ is bool
    )
    if not isinstance(value, Constant) or not (is_bool or _is_scalar(value.value, scalar)):
        return Misfit(value, _NUMBERS[scalar], _EXAMPLES[scalar])
    assert isinstance(value.value, bool | int | float | complex)
    if expected := out_of_range(value.value, type.dtype):
        return Misfit(value, expected, "write a value of this range, or take another dtype")
    return _widened(value, _number_in(value.value, type.dtype))


def _number_in(value: complex, dtype: str) -> str:
    """The name of the Python number that an array of a dtype, or of a kind, is made from."""
    if dtype not in KINDS_OF_SEVERAL:
        return number_of(dtype)
    return "float" if dtype == "Inexact" and isinstance(value, int) else value.__class__.__name__


# --- types


def is_narrower(new: Type, old: Type, program: Program) -> bool:
    """Whether every value of `new` is one of `old`.

    is_narrower(<f32[3]>, <Float[...]>, program)    ->    True
    """
    if new == old or isinstance(old, Anything):
        return True
    match new, old:
        case Union(), _:
            return all(is_narrower(member, old, program) for member in new.members)
        case _, Union():
            return any(is_narrower(new, member, program) for member in old.members)
        case (Sequence() | FixedTuple() | Mapping(), _):
            return _is_narrower_container(new, old, program)
        case ClassType(), ClassType():
            same_dims = new.ref != old.ref or _covers(old.dims or new.dims, new.dims or old.dims)
            same_dims = same_dims and _covers(old.stacked, new.stacked)
            return same_dims and derives(program, new.ref, old.ref)
        case Array(), Array():
            same_dtype = new.dtype == old.dtype or _is_of_kind(new.dtype, old.dtype)
            return same_dtype and _covers(old.shape, new.shape)
        case Literals(), Literals():
            same = [
                any(v is o or (v == o and type(v) is type(o)) for o in old.values)
                for v in new.values
            ]
            return all(same)
        case Literals(), Scalar():
            return all(type(value).__name__ == old.name for value in new.values)
        case Identity(), Identity():
            return is_narrower(new.type, old.type, program)
        case Callable(), Callable(parameters=None):
            return is_narrower(new.result, old.result, program)
        case External() | EnumType() | ClassType(), External():
            # Nothing is known about the other; type checkers will report it.
            return isinstance(new, External)
        case _:
            return False


def _is_narrower_container(
    new: Sequence | FixedTuple | Mapping, old: Type, program: Program
) -> bool:
    match new, old:
        case Sequence(), Sequence():
            same = new.container == old.container and old.size in (None, new.size)
            same = same and new.is_any <= old.is_any
            fits = new.container != "list" or _is_exchangeable(new.element, old.element)
            return same and fits and is_narrower(new.element, old.element, program)
        case FixedTuple(), Sequence(container="tuple", size=size):
            same = size is None or size == Size(len(new.elements))
            return same and all(is_narrower(e, old.element, program) for e in new.elements)
        case FixedTuple(), FixedTuple():
            return len(new.elements) == len(old.elements) and all(
                is_narrower(n, o, program) for n, o in zip(new.elements, old.elements, strict=True)
            )
        case Mapping(), Mapping():
            same = new.container == old.container and new.key == old.key
            same = same and new.is_any <= old.is_any
            is_fixed = new.container != "dict" or old.is_any
            fits = is_fixed or _is_exchangeable(new.value, old.value)
            return same and fits and is_narrower(new.value, old.value, program)
        case _:
            return False


def _is_exchangeable(new: Type, old: Type) -> bool:
    """Whether type checkers take each for the other, as they require of items of a mutable container.

    They ignore sizes and dtypes.
    """
    match new, old:
        case Array(), Array():
            return True
        case ClassType(), ClassType():
            same = new.ref == old.ref and new.arguments == old.arguments
            return same and len(new.stacked) == len(old.stacked)
        case Sequence(), Sequence():
            return new.is_any == old.is_any and _is_exchangeable(new.element, old.element)
        case Mapping(), Mapping():
            return new.is_any == old.is_any and _is_exchangeable(new.value, old.value)
        case _:
            return new == old


def _covers(old: tuple[Dim, ...], new: tuple[Dim, ...]) -> bool:
    """Whether every shape that `new` describes is one that `old` describes."""
    at = next((i for i, dim in enumerate(old) if isinstance(dim, AnyDims | Batch)), None)
    if at is None:
        return len(old) == len(new) and all(map(_covers_one, old, new))
    after = len(old) - at - 1
    if len(new) < at + after:
        return False
    ends = [*zip(old[:at], new[:at], strict=True)]
    ends += zip(old[at + 1 :], new[len(new) - after :], strict=True)
    return all(_covers_one(o, n) for o, n in ends)


def _covers_one(old: Dim, new: Dim) -> bool:
    return old == new or (isinstance(old, AnyDim) and not isinstance(new, AnyDims | Batch))


_KINDS: dict[str, tuple[str, ...]] = {
    "Bool": ("bool",),
    "Complex": ("complex",),
    "Float": ("float", "bfloat"),
    "Inexact": ("float", "bfloat", "complex", "Float", "Complex"),
    "Int": ("int",),
    "Num": ("float", "bfloat", "int", "uint", "complex", "Float", "Int", "UInt", "Complex", "Real"),
    "Real": ("float", "bfloat", "int", "uint", "Float", "Int", "UInt"),
    "Shaped": ("",),
    "UInt": ("uint",),
}


def _is_of_kind(dtype: str, kind: str) -> bool:
    below = _KINDS.get(kind, ())
    return dtype.startswith(below) or (kind == "Num" and dtype == "Inexact")
