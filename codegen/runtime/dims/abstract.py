# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Make objects of the declared shapes: `jax.ShapeDtypeStruct`s in place of arrays.

    make_abstract(Linear, n_in=784, n_out=10)

A class's record says what its parts are, its holder what their dimensions are there.
"""

import copy
import importlib
import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

import jax
import numpy as np

from ..classes.arrays import OF_KIND, as_number
from ..keys.conversion import Converted, as_int
from ..keys.messages import mismatch, mistyped, unfit
from ..keys.names import KINDS
from ..shapes.declared import AnyOf, Dim, Each, Items, Part, Shaped, Weak
from ..shapes.sizes import OPERATIONS, Sizes, names_of
from .values import NUMBERS, abstracted, hashed, imported, inner, is_number, struct_of

T = TypeVar("T")

# What a dimension's name stands for.
Known: TypeAlias = Mapping[str, "int | tuple[int, ...]"]


# --- of shapes alone


def make_abstract(cls: type[T], /, **given: Any) -> T:
    """Make an object of `jax.ShapeDtypeStruct`s.

    Args:
        cls: its class
        given: its static fields, and what else the shapes leave open
    """
    try:
        made: Any = _Abstract(cls, given, {}).made()
    except ZeroDivisionError as error:
        raise ValueError(
            f"an array of a `{cls.__qualname__}` has a size that is divided by 0: give a "
            "larger number for the dimension that it is divided by"
        ) from error
    checked: T = made.check()
    return checked


class _Abstract:
    """An object in the making."""

    def __init__(self, cls: type[Any], given: Mapping[str, Any], sizes: Known) -> None:
        self.cls = cls
        self.record: Any = cls.__codegen_record__
        self.given = given
        self.sizes = Sizes()
        for name, size in sizes.items():
            self._learn(name, size)

    def _learn(self, name: str, size: Any) -> None:
        self.sizes.known.setdefault(name, (size, ""))

    def made(self) -> Any:
        key = self._key()
        self._find_sizes(key)
        children: dict[str, Any] = {}
        borrowed = {
            path[0]: row[0]
            for row in self.record.shares
            for path in row[1:]
            if len(path) == 1
        }
        for name in self.record.data_fields:
            if name not in borrowed:
                children[name] = self._within(name).field(name)
        for name, owner in borrowed.items():
            rest = ".".join(owner[1:])
            part = children[owner[0]]
            children[name] = operator.attrgetter(rest)(part) if rest else part
        ordered = tuple(children[name] for name in self.record.data_fields)
        return self.record.unflatten(key, ordered)

    def _key(self) -> Any:
        """Make the key of the static values; one that is not given is a size, or a default."""
        sizes = {paths[0]: name for name, paths in self.record.shapes.sizes.items()}
        values: list[Any] = []
        for name in self.record.meta_fields:
            if name in self.given:
                value = self._converted(name, self.given[name])
            elif sizes.get(name) in self.sizes.known:
                value = self.sizes.known[sizes[name]][0]
            else:
                value = self._converted(name, self.record.defaults[name])
            values.append(value)
        return self.record.key(self.cls, *values)

    def _converted(self, name: str, value: Any) -> Any:
        if name not in self.record.converted:
            return value
        if isinstance(value, Converted):
            return value.value
        return imported(self.record.converted[name])(value)

    def _find_sizes(self, key: Any) -> None:
        """Find the sizes that are given, and those that static values say."""
        statics = dict(zip(self.record.meta_fields, key.values, strict=True))
        shapes = self.record.shapes
        for name, paths in shapes.sizes.items():
            head, _, rest = paths[0].partition(".")
            self._learn(name, self._size_at(head, statics[head], rest))
        for name, path in shapes.known.items():
            head, _, rest = path.partition(".")
            if head not in self.given:
                continue  # The holder knows it.
            value = self.given[head]
            if name.startswith("*"):
                self._learn(name, as_shape(self.cls, head, value))
            else:
                self._learn(name, self._size_at(head, value, rest))
        for name, value in self.given.items():
            if name not in statics:
                self._learn(name, value)

    def _size_at(self, name: str, value: Any, path: str) -> int:
        """Return the size that a static argument says."""
        size = value
        for step in filter(None, path.split(".")):
            size = getattr(size, step, None)
        if size is None:
            wanted = f"an object that has `{path}`"
            raise mismatch(value, self.cls, name, wanted)
        return as_size(self.cls, f"{name}.{path}" if path else name, size)

    def _within(self, field: str) -> "_Abstract":
        """Return the maker in the terms of the base that declares a field."""
        bases = [*self.record.shapes.bases.values()]
        declaring = [i for i, base in enumerate(bases) if field in base.fields]
        maker = self
        for base in bases[: declaring[0] + 1] if declaring else ():
            above = copy.copy(maker)
            above.sizes = Sizes(maker._known_above(base.dims))
            maker = above
        return maker

    def _known_above(self, dims: Mapping[str, Dim]) -> dict[str, tuple[Any, str]]:
        """Return what is known by the names of a base, whose parameters are these."""
        known = {n: size for n, size in self.sizes.known.items() if n not in dims}
        for name, dim in dims.items():
            if _is_known(dim) and self.sizes.known.keys() >= {*names_of(dim)}:
                known[name] = (self._value(dim), "")
        return known

    # --- fields

    def field(self, name: str) -> Any:
        record = self.record
        shape = record.shapes.fields.get(name)
        if name in record.defaults and not is_number(record.defaults[name]):
            return self._default(record.defaults[name], shape)
        if name in record.shapes.empty:
            return shape.kind() if isinstance(shape, Each) else None
        return self._made(shape, name, record.defaults.get(name))

    def _default(self, value: Any, shape: Any) -> Any:
        """Make a field as it is by default: its structure is that of its value."""
        shape = inner(shape)
        if isinstance(value, tuple) and isinstance(shape, Each | Items):
            items = (
                shape.items if isinstance(shape, Items) else [shape.item] * len(value)
            )
            made = zip(items, value, strict=True)
            return tuple(self._made(item, "", one) for item, one in made)
        return jax.tree_util.tree_map(abstracted, value)

    def _made(self, shape: Any, path: str, default: Any = None) -> Any:
        match shape:
            case Shaped():
                return self._array(shape, path, default)
            case Weak():
                return abstracted(default if default is not None else _zero(shape.kind))
            case Part():
                return self._part(shape)
            case Items():
                named = enumerate(shape.items)
                return tuple(self._made(item, f"{path}[{i}]") for i, item in named)
            case Each():
                return self._many(shape, path)
            case AnyOf():
                return self._made(inner(shape), path, default)
            case _:
                raise AssertionError(shape)  # such a class has no `abstract`

    def _array(self, shape: Shaped, path: str, default: Any) -> Any:
        sizes: list[int] = []
        for dim in shape.dims:
            size = self._value(dim)
            sizes += size if isinstance(size, tuple) else [size]
        if any(size < 0 for size in sizes):
            raise ValueError(
                f"`{self.cls.__qualname__}.{path}` would have the shape {tuple(sizes)}: "
                "a size is not negative"
            )
        if shape.dtype == "key":
            return struct_of(tuple(sizes), jax.eval_shape(jax.random.key, 0).dtype)
        return struct_of(tuple(sizes), _dtype(shape, default))

    def _value(self, dim: Dim) -> Any:
        if isinstance(dim, tuple):
            left, right = self._value(dim[0]), self._value(dim[2])
            return OPERATIONS[dim[1]](left, right)
        if isinstance(dim, int):
            return dim
        name = dim if dim in self.sizes.known else dim.removeprefix("*")
        size = self.sizes.known[name][0]
        return size if dim.startswith("*") else as_size(self.cls, name, size)

    def _part(self, shape: Part) -> Any:
        assert shape.of is not None, "it is said where objects are made"
        module, _, name = shape.of.rpartition(".")
        cls = getattr(importlib.import_module(f"{self.record.package}{module}"), name)
        given = {own: self.given[taken] for own, taken in shape.given.items()}
        parameters = cls.__codegen_record__.shapes.parameters
        free = {
            n: size for n, (size, _) in self.sizes.known.items() if n not in parameters
        }
        bound = {n: self._value(dim) for n, dim in shape.dims.items() if _is_known(dim)}
        return _Abstract(cls, given, free | bound).made()

    def _many(self, shape: Each, path: str) -> Any:
        given = self.given[shape.count]
        if shape.kind is dict:
            names = keys_of(given)
            return {key: self._made(shape.item, f"{path}[{key!r}]") for key in names}
        count = as_size(self.cls, shape.count, given)
        return shape.kind(self._made(shape.item, f"{path}[{i}]") for i in range(count))


def _is_known(dim: Dim) -> bool:
    return dim not in ("_", "...")


def _zero(kind: str) -> Any:
    return NUMBERS[kind[0]](0)


def _dtype(shape: Shaped, default: Any) -> Any:
    """Return the dtype of an array: that of its kind is JAX's default one."""
    if shape.dtype not in KINDS:
        return jax.dtypes.canonicalize_dtype(shape.dtype)
    if shape.init is None and default is not None:
        return as_number(default, shape.dtype, "default", "default").dtype
    return jax.dtypes.canonicalize_dtype(OF_KIND.get(shape.dtype, np.float64))


# --- what callers give


def as_size(cls: type[Any], name: str, value: Any) -> int:
    """Take a size, an integer that is not negative."""
    if isinstance(value, list | tuple | dict | set | frozenset | range):
        remedy = f"say how many elements there are, here {len(value)}"
        raise mistyped(value, cls, name, "an int", remedy)
    size: int = value if type(value) is int else as_int(value, cls, name)
    if size < 0:
        raise unfit(value, cls, name, "a size, which is not negative")
    return size


def as_shape(cls: type[Any], name: str, sizes: Any) -> tuple[int, ...]:
    """Take any number of sizes."""
    if not isinstance(sizes, tuple):
        raise mismatch(sizes, cls, name, "a tuple of sizes", "use a tuple")
    return tuple(as_size(cls, f"{name}[{i}]", size) for i, size in enumerate(sizes))


def keys_of(keys: Any) -> Iterator[Any]:
    """Take the keys of a dict."""
    if isinstance(keys, str) or not isinstance(keys, Iterable):
        raise TypeError(f"the keys of a dict are a tuple of them, but were {keys!r}")
    found = [*keys]
    names = {key: key if isinstance(key, str) else repr(key) for key in found}
    if len(names) < len(found):
        raise ValueError(f"two of the keys {found} are the same")
    if len(set(map(hashed, names.values()))) < len(names):
        raise ValueError(
            f"two of the keys {list(names)} have the same 32-bit hash, so that `init` "
            "would give them the same random key: rename one"
        )
    return iter(found)
