"""Converters of static values other than numbers and str: enums, functions, dtypes, ...

scheme = as_enum(scheme, Scheme, cls, "scheme")
"""

import contextlib
import enum
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np

from .keys.messages import Owner, mismatch, unfit
from .keys.names import (
    canonical,
    describe_other_class,
    find_named,
    is_counterpart,
    is_found,
)
from .objects import as_part

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)

# Types whose values are compared by `==`, and have no other parts.
_ATOMS: Final = (int, bool, float, str, bytes)
# Structured dtypes, and numbers with padding bytes.
_UNPLAIN: Any = (np.void, np.longdouble, np.clongdouble)


def as_bytes(value: object, owner: Owner, path: str) -> bytes:
    """Accept a bytes object, but no subclass."""
    if type(value) is bytes:
        return value
    remedies: dict[Any, str] = {
        str: "convert it with `.encode()`",
        bytearray: "use bytes",
    }
    raise mismatch(value, owner, path, "bytes", remedies.get(type(value), ""))


def as_none(value: object, owner: Owner, path: str) -> None:
    """Accept None."""
    if value is not None:
        raise mismatch(value, owner, path, "None")


def as_enum(value: object, kind: type[E], owner: Owner, path: str) -> E:
    """Accept a member of an enum, but not its value."""
    if isinstance(value, kind) or is_counterpart(value, kind, owner):
        return value  # type: ignore[return-value]
    name = kind.__qualname__
    remedy = (
        f"the members are {', '.join(f'`{name}.{member.name}`' for member in kind)}"
    )
    for member in kind:
        if type(member.value) is type(value) and member.value == value:
            remedy = f"write `{name}.{member.name}`, or `{name}({value!r})`"
    remedy = describe_other_class(value, kind) or remedy
    raise mismatch(value, owner, path, f"a member of `{name}`", remedy)


def as_literal(value: T, options: tuple[T, ...], owner: Owner, path: str) -> T:
    """Accept one of some values, of exactly its type."""
    for option in options:
        if type(option) is type(value) and option == value:
            return option
    expected = f"one of {', '.join(map(repr, options))}"
    is_alike = any(type(option) is type(value) for option in options)
    raise (unfit if is_alike else mismatch)(value, owner, path, expected)


def as_dtype(value: object, owner: Owner, path: str) -> np.dtype[Any]:
    """Accept a dtype, its scalar type or its name; return its canonical form."""
    remedy = ""
    if isinstance(value, np.dtype | str | type):
        with contextlib.suppress(TypeError):
            dtype: np.dtype[Any] = np.dtype(value)
            # Times are excluded, since `==` ignores their units. So are texts.
            if is_plain(dtype) and dtype.kind not in "MmSU":
                return canonical(dtype)
            remedy = "JAX has no arrays of this dtype"
    expected = 'a dtype, such as `jnp.float32`, `np.dtype("float32")` or "float32"'
    raise mismatch(value, owner, path, expected, remedy)


# The converter of each plain type whose name is one word in a schema.
PLAIN: Final[dict[str, Callable[[Any, Owner, str], Any]]] = {"dtype": as_dtype}


def as_callable(value: Callable[..., T], owner: Owner, path: str) -> Callable[..., T]:
    """Accept a function that its module holds under its own name."""
    if not callable(value):
        raise mismatch(value, owner, path, "a function")
    return as_found(value, owner, path)


def as_found(value: T, owner: Owner, path: str) -> T:
    """Accept an object that its module holds under its own name, or a copy of it."""
    value = original(value)
    if is_found(value):
        return value
    remedy = (
        "lambdas, closures and partials are new objects each time, and would retrace. "
        "Define a function with `def` at module level. A field of `static[Any]` "
        "accepts an object whose class compares and hashes it by value"
    )
    what = "a function or class that can be imported by its own name"
    raise mismatch(value, owner, path, what, remedy)


def original(value: Any) -> Any:
    """Return the function of a module for a copy of it; any other value is returned itself.

    `copy.deepcopy` and `dataclasses.asdict` copy functions of JAX, such as `jax.nn.relu`.
    Python never copies its own functions.
    """
    if type(value).__module__.partition(".")[0] not in ("jax", "jaxlib"):
        return value
    named = value
    if not hasattr(value, "__name__"):
        # The copy of a jitted function has only the name of the function inside.
        with contextlib.suppress(TypeError, LookupError):
            named = value.__reduce_ex__(4)[2]["fun"]
    found = find_named(named, value)
    return found if _is_copy(value, found) else value


def _is_copy(one: Any, other: Any) -> bool:
    """Return whether `copy` would rebuild both objects of the same parts.

    Functions are the same only if they are one object, such as a derivative.
    """
    if one is other or type(one) is not type(other):
        return one is other
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_is_copy, one, other))
    if type(one) is dict:
        return _is_copy([*one.items()], [*other.items()])
    if type(one) in _ATOMS:
        return bool(one == other)
    try:
        parts = one.__reduce_ex__(4), other.__reduce_ex__(4)
    except TypeError:
        return False
    # A text names a global object, of which there are no copies.
    return type(parts[0]) is tuple and _is_copy(*parts)


def as_instance(value: object, kind: type[Any], owner: Owner, path: str) -> Any:
    """Accept an object of a generated static class, which may be abstract, or of a
    subclass.
    """
    part = as_part(value, kind, owner, path, mismatch)
    if type(part).__codegen_record__.data_fields:
        expected = f"a static `{kind.__qualname__}`"
        raise mismatch(
            value,
            owner,
            path,
            expected,
            "the value contains arrays: declare it dynamic",
        )
    return part


def is_plain(dtype: np.dtype[Any]) -> bool:
    """Return whether a dtype is neither of objects, nor structured, nor padded."""
    # Not by its character, which JAX's own types share with NumPy's padded ones.
    return not dtype.hasobject and not issubclass(dtype.type, _UNPLAIN)
