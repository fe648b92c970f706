# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Bring what a constructor is given for arrays to arrays, at no cost where it is one.

    if type(u) in CONVERTED or is_weak(u):
        u = as_array(u, "float32", type(self), "u")

`CONVERTED` holds the types that are converted (Python's numbers, so that a weak type
never causes a second trace) and those that are refused (str, list, None, ...). A weakly
typed array loses its weakness, for the same reason. All else is taken as it is: an
array, a tracer, a ShapeDtypeStruct. `declared` is a dtype's name,
a kind (`Float`, `Int`, ...) or `key`.

For containers of arrays there are `dynamic_...` functions, put together once at import:

    _codegen_Stack_layers: Final = dynamic_tuple(dynamic_array("float32"))
    layers = _codegen_Stack_layers(layers, type(self), "layers")
"""

from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ..keys.conversion import as_bool, as_complex, as_float, as_int
from ..keys.dtypes import has_dtype
from ..keys.messages import (
    Owner,
    a_or_an,
    array_text,
    mistyped,
    named,
    none_of,
    unfit,
)
from ..keys.reloading import is_counterpart, other_class
from ..keys.scalars import NUMBERS, as_held
from ..settings import settings
from .weak import is_weak, strengthened

P = ParamSpec("P")

Convert: TypeAlias = Callable[[Any, Owner, str], Any]

CONVERTED: Final[frozenset[type[Any]]] = NUMBERS | {
    type(None),
    str,
    bytes,
    bytearray,
    list,
    tuple,
    dict,
    set,
    frozenset,
    range,
}
_SCALARS: Final[dict[type[Any], Convert]] = {
    int: as_int,
    float: as_float,
    bool: as_bool,
    complex: as_complex,
}


def as_array(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Turn a Python number, or a weakly typed array, into an array of a dtype."""
    return jnp.asarray(as_argument(value, declared, owner, path))


def as_argument(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Turn a Python number into a NumPy scalar, which costs less for one call."""
    if hasattr(value, "aval"):
        return strengthened(value)
    if type(value) not in NUMBERS:
        remedy = _array_remedy(value)
        raise mistyped(value, owner, path, array_text(declared), remedy)
    return as_held(value, declared, owner, path)


def as_result(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Take an array that a function returns, or a number; its dtype is never weak."""
    if type(value) in NUMBERS:
        return as_array(value, declared, owner, path)
    if not hasattr(value, "dtype") and not hasattr(value, "__jax_array__"):
        raise mistyped(value, owner, path, array_text(declared))
    if settings.checks and not has_dtype(jax.typeof(value).dtype, declared):
        raise mistyped(value, owner, path, array_text(declared))
    return strengthened(value)


def returns_none(
    owner: Owner, run: Callable[P, None], /, *args: P.args, **kwargs: P.kwargs
) -> None:
    """Call what is declared to return nothing, and hold it to that."""
    called: Callable[P, object] = run
    dynamic_none(called(*args, **kwargs), owner, "return")


def as_scalar(value: Any, kind: type[Any], owner: Owner, path: str) -> Any:
    """Take a Python number of a type, or a 0-d array: a weakly typed scalar."""
    if isinstance(value, np.generic) or not hasattr(value, "dtype"):
        return _SCALARS[kind](value, owner, path)
    if getattr(value, "shape", ()) != ():
        remedy = "declare an array type for it"
        raise unfit(
            value, owner, path, f"{a_or_an(kind.__name__, '')} or 0-d array", remedy
        )
    return value


def as_part(value: Any, kind: type[Any], owner: Owner, path: str) -> Any:
    """Take an object of a generated class, or of a generated subclass of it."""
    record = getattr(type(value), "__codegen_record__", None)
    is_kind = isinstance(value, kind) or is_counterpart(value, kind, owner)
    if not is_kind or record is None:
        is_draft = hasattr(type(value), "__codegen_node__")
        remedy = other_class(value, kind)
        if is_draft:
            remedy = "give the object that `draft.freeze()` returns"
        raise mistyped(value, owner, path, named(value, kind), remedy)
    if record.cls is not type(value):
        remedy = f"`{type(value).__name__}` is a Python subclass, which JAX cannot see"
        raise mistyped(value, owner, path, f"a generated `{kind.__name__}`", remedy)
    return value


def dynamic_array(declared: str) -> Convert:
    """Convert an array in a field."""
    return _array(as_array, declared)


def dynamic_argument(declared: str) -> Convert:
    """Convert an array in an argument of a function."""
    return _array(as_argument, declared)


def dynamic_result(declared: str) -> Convert:
    """Convert an array in what a function returns."""
    return lambda value, owner, path: as_result(value, declared, owner, path)


def _array(take: Callable[[Any, str, Owner, str], Any], declared: str) -> Convert:
    def convert(value: Any, owner: Owner, path: str) -> Any:
        if type(value) in CONVERTED or is_weak(value):
            return take(value, declared, owner, path)
        return value

    return convert


def dynamic_scalar(kind: type[Any]) -> Convert:
    """Convert a weakly typed scalar."""
    return lambda value, owner, path: as_scalar(value, kind, owner, path)


def dynamic_part(kind: type[Any]) -> Convert:
    """Convert an object of a generated class."""
    return lambda value, owner, path: as_part(value, kind, owner, path)


def dynamic_any(value: Any, owner: Owner, path: str) -> Any:
    """Take any pytree as it is."""
    return value


def dynamic_none(value: Any, owner: Owner, path: str) -> None:
    """Take None."""
    if value is not None:
        raise mistyped(value, owner, path, "None")


def dynamic_tuple(item: Convert) -> Convert:
    """Convert `tuple[T, ...]`."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, ...]:
        if type(value) is not tuple:
            raise mistyped(value, owner, path, "a tuple", _tuple_remedy(value))
        return tuple(_each(value, item, owner, path))

    return convert


def dynamic_items(*items: Convert) -> Convert:
    """Convert `tuple[A, B]`: one converter an item."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, ...]:
        if type(value) is not tuple or len(value) != len(items):
            expected = f"a tuple of {len(items)}"
            raise mistyped(value, owner, path, expected, _tuple_remedy(value))
        pairs = enumerate(zip(items, value, strict=True))
        return tuple(item(part, owner, f"{path}[{i}]") for i, (item, part) in pairs)

    return convert


def dynamic_list(item: Convert) -> Convert:
    """Convert `list[T]`; the field has a list of its own."""

    def convert(value: Any, owner: Owner, path: str) -> list[Any]:
        if type(value) is not list:
            remedy = "use a list" if isinstance(value, tuple) else ""
            raise mistyped(value, owner, path, "a list", remedy)
        return _each(value, item, owner, path)

    return convert


def dynamic_dict(item: Convert) -> Convert:
    """Convert `dict[K, V]`; the field has a dict of its own."""

    def convert(value: Any, owner: Owner, path: str) -> dict[Any, Any]:
        if type(value) is not dict:
            raise mistyped(value, owner, path, "a dict", "give a plain dict")
        return {
            key: item(part, owner, f"{path}[{key!r}]") for key, part in value.items()
        }

    return convert


def dynamic_union(*options: Convert) -> Convert:
    """Convert `A | B | ...`: the first alternative that takes the value."""

    def convert(value: Any, owner: Owner, path: str) -> Any:
        errors: list[Exception] = []
        for option in options:
            try:
                return option(value, owner, path)
            except (TypeError, ValueError) as error:
                errors.append(error)
        raise none_of(errors, value, owner, path)

    return convert


def _each(value: Any, item: Convert, owner: Owner, path: str) -> list[Any]:
    return [item(part, owner, f"{path}[{i}]") for i, part in enumerate(value)]


def _tuple_remedy(value: object) -> str:
    return "use a tuple" if isinstance(value, list) else ""


def _array_remedy(value: object) -> str:
    if isinstance(value, list | tuple | range):
        return "give `jnp.array(...)` of it"
    if value is None or isinstance(value, Tracer):
        return ""
    return "give an array or a number"
