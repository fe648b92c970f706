"""The marker that replaces an array whose buffer a call has taken, and names that call.

    new = step(plate, 0.1)
    plate.alpha                 # an array as before
    plate.u.shape               # (64, 64)
    plate.u + 1                 # ConsumedError: `Plate.u` was consumed by `step` at ...

Every use of the values raises an error. Attributes that describe the array keep
working, and so do operations that pass the marker on unchanged, such as flattening,
copying and pickling.

    add(x)                      # x: donated[f32], an argument that is an array itself
    add(x)                      # ConsumedError: `x` of `add` was consumed by `add` at ...

An argument has no field for a marker, so this module keeps the marker for as long as
the array exists.
"""

import dataclasses
import weakref
from types import CodeType
from typing import Any, NoReturn, Self, TypeAlias

import jax

from ..call.errors import ConsumedError, Notes, held_elsewhere, noted_marker, notes
from ..keys.messages import format_shape
from ..tracing import format_file

# The function's name and its call site: a code object with the offset in it, which is
# cheap to record, or a file with its line.
Call: TypeAlias = tuple[str, CodeType | str, int]


@dataclasses.dataclass(frozen=True, slots=True)
class Site:
    """The place of a consumed array."""

    # The field, with its class. Example: "Plate.u"
    field: str
    # The path from the function's argument. Example: "plate.u"
    path: str


class Consumed:
    """The content of a field after its array was consumed."""

    __slots__ = ("_call", "_site", "dtype", "shape", "sharding")

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: object,
        sharding: Any,
        site: Site,
        call: Call,
    ) -> None:
        if sharding is None:
            # Unpickled arrays are on the first device, and so is this.
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
        return f"<consumed {format_shape(self)}: by {name} at {file}:{line}>"

    def __format__(self, spec: str) -> str:
        if spec:
            _refuse(self)
        return repr(self)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Consumed, self._state()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and name.endswith("__"):
            # Python and its tools look up protocols in this way.
            raise AttributeError(name)
        _refuse(self)

    def __codegen_consumed__(self, what: str = "") -> ConsumedError:
        """Return the error for using it, or for passing its array, which is described
        by `what`.

        Another copy of this package recognises a marker by this method.
        """
        name, file, line = _located(self._call)
        return ConsumedError(
            f"{what or f'`{self._site.field}`'} was consumed by `{name}` at {file}:{line}, "
            f"as `{self._site.path}`: the result of that call may use its buffer now. "
            f"Use that result, or call `{name}.keep(...)`, which consumes nothing"
        )

    def _state(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, None, self._site, _located(self._call)


def make_marker(leaf: object, site: Site, call: Call) -> Consumed:
    """Create the marker of an array or a number."""
    aval: Any = jax.typeof(leaf)
    return Consumed(aval.shape, aval.dtype, getattr(leaf, "sharding", None), site, call)


def is_consumed(value: object) -> bool:
    """Return whether a value is a marker, of this package or of another copy of it."""
    return hasattr(type(value), "__codegen_consumed__")


def note_consumed(array: jax.Array, marker: Consumed, notes: Notes) -> None:
    """Record which call consumed an array.

    The record is removed when the array dies, unless another array has its id by then.
    This also works during interpreter shutdown, when the names of this module are gone.
    """
    number = id(array)

    def forget(reference: object, notes: Any = notes) -> None:
        if notes.get(number, (None,))[0] is reference:
            del notes[number]

    notes[number] = weakref.ref(array, forget), marker


def forget_consumed(array: object, marker: Consumed) -> None:
    """Discard the record of a marker, as its call has failed; that of an earlier call
    stays.
    """
    for table in (notes, held_elsewhere):
        if noted_marker(array, table) is marker:
            del table[id(array)]


def _located(call: Call) -> tuple[str, str, int]:
    """Return the function's name, and the file and line of its call."""
    name, code, offset = call
    if isinstance(code, str):
        return name, code, offset
    for start, end, line in code.co_lines():
        if start <= offset < end and line is not None:
            return name, format_file(code.co_filename), line
    return name, format_file(code.co_filename), code.co_firstlineno


def _refuse(self: Any, *args: object, **kwargs: object) -> NoReturn:
    error = self.__codegen_consumed__()
    raise error


_OPERATORS = (
    "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor"
)
_METHODS = """
    lt le gt ge getitem setitem delitem len iter reversed contains call
    bool int float complex index round trunc floor ceil neg pos abs invert
    enter exit
"""
# The protocols by which NumPy, JAX and others ask for the values. They are not methods,
# since JAX would replace the error of a method `__jax_array__` by its own.
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
