"""How the language spells what Python programmers are used to.

HABITS["Optional"]    ->    "write `T | None`"

A name of `HABITS` is a slip wherever it comes from; `MODULES` have nothing that a schema could use.
"""

from __future__ import annotations

from typing import Final

_SEQUENCE = "write `tuple[T, ...]`"
_MAPPING = "write `frozendict[K, V]`; in a dynamic or donated role, `dict[K, V]`"
_ARRAY = "write a dtype and a shape, `f32[n]`, or any dtype of a kind, `Float[...]`"
_KEY = "write `key`, or `key[n]` for several"

# What Python has without an import, and the language has not.
BUILTIN_TYPES: Final = {
    "bytearray": "write `bytes`, which never changes",
    "memoryview": "write `bytes`, which never changes",
    "object": "write `Any`: static, it takes whatever can be a key; dynamic, any pytree",
    "range": "write `static[Any]`, which takes a range as it is, or `tuple[int, ...]`",
    "slice": "write its bounds: `tuple[int, int]`",
    "type": "write `static[Any]`: a class is a static value like others",
}
HABITS: Final = {
    **BUILTIN_TYPES,
    "AbstractSet": "write `frozenset[T]`",
    "Annotated": "an array is written with its shape, `f32[nx, ny]`; anything else is its comment",
    "Array": _ARRAY,
    "ArrayLike": _ARRAY,
    "Dict": _MAPPING,
    "Final": "leave it out: a field never changes; a class constant is `ClassVar[int]`",
    "FrozenSet": "write `frozenset[T]`",
    "Iterable": _SEQUENCE,
    "List": "write `tuple[T, ...]`; in a dynamic or donated role, `list[T]` too",
    "MutableMapping": _MAPPING,
    "MutableSequence": _SEQUENCE,
    "MutableSet": "write `frozenset[T]`",
    "NDArray": _ARRAY,
    "NamedTuple": "write a class: `class Grid:` with fields",
    "Optional": "write `T | None`",
    "PRNGKey": _KEY,
    "PRNGKeyArray": _KEY,
    "Protocol": "write `class Model(abstract=True)`",
    "Self": "write the name of the class",
    "Set": "write `frozenset[T]`",
    "Tuple": "write `tuple[T, ...]` or `tuple[A, B]`",
    "Type": "write `Any`: a class is a static value like others",
    "TypedDict": "write a class: `class Grid:` with fields",
    "Union": "write `A | B`",
    "abstractmethod": "leave it out: every method names what it runs",
    "bool_": "write `Bool` for an array, `bool` for a bool of Python",
    "dataclass": "leave it out: every class becomes a dataclass",
    "jit": "leave it out: every function of a schema is jitted",
    "ndarray": _ARRAY,
}

# What is said of any name that is imported from them.
MODULES: Final = {
    "abc": "leave it out: an abstract class is `class Model(abstract=True)`",
    "chex": "leave it out: every class becomes a dataclass and a pytree; an array is `f32[n]`, say, "
    "and any pytree `dynamic[Any]`",
    "codegen": "write `from codegen.schema import` and the words that are needed",
    "dataclasses": "leave it out: every class becomes a dataclass",
    "flax.struct": "leave it out: every class becomes a dataclass and a pytree",
    "functools": "leave it out: a function of a module is jitted, with its roles; a method is called as it is",
    "jaxtyping": "dtypes and kinds are words of `codegen.schema`: `Float[n]`, without quotes",
}
_TREE = "write `dynamic[Any]`, which is any pytree"
_NUMBER = "write `dynamic[float]` for a number, `dynamic[f32]` for an array without axes"
# What they call types that the language has by other names.
_TYPES_OF: Final = {
    "chex": {
        "ArrayBatched": _ARRAY,
        "ArrayDType": "write `static[dtype]`",
        "ArrayDevice": _ARRAY,
        "ArrayDeviceTree": _TREE,
        "ArrayNumpy": "write `static[f32[n]]`, which is a constant",
        "ArrayNumpyTree": _TREE,
        "ArraySharded": _ARRAY,
        "ArrayTree": _TREE,
        "Numeric": _NUMBER,
        "Scalar": _NUMBER,
        "Shape": "write `static[tuple[int, ...]]`",
    },
    "jaxtyping": {"PyTree": _TREE},
}
# Their own classes may stand where a Python type may, but not what holds arrays.
ARRAY_TYPES: Final = frozenset(
    (
        ("jax", "Array"),
        ("jax", "numpy.ndarray"),
        ("jax", "random.PRNGKey"),
        ("jax.numpy", "ndarray"),
        ("jax.random", "PRNGKey"),
        ("jax.typing", "ArrayLike"),
        ("numpy", "ndarray"),
        ("numpy.typing", "ArrayLike"),
        ("numpy.typing", "NDArray"),
    )
)

# By their full names: what makes a dataclass or a pytree of its own of whatever derives from it.
PYTREE_BASES: Final = frozenset(
    (
        "equinox.Module",
        "flax.linen.Module",
        "flax.nnx.Module",
        "flax.nnx.Object",
        "flax.nnx.Pytree",
        "flax.struct.PyTreeNode",
        "haiku.Module",
    )
)
# What people call the modules that they know best.
MODULES_BY_HABIT: Final = {
    "eqx": "equinox",
    "hk": "haiku",
    "jnp": "jax.numpy",
    "nnx": "flax.nnx",
    "np": "numpy",
    "struct": "flax.struct",
}


def instead(module: str, name: str) -> str:
    """What to write for a name of one of `MODULES`; empty for other modules."""
    if module not in MODULES:
        return ""
    return HABITS.get(name) or _TYPES_OF.get(module, {}).get(name) or MODULES[module]
