# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Make objects of the declared shapes: of shapes alone, of zeros, or initialised.

    def _codegen_make_Linear(cls, make, *, n_in, n_out):
        n_in, n_out = as_sizes(cls, n_in=n_in, n_out=n_out)
        key = _codegen_key_Linear(cls)
        children = (
            make("w", array_of("float32", (n_in, n_out), initializers.he_normal())),
            make("b", array_of("float32", (n_out,), initializers.zeros)),
        )
        return make.object(key, children)

A generated class says so what its parts are; what becomes of them is the maker's.
"""

import zlib
from collections.abc import Callable, Iterable
from typing import Any, Final, Self, TypeAlias, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from ..classes.arrays import as_array
from ..keys.construct import check_init
from ..keys.conversion import as_int
from ..keys.dtypes import KINDS, is_kind
from ..keys.interning import TraceKey
from ..keys.messages import mismatch, mistyped, shown, unfit
from ..keys.scalars import OF_KIND, as_number

T = TypeVar("T")

# From a key, a shape and a dtype to an array, as those of `jax.nn.initializers`.
Initializer: TypeAlias = Callable[[Array, tuple[int, ...], Any], Array]

_OF_SCALAR: Final[dict[str, type[Any]]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
}


class Make:
    """Makes what stands at a path of an object."""

    def __init__(self, owner: type[Any], path: str = "") -> None:
        self.owner = owner
        self.path = path

    def __call__(self, name: str | int, recipe: "Recipe") -> Any:
        """Make what stands under a name, or at an index."""
        return recipe(self.at(name))

    def at(self, name: str | int) -> Self:
        """Return the maker of a part."""
        return type(self)(self.owner, _longer(self.path, name))

    def part(self, cls: type[Any]) -> Self:
        """Return the maker for an object: from here on paths are its own."""
        return type(self)(cls)

    def object(self, key: TraceKey, children: tuple[Any, ...]) -> Any:
        """Put an object together."""
        return key.cls.__codegen_record__.unflatten(key, children)

    def array(
        self,
        declared: str,
        shape: tuple[int, ...],
        initializer: Initializer | None,
        default: Any,
    ) -> Any:
        """Make an array of a dtype or kind; neither initializer nor default: nobody said."""
        raise NotImplementedError

    def keys(self, shape: tuple[int, ...]) -> Any:
        """Make an array of keys."""
        raise NotImplementedError

    def number(self, value: Any, *, has_default: bool) -> Any:
        """Make a weakly typed scalar of the type of a number."""
        raise NotImplementedError

    def given(self, value: Any) -> Any:
        """Take what the caller gave."""
        return value


class Abstract(Make):
    """Makes shapes and dtypes, and computes nothing."""

    def array(
        self,
        declared: str,
        shape: tuple[int, ...],
        initializer: Initializer | None,
        default: Any,
    ) -> Any:
        return _struct(shape, dtype_of(declared, initializer, default))

    def keys(self, shape: tuple[int, ...]) -> Any:
        return _struct(shape, _key_struct().dtype)

    def number(self, value: Any, *, has_default: bool) -> Any:
        return _abstract(value)

    def given(self, value: Any) -> Any:
        return jax.tree_util.tree_map(_abstract, value)


class Zeros(Make):
    """Makes zeros."""

    def array(
        self,
        declared: str,
        shape: tuple[int, ...],
        initializer: Initializer | None,
        default: Any,
    ) -> Any:
        return jnp.zeros(shape, dtype_of(declared, initializer, default))

    def keys(self, shape: tuple[int, ...]) -> Any:
        data = jax.eval_shape(jax.random.key_data, _key_struct())
        return jax.random.wrap_key_data(jnp.zeros((*shape, *data.shape), data.dtype))

    def number(self, value: Any, *, has_default: bool) -> Any:
        return jnp.asarray(type(value)(0))


class Init(Make):
    """Makes initial values; the key of each part is that of its path."""

    def __init__(self, owner: type[Any], path: str, key: Array) -> None:
        super().__init__(owner, path)
        self.key = key

    def at(self, name: str | int) -> Self:
        data = name if isinstance(name, int) else hashed(name)
        key = jax.random.fold_in(self.key, data)
        return type(self)(self.owner, _longer(self.path, name), key)

    def part(self, cls: type[Any]) -> Self:
        return type(self)(cls, "", self.key)

    def object(self, key: TraceKey, children: tuple[Any, ...]) -> Any:
        obj = super().object(key, children)
        check_init(obj)
        return obj

    def array(
        self,
        declared: str,
        shape: tuple[int, ...],
        initializer: Initializer | None,
        default: Any,
    ) -> Any:
        if initializer is not None:
            dtype = dtype_of(declared, initializer, default)
            made = initializer(self.key, shape, dtype)
            if getattr(made, "shape", None) != shape or made.dtype != dtype:
                raise ValueError(
                    f"the initializer of `{self.owner.__qualname__}.{self.path}` was asked "
                    f"for {dtype}{list(shape)}, but gave {shown(made)}"
                )
            return made
        if default is None:
            raise _no_init(self.owner, f"`{self.path}`")
        return jnp.broadcast_to(
            as_array(default, declared, self.owner, self.path), shape
        )

    def keys(self, shape: tuple[int, ...]) -> Any:
        return jax.random.split(self.key, shape) if shape else self.key

    def number(self, value: Any, *, has_default: bool) -> Any:
        if not has_default:
            raise _no_init(self.owner, f"`{self.path}`")
        return jnp.asarray(value)


Recipe: TypeAlias = Callable[[Make], Any]


def make_abstract(cls: type[T], /, **given: Any) -> T:
    """Make an object of `jax.ShapeDtypeStruct`s."""
    made: T = _made(cls, Abstract(cls), given)
    return made


def make_zeros(cls: type[T], /, **given: Any) -> T:
    """Make an object of zeros."""
    made: T = _made(cls, Zeros(cls), given)
    return made


def make_init(cls: type[T], key: Array, /, **given: Any) -> T:
    """Make an object of initial values."""
    if "init" not in vars(cls):
        # Its base's was called, whose keywords are not its own.
        raise _no_init(cls, "an array of it")
    made: T = _made(cls, Init(cls, "", _as_key(key, cls)), given)
    return made


def _made(cls: type[Any], make: Make, given: dict[str, Any]) -> Any:
    try:
        made = cls.__codegen_record__.make(cls, make, **given)
    except ZeroDivisionError as error:
        raise ValueError(
            f"an array of a `{cls.__qualname__}` has a size that is divided by 0: give a "
            "larger number for the dimension that it is divided by"
        ) from error
    return made.check()


def _no_init(cls: type[Any], what: str) -> TypeError:
    return TypeError(
        f"`{cls.__qualname__}` has no `init`: {what} has neither an initializer nor a "
        "default; declare `= field(init=...)`"
    )


def _as_key(key: Any, cls: type[Any]) -> Any:
    dtype = getattr(key, "dtype", None)
    if dtype is not None and is_kind(dtype, jax.dtypes.prng_key) and key.shape == ():
        return key
    if dtype == np.uint32 and key.ndim == 1:
        return jax.random.wrap_key_data(key)
    name = f"{cls.__qualname__}.init"
    raise mistyped(key, name, "key", "one key", "make one, as `jax.random.key(0)`")


# --- what a class's parts are


def array_of(
    declared: str,
    shape: tuple[int, ...],
    initializer: Initializer | None = None,
    default: Any = None,
) -> Recipe:
    """Describe an array."""

    def recipe(make: Make) -> Any:
        if any(size < 0 for size in shape):
            raise ValueError(
                f"`{make.owner.__qualname__}.{make.path}` would have the shape {shape}: "
                "a size is not negative"
            )
        return make.array(declared, shape, initializer, default)

    return recipe


def keys_of(shape: tuple[int, ...]) -> Recipe:
    """Describe an array of keys."""
    return lambda make: make.keys(shape)


def number_of(kind: str, default: Any = None) -> Recipe:
    """Describe a weakly typed scalar."""
    has_default = default is not None
    value = _OF_SCALAR[kind](default if has_default else 0)
    return lambda make: make.number(value, has_default=has_default)


def part_of(cls: type[Any], /, **given: Any) -> Recipe:
    """Describe an object of a generated class by what its `abstract` and `init` take."""
    return lambda make: cls.__codegen_record__.make(cls, make.part(cls), **given)


def items_of(*items: Recipe) -> Recipe:
    """Describe a tuple of fixed length."""
    return lambda make: tuple(make(i, item) for i, item in enumerate(items))


def tuple_of(length: int, item: Recipe) -> Recipe:
    """Describe a tuple of equal items."""
    return items_of(*[item] * length)


def list_of(length: int, item: Recipe) -> Recipe:
    """Describe a list of equal items."""
    return lambda make: [make(i, item) for i in range(length)]


def dict_of(keys: Any, item: Recipe) -> Recipe:
    """Describe a dict with equal values."""
    if isinstance(keys, str) or not isinstance(keys, Iterable):
        raise TypeError(f"the keys of a dict are a tuple of them, but were {keys!r}")
    keys = [*keys]
    names = {key: key if isinstance(key, str) else repr(key) for key in keys}
    if len(names) < len(keys):
        raise ValueError(f"two of the keys {keys} are the same")
    if len(set(map(hashed, names.values()))) < len(names):
        raise ValueError(
            f"two of the keys {list(names)} have the same 32-bit hash, so that `init` "
            "would give them the same random key: rename one"
        )
    return lambda make: {key: make(name, item) for key, name in names.items()}


def given(value: Any) -> Recipe:
    """Describe what the caller gives."""
    return lambda make: make.given(value)


# --- sizes


def as_size(cls: type[Any], name: str, value: Any) -> int:
    """Take a size, an integer that is not negative."""
    if isinstance(value, list | tuple | dict | set | frozenset | range):
        remedy = f"say how many elements there are, here {len(value)}"
        raise mistyped(value, cls, name, "an int", remedy)
    size: int = value if type(value) is int else as_int(value, cls, name)
    if size < 0:
        raise unfit(value, cls, name, "a size, which is not negative")
    return size


def as_sizes(cls: type[Any], /, **sizes: Any) -> tuple[int, ...]:
    """Take sizes, each an integer that is not negative."""
    return tuple(as_size(cls, name, size) for name, size in sizes.items())


def as_shape(cls: type[Any], name: str, sizes: Any) -> tuple[int, ...]:
    """Take any number of sizes."""
    if not isinstance(sizes, tuple):
        raise mismatch(sizes, cls, name, "a tuple of sizes", "use a tuple")
    return tuple(as_size(cls, f"{name}[{i}]", size) for i, size in enumerate(sizes))


def size_at(cls: type[Any], name: str, value: Any, dim: str) -> int:
    """Return the size that a static argument says."""
    size = value
    for step in dim.split("."):
        size = getattr(size, step, None)
    if size is None:
        raise mismatch(value, cls, name, f"an object that has `{dim}`")
    return as_size(cls, f"{name}.{dim}", size)


def hashed(name: str) -> int:
    """Return 32 bits that stand for a name, in every process and on every machine."""
    return zlib.crc32(name.encode())


def dtype_of(declared: str, initializer: Initializer | None, default: Any) -> Any:
    """Return the dtype of an array: that of its kind is JAX's default one."""
    if declared not in KINDS:
        return jax.dtypes.canonicalize_dtype(declared)
    if initializer is None and default is not None:
        return as_number(default, declared, "default", "default").dtype
    return jax.dtypes.canonicalize_dtype(OF_KIND.get(declared, np.float64))


def _longer(path: str, name: str | int) -> str:
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else name


def _struct(shape: tuple[int, ...], dtype: Any) -> Any:
    struct: Any = jax.ShapeDtypeStruct
    return struct(shape, dtype)


def _key_struct() -> Any:
    """Return shape and dtype of a key of the default kind, without making one."""
    return jax.eval_shape(jax.random.key, 0)


def _abstract(leaf: Any) -> Any:
    if isinstance(leaf, jax.ShapeDtypeStruct) or not (
        hasattr(leaf, "dtype") or isinstance(leaf, bool | int | float | complex)
    ):
        return leaf
    return jax.eval_shape(jnp.asarray, leaf)
