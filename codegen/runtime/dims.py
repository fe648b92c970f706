"""Classes that name their dimensions: their axes, and objects of `jax.ShapeDtypeStruct`s.

mlp = Mlp.abstract(pixels=784, hidden=128, classes=10, middle=1)
mlp.axes("hidden")              # for in_axes and out_axes of `vmap`
mlp.zeros()

`abstract` of a class calls `make_abstract`. The record of a class describes its parts,
and its holder describes their dimensions.
"""

import functools
import pkgutil
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from .classes.registration import Record, default_of
from .classes.values import OF_KIND, is_weak
from .declared import (
    AnyOf,
    Declared,
    Dim,
    Each,
    Items,
    Part,
    Shaped,
    ShapedRef,
    Weak,
    described,
    resolved,
)
from .keys.conversion import MISSING, Converted, as_int
from .keys.interning import TraceKey
from .keys.messages import mismatch, unfit
from .keys.names import KINDS, Generated, abstract_ref, in_ref_like, is_ref
from .leaves import Axis, DeclaredLeaf, best_alternative, item_shapes, map_leaves
from .shapes import SCALARS
from .shapes.dimensions import (
    Sizes,
    alternatives,
    format_dim,
    is_variadic,
    names_in_dim,
    object_shapes,
)

T = TypeVar("T")
G = TypeVar("G", bound=Generated)

_UNSET: Final[Any] = object()


def find_axes(obj: T, dim: str) -> T:
    """Return the position of a dimension in every array of an object."""
    names: set[str] = set()
    axes = map_leaves(obj, lambda leaf: _position(leaf, dim), names)
    # The holder does not know the names of parameters of a part's class. A name for
    # any number of axes has no single position.
    known = {name for name in names - {"_", "..."} if "@" not in name}
    if dim not in known:
        listed = (
            ", ".join(f"`{name}`" for name in sorted(known)) or "no named dimensions"
        )
        kind = type(obj).__qualname__
        raise ValueError(f"`{kind}` has no dimension `{dim}`. It has {listed}")
    return axes


def make_abstract(cls: type[G], /, **arguments: object) -> G:
    """Create an object of `jax.ShapeDtypeStruct`s.

    The keywords are its static fields, and other values that its shapes depend on.

    Raises:
        TypeError: the class only inherits `abstract`, from a class with fewer fields
    """
    generated = next(one for one in cls.__mro__ if "__dataclass_params__" in vars(one))
    if "abstract" not in vars(generated):
        raise TypeError(
            f"`{cls.__qualname__}` has no `abstract` of its own, since its schema does "
            "not declare the shape of each array: construct it with arrays"
        )
    checked: G = _AbstractBuilder(cls, arguments, {}).build().check()
    return checked


@dataclass
class _AbstractBuilder:
    """Creates one object and its parts."""

    cls: type[Generated]
    given: Mapping[str, Any]
    # The sizes that its holder knows. The object adds those that its own values
    # determine.
    known: dict[str, Any]

    @property
    def record(self) -> Record:
        return self.cls.__codegen_record__

    def build(self) -> Any:
        """Create the object. Shared parts are created once."""
        record = self.record
        key = self._key()
        self._find_sizes(key)
        shapes = object_shapes(record, None, "").fields
        rows = [(path, row[0]) for row in record.shares for path in row[1:]]
        borrowed = {path[0]: owner for path, owner in rows if len(path) == 1}
        children: dict[str, Any] = {}
        for name in record.data_fields:
            shape: Any = shapes.get(name)
            default = converted_default(record, name, shape, _UNSET)
            if name in record.empty and default is _UNSET:
                children[name] = shape.kind() if isinstance(shape, Each) else None
            elif name not in borrowed:
                children[name] = self._build_value(shape, name, default)
        for name, owner in borrowed.items():
            children[name] = functools.reduce(getattr, owner[1:], children[owner[0]])
        return record.unflatten(key, tuple(children[n] for n in record.data_fields))

    def _key(self) -> TraceKey:
        """Create the key of the static values. A missing value is a size or a default."""
        sizes = {paths[0]: name for name, paths in self.record.sizes.items()}
        values: list[Any] = []
        for name in self.record.meta_fields:
            value = self.given.get(name, MISSING)
            if value is MISSING:
                value = default_of(self.record, name)
            if name not in self.given and sizes.get(name) in self.known:
                value = self.known[sizes[name]]
            elif isinstance(value, Converted):
                value = value.value
            elif name in self.record.converted:
                value = pkgutil.resolve_name(self.record.converted[name])(value)
            values.append(value)
        return self.record.key(self.cls, values)

    def _find_sizes(self, key: TraceKey) -> None:
        """Find the sizes that are given, and those that static values determine."""
        statics = dict(zip(self.record.meta_fields, key.values, strict=True))
        record, values = self.record, {**self.given, **statics}
        sizes = {name: paths[0] for name, paths in record.sizes.items()}
        for name, path in {**record.known, **sizes}.items():
            head, _, rest = path.partition(".")
            if head not in values or name in self.known:
                continue  # The holder knows it.
            value = values[head]
            for step in filter(None, rest.split(".")):
                value = getattr(value, step, None)
            if value is None:
                wanted = f"an object with `{rest}`"
                raise mismatch(values[head], self.cls, head, wanted)
            take = _as_shape if name.startswith("*") else _as_size
            self.known[name] = take(self.cls, path, value)
        # A keyword with the name of a field is not a size.
        fields = self.record.data_fields
        opened = {
            n: v for n, v in values.items() if n not in statics and n not in fields
        }
        self.known = opened | self.known

    def _build_value(self, shape: Any, path: str, default: Any = _UNSET) -> Any:
        """Create a value. If it has a default, it gets the structure of the default."""
        is_one_of = isinstance(shape, AnyOf) and default is not _UNSET
        shape = best_alternative(shape, default) if is_one_of else without_none(shape)
        if isinstance(default, tuple) and isinstance(shape, Each | Items):
            items = item_shapes(shape, len(default))
            pairs = zip(items, default, strict=True)
            return tuple(self._build_value(item, path, one) for item, one in pairs)
        is_array = isinstance(shape, Shaped) and is_number(default)
        if default is not _UNSET and not is_array:
            return jax.tree_util.tree_map(to_abstract, default)
        match shape:
            case Shaped():
                return self._array(shape, path, default)
            case Weak():
                return to_abstract(SCALARS[shape.kind][0](0))
            case Part():
                return self._part(shape)
            case Items():
                named = enumerate(shape.items)
                return tuple(
                    self._build_value(item, f"{path}[{i}]") for i, item in named
                )
            case Each() if shape.kind is dict:
                keys = _as_keys(self.given[shape.count])
                return {
                    k: self._build_value(shape.item, f"{path}[{k!r}]") for k in keys
                }
            case Each():
                count = self._count(shape)
                elements = (
                    self._build_value(shape.item, f"{path}[{i}]") for i in range(count)
                )
                return shape.kind(elements)
            case _:
                raise AssertionError(shape)  # such a class has no `abstract`

    def _count(self, shape: Each) -> Any:
        if shape.size is not None:
            return self._size(shape.size)
        return _as_size(self.cls, shape.count, self.given[shape.count])

    def _array(self, shape: Shaped, path: str, default: Any) -> Any:
        sizes: list[int] = []
        for dim in shape.dims:
            size = self._size(dim)
            sizes += size if isinstance(size, tuple) else [size]
        if any(size < 0 for size in sizes):
            place = f"`{self.cls.__qualname__}.{path}`"
            why = f"would have the shape {tuple(sizes)}: a size must not be negative"
            raise ValueError(f"{place} {why}")
        if shape.dtype == "key":
            dtype = jax.eval_shape(jax.random.key, 0).dtype
        elif shape.dtype in KINDS and shape.init is None and default is not _UNSET:
            dtype = jax.dtypes.canonicalize_dtype(default.dtype)
        else:  # The default dtype of JAX for a kind.
            wide = np.float64 if shape.dtype in KINDS else shape.dtype
            dtype = jax.dtypes.canonicalize_dtype(OF_KIND.get(shape.dtype, wide))
        struct: Any = jax.ShapeDtypeStruct
        return struct(tuple(sizes), dtype, is_ref=isinstance(shape, ShapedRef))

    def _size(self, dim: Dim) -> Any:
        sizes = Sizes()
        for name in names_in_dim(dim):
            take = _as_shape if name.startswith("*") else _as_size
            sizes[name] = take(self.cls, name, self.known[name]), ""
        return sizes.value(dim)

    def _part(self, shape: Part) -> Any:
        cls = resolved(shape.cls)
        arguments = {
            own: self.given[taken] for own, taken in (shape.given or {}).items()
        }
        parameters = cls.__codegen_record__.parameters
        known = {n: self.known[n] for n in self.known.keys() - {*parameters}}
        for name, dim in shape.dims.items():
            # A parameter that no array of the part uses may have no size.
            if all(inner in self.known for inner in names_in_dim(dim)):
                known[name] = self._size(dim)
        obj = _AbstractBuilder(cls, arguments, known).build()
        sizes = tuple(map(self._size, shape.stacked))
        return with_axes(obj, lambda axes: sizes + axes) if sizes else obj


# --- values from callers


def _as_size(cls: type[Any], name: str, value: object) -> int:
    """Accept a size, an integer that is not negative."""
    size: int = value if type(value) is int else as_int(value, cls, name)
    if size < 0:
        raise unfit(value, cls, name, "a size that is not negative")
    return size


def _as_shape(cls: type[Any], name: str, sizes: Any) -> tuple[int, ...]:
    """Accept a sequence of any number of sizes."""
    if not isinstance(sizes, tuple):
        raise mismatch(sizes, cls, name, "a tuple of sizes", "use a tuple")
    return tuple(_as_size(cls, f"{name}[{i}]", size) for i, size in enumerate(sizes))


def _as_keys(keys: object) -> list[Any]:
    """Accept the keys of a dict."""
    if isinstance(keys, str) or not isinstance(keys, Iterable):
        raise TypeError(
            f"the keys of a dict must be given as a tuple, but were {keys!r}"
        )
    listed = [*keys]
    if len({stable_hash(key) for key in listed}) < len(listed):
        raise ValueError(
            f"two of the keys {listed} have the same 32-bit hash, so `init` would give "
            "them the same random key: rename one"
        )
    return listed


# --- values and names


def without_none(shape: Any) -> Any:
    """Return the type of a value without the `None` alternative."""
    return next(iter(alternatives(shape)), None) if isinstance(shape, AnyOf) else shape


def converted_default(
    record: Record, name: str, shape: Declared, otherwise: object = None
) -> object:
    """Return the default of a field, converted like a constructor argument."""
    value = default_of(record, name, otherwise)
    is_given = value is not otherwise
    return described(shape).dynamic(value, record.cls, name) if is_given else value


def is_number(value: object) -> bool:
    """Return whether a value is an array, or converts to one in JAX."""
    return isinstance(value, bool | int | float | complex) or hasattr(value, "dtype")


def to_abstract(leaf: Any) -> Any:
    """Return the abstract value of an array or a number; other values unchanged."""
    if isinstance(leaf, jax.ShapeDtypeStruct) or not is_number(leaf):
        return leaf
    if is_ref(leaf):
        return abstract_ref(leaf)
    return jax.eval_shape(jnp.asarray, leaf)


def with_axes(obj: T, change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> T:
    """Return an object of `jax.ShapeDtypeStruct`s of other shapes."""
    struct: Any = jax.ShapeDtypeStruct

    def changed(leaf: Any) -> object:
        if not is_number(leaf):
            return leaf
        one = leaf if hasattr(leaf, "dtype") else to_abstract(leaf)
        options = {"weak_type": is_weak(one), "is_ref": is_ref(one)}
        return struct(change(one.shape), one.dtype, **options)

    new: T = jax.tree_util.tree_map(changed, obj)
    return new


def stable_hash(name: object) -> int:
    """Return a 32-bit hash of a name that is the same in every process and on every
    machine.
    """
    text = name if isinstance(name, str) else repr(name)
    return zlib.crc32(text.encode(errors="surrogatepass"))


# --- axes


def _position(leaf: DeclaredLeaf, dim: str) -> int | None:
    """Return the first position of a dimension in an array.

    After `*batch` or `...` the position counts from the end, if the rank is not known.
    """
    require_rank(leaf)
    axes = leaf.axes or ()
    places = [i for i, axis in enumerate(axes) if dim == axis.dim]
    places += [i for i, axis in enumerate(axes) if dim in axis.also]
    if places and any(is_variadic(axis.dim) for axis in axes[: places[0]]):
        # Without a rank nothing is added, and the position stays negative.
        return int(getattr(leaf.value, "ndim", 0)) - len(axes) + places[0]
    return places[0] if places else None


def require_rank(leaf: DeclaredLeaf) -> None:
    """Refuse to use an array without declared axes as a stack."""
    if not leaf.has_rank:
        dims = ", ".join(format_dim(axis.dim) for axis in leaf.axes or ())
        raise ValueError(
            f"`{leaf.path}` is declared as [{dims}], but has the shape "
            f"{tuple(leaf.value.shape)}, so its axes have no names. If it is in a "
            "stack, use one object of the stack"
        )


def expand_axes(leaf: DeclaredLeaf) -> list[Axis]:
    """Return one dimension for every axis of a leaf; `*batch` is repeated as needed."""
    axes, ndim = list(leaf.axes or ()), getattr(leaf.value, "ndim", None)
    index = next((i for i, axis in enumerate(axes) if is_variadic(axis.dim)), None)
    if index is None:
        return axes
    front, behind = axes[:index], axes[index + 1 :]
    if ndim is not None:
        return [*front, *[axes[index]] * (ndim - len(axes) + 1), *behind]
    if any(axis.mesh for axis in behind):
        raise ValueError(
            f"`{leaf.path}` is of type {type(leaf.value).__qualname__}, not an array, so the "
            f"number of axes of `{axes[index].dim}` is unknown"
        )
    return front


def zeros_of(leaf: Any) -> Any:
    """Return an array of zeros like a leaf; a leaf that is not a number is returned
    itself.
    """
    if not is_number(leaf):
        return leaf
    # A consumed array has a dtype, but is not an array.
    struct: Any = leaf if hasattr(leaf, "dtype") else to_abstract(leaf)
    if getattr(struct, "weak_type", False):
        return jnp.broadcast_to(struct.dtype.type(0).item(), struct.shape)
    return in_ref_like(leaf, jnp.zeros(struct.shape, struct.dtype))
