"""The names that `codegen.schema` gives to schemas, and the category of each.

VOCABULARY["f32"]    ->    "dtype"
VOCABULARY["static"]    ->    "role"
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct


class LanguageWord(Struct, frozen=True):
    """A word of the language, as the meaning of a local name in a stub."""

    kind: str  # Example: "role", "dtype", "kind", "bracketed", "enum", "builtin"
    name: str  # Example: "static", "f32"


class PlainTypeEntry(Struct, frozen=True):
    """A static type that is one word. Its values hold no other values."""

    description: str  # Example: "a dtype"
    # How annotations name it, and the type that a constructor accepts. Each is a module, the name
    # imported from it (empty: the module itself), and a suffix.
    annotation: tuple[str, str, str]
    parameter: tuple[str, str, str]
    default: str  # the kind of a default; empty where only an imported value can be one
    advice: str  # how to write a default


# To add a type, add a row here, its word to `codegen/schema/__init__.pyi`, and its conversion to
# `codegen/runtime/converters.py`: see CONTRIBUTING.md.
PLAIN_TYPES: Final = {
    "dtype": PlainTypeEntry(
        description="a dtype",
        annotation=("numpy", "", ".dtype[Any]"),
        parameter=("jax.typing", "DTypeLike", ""),
        default="a dtype by its name, such as `f32`",
        advice="write `f32`, without a module",
    ),
}
# The types with something in brackets: how many arguments they take, and what to write. Each is
# read in `codegen/program/resolve_types.py`.
BRACKETED: Final = {
    "Callable": (
        "2 arguments",
        "write the parameters and the result, as in `Callable[[float], float]`, or "
        "`Callable[..., float]` for any parameters",
    ),
    "Literal": ("at least 1 argument", 'write the values, as in `Literal["a", "b"]`'),
    "Mapping": ("2 arguments", "write two types, as in `Mapping[str, f32]`"),
    "Sequence": ("1 argument", "write one type, as in `Sequence[f32]`"),
    "dict": (
        "2 arguments",
        "write two types, as in `dict[str, f32]`; in a static role, `frozendict[str, int]`",
    ),
    "frozendict": ("2 arguments", "write two types, as in `frozendict[str, int]`"),
    "frozenset": ("1 argument", "write one type, as in `frozenset[str]`"),
    "identity": ("1 argument", "write one type, as in `identity[Callable[[float], float]]`"),
    "list": (
        "1 argument",
        "write one type, as in `list[f32]`; in a static role, `tuple[int, ...]`",
    ),
    "stacked": ("2 arguments", "write a class and a dimension, as in `stacked[Block, layers]`"),
    "tuple": (
        "arguments",
        "write `tuple[int, ...]`, `tuple[int, str]`, or `tuple[()]` for the empty tuple",
    ),
}
Role: TypeAlias = Literal["static", "dynamic", "donated", "ref"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
# The roles of fields whose type may be any that JAX traces.
TRACED: Final[tuple[Role, ...]] = ("dynamic", "donated")

# The keys are the names in jaxprs; the values are NumPy's names, which jaxtyping capitalises.
DTYPES: Final = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "bf16": "bfloat16",
    "f8_e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8_e4m3fn": "float8_e4m3fn",
    "f8_e4m3fnuz": "float8_e4m3fnuz",
    "f8_e5m2": "float8_e5m2",
    "f8_e5m2fnuz": "float8_e5m2fnuz",
    "i2": "int2",
    "i4": "int4",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u2": "uint2",
    "u4": "uint4",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "c64": "complex64",
    "c128": "complex128",
    "key": "key",
}
# Keyed by NumPy's names, which many people write first.
SHORT_DTYPES: Final = {long: short for short, long in DTYPES.items()}
# jaxtyping's names, except for capitals. Example: "float8e5m2", for its `Float8e5m2`
_BY_JAXTYPING: Final = {long.replace("_", ""): short for long, short in SHORT_DTYPES.items()}
KINDS: Final = (
    "Float",
    "Int",
    "UInt",
    "Bool",
    "Complex",
    "Inexact",
    "Real",
    "Num",
    "Shaped",
)
# The kinds whose dtypes match several Python number types.
KINDS_OF_SEVERAL: Final = frozenset(("Inexact", "Real", "Num", "Shaped"))
# The widest Python number that converts to an array of the dtypes and kinds with these name
# prefixes.
_NUMBERS: Final = (
    ("bfloat", "float"),
    ("bool", "bool"),
    ("float", "float"),
    ("int", "int"),
    ("real", "float"),
    ("uint", "int"),
)
OTHERS: Final = (
    "Dim",
    "field",
    "impl",
    "reserved",
    "share",
)

VOCABULARY: Final = {
    **dict.fromkeys(map(str, ROLES), "role"),
    **dict.fromkeys(DTYPES, "dtype"),
    **dict.fromkeys(KINDS, "kind"),
    **{name: name for name in OTHERS},
    **dict.fromkeys(PLAIN_TYPES, "plain"),
    **dict.fromkeys(("frozendict", "identity", "stacked"), "bracketed"),
}


def number_of(dtype: str) -> str:
    """Return the widest Python number that converts to an array of a dtype (NumPy's name) or a
    kind.
    """
    name = dtype.lower()
    return next((number for start, number in _NUMBERS if name.startswith(start)), "complex")


_FAN = ("in_axis", "out_axis", "batch_axis", "dtype")
_ORTHOGONAL = ("scale", "column_axis", "dtype")
# The functions of jax.nn.initializers, each with the parameters of its call. None marks a function
# that is itself an initializer; all others return one.
INITIALIZERS: Final[dict[str, tuple[str, ...] | None]] = {
    "constant": ("value", "dtype"),
    "delta_orthogonal": _ORTHOGONAL,
    "glorot_normal": _FAN,
    "glorot_uniform": _FAN,
    "he_normal": _FAN,
    "he_uniform": _FAN,
    "kaiming_normal": _FAN,
    "kaiming_uniform": _FAN,
    "lecun_normal": _FAN,
    "lecun_uniform": _FAN,
    "normal": ("stddev", "dtype"),
    "ones": None,
    "orthogonal": _ORTHOGONAL,
    "truncated_normal": ("stddev", "dtype", "lower", "upper"),
    "uniform": ("scale", "dtype"),
    "variance_scaling": ("scale", "mode", "distribution", *_FAN),
    "xavier_normal": _FAN,
    "xavier_uniform": _FAN,
    "zeros": None,
}
# How many axes an array must have; the other initializers take any number.
RANK_MAX: Final = 64  # of NumPy's arrays
INITIALIZERS_RANKS: Final = {
    **{
        name: range(2, RANK_MAX + 1)
        for name, takes in INITIALIZERS.items()
        if takes and "in_axis" in takes
    },
    "orthogonal": range(2, RANK_MAX + 1),
    "delta_orthogonal": range(3, 6),
}
# The dtypes that they create: these any dtype, these floats; the others floats and complex numbers.
INITIALIZERS_OF_ANY: Final = frozenset(("constant", "ones", "zeros"))
INITIALIZERS_OF_FLOATS: Final = frozenset(("truncated_normal", "uniform"))
# The initializers that must be called, and with at least how many arguments.
INITIALIZERS_CALLED: Final = {"constant": 1, "variance_scaling": 3}

TYPING: Final = {
    "Any": "any",
    "Callable": "bracketed",
    "ClassVar": "classvar",
    "Generic": "generic",
    "Literal": "bracketed",
    "TypeAlias": "typealias",
    "TypeVar": "typevar",
}
# Any sequence or mapping in a dynamic role.
CONTAINERS: Final = {"Mapping": "bracketed", "Sequence": "bracketed"}
ENUMS: Final = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
BUILTINS: Final = (
    "int",
    "float",
    "bool",
    "complex",
    "str",
    "bytes",
    "tuple",
    "list",
    "dict",
    "set",
    "frozenset",
    "None",
)
# The kinds of a class's functions, besides methods.
DECORATORS: Final = ("property", "classmethod", "staticmethod")

WORDS_OF_MODULE: Final = {
    "codegen.schema": VOCABULARY,
    "typing": {**TYPING, **CONTAINERS},
    "typing_extensions": {**TYPING, **CONTAINERS},
    "collections.abc": {"Callable": "bracketed", **CONTAINERS},
    "enum": {**dict.fromkeys(ENUMS, "enum"), "auto": "auto"},
}
# The module from which to import a missing word. `Callable` is in two modules; use the first.
HOME_OF_WORD: Final = (
    {word: module for module, words in reversed(WORDS_OF_MODULE.items()) for word in words}
    | dict.fromkeys(TYPING, "typing")
    | dict.fromkeys(CONTAINERS, "collections.abc")
)


def short_dtype(name: str) -> str:
    """Return the word for a dtype's name in NumPy or jaxtyping; empty for any other name."""
    if name in SHORT_DTYPES:
        return SHORT_DTYPES[name]
    return _BY_JAXTYPING.get(name.lower(), "") if name[:1].isupper() else ""


_SEQUENCE = "write `tuple[T, ...]`"
_MAPPING = "write `frozendict[K, V]`; in a dynamic or donated role, `dict[K, V]`"
_ARRAY = "write a dtype and a shape, such as `f32[n]`, or any dtype of a kind, such as `Float[...]`"
_KEY = "write `key`, or `key[n]` for several"

# Builtins of Python that the language does not have.
BUILTIN_TYPES: Final = {
    "bytearray": "write `bytes`, which is immutable",
    "memoryview": "write `bytes`, which is immutable",
    "object": "write `Any`. In a static role, `Any` accepts every value that can be hashed. In a "
    "dynamic role, `Any` accepts every pytree",
    "range": "write `static[Any]` to accept a range, or `tuple[int, ...]`",
    "slice": "write its bounds: `tuple[int, int]`",
    "type": "write `static[Any]` to accept a class as a value",
}
HABITS: Final = {
    **BUILTIN_TYPES,
    "AbstractSet": "write `frozenset[T]`",
    "Annotated": "write the shape in the type, `f32[nx, ny]`, and anything else in a comment",
    "Array": _ARRAY,
    "ArrayLike": _ARRAY,
    "Dict": _MAPPING,
    "Final": "remove `Final`: a field never changes. For a class constant, write `ClassVar[int]`",
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
    "Type": "write `Any`: in a static role, `Any` accepts a class as a value",
    "TypedDict": "write a class: `class Grid:` with fields",
    "Union": "write `A | B`",
    "abstractmethod": "remove `abstractmethod`: every method names its implementation",
    "bool_": "write `Bool` for an array, `bool` for a Python bool",
    "dataclass": "remove `dataclass`: every class becomes a dataclass",
    "jit": "remove `jit`: functions at the top level of a module are jitted, methods are not",
    "ndarray": _ARRAY,
}

# The advice for any name that is imported from them.
MODULES: Final = {
    "abc": "remove `abc`. For an abstract class, write `class Model(abstract=True)`",
    "chex": "remove `chex`: every class becomes a dataclass and a pytree. Write an array as `f32[n]`, "
    "for example, and any pytree as `dynamic[Any]`",
    "codegen": "write `from codegen.schema import ...`, with the names that you need",
    "dataclasses": "remove `dataclasses`: every class becomes a dataclass",
    "flax.struct": "remove `flax.struct`: every class becomes a dataclass and a pytree",
    "functools": "remove `functools`: functions at the top level of a module are jitted, with their roles; "
    "methods are not jitted",
    "jaxtyping": "import dtypes and kinds from `codegen.schema`, and write `Float[n]` without quotes",
}
# These classes hold arrays, and are not types here. Other classes of these modules are Python
# types.
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

# Full names of bases that turn every class that derives from them into a dataclass or a pytree of
# their own.
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
# Common short names of well-known modules.
MODULES_BY_HABIT: Final = {
    "eqx": "equinox",
    "hk": "haiku",
    "jnp": "jax.numpy",
    "nnx": "flax.nnx",
    "np": "numpy",
    "struct": "flax.struct",
}


def replacement_advice(module: str, name: str) -> str:
    """Return the advice for a name of one of `MODULES`; empty for other modules."""
    if module not in MODULES:
        return ""
    return HABITS.get(name) or MODULES[module]
