"""Format values, and errors for refused values: where, what was found, and what to
write.

    `Grid.nx` takes an int, but was given '3' (str): convert it with `int(...)`

A repr has one line, or as many as the terminal's width requires. Long or deep values
are cut.
"""

import contextlib
import enum
import itertools
import re
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.sharding import PartitionSpec, Sharding

# The class whose field is set, or the name of the function that is called.
Owner: TypeAlias = type[Any] | str

# The path of a function's result, which no argument can have.
RESULT: Final = "return"

_OF_NONE: Final = "declare `... | None`, if it may be missing"
_WIDTH: Final = 88
# Values beyond these limits are shown by their shape, or cut.
_NUMBERS_MAX: Final = 6
_ITEMS_MAX: Final = 20
_TEXT_MAX: Final = 60
_PATH_MAX: Final = 200
_DEPTH_MAX: Final = 20


# --- errors


def mismatch(
    value: object, owner: Owner, path: str, expected: str, remedy: str = ""
) -> TypeError:
    """Return the TypeError for a static value of the wrong type."""
    if isinstance(value, Tracer):
        remedy = (
            "a traced value is known only when the program runs: declare it dynamic, "
            "or compute the value outside the traced function"
        )
    elif value is None:
        remedy = _OF_NONE
    return _refused(value, owner, path, expected, remedy, remedy)


def mistyped(
    value: object, owner: Owner, path: str, expected: str, remedy: str = ""
) -> TypeError:
    """Return the TypeError for any value for which the advice for statics would
    mislead.
    """
    texts = [remedy] if remedy else []
    if value is None:
        texts.append(_OF_NONE)
    labels = bool | int | str | PartitionSpec | Sharding | None
    if isinstance(owner, type) and isinstance(value, labels):
        texts.append("for a tree of axes, masks or labels use `like`")
    return _refused(value, owner, path, expected, remedy, "; ".join(texts))


def _refused(
    value: object, owner: Owner, path: str, expected: str, remedy: str, advice: str
) -> TypeError:
    error = TypeError(str(unfit(value, owner, path, expected, advice)))
    # Unions read this to combine the errors of all alternatives.
    vars(error)["refusal"] = path, expected, remedy
    return error


def unfit(
    value: object, owner: Owner, path: str, expected: str, remedy: str = ""
) -> ValueError:
    """Return the ValueError for a value of the right type that cannot be accepted."""
    path = shorten(path, _PATH_MAX)  # A key of a dict may be of any length.
    head, bracket, inner = path.partition("[")
    problem = f"takes {expected}, but was given"
    if isinstance(owner, type):
        # An item of a `frozendict` that you construct has no field.
        dot = "" if path.startswith("[") else "."
        place = f"`{owner.__qualname__}{dot}{path}`"
    elif head != RESULT:
        place = f"argument `{path}` of `{owner}`"
    else:
        place = f"`result[{inner}` of" if bracket else "the result of"
        place += f" `{owner}`"
        problem = f"is declared as {expected}, but the implementation returned"
        if remedy in ("", _OF_NONE):
            remedy = "return this type, or change the declared type"
    text = f"{place} {problem} {format_value(value)}"
    return ValueError(f"{text}: {remedy}" if remedy else text)


# --- parts of sentences


def format_value(value: object) -> str:
    """Describe a value in one short line: its repr, cut, and its type."""
    name = type(value).__qualname__
    if isinstance(value, jax.Ref):
        return f"a Ref {format_shape(value)}"
    if isinstance(value, Tracer):
        return f"a traced {format_shape(value)}"
    if isinstance(value, jax.Array | np.ndarray):
        return f"an array {format_shape(value)} ({name})"
    try:
        leaves = jax.tree_util.tree_leaves(value)
        if any(isinstance(leaf, jax.Array | np.ndarray) for leaf in leaves):
            # The numbers do not help, and fill lines.
            return f"{a_or_an(name)} with arrays"
        text = " ".join(format_line(value).split())
    except Exception:  # noqa: BLE001  A broken repr or pytree must not hide the real error.
        text = f"<{name}>"
    if len(text) > _TEXT_MAX:
        text = f"{text[: _TEXT_MAX - 3]}..."
    return f"{text} ({name})"


def shorten(text: str, length: int = 100) -> str:
    """Return a text, cut if it is too long to read, such as a name from the input."""
    return text if len(text) <= length else f"{text[: length - 3]}..."


def format_shape(array: Any) -> str:
    """Return the dtype and shape of an array or number, as `float32[64,64]`."""
    array = array if hasattr(array, "shape") else jax.typeof(array)
    return f"{array.dtype}[{','.join(map(str, array.shape))}]"


def describe_array_type(declared: str) -> str:
    """Name the values that a field of a dtype, of a kind or of keys accepts."""
    return f"an array of {'keys' if declared == 'key' else declared}"


def a_or_an(name: str, mark: str = "`") -> str:
    """Prefix a name with its article: "a `Plate`", "an `Auto`"."""
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {mark}{name}{mark}"


# --- reprs


class Text(str):
    """A text that is its own repr, used instead of a value."""

    __slots__ = ()
    __repr__ = str.__str__


# Replaces a value that is not shown.
REST: Final = Text("...")


def format_line(value: object, around: tuple[int, ...] = ()) -> str:
    """Return the text of a value in one line, except for line breaks in foreign reprs.

    `around` are the ids of the values that contain it. These are not shown again inside
    it.
    """
    opening, items, closing = _split_value(value, around)
    around = (*around, id(value))
    return (
        opening
        + ", ".join([n + format_line(item, around) for n, item in items])
        + closing
    )


def format_pretty(
    value: object, margin: str = "", name: str = "", around: tuple[int, ...] = ()
) -> str:
    """Return a name and the text of its value, over several lines if one is too short.

    The lines start with `margin`. If that is not empty, a comma follows them.
    """
    line = name + format_line(value, around)
    opening, items, closing = _split_value(value, around)
    fits = len(margin) + len(line) + bool(margin) <= _WIDTH and "\n" not in line
    if fits or not items:
        return line.replace("\n", f"\n{margin}")
    inner = margin + "    "
    around = (*around, id(value))
    lines = [
        f"{inner}{format_pretty(item, inner, key, around)}," for key, item in items
    ]
    return "\n".join([name + opening, *lines, margin + closing.removeprefix(",")])


def _split_value(
    value: Any, around: tuple[int, ...]
) -> tuple[str, list[tuple[str, Any]], str]:
    """Return the opening text of a value, its items with their prefixes, and its
    closing text.
    """
    kind: type[Any] = type(value)
    own: object = kind.__repr__
    # A repr of a mixin, or of a derived class, has precedence.
    is_ours = getattr(own, "__qualname__", "") == "GeneratedClass.__repr__"
    # `namedtuple` generates a repr of its own.
    is_named = tuple in kind.__mro__ and getattr(own, "__module__", "") == "collections"
    from ..frozen_dicts import frozendict

    is_frozendict = kind is frozendict
    items: list[tuple[str, Any]]
    if is_ours or is_named:
        opening, closing = f"{kind.__qualname__}(", ")"
        names: tuple[str, ...] = getattr(kind, "__match_args__", ())
        count = len(names)
        # An object that is still being constructed lacks some.
        items = [(f"{n}=", getattr(value, n)) for n in names if hasattr(value, n)]
    elif kind is tuple or kind is list:
        opening, closing = ("(", ")") if kind is tuple else ("[", "]")
        count = len(value)
        items = [("", item) for item in value[:_ITEMS_MAX]]
    elif kind is dict or is_frozendict:
        opening, closing = ("frozendict({", "})") if is_frozendict else ("{", "}")
        count = len(value)
        first = itertools.islice(value, _ITEMS_MAX)
        items = [(f"{_format_atom(name)}: ", value[name]) for name in first]
    else:
        return _format_atom(value), [], ""
    if id(value) in around or len(around) > _DEPTH_MAX:
        return f"{opening}...{closing}", [], ""
    if len(items) < count:
        items.append(("", Text(f"... {count - len(items)} more")))
    return opening, items, ",)" if kind is tuple and count == 1 else closing


def _format_atom(value: object) -> str:
    """Return the text of a value that is not split into parts."""
    if isinstance(value, jax.Ref):
        # Reading the content would add a read to a trace that is active.
        return f"Ref({format_short_shape(value)})"
    if isinstance(value, Tracer | jax.ShapeDtypeStruct) and hasattr(value, "dtype"):
        return f"{type(value).__name__}({format_short_shape(value)})"
    if isinstance(value, jax.Array | np.ndarray):
        return _format_array(value)
    if isinstance(value, enum.Enum) and type(value).__repr__ is enum.Enum.__repr__:
        return f"{type(value).__qualname__}.{value.name}"
    try:
        text = repr(value)
    except ValueError:  # An int with too many digits, or a NumPy time without a unit.
        text = f"<{type(value).__qualname__}>"
    if isinstance(value, str | bytes) and len(text) > _WIDTH:
        text = f"{text[:_TEXT_MAX]}...{text[-1]}"
    return text


def format_short_shape(array: Any) -> str:
    """Return the dtype and shape as in jaxprs and schemas: `f32[125,3]`."""
    name = str(array.dtype.name)
    if jnp.issubdtype(array.dtype, jax.dtypes.prng_key):
        name = "key"
    return f"{short_dtype(name)}[{','.join(map(str, array.shape))}]"


def short_dtype(name: str) -> str:
    """Return the name of a dtype in schemas: "f32" of "float32"."""
    return re.sub("^(bf|f|u|i|c)(loat|int|nt|omplex)", r"\1", name)


def _format_array(value: Any) -> str:
    shape = format_short_shape(value)
    if isinstance(value, jax.Array) and value.is_deleted():
        return f"{shape} deleted"
    if not shape.startswith("key") and 0 < value.size <= _NUMBERS_MAX:
        # The numbers are not available if part of the array is on another machine.
        with contextlib.suppress(RuntimeError):
            # Formatted in their own precision: a float32 is 0.1, not
            # 0.10000000149011612.
            text = np.array2string(
                np.asarray(value), separator=", ", formatter={"all": _format_number}
            )
            text = " ".join(text.split())
            return text if len(text) <= _TEXT_MAX else shape
    return shape


def _format_number(value: object) -> str:
    return str(value) if isinstance(value, np.number | np.bool_) else repr(value)
