# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Say what was found where, and what to write instead.

`Grid(sizes=[3])` raises a TypeError that this module words:

    `Grid.sizes` takes a tuple[int, ...], but was given [3] (list): use a tuple
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, TypeAlias

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import PartitionSpec, Sharding

from .reprs import flat

# How much of a value's repr an error text shows, in characters.
_WIDTH_MAX: Final = 60

# The class whose field is set, or the name of the function whose argument it is.
Owner: TypeAlias = type[Any] | str

# What a function returns is at this path, which no argument can have.
RESULT: Final = "return"

# What is declared, as a remedy needs it: `use a tuple` helps nobody who declared an int.
Wanted: TypeAlias = Collection[str]

_OF_TRACERS: Final = (
    "a traced value is known only when the program runs: make the {what} dynamic, or "
    "compute the value outside the traced function"
)
# What was given, what has to be declared for it, and what to write.
_REMEDIES: Final[tuple[tuple[type[Any] | tuple[type[Any], ...], str, str], ...]] = (
    (
        jax.Array,
        "array",
        "make the {what} dynamic, or give `numpy.asarray(...)` of it",
    ),
    (np.ndarray, "any", "make the {what} dynamic, or declare an array type"),
    (list, "tuple", "use a tuple"),
    (bytearray, "bytes", "use bytes"),
    (set, "frozenset", "use a frozenset"),
    (list, "frozenset", "use a frozenset"),
    (dict, "frozendict", "use a frozendict"),
    (slice, "tuple", "use a tuple of its three numbers"),
)
_OF_NONE: Final = "declare `... | None`, if it may be missing"
_OF_TREES: Final = "for a tree of axes, masks or labels use `like`"
# Whatever can be a key.
ANY: Final[Wanted] = frozenset(wanted for _, wanted, _ in _REMEDIES)


def place(owner: Owner, path: str) -> str:
    """Name a field (`Grid.nx`) or an argument, as an error text starts."""
    if isinstance(owner, str):
        if _is_result(owner, path):
            inner = path.removeprefix(RESULT)
            return (
                f"`result{inner}` of `{owner}`" if inner else f"the result of `{owner}`"
            )
        return f"argument `{path}` of `{owner}`"
    return f"`{owner.__qualname__}.{path}`"


def _is_result(owner: Owner, path: str) -> bool:
    return isinstance(owner, str) and path.partition("[")[0] == RESULT


def shown(value: Any) -> str:
    """Describe a value in one short line: its repr, cut, and its type."""
    name = type(value).__qualname__
    if isinstance(value, Tracer):
        return f"a traced {shown_shape(value)}"
    if isinstance(value, jax.Array | np.ndarray):
        return f"an array {shown_shape(value)} ({name})"
    if _holds_arrays(value):
        # Their numbers help nobody, and fill lines.
        return f"{a_or_an(name)} with arrays"
    try:
        text = " ".join(flat(value).split())
    except Exception:  # noqa: BLE001  A broken repr must not hide the real error.
        text = f"<{name}>"
    if len(text) > _WIDTH_MAX:
        text = f"{text[: _WIDTH_MAX - 3]}..."
    return f"{text} ({name})"


def _holds_arrays(value: Any) -> bool:
    """Tell whether a value is a pytree with arrays in it."""
    record = getattr(type(value), "__codegen_record__", None)
    if record is not None:
        return bool(record.data_fields)
    try:
        leaves = jax.tree_util.tree_leaves(value)
    except Exception:  # noqa: BLE001  A broken pytree must not hide the real error.
        return False
    return any(isinstance(leaf, jax.Array | np.ndarray) for leaf in leaves)


def shown_shape(array: Any) -> str:
    """Return dtype and shape of an array or number, as `float32[64,64]`."""
    array = array if hasattr(array, "dtype") else jax.typeof(array)
    sizes = ",".join(map(str, array.shape))
    return f"{array.dtype}[{sizes}]"


def instead(value: object, owner: Owner, wanted: Wanted) -> str:
    """Advise what to give in place of a value, where what is wanted can be made of it."""
    for kinds, made, remedy in _REMEDIES:
        if made in wanted and isinstance(value, kinds):
            return remedy.format(what=noun(owner))
    if isinstance(value, jax.Array | np.ndarray):
        if "tuple" in wanted and value.ndim == 1:
            return "give `tuple(array.tolist())`"
        if "number" in wanted and value.size == 1:
            return "give its `.item()`"
    return ""


def noun(owner: Owner) -> str:
    """Name what an owner has: a field or an argument."""
    return "argument" if isinstance(owner, str) else "field"


def named(value: object, kind: type[Any]) -> str:
    """Name a class that a value is no object of: with its module, if its own is alike."""
    text = a_or_an(kind.__qualname__)
    alike = type(value).__qualname__ == kind.__qualname__
    return f"{text} of `{kind.__module__}`" if alike else text


def as_python(value: object, owner: Owner, name: str) -> str:
    """Advise how to make a Python number, as `float(...)`, of an array; else nothing."""
    if isinstance(value, Tracer) or not isinstance(value, jax.Array | np.ndarray):
        return ""
    if value.size != 1:
        return f"make the {noun(owner)} dynamic"
    number = "it" if value.ndim == 0 else "its `.item()`"
    return f"give `{name}(...)` of {number}, or make the {noun(owner)} dynamic"


def mismatch(
    value: object,
    owner: Owner,
    path: str,
    expected: str,
    remedy: str = "",
    wanted: Wanted = (),
) -> TypeError:
    """Return the TypeError for a static value of the wrong type."""
    if isinstance(value, Tracer):
        remedy = _OF_TRACERS.format(what=noun(owner))
    elif value is None:
        remedy = _OF_NONE
    remedy = remedy or instead(value, owner, wanted)
    return _refused(value, owner, path, expected, remedy)


def mistyped(
    value: object, owner: Owner, path: str, expected: str, remedy: str = ""
) -> TypeError:
    """Return the TypeError for any value, where what helps statics would mislead."""
    return _refused(value, owner, path, expected, remedy, _of_trees(value, owner))


def _refused(
    value: object,
    owner: Owner,
    path: str,
    expected: str,
    remedy: str,
    more: Sequence[str] = (),
) -> TypeError:
    texts = "; ".join(filter(None, (remedy, *more)))
    error: Any = TypeError(_sentence(value, owner, path, expected, texts))
    # For `none_of`, which puts the errors of all alternatives into one.
    error.refusal = path, expected, remedy
    refused: TypeError = error
    return refused


def _of_trees(value: object, owner: Owner) -> list[str]:
    """Advise how to leave out an array, and where other things may be in its place."""
    found = [_OF_NONE] if value is None else []
    labels = bool | int | str | PartitionSpec | Sharding | None
    return found + [_OF_TREES] * (isinstance(owner, type) and isinstance(value, labels))


def none_of(
    errors: Sequence[Exception],
    value: object,
    owner: Owner,
    path: str,
    expected: str = "",
    wanted: Wanted = (),
) -> Exception:
    """Return the error for a value that none of a union's alternatives takes.

    Where one of them takes a value of this type, its own error says what is wrong inside.

    Args:
        errors: those of the alternatives
        value: the value
        owner: the class or function
        path: where the value was given
        expected: what all alternatives are, of static ones
        wanted: likewise
    """
    refusals: list[tuple[str, str, str]] = []
    for error in errors:
        refusal = getattr(error, "refusal", None)
        if refusal is None or refusal[0] != path:
            return error
        refusals.append(refusal)
    remedy = ", or ".join(dict.fromkeys(text for *_, text in refusals if text))
    if expected:
        remedy = instead(value, owner, wanted) or remedy
        return mismatch(value, owner, path, expected, remedy)
    expected = " or ".join(dict.fromkeys(expected for _, expected, _ in refusals))
    return mistyped(value, owner, path, expected, remedy)


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
    if _is_result(owner, path):
        text = (
            f"{place(owner, path)} is declared as {expected}, but the implementation "
            f"returned {shown(value)}"
        )
        remedy = remedy or "return what is declared, or declare what is returned"
    else:
        text = f"{place(owner, path)} takes {expected}, but was given {shown(value)}"
    return f"{text}: {remedy}" if remedy else text
