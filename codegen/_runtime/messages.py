# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Say what was found where, and what to write instead.

`Grid(nx=[3])` raises a TypeError that this module words:

    `Grid.nx` takes an int, but was given [3] (list): use a tuple
"""

import functools
from typing import Any, Final, TypeAlias

import jax
import numpy as np
from jax.core import Tracer

# How much of a value's repr an error text shows, in characters.
_WIDTH_MAX: Final = 60

# The class whose field is set, or the name of the function whose argument it is.
Owner: TypeAlias = type[Any] | str

_REMEDIES: tuple[tuple[type[Any] | tuple[type[Any], ...], str], ...] = (
    (
        Tracer,
        (
            "a traced value is known only when the program runs: make the {what} "
            "dynamic, or compute the value outside the traced function"
        ),
    ),
    (jax.Array, "make the {what} dynamic, or give `numpy.asarray(...)` of it"),
    (np.ndarray, "make the {what} dynamic, or declare an array type"),
    (list, "use a tuple"),
    (bytearray, "use bytes"),
    (set, "use a frozenset"),
    (dict, "use a frozendict"),
    (slice, "use a tuple of its three numbers"),
    (functools.partial, "define a function in a module, with `def`"),
)


def place(owner: Owner, path: str) -> str:
    """Name a field (`Grid.nx`) or an argument, as an error text starts."""
    if isinstance(owner, str):
        return f"argument `{path}` of `{owner}`"
    return f"`{owner.__qualname__}.{path}`"


def shown(value: Any) -> str:
    """Describe a value in one short line: its repr, cut, and its type."""
    name = type(value).__qualname__
    if isinstance(value, Tracer):
        return f"a traced {shown_shape(value)}"
    if isinstance(value, jax.Array | np.ndarray):
        return f"an array {shown_shape(value)} ({name})"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  A broken repr must not hide the real error.
        text = f"<{name}>"
    if len(text) > _WIDTH_MAX:
        text = f"{text[: _WIDTH_MAX - 3]}..."
    return f"{text} ({name})"


def shown_shape(array: Any) -> str:
    """Return dtype and shape of an array or number, as `float32[64,64]`."""
    array = array if hasattr(array, "dtype") else jax.typeof(array)
    sizes = ",".join(map(str, array.shape))
    return f"{array.dtype}[{sizes}]"


def instead(value: object, owner: Owner) -> str:
    """Advise what to give in place of a value that nothing static takes."""
    for kinds, remedy in _REMEDIES:
        if isinstance(value, kinds):
            return remedy.format(what=noun(owner))
    return ""


def noun(owner: Owner) -> str:
    """Name what an owner has: a field or an argument."""
    return "argument" if isinstance(owner, str) else "field"


def reloaded(value: object, kind: type[Any]) -> str:
    """Advise what to do with an object of what a class was before a reload; else nothing."""
    name = kind.__module__, kind.__qualname__
    if all((cls.__module__, cls.__qualname__) != name for cls in type(value).__mro__):
        return ""
    return f"its class is from before `{kind.__module__}` was reloaded: make it anew"


def as_python(value: object, owner: Owner, name: str) -> str:
    """Advise how to make a Python number, as `float(...)`, of an array; else nothing."""
    if isinstance(value, Tracer) or not isinstance(value, jax.Array | np.ndarray):
        return ""
    if value.size != 1:
        return f"make the {noun(owner)} dynamic"
    number = "it" if value.ndim == 0 else "its `.item()`"
    return f"give `{name}(...)` of {number}, or make the {noun(owner)} dynamic"


def mismatch(
    value: object, owner: Owner, path: str, expected: str, remedy: str = ""
) -> TypeError:
    """Return the TypeError for a static value of the wrong type."""
    return mistyped(value, owner, path, expected, remedy or instead(value, owner))


def mistyped(
    value: object, owner: Owner, path: str, expected: str, remedy: str = ""
) -> TypeError:
    """Return the TypeError for any value, where what helps statics would mislead."""
    return TypeError(_sentence(value, owner, path, expected, remedy))


def unfit(
    value: object, owner: Owner, path: str, expected: str, remedy: str = ""
) -> ValueError:
    """Return the ValueError for a value of the right type that cannot be taken."""
    return ValueError(_sentence(value, owner, path, expected, remedy))


def array_text(declared: str) -> str:
    """Name what a field of a dtype, of a kind or of keys takes."""
    return f"an array of {'keys' if declared == 'key' else declared}"


def a_or_an(name: str, mark: str = "`") -> str:
    """Put the article before a name: "a `Plate`", "an `Auto`"."""
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {mark}{name}{mark}"


def _sentence(
    value: object, owner: Owner, path: str, expected: str, remedy: str
) -> str:
    text = f"{place(owner, path)} takes {expected}, but was given {shown(value)}"
    return f"{text}: {remedy}" if remedy else text
