"""The names that `codegen.schema` gives to schemas, and what each of them is.

    vocabulary("f32") -> "dtype"      vocabulary("static") -> "role"
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the language behind a local name of a stub."""

    kind: str  # Example: "role", "dtype", "kind", "callable", "enum", "builtin"
    name: str  # Example: "static", "f32"


ROLES: Final = ("static", "dynamic", "donated")

# Named as jaxprs name them; the values are NumPy's names, which jaxtyping capitalises.
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
OTHERS: Final = ("Dim", "dtype", "field", "frozendict", "impl", "share")

VOCABULARY: Final = {
    **dict.fromkeys(ROLES, "role"),
    **dict.fromkeys(DTYPES, "dtype"),
    **dict.fromkeys(KINDS, "kind"),
    **{name: name for name in OTHERS},
    "dtype": "dtype_type",  # the type of dtypes, not one of them
}

# Initializers of jax.nn.initializers: those that are initializers, and those that make one when called.
INITIALIZERS: Final = (
    "constant",
    "delta_orthogonal",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "kaiming_normal",
    "kaiming_uniform",
    "lecun_normal",
    "lecun_uniform",
    "normal",
    "ones",
    "orthogonal",
    "truncated_normal",
    "uniform",
    "variance_scaling",
    "xavier_normal",
    "xavier_uniform",
    "zeros",
)

TYPING: Final = {
    "Any": "any",
    "Callable": "callable",
    "ClassVar": "classvar",
    "Generic": "generic",
    "Literal": "literal",
    "TypeAlias": "typealias",
    "TypeVar": "typevar",
}
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
