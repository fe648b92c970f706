"""Converters of values that are neither plain statics nor arrays: objects, numbers and
results; enums, functions and dtypes.

    osc = as_part(osc, Osc, cls, "osc")      # TypeError if it is no `Osc`
    scheme = as_enum(scheme, Scheme, cls, "scheme")
"""

import contextlib
import enum
from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

import numpy as np

from .classes.values import NUMBERS, as_array, without_weak_type
from .keys.conversion import SCALARS
from .keys.messages import (
    RESULT,
    Owner,
    a_or_an,
    describe_array_type,
    mismatch,
    mistyped,
    unfit,
)
from .keys.names import (
    Generated,
    canonical,
    describe_other_class,
    find_named,
    is_counterpart,
    is_found,
    is_generated,
)

P = ParamSpec("P")
Convert: TypeAlias = Callable[[Any, Owner, str], Any]
T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)


def as_scalar(value: object, kind: type[Any], owner: Owner, path: str) -> Any:
    """Accept a Python number of a type, as a weakly typed scalar; or an array
    unchanged.

    `check()` checks its rank: the array of a batch has axes.
    """
    if isinstance(value, np.generic) or not hasattr(value, "dtype"):
        return SCALARS[kind](value, owner, path)
    return value


def as_part(
    value: Any, kind: Any, owner: Owner, path: str, refused: Any = mistyped
) -> Any:
    """Accept an object of a generated class, or of a generated subclass; and any value
    for a foreign type, about which no schema says more.
    """
    is_foreign = not (isinstance(kind, type) and issubclass(kind, Generated))
    if is_foreign:
        return value
    cls = type(value)
    is_its = isinstance(value, kind) or is_counterpart(value, kind, owner)
    if is_its and is_generated(value):
        return value
    from .drafts.state import is_draft

    remedy = describe_other_class(value, kind)
    holds_some = cls in (tuple, list) and value and isinstance(value[0], kind)
    if holds_some and path != RESULT:
        remedy = (
            "pass one object; for several, declare a `stacked` field and call `stack`"
        )
    if is_draft(value):
        remedy = "pass the object that `draft.freeze()` returns"
    raise refused(value, owner, path, a_or_an(kind.__qualname__), remedy)


def as_result(value: object, declared: str, owner: Owner, path: str) -> object:
    """Accept an array or a number that a function returns; its dtype is never weak.

    The check of the call checks the dtype.
    """
    if type(value) in NUMBERS:
        return as_array(value, declared, owner, path)
    if not (hasattr(value, "dtype") or hasattr(value, "__jax_array__")):
        raise mistyped(value, owner, path, describe_array_type(declared))
    return without_weak_type(value)


def returns_none(
    owner: Owner, run: Callable[P, None], /, *args: P.args, **kwargs: P.kwargs
) -> None:
    """Call a function that is declared to return nothing, and check that it does."""
    called: Callable[P, object] = run
    result = called(*args, **kwargs)
    if result is not None:
        raise mistyped(result, owner, RESULT, "None")


def remedies(errors: Sequence[Any], path: str) -> str:
    """Return the advice of the first of a union's errors; raise one from inside a
    value.
    """
    for error in errors:
        # This alternative accepts the value's type, and its error explains the problem.
        if getattr(error, "refusal", ("",))[0] != path:
            raise error
    return next((error.refusal[2] for error in errors if error.refusal[2]), "")


# --- static values

# Types whose values are compared by `==`, and have no other parts.
_ATOMS: Final = (int, bool, float, str, bytes)
# Structured dtypes, and numbers with padding bytes.
_UNPLAIN: Any = (np.void, np.longdouble, np.clongdouble)


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
