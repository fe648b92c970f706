"""Classes with declared initializers for their arrays.

Mlp.abstract(pixels=784, hidden=128, classes=10, middle=1).init(jax.random.key(0))
"""

import pkgutil
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from .classes.registration import Pytree
from .declared import AnyOf, Part, Shape, Shaped
from .dims import (
    converted_default,
    is_number,
    stable_hash,
    to_abstract,
    with_axes,
    zeros_of,
)
from .keys.conversion import check_init
from .keys.messages import format_value, mistyped
from .keys.names import (
    Generated,
    content_of,
    in_ref_like,
    is_generated,
    is_kind,
    is_ref,
)
from .leaves import best_alternative, item_shapes
from .shapes.dimensions import object_shapes
from .sharing import HOLE
from .tracing import is_tracing

P = TypeVar("P", bound=Pytree)
G = TypeVar("G", bound=Generated)


def initialized(obj: P, key: object) -> P:
    """Return an object with every array initialized."""
    kind = type(obj).__qualname__
    missing: dict[str, None] = {}
    new = _initialized(obj, None, _as_key(key, kind), kind, missing)
    if missing:
        fields = ", ".join(f"`{path.partition('.')[2]}`" for path in missing)
        raise TypeError(
            f"`{kind}` cannot be initialized: declare `= field(init=...)`, or a "
            f"default, for {fields}"
        )
    # Stacked layers are created as arrays, so Refs are created at the end.
    if any(map(is_ref, jax.tree_util.tree_leaves(obj))):
        new = jax.tree_util.tree_map(in_ref_like, obj, new)
    return new.check()


def _initialized(
    obj: G, part: Part | None, key: Array, path: str, missing: dict[str, None]
) -> G:
    """Initialize an object; add the paths of arrays without an initializer to
    `missing`.
    """
    if part is not None and part.stacked:
        return _layers(obj, part, key, path, missing)
    record = type(obj).__codegen_record__
    children, trace_key = record.flatten(obj)
    shapes = object_shapes(record, part, path).fields
    values: list[Any] = []
    for name, child in zip(record.data_fields, children, strict=True):
        shape, where = shapes.get(name), f"{path}.{name}"
        own = jax.random.fold_in(key, stable_hash(name))
        default = converted_default(record, name, shape)
        values.append(initial_value(child, shape, default, own, where, missing))
    whole: G = record.unflatten(trace_key, tuple(values))
    if not missing:
        check_init(whole)
    return whole


def _layers(stack: G, part: Part, key: Array, path: str, missing: dict[str, None]) -> G:
    """Initialize a stack: each layer by its own key, as if it were an item of a tuple.

    The numbers equal those of the tuple, to the last bit. Outside of any trace each
    layer is created by itself. In a trace a single program creates them all. It does
    not use `vmap`, under which some kinds of keys, such as `rbg`, give all layers the
    numbers of the first one.
    """
    leaves = jax.tree_util.tree_leaves(stack)
    counts: set[Any] = {getattr(leaf, "shape", ())[:1] for leaf in leaves} or {(0,)}
    if len(counts) > 1 or () in counts:
        why = "is not a stack: its arrays do not have a first axis of one size"
        raise ValueError(f"`{path}` {why}")
    ((count,),) = counts
    one = with_axes(stack, lambda axes: axes[1:])
    layer = Part(
        part.cls,
        part.dims,
        types=part.types,
        of=part.of,
        given=part.given,
        stacked=part.stacked[1:],
    )

    def make(index: ArrayLike) -> G:
        own = jax.random.fold_in(key, index)
        return _initialized(one, layer, own, path, missing)

    if is_tracing() or not count:
        mapped: G = jax.lax.map(make, jnp.arange(count))
        return mapped
    layers = [make(index) for index in range(count)]
    if missing:
        return stack
    stacked: G = jax.tree_util.tree_map(lambda *leaves: jnp.stack(leaves), *layers)
    return stacked


def initial_value(
    value: object,
    shape: Shape | None,
    default: object,
    key: Array,
    path: str,
    missing: dict[str, None],
) -> Any:
    """Initialize a value of any type; `missing` as above."""
    shape = best_alternative(shape, value) if isinstance(shape, AnyOf) else shape
    if is_generated(value):
        structure: Any = jax.tree_util.tree_structure
        if structure(value) == structure(default):  # the value of its factory
            return jax.tree_util.tree_map(
                lambda leaf: _as_content(leaf) if is_number(leaf) else leaf, default
            )
        part = shape if isinstance(shape, Part) else None
        return _initialized(value, part, key, path, missing)
    if value is HOLE:
        return value  # its owner's class fills it
    located, treedef = _flatten_once(value)
    if not jax.tree_util.treedef_is_leaf(treedef):
        shapes, held = item_shapes(shape, len(located)), dict(_flatten_once(default)[0])
        several: list[Any] = []
        for i, (inner, (place, item)) in enumerate(zip(shapes, located, strict=True)):
            step = stable_hash(place[0].key) if isinstance(value, dict) else i
            own, item_default = jax.random.fold_in(key, step), held.get(place)
            where = path + jax.tree_util.keystr(place)
            several.append(
                initial_value(item, inner, item_default, own, where, missing)
            )
        return jax.tree_util.tree_unflatten(treedef, several)
    if not is_number(value):
        return value
    struct: Any = value if hasattr(value, "dtype") else to_abstract(value)
    if is_kind(struct.dtype, jax.dtypes.prng_key):
        return jax.random.split(key, struct.shape) if struct.shape else key
    init = shape.init if isinstance(shape, Shaped) else None
    if init is not None:
        function = init
        if isinstance(init, str):
            function = pkgutil.resolve_name(init)
        array = function(key, struct.shape, struct.dtype)
    elif default is not None:
        array = _as_content(default)
        if not isinstance(shape, Shaped):
            return array
        array = array if array.shape else jnp.broadcast_to(array, struct.shape)
    else:
        missing[path] = None
        # A trace continues to its end, and then reports the missing initializers.
        return zeros_of(value) if is_tracing() else value
    if getattr(array, "shape", None) != struct.shape or (
        init is not None and array.dtype != struct.dtype
    ):
        problem = f"must return {struct.dtype}{[*struct.shape]}, but returned {format_value(array)}"
        raise ValueError(f"the initializer or factory of `{path}` {problem}")
    return array


def _as_content(default: object) -> Array:
    """Return the array of a default value; of a Ref, the content."""
    return jnp.asarray(content_of(default))


def _flatten_once(value: object) -> Any:
    """Flatten a value by one level."""
    flatten = jax.tree_util.tree_flatten_with_path
    return flatten(value, is_leaf=lambda item: item is not value)


def _as_key(key: Any, kind: str) -> Any:
    dtype = getattr(key, "dtype", None)
    if dtype is not None and is_kind(dtype, jax.dtypes.prng_key) and key.shape == ():
        return key
    if dtype == np.uint32 and key.ndim == 1:
        return jax.random.wrap_key_data(key)
    remedy = "create one, as with `jax.random.key(0)`"
    raise mistyped(key, f"{kind}.init", "key", "a single key", remedy)
