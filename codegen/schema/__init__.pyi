"""The words of the schema language.

Schemas import them for the author's sake: so that an editor completes them and says what they mean.
`codegen build` reads a schema and never executes it, and this package has none of them at run time.

    from codegen.schema import Dim, donated, f32, static

    nx = Dim()  # cells along x

    class Plate:
        u: donated[f32[nx]]  # temperature [K]
        dx: static[float] = 0.01  # cell size [m]
"""

# ruff: noqa: N801, PYI021, PYI042  (words of the language, and what editors show of them)

from collections.abc import Callable, Iterator, Mapping
from typing import (
    Annotated,
    Any,
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
    TypeVarTuple,
    final,
    overload,
)

_T = TypeVar("_T")
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_Named = TypeVar("_Named")
_Function = TypeVar("_Function", bound=Callable[..., object])
_Shape = TypeVarTuple("_Shape")

# --- roles

static: TypeAlias = Annotated[_T, "static"]
"""Part of the trace key: immutable, hashed and compared by value; another value compiles anew."""

dynamic: TypeAlias = Annotated[_T, "dynamic"]
"""Data: a pytree child, traced, whose buffer is never consumed."""

donated: TypeAlias = Annotated[_T, "donated"]
"""Data whose buffer a function may consume that takes the object, or the array, as `donated`."""

# --- arrays

class _Array(Generic[*_Shape]):
    """An array. In brackets stand its dimensions.

    They are names declared by `Dim()`, sizes, arithmetic over these (`nx + 1`), `*batch` for any
    number under one name, `...` for any number, `_` for one of any size. Without brackets it is an
    array without dimensions.
    """

@final
class f16(_Array[*_Shape]):
    """An array of float16: `f16[nx, ny]`; without brackets, one number."""

@final
class f32(_Array[*_Shape]):
    """An array of float32: `f32[nx, ny]`; without brackets, one number."""

@final
class f64(_Array[*_Shape]):
    """An array of float64: `f64[nx, ny]`; without brackets, one number."""

@final
class bf16(_Array[*_Shape]):
    """An array of bfloat16: `bf16[nx, ny]`; without brackets, one number."""

@final
class f8_e4m3b11fnuz(_Array[*_Shape]):
    """An array of float8_e4m3b11fnuz: `f8_e4m3b11fnuz[nx, ny]`; without brackets, one number."""

@final
class f8_e4m3fn(_Array[*_Shape]):
    """An array of float8_e4m3fn: `f8_e4m3fn[nx, ny]`; without brackets, one number."""

@final
class f8_e4m3fnuz(_Array[*_Shape]):
    """An array of float8_e4m3fnuz: `f8_e4m3fnuz[nx, ny]`; without brackets, one number."""

@final
class f8_e5m2(_Array[*_Shape]):
    """An array of float8_e5m2: `f8_e5m2[nx, ny]`; without brackets, one number."""

@final
class f8_e5m2fnuz(_Array[*_Shape]):
    """An array of float8_e5m2fnuz: `f8_e5m2fnuz[nx, ny]`; without brackets, one number."""

@final
class i2(_Array[*_Shape]):
    """An array of int2: `i2[nx, ny]`; without brackets, one number."""

@final
class i4(_Array[*_Shape]):
    """An array of int4: `i4[nx, ny]`; without brackets, one number."""

@final
class i8(_Array[*_Shape]):
    """An array of int8: `i8[nx, ny]`; without brackets, one number."""

@final
class i16(_Array[*_Shape]):
    """An array of int16: `i16[nx, ny]`; without brackets, one number."""

@final
class i32(_Array[*_Shape]):
    """An array of int32: `i32[nx, ny]`; without brackets, one number."""

@final
class i64(_Array[*_Shape]):
    """An array of int64: `i64[nx, ny]`; without brackets, one number."""

@final
class u2(_Array[*_Shape]):
    """An array of uint2: `u2[nx, ny]`; without brackets, one number."""

@final
class u4(_Array[*_Shape]):
    """An array of uint4: `u4[nx, ny]`; without brackets, one number."""

@final
class u8(_Array[*_Shape]):
    """An array of uint8: `u8[nx, ny]`; without brackets, one number."""

@final
class u16(_Array[*_Shape]):
    """An array of uint16: `u16[nx, ny]`; without brackets, one number."""

@final
class u32(_Array[*_Shape]):
    """An array of uint32: `u32[nx, ny]`; without brackets, one number."""

@final
class u64(_Array[*_Shape]):
    """An array of uint64: `u64[nx, ny]`; without brackets, one number."""

@final
class c64(_Array[*_Shape]):
    """An array of complex64: `c64[nx, ny]`; without brackets, one number."""

@final
class c128(_Array[*_Shape]):
    """An array of complex128: `c128[nx, ny]`; without brackets, one number."""

@final
class key(_Array[*_Shape]):
    """PRNG keys, as `jax.random.key` makes them: `key`, `key[n]`."""

@final
class Float(_Array[*_Shape]):
    """An array of floating point numbers of any precision: `Float[n]`, `Float[...]`."""

@final
class Int(_Array[*_Shape]):
    """An array of signed integers of any width: `Int[n]`, `Int[...]`."""

@final
class UInt(_Array[*_Shape]):
    """An array of unsigned integers of any width: `UInt[n]`, `UInt[...]`."""

@final
class Bool(_Array[*_Shape]):
    """An array of booleans: `Bool[n]`, `Bool[...]`."""

@final
class Complex(_Array[*_Shape]):
    """An array of complex numbers of any precision: `Complex[n]`, `Complex[...]`."""

@final
class Inexact(_Array[*_Shape]):
    """An array of floating point or complex numbers: `Inexact[n]`, `Inexact[...]`."""

@final
class Real(_Array[*_Shape]):
    """An array of integers or floating point numbers: `Real[n]`, `Real[...]`."""

@final
class Num(_Array[*_Shape]):
    """An array of numbers of any kind: `Num[n]`, `Num[...]`."""

@final
class Shaped(_Array[*_Shape]):
    """An array of values of any dtype: `Shaped[n]`, `Shaped[...]`."""

@final
class stacked(Generic[_T, *_Shape]):
    """One object of a class in place of several: `stacked[Block, layers]`.

    Every array of it has a leading axis of that size, as `jax.vmap` over its `init` makes it and
    `jax.lax.scan` takes it. Static fields are one for all.
    """

@final
class dtype:
    """A dtype as a static value; its default is one by name: `kind: static[dtype] = f32`."""

class identity(Generic[_T]):
    """A static value that is compared by identity, whatever it is: `static[identity[Executor]]`.

    A closure, a lambda, a client. A new object is a new trace.
    """

# --- declarations

@final
class Dim:
    """A dimension of arrays: `nx = Dim()  # cells along x`.

    Within an object one name is one size; where a `static[int]` field has the name, it is that
    field's value.
    """

    def __init__(self, *, mesh: str | tuple[str, ...] = ...) -> None:
        """Declare a dimension.

        Args:
            mesh: the axis of a device mesh, or the axes, over which the dimension is sharded.
        """
    def __add__(self, other: Dim | int) -> Dim: ...
    def __radd__(self, other: int) -> Dim: ...
    def __sub__(self, other: Dim | int) -> Dim: ...
    def __rsub__(self, other: int) -> Dim: ...
    def __mul__(self, other: Dim | int) -> Dim: ...
    def __rmul__(self, other: int) -> Dim: ...
    def __floordiv__(self, other: Dim | int) -> Dim: ...

def field(
    *,
    default: Any = ...,
    factory: str = ...,
    init: Any = ...,
    spec: Any = ...,
    tag: str | tuple[str, ...] = ...,
    convert: str = ...,
) -> Any:
    """Say more about a field than its default.

    Args:
        default: the default; `x: static[int] = 3` is short for it.
        factory: "module:function", called without arguments for each object that is made without
            a value, in place of a default. `= {}` and `= []` are short for empty ones.
        init: an initializer of `jax.nn.initializers`, named (`init="lecun_normal"`) or called
            (`init=normal(0.02)`), or a function of yours, "module:function". Of dynamic and
            donated arrays.
        spec: the PartitionSpec, `("rows", None)`, in place of what the dimensions' meshes give.
            Of dynamic and donated arrays.
        tag: a name, or several, by which `labels()` and `mask("decay")` know the arrays of the
            field, for optax. Of dynamic and donated fields.
        convert: "module:function", called by the constructor on what it is given. Of static
            fields.
    """

class _Impl(Protocol):
    def __call__(self, function: _Function, /) -> _Function: ...

def impl(place: str, *, checks: bool = ..., keep_unused: bool = ..., traces: int = ...) -> _Impl:
    """Say which function of yours a function of the module, or of a class, runs.

    In a class: a method, `__call__` and other special methods, and with `@property`,
    `@classmethod` or `@staticmethod` one of these. They are called as they are, not jitted.

    Args:
        place: "module:function". It is imported at the first call.
        checks: whether the dtypes and shapes of arguments and results are checked when a
            function of the module is traced. True without it.
        keep_unused: `jax.jit`'s option. Of functions of a module.
        traces: how often a function of a module may be traced; more often, it warns.
    """

def share(owner: object, /, *others: object) -> None:
    """Declare, in the body of a class, that several paths are one object or one array.

    `share(embed, encoder.embed, decoder.embed)`: the first owns it. There is one set of leaves, one
    gradient and one buffer to donate, and after every JAX transformation they are one again.
    """

def reserved(name: str, /, *names: str) -> None:
    """Say, in the body of a class, that no field may be called so any more.

    `reserved("dx")`: it was a field. A checkpoint that has it is loaded without it.
    """

@final
class frozendict(Mapping[_Key, _Value]):
    """An immutable mapping: `frozendict({"a": 1})`, `frozendict(a=1)`. A static type."""

    @overload
    def __init__(self, entries: Mapping[_Key, _Value], /) -> None: ...
    @overload
    def __init__(
        self: frozendict[str, _Named], entries: Mapping[str, _Named] = ..., /, **named: _Named
    ) -> None: ...
    def __getitem__(self, key: _Key, /) -> _Value: ...
    def __iter__(self) -> Iterator[_Key]: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
