"""The marker in the place of an array that a call has consumed. It names the call.

    new = step(plate, 0.1)
    plate.alpha                 # an array as before
    plate.u.shape               # (64, 64)
    plate.u + 1                 # ConsumedError: `Plate.u` was consumed by `step` ...

Every use of the values raises an error. Attributes that describe the array keep
working, and so do operations that pass the marker on unchanged, such as flattening,
copying and pickling.
"""

from typing import Any, NoReturn, Self

import jax

from ..keys.messages import format_shape
from .errors import ConsumedError


class Consumed:
    """The content of a field after its array was consumed.

    `field` is its name ("Plate.u"), and `path` is where the function found it ("plate.u").
    """

    __slots__ = ("dtype", "field", "function", "path", "shape", "sharding")

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: object,
        sharding: object,
        field: str,
        path: str,
        function: str,
    ) -> None:
        if sharding is None:
            # Unpickled arrays are on the first device, and so is this.
            sharding = jax.sharding.SingleDeviceSharding(jax.local_devices()[0])
        self.shape, self.dtype, self.sharding = shape, dtype, sharding
        self.field, self.path, self.function = field, path, function

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
        return f"<consumed {format_shape(self)}: by {self.function}>"

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

    def _state(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, None, self.field, self.path, self.function


def make_marker(leaf: object, field: str, path: str, function: str) -> Consumed:
    """Create the marker of an array or a number."""
    aval: Any = jax.typeof(leaf)
    sharding = getattr(leaf, "sharding", None)
    return Consumed(aval.shape, aval.dtype, sharding, field, path, function)


def _refuse(self: Consumed, *args: object, **kwargs: object) -> NoReturn:
    raise ConsumedError(
        f"`{self.field}` was consumed by `{self.function}`, as `{self.path}`: the result "
        "of that call may use its buffer now. Use that result, or call "
        f"`{self.function}.keep(...)`, which consumes nothing"
    )


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
