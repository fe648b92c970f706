# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What stands for an array whose buffer a call has taken, and says which call that was.

    new = step(plate, 0.1)
    plate.alpha                 # an array as before
    plate.u.shape               # (64, 64)
    plate.u + 1                 # ConsumedError: `Plate.u` was consumed by `step` at ...

Whatever needs the values raises; what describes the array, and what passes the marker on
as it is, such as flattening, copying and pickling, goes on working.

    add(x)                      # x: donated[f32], an argument that is an array itself
    add(x)                      # ConsumedError: `x` of `add` was consumed by `add` at ...

There is no field then to put a marker in: it is kept here for as long as the array is.
"""

import dataclasses
import weakref
from collections.abc import Sequence
from types import CodeType
from typing import Any, Final, NoReturn, Self, TypeAlias

import jax

from ..keys.messages import shown_shape

# The function's name, and where it was called: a code object with the offset in it,
# which costs nothing to note, or a file with its line.
Call: TypeAlias = tuple[str, CodeType | str, int]

# What JAX says of a deleted argument, by the way it is passed.
_OF_DELETED: Final = (
    "Array has been deleted",
    "Buffer has been deleted",
    "deleted or donated buffer",
)
# And of one that another thread has donated since the call began.
_OF_DONATED: Final = "INVALID_ARGUMENT: Invalid buffer passed to Execute()"

# JAX's stubs do not know what it consists of.
_config: Final[Any] = jax.config


class ConsumedError(RuntimeError):
    """A field was used after a call that had consumed it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Site:
    """Where a consumed array was."""

    # The field, with its class. Example: "Plate.u"
    field: str
    # The way there from the function's argument. Example: "plate.u"
    path: str


class Consumed:
    """What a field holds after its array was consumed."""

    __slots__ = ("_call", "_site", "dtype", "shape", "sharding")

    # How another copy of this package knows it.
    __codegen_consumed__: Final = True

    def __init__(
        self, shape: tuple[int, ...], dtype: Any, sharding: Any, site: Site, call: Call
    ) -> None:
        if sharding is None:
            # Arrays of a pickle come back on the first device, and so does this.
            sharding = jax.sharding.SingleDeviceSharding(jax.local_devices()[0])
        self.shape = shape
        self.dtype = dtype
        self.sharding = sharding
        self._site = site
        self._call = call

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def is_deleted(self) -> bool:
        return True

    def block_until_ready(self) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Consumed) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __repr__(self) -> str:
        name, file, line = _located(self._call)
        return f"<consumed {shown_shape(self)}: by {name} at {file}:{line}>"

    def __format__(self, spec: str) -> str:
        if spec:
            raise consumed_error(self)
        return repr(self)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Consumed, self._state()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and name.endswith("__"):
            # Python and its tools look for protocols in this way.
            raise AttributeError(name)
        raise consumed_error(self)

    def _state(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, None, self._site, _located(self._call)


def make_marker(leaf: Any, site: Site, call: Call) -> Consumed:
    """Make the marker for an array, or for a number."""
    aval: Any = jax.typeof(leaf)
    return Consumed(aval.shape, aval.dtype, getattr(leaf, "sharding", None), site, call)


def is_consumed(value: object) -> bool:
    """Tell whether a value is a marker, of this package or of another copy of it."""
    return getattr(type(value), "__codegen_consumed__", False)


def consumed_error(marker: Any, what: str = "") -> ConsumedError:
    """Return the error of touching a marker, or of passing its array, which is `what`."""
    name, file, line = _located(marker._call)  # noqa: SLF001
    site: Site = marker._site  # noqa: SLF001
    return ConsumedError(
        f"{what or f'`{site.field}`'} was consumed by `{name}` at {file}:{line}, as "
        f"`{site.path}`: the call may have put its result into that buffer. Use what the "
        f"call returned; or call `{name}.keep(...)`, which consumes nothing"
    )


def _located(call: Call) -> tuple[str, str, int]:
    """Return the function's name and the file and line of its call."""
    name, code, offset = call
    if isinstance(code, str):
        return name, code, offset
    for start, end, line in code.co_lines():
        if start <= offset < end and line is not None:
            return name, code.co_filename, line
    return name, code.co_filename, code.co_firstlineno


def _refuse(self: Any, *args: object, **kwargs: object) -> NoReturn:
    raise consumed_error(self)


_OPERATORS = (
    "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor"
)
_METHODS = """
    lt le gt ge getitem setitem delitem len iter reversed contains call
    bool int float complex index round trunc floor ceil neg pos abs invert
    enter exit
"""
# How NumPy, JAX and others ask for the values. As a method, `__jax_array__` would have
# its error replaced by one of JAX's.
_PROTOCOLS = """
    jax_array array array_struct array_interface cuda_array_interface
    dlpack dlpack_device array_priority array_namespace
"""

for _name in _OPERATORS.split():
    for _prefix in ("", "r", "i"):
        setattr(Consumed, f"__{_prefix}{_name}__", _refuse)
for _name in _METHODS.split():
    setattr(Consumed, f"__{_name}__", _refuse)
for _name in _PROTOCOLS.split():
    setattr(Consumed, f"__{_name}__", property(_refuse))


# --- arrays that no object holds


class _Note(weakref.ref[Any]):
    """A weak reference to an array, with the marker that it has no field for."""

    __slots__ = ("marker", "number")

    marker: Consumed
    number: int


# By the ids of arrays that are alive.
_notes: Final[dict[int, _Note]] = {}


def note_consumed(array: jax.Array, marker: Consumed) -> None:
    """Remember which call consumed an array."""
    note = _Note(array, _forget)
    note.marker = marker
    note.number = id(array)
    _notes[note.number] = note


def forget_consumed(array: jax.Array) -> None:
    """Forget it again: the call has failed."""
    _notes.pop(id(array), None)


def _forget(note: Any, notes: dict[int, _Note] = _notes) -> None:
    """Forget an array that dies, unless another has its id by now.

    Arrays also die while the interpreter ends, when the names of this module are gone.
    """
    number: int = note.number
    if notes.get(number) is note:
        del notes[number]


def noted_marker(array: Any) -> Consumed | None:
    """Return the marker of an array that was consumed as an argument."""
    note = _notes.get(id(array))
    return note.marker if note is not None and note() is array else None


# --- deleted arrays


def is_deleted(leaf: Any) -> bool:
    """Tell whether a leaf is an array that was deleted."""
    return isinstance(leaf, jax.Array) and leaf.is_deleted()


def is_of_deleted(error: BaseException) -> bool:
    """Tell whether JAX refused an argument that was deleted before the call.

    A program that fails while it runs raises a subclass, with whatever text.
    """
    text = str(error)
    if type(error) not in (RuntimeError, ValueError):
        return text.startswith(_OF_DONATED) and isinstance(error, RuntimeError)
    return any(words in text for words in _OF_DELETED)


def runs_again() -> bool:
    """Tell whether JAX runs a call a second time, to find what made a NaN or infinity."""
    return bool(_config.jax_debug_nans or _config.jax_debug_infs)


def explain(
    error: BaseException, leaves: Sequence[Any], paths: Sequence[str], name: str
) -> None:
    """Say which leaf of a call is deleted, where JAX says that one is.

    Raises:
        ConsumedError: with its path
    """
    if not is_of_deleted(error):
        return
    if runs_again():
        error.add_note(
            f"`jax_debug_nans` and `jax_debug_infs` run `{name}` again where "
            "they find a NaN or an infinity in its result, but it was compiled with "
            "donation, and its arguments are gone: to see where that comes from, "
            f"call `{name}.keep(...)`"
        )
        return
    for leaf, path in zip(leaves, paths, strict=True):
        if not is_deleted(leaf):
            continue
        marker = noted_marker(leaf)
        if marker is not None:
            raise consumed_error(marker, f"`{path}` of `{name}`") from error
        raise ConsumedError(
            f"`{path}` of `{name}` is an array that was deleted: a call has consumed it "
            "in another object that holds the same array, or `delete()` was called. Use "
            "what the call returned; or give one of the objects `jnp.copy(...)` of it"
        ) from error
