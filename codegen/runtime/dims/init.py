# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Fill objects: with zeros, or each array by its initializer or default.

zeros_of(linear)                            # of its arrays' shapes and dtypes
init_of(linear, jax.random.key(0))
"""

from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from ..classes.arrays import as_array
from ..keys.conversion import check_init
from ..keys.messages import mistyped, shown
from ..keys.names import is_kind
from ..shapes.declared import Each, Items, Shaped
from .values import NUMBERS, abstracted, hashed, imported, inner, is_number, struct_of

T = TypeVar("T")

# --- of zeros


def zeros_of(obj: T) -> T:
    """Return an object with zeros in place of its arrays."""
    made: T = jax.tree_util.tree_map(_zeros, obj)
    return made


def _zeros(leaf: Any) -> Any:
    if not is_number(leaf):
        return leaf
    struct: Any = abstracted(leaf) if not hasattr(leaf, "dtype") else leaf
    if is_kind(struct.dtype, jax.dtypes.prng_key):
        data = jax.eval_shape(
            jax.random.key_data, struct_of(struct.shape, struct.dtype)
        )
        return jax.random.wrap_key_data(jnp.zeros(data.shape, data.dtype))
    if getattr(struct, "weak_type", False) and not struct.shape:
        return jnp.asarray(NUMBERS[struct.dtype.kind](0))
    return jnp.zeros(struct.shape, struct.dtype)


# --- initialised


def init_of(obj: T, key: Array) -> T:
    """Return an object with its arrays initialised, each by a key of its own."""
    missing: list[str] = []
    made: Any = _initialised(obj, _as_key(key, type(obj)), missing)
    if missing:
        fields = ", ".join(f"`{path}`" for path in missing)
        kind = type(obj).__qualname__
        raise TypeError(
            f"`{kind}` cannot be initialised: {fields} {'has' if len(missing) == 1 else 'have'} "
            "neither an initializer nor a default; declare `= field(init=...)`"
        )
    checked: T = made.check()
    return checked


def _initialised(obj: Any, key: Any, missing: list[str], path: str = "") -> Any:
    """Initialise an object; `missing` gets the paths of arrays of which nobody says how."""
    record = type(obj).__codegen_record__
    children, trace_key = record.flatten(obj)
    made: list[Any] = []
    for name, child in zip(record.data_fields, children, strict=True):
        shape = record.shapes.fields.get(name)
        init = _Init(record, name, shape, record.defaults.get(name), missing)
        made.append(
            init.value(child, _at(key, name), f"{path}.{name}" if path else name)
        )
    whole = record.unflatten(trace_key, tuple(made))
    if not missing:
        check_init(whole)
    return whole


class _Init:
    """What is known of the arrays in one field."""

    def __init__(
        self, record: Any, name: str, shape: Any, default: Any, missing: list[str]
    ) -> None:
        self.record = record
        self.name = name
        self.shape = inner(shape)
        self.default = default
        self.missing = missing

    def value(self, value: Any, key: Any, path: str) -> Any:
        if hasattr(type(value), "__codegen_record__"):
            return _initialised(value, key, self.missing, path)
        if hasattr(type(value), "__codegen_hole__"):
            return value  # its owner's class fills it
        if isinstance(value, tuple | list):
            items = [
                self._item(i).value(item, jax.random.fold_in(key, i), f"{path}[{i}]")
                for i, item in enumerate(value)
            ]
            return getattr(type(value), "_make", type(value))(items)
        if isinstance(value, dict):
            return {
                name: self._item(None).value(item, _at(key, name), f"{path}[{name!r}]")
                for name, item in value.items()
            }
        return self._leaf(value, key, path) if is_number(value) else value

    def _item(self, index: int | None) -> "_Init":
        shape, default = self.shape, self.default
        item = shape.item if isinstance(shape, Each) else None
        if isinstance(shape, Items) and index is not None:
            item = shape.items[index]
        if isinstance(default, tuple) and index is not None and index < len(default):
            default = default[index]
        return _Init(self.record, self.name, item, default, self.missing)

    def _leaf(self, leaf: Any, key: Any, path: str) -> Any:
        struct: Any = leaf if hasattr(leaf, "dtype") else abstracted(leaf)
        if is_kind(struct.dtype, jax.dtypes.prng_key):
            return jax.random.split(key, struct.shape) if struct.shape else key
        if isinstance(self.shape, Shaped) and self.shape.init is not None:
            return self._made(self.shape.init, key, struct, path)
        if self.default is None:
            self.missing.append(path)
            return leaf
        if not isinstance(self.shape, Shaped):
            return jnp.asarray(self.default)
        array = as_array(self.default, self.shape.dtype, self.record.cls, path)
        return jnp.broadcast_to(array, struct.shape)

    def _made(self, init: Any, key: Any, struct: Any, path: str) -> Any:
        function = imported(init) if isinstance(init, str) else init
        made = function(key, struct.shape, struct.dtype)
        if getattr(made, "shape", None) != struct.shape or made.dtype != struct.dtype:
            raise ValueError(
                f"the initializer of `{self.record.cls.__qualname__}.{path}` was asked "
                f"for {struct.dtype}{list(struct.shape)}, but gave {shown(made)}"
            )
        return made


def _at(key: Any, name: Any) -> Any:
    text = name if isinstance(name, str) else repr(name)
    return jax.random.fold_in(key, hashed(text))


def _as_key(key: Any, cls: type[Any]) -> Any:
    dtype = getattr(key, "dtype", None)
    if dtype is not None and is_kind(dtype, jax.dtypes.prng_key) and key.shape == ():
        return key
    if dtype == np.uint32 and key.ndim == 1:
        return jax.random.wrap_key_data(key)
    name = f"{cls.__qualname__}.init"
    raise mistyped(key, name, "key", "one key", "make one, as `jax.random.key(0)`")
