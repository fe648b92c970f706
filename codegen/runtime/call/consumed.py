# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The marker in the place of an array whose buffer a call has taken.

    new = step(plate, 0.1)
    plate.alpha                 # an array as before
    plate.u.shape               # (64, 64)
    plate.u + 1                 # ConsumedError: `Plate.u` was consumed by `step` at ...

Whatever needs the values raises; what describes the array, and what passes the marker on
as it is, such as flattening, copying and pickling, goes on working.
"""

import dataclasses
from types import CodeType
from typing import Any, Final, NoReturn, Self, TypeAlias

import jax
from jax.core import ShapedArray

from ..keys.messages import shown_shape

# The function's name, and where it was called: a code object with the offset in it,
# which costs nothing to note, or a file with its line.
Call: TypeAlias = tuple[str, CodeType | str, int]


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

    __slots__ = ("_aval", "_call", "_sharding", "_site")

    # How another copy of this package knows it.
    __codegen_consumed__: Final = True

    def __init__(self, aval: Any, sharding: Any, site: Site, call: Call) -> None:
        self._aval = aval
        self._sharding = sharding
        self._site = site
        self._call = call

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self._aval.shape
        return shape

    @property
    def dtype(self) -> Any:
        return self._aval.dtype

    @property
    def ndim(self) -> int:
        return len(self._aval.shape)

    @property
    def sharding(self) -> Any:
        return self._sharding

    def is_deleted(self) -> bool:
        return True

    def block_until_ready(self) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Consumed):
            return False
        return self._described() == other._described()

    def __hash__(self) -> int:
        return hash(self._described())

    def __repr__(self) -> str:
        name, file, line = located(self._call)
        return f"<consumed {shown_shape(self._aval)}: by {name} at {file}:{line}>"

    def __format__(self, spec: str) -> str:
        if spec:
            raise consumed_error(self)
        return repr(self)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.shape, self.dtype, self._site, located(self._call))
        return restore_consumed, parts

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and name.endswith("__"):
            # Python and its tools look for protocols in this way.
            raise AttributeError(name)
        raise consumed_error(self)

    def _described(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self._site, located(self._call)


def consumed_error(marker: Any) -> ConsumedError:
    """Return the error of touching a marker."""
    return _consumed_error(f"`{marker._site.field}`", marker)  # noqa: SLF001


def spent_error(marker: Any, path: str, name: str) -> ConsumedError:
    """Return the error of passing a deleted array to a function.

    Args:
        marker: that of the call that consumed it; None where nothing is known of it
        path: where it is now
        name: the function that it was passed to
    """
    if marker is None:
        return ConsumedError(
            f"`{path}` of `{name}` is an array that was deleted: a call has consumed it "
            "in another object that holds the same array, or `delete()` was called. Use "
            "what the call returned; or give one of the objects `jnp.copy(...)` of it"
        )
    return _consumed_error(f"`{path}` of `{name}`", marker)


def _consumed_error(what: str, marker: Any) -> ConsumedError:
    name, file, line = located(marker._call)  # noqa: SLF001
    site: Site = marker._site  # noqa: SLF001
    return ConsumedError(
        f"{what} was consumed by `{name}` at {file}:{line}, as `{site.path}`: the call "
        "may have put its result into that buffer. Use what the call returned; or call "
        f"`{name}.keep(...)`, which consumes nothing"
    )


def caller(marker: Any) -> str:
    """Return the name of the function that a marker is of."""
    name: str = marker._call[0]  # noqa: SLF001
    return name


def located(call: Call) -> tuple[str, str, int]:
    """Return the function's name and the file and line of its call."""
    name, code, offset = call
    if isinstance(code, str):
        return name, code, offset
    for start, end, line in code.co_lines():
        if start <= offset < end and line is not None:
            return name, code.co_filename, line
    return name, code.co_filename, code.co_firstlineno


def is_consumed(value: object) -> bool:
    """Tell whether a value is a marker, of this package or of another copy of it."""
    return getattr(type(value), "__codegen_consumed__", False)


def mark(array: Any, site: Site, call: Call) -> Consumed:
    """Make the marker for an array, or for a number."""
    sharding = array.sharding if isinstance(array, jax.Array) else _local()
    return Consumed(jax.typeof(array), sharding, site, call)


def restore_consumed(
    shape: tuple[int, ...], dtype: Any, site: Site, call: Call
) -> Consumed:
    """Make the marker of a pickle; arrays come back on the first device, too."""
    return Consumed(ShapedArray(shape, dtype), _local(), site, call)


def _local() -> Any:
    return jax.sharding.SingleDeviceSharding(jax.local_devices()[0])


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
