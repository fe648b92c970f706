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
from ..keys.names import is_generated, is_kind
from ..shapes.declared import Each, Items, Shaped
from ..shapes.terms import declared_of
from .abstract import NUMBERS, abstracted, alone, hashed, imported, is_number

T = TypeVar("T")


def zeros_of(obj: T) -> T:
    """Return an object with zeros in place of its arrays."""
    made: T = jax.tree_util.tree_map(_zeros, obj)
    return made


def _zeros(leaf: Any) -> Any:
    if not is_number(leaf):
        return leaf
    struct: Any = leaf if hasattr(leaf, "dtype") else abstracted(leaf)
    if getattr(struct, "weak_type", False) and not struct.shape:
        return jnp.asarray(NUMBERS[struct.dtype.kind](0))
    return jnp.zeros(struct.shape, struct.dtype)


def init_of(obj: T, key: Array) -> T:
    """Return an object with its arrays initialised, each by a key of its own."""
    kind = type(obj).__qualname__
    missing: list[str] = []
    made: Any = _object(obj, _as_key(key, kind), kind, missing)
    if missing:
        fields = ", ".join(f"`{path.partition('.')[2]}`" for path in missing)
        raise TypeError(
            f"`{kind}` cannot be initialised: {fields} {'has' if len(missing) == 1 else 'have'} "
            "neither an initializer nor a default; declare `= field(init=...)`"
        )
    checked: T = made.check()
    return checked


def _object(obj: Any, key: Any, path: str, missing: list[str]) -> Any:
    """Initialise an object; `missing` gets the paths of arrays of which nobody says how."""
    record = type(obj).__codegen_record__
    children, trace_key = record.flatten(obj)
    shapes = declared_of(record, None, path).fields
    made: list[Any] = []
    for name, child in zip(record.data_fields, children, strict=True):
        shape, default = shapes.get(name), record.defaults.get(name)
        own = jax.random.fold_in(key, hashed(name))
        made.append(_value(child, shape, default, own, f"{path}.{name}", missing))
    whole = record.unflatten(trace_key, tuple(made))
    if not missing:
        check_init(whole)
    return whole


def _value(
    value: Any, shape: Any, default: Any, key: Any, path: str, missing: list[str]
) -> Any:
    shape = alone(shape)
    if is_generated(value):
        return _object(value, key, path, missing)
    if hasattr(type(value), "__codegen_hole__"):
        return value  # its owner's class fills it
    if isinstance(value, tuple | list | dict):
        is_dict = isinstance(value, dict)
        items: Any = value if is_dict else dict(enumerate(value))
        made: list[Any] = []
        for name, item in items.items():
            inner = shape.item if isinstance(shape, Each) else None
            if isinstance(shape, Items):
                inner = shape.items[name]
            has_default = isinstance(default, tuple) and name < len(default)
            given = default[name] if has_default else None
            own = jax.random.fold_in(key, hashed(name) if is_dict else name)
            made.append(_value(item, inner, given, own, f"{path}[{name!r}]", missing))
        if is_dict:
            return dict(zip(value, made, strict=True))
        return getattr(type(value), "_make", type(value))(made)
    if not is_number(value):
        return value
    struct: Any = value if hasattr(value, "dtype") else abstracted(value)
    if is_kind(struct.dtype, jax.dtypes.prng_key):
        return jax.random.split(key, struct.shape) if struct.shape else key
    if isinstance(shape, Shaped) and shape.init is not None:
        return _initialised(shape.init, key, struct, path)
    if default is None:
        missing.append(path)
        return value
    if not isinstance(shape, Shaped):
        return jnp.asarray(default)
    array = as_array(default, shape.dtype, "default", path)
    return jnp.broadcast_to(array, struct.shape)


def _initialised(init: Any, key: Any, struct: Any, path: str) -> Any:
    function = imported(init) if isinstance(init, str) else init
    made = function(key, struct.shape, struct.dtype)
    if getattr(made, "shape", None) != struct.shape or made.dtype != struct.dtype:
        raise ValueError(
            f"the initializer of `{path}` was asked for {struct.dtype}"
            f"{list(struct.shape)}, but gave {shown(made)}"
        )
    return made


def _as_key(key: Any, kind: str) -> Any:
    dtype = getattr(key, "dtype", None)
    if dtype is not None and is_kind(dtype, jax.dtypes.prng_key) and key.shape == ():
        return key
    if dtype == np.uint32 and key.ndim == 1:
        return jax.random.wrap_key_data(key)
    remedy = "make one, as `jax.random.key(0)`"
    raise mistyped(key, f"{kind}.init", "key", "one key", remedy)
