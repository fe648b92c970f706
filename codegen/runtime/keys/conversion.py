# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Bring static values to their declared types, at the boundary and nowhere else.

The generated key function of a class with the fields `nx: static[int]` and
`dx: static[float]`:

    def _codegen_key_Grid(cls: type[Any], nx: Any, dx: Any) -> TraceKey:
        if type(nx) is not int:
            nx = as_int(nx, cls, "nx")
        if type(dx) is not float or isnan(dx):
            dx = as_float(dx, cls, "dx")
        return intern_key(cls, (nx, float_tag(dx)), (nx, dx))

Each field is first normalised, then its tag goes into the key's:

    type            statement                                            tag
    int             if type(x) is not int: x = as_int(x, cls, "x")       x
    bool            if type(x) is not bool: x = as_bool(x, cls, "x")     x
    str, bytes      likewise                                             x
    float           if type(x) is not float or isnan(x): x = as_float... float_tag(x)
    complex         if type(x) is not complex or ...: x = as_complex...  complex_tag(x)
    None            if x is not None: as_none(x, cls, "x")               None
    an enum E       if type(x) is not E: x = as_enum(x, E, cls, "x")     x
    Literal[1, 2]   x = as_literal(x, (1, 2), cls, "x")                  x
    dtype           x = as_dtype(x, cls, "x")                            x
    a constant      x = as_constant(x, "float32", cls, "x")              constant_tag(x)
    Callable        x = as_callable(x, cls, "x")                         id(x)
    a static class  if type(x) is not G: x = as_instance(x, G, cls, "x") its key
    an abstract one x = as_instance(x, H, cls, "x")                      its key
    T | None        if x is not None ...: the statement of T             that of T
    Any, a TypeVar  x, x_tag = as_static(x, cls, "x")                    x_tag
    anything else   x, x_tag = _codegen_Box_x.convert(x, cls, "x")       x_tag

Its key is `x.__codegen_key__`; where x may be None, `None if x is None else ...`.
`float_tag`, `complex_tag`, `constant_tag` and `id` take None too. Anything else is a
foreign class, `tuple`, `frozenset`, `frozendict`, values of several types such as
`Literal[1, "a"]`, `T | None` of a `Literal`, `Any` or a TypeVar, any other union, and
what is nested in these: a constant of the module, put together from the converters of
`statics.py`:

    _codegen_Box_x: Final = static_tuple(static_union(static_int, static_str))

Where it names a class that is defined later, the expression stands in the function. And
any type is brought in this way where the condition would be longer than a line.

The functions here are the slow paths: they convert, or raise a TypeError (a ValueError
where the type is right and the value is not) that names class, field and remedy.
"""

import cmath
import enum
import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np

from .callables import is_found, refusal
from .dtypes import canonical, is_kind, is_plain
from .messages import Owner, as_python, mismatch, named, noun, unfit
from .reloading import is_counterpart, other_class
from .tags import canonical_complex

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)

# Those of dtypes that JAX has no arrays of: times, whose units `==` confuses, and texts.
_FOREIGN_KINDS: Final = "MmSU"

# How many members of an enum an error text lists.
_MEMBERS_MAX: Final = 8


def as_int(value: object, owner: Owner, path: str) -> int:
    """Take an int, or an integer of NumPy; no bool and no IntEnum."""
    if type(value) is int:
        return value
    if _is_numpy(value, np.integer):
        return int(value)  # type: ignore[call-overload, no-any-return]
    raise mismatch(value, owner, path, "an int", _number_remedy(value, owner, "int"))


def as_float(value: Any, owner: Owner, path: str) -> float:
    """Take a float, or an int or a number of NumPy that a float holds exactly."""
    if type(value) is not float:
        value = _as_exact_float(value, owner, path)
    return math.nan if math.isnan(value) else value


def as_complex(value: Any, owner: Owner, path: str) -> complex:
    """Take a complex, or a number of Python or NumPy that a complex holds exactly."""
    if type(value) is complex:
        return canonical_complex(value)
    if _is_numpy(value, np.complexfloating):
        number = complex(value)
        if cmath.isnan(number) or number == value:
            return canonical_complex(number)
        raise unfit(value, owner, path, "a complex, which is too narrow")
    return complex(_as_exact_float(value, owner, path, "a complex number"), 0.0)


def as_bool(value: object, owner: Owner, path: str) -> bool:
    """Take a bool, or a `numpy.bool_`."""
    if type(value) is bool:
        return value
    if type(value) is np.bool_:
        return bool(value)
    remedy = as_python(value, owner, "bool") or "write True or False"
    if isinstance(value, int | float | np.integer) and value in (0, 1):
        remedy = f"write {bool(value)}"
    raise mismatch(value, owner, path, "a bool", remedy)


def as_str(value: object, owner: Owner, path: str) -> str:
    """Take a str, and no subclass of it."""
    if type(value) is str:
        return value
    remedy = ""
    if isinstance(value, enum.Enum):
        remedy = _member_remedy(value, "str")
    elif isinstance(value, bytes):
        remedy = "give `.decode()` of it"
    elif isinstance(value, str | int | float | np.generic):
        remedy = "give `str(...)` of it"
    raise mismatch(value, owner, path, "a str", remedy)


def as_bytes(value: object, owner: Owner, path: str) -> bytes:
    """Take a bytes object, and no subclass of it."""
    if type(value) is bytes:
        return value
    remedy = "give `.encode()` of it" if isinstance(value, str) else ""
    raise mismatch(value, owner, path, "bytes", remedy, ["bytes"])


def as_none(value: object, owner: Owner, path: str) -> None:
    """Take None."""
    if value is not None:
        raise mismatch(value, owner, path, "None")


def as_enum(value: object, kind: type[E], owner: Owner, path: str) -> E:
    """Take a member of an enum; its value does not do."""
    if isinstance(value, kind) or is_counterpart(value, kind, owner):
        return value  # type: ignore[return-value]
    remedy = other_class(value, kind) or _members(value, kind)
    expected = named(value, kind).removeprefix("a ").removeprefix("an ")
    raise mismatch(value, owner, path, f"a member of {expected}", remedy)


def as_literal(value: T, options: tuple[T, ...], owner: Owner, path: str) -> T:
    """Take one of some values, of exactly its type."""
    for option in options:
        if type(option) is type(value) and option == value:
            return option
    expected = f"one of {', '.join(map(repr, options))}"
    if any(type(option) is type(value) for option in options):
        raise unfit(value, owner, path, expected)
    raise mismatch(value, owner, path, expected)


def as_dtype(value: Any, owner: Owner, path: str) -> np.dtype[Any]:
    """Take a dtype, its scalar type or its name; return its canonical form."""
    expected = 'a dtype, as `jnp.float32`, `np.dtype("float32")` or "float32"'
    if not isinstance(value, np.dtype | str | type):
        raise mismatch(value, owner, path, expected)
    try:
        dtype: np.dtype[Any] = np.dtype(value)
    except TypeError as error:
        raise mismatch(value, owner, path, expected) from error
    if not is_plain(dtype) or dtype.kind in _FOREIGN_KINDS:
        raise mismatch(value, owner, path, expected, "JAX has no arrays of it")
    return canonical(dtype)


def as_callable(value: Callable[..., T], owner: Owner, path: str) -> Callable[..., T]:
    """Take a function that its module holds under its own name."""
    if not callable(value):
        raise mismatch(value, owner, path, "a function")
    if not is_found(value):
        raise refusal(value, owner, path)
    return value


def as_instance(value: Any, kind: type[Any], owner: Owner, path: str) -> Any:
    """Take an object of a generated static class, or of a static subclass of it.

    `Any`, since type checkers refuse an abstract class where a `type[T]` is wanted.
    """
    if not isinstance(value, kind) and not is_counterpart(value, kind, owner):
        remedy = other_class(value, kind)
        raise mismatch(value, owner, path, named(value, kind), remedy)
    record = getattr(type(value), "__codegen_record__", None)
    if record is None or record.cls is not type(value):
        name = type(value).__name__
        remedy = f"`{name}` is a Python subclass: declare it in the schema"
        raise mismatch(value, owner, path, f"a generated `{kind.__name__}`", remedy)
    if record.data_fields:
        remedy = f"it holds arrays: make the {noun(owner)} dynamic"
        raise mismatch(value, owner, path, f"a static `{kind.__qualname__}`", remedy)
    return value


def _is_numpy(value: object, kind: type[Any]) -> bool:
    """Tell whether a value is a NumPy scalar (ml_dtypes' too) of an abstract kind."""
    return (
        isinstance(value, np.generic)
        and type(value) is value.dtype.type
        and value.dtype.kind != "m"
        and is_kind(value.dtype, kind)
    )


def _as_exact_float(
    value: Any, owner: Owner, path: str, expected: str = "a float"
) -> float:
    if type(value) is float:
        return value
    if type(value) is not int and not (
        _is_numpy(value, np.integer) or _is_numpy(value, np.floating)
    ):
        name = "float" if expected == "a float" else "complex"
        remedy = _number_remedy(value, owner, name)
        raise mismatch(value, owner, path, expected, remedy)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    whole = type(value) is int or _is_numpy(value, np.integer)
    if (whole and int(value) != number) or not (number == value or math.isnan(number)):
        raise unfit(value, owner, path, f"{expected}, which cannot hold it exactly")
    return number


def _members(value: object, kind: type[enum.Enum]) -> str:
    """Advise which member of an enum is meant, or which there are."""
    name = kind.__qualname__
    for member in kind:
        # No other type: `==` of arrays is an array.
        if isinstance(value, str | int | float) and (
            type(member.value) is type(value) and member.value == value
        ):
            return f"write `{name}.{member.name}`, or `{name}({value!r})`"
        if isinstance(value, str) and _plain(member.name) == _plain(value):
            return f"write `{name}.{member.name}`"
    shown = [f"`{name}.{member.name}`" for member in kind]
    more = (
        [f"and {len(shown) - _MEMBERS_MAX} more"] if len(shown) > _MEMBERS_MAX else []
    )
    return f"they are {', '.join(shown[:_MEMBERS_MAX] + more)}"


def _number_remedy(value: object, owner: Owner, name: str) -> str:
    if isinstance(value, bool | np.bool_):
        return "a bool is no number; write 0 or 1"
    if isinstance(value, enum.Enum):
        return _member_remedy(value, name)
    if isinstance(value, float) and value.is_integer():
        return f"write {int(value)}, if that is meant"
    if isinstance(value, str) and value.replace(".", "", 1).strip("+-").isdecimal():
        return f"give `{name}(...)` of it"
    return as_python(value, owner, name)


def _member_remedy(value: enum.Enum, name: str) -> str:
    kind = type(value).__qualname__
    return f"declare `{name} | {kind}` for members of it, or give its `.value`"


def _plain(name: str) -> str:
    """Return a name without what people write it with in other ways."""
    return name.lower().replace("-", "_").replace(" ", "_")
