"""The names of the schema language.

A schema imports them so that editors complete and explain them. `codegen build` parses a schema and
never executes it, so these names do not exist at run time.

    from codegen.schema import Dim, donated, f32, static

    nx = Dim()  # cells along x

    class Plate:
        u: donated[f32[nx]]  # temperature [K]
        dx: static[float] = 0.01  # cell size [m]
"""

# ruff: noqa: N801, PYI021, PYI042  (the names of the language, and docstrings for editors)

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
"""Part of the trace key: immutable, hashed and compared by value. Each new value recompiles."""

dynamic: TypeAlias = Annotated[_T, "dynamic"]
"""Data: a traced pytree child that is never donated."""

donated: TypeAlias = Annotated[_T, "donated"]
"""Data whose buffer may be reused by a function that takes the object or array as `donated`."""

ref: TypeAlias = Annotated[_T, "ref"]
"""A `jax.Ref` of an array: functions write it in place, and no call consumes it."""

# --- arrays

class _Array(Generic[*_Shape]):
    """An array with its dimensions in brackets.

    A dimension is a name that `Dim()` declares, a size, or arithmetic of these (`nx + 1`). `*batch`
    is any number of axes with a common name, `...` is any number of axes, and `_` is one axis of any
    size. Without brackets, it is a 0-d array.
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
    """Random keys of `jax.random.key`: `key`, `key[n]`."""

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
    """One object that represents several: `stacked[Block, layers]`.

    Every array in it has a leading axis of the size `layers`. `jax.lax.scan` and `jax.vmap` accept
    it. Static fields are the same for all layers.
    """

@final
class dtype:
    """A dtype as a static value. A default is the name of one: `kind: static[dtype] = f32`."""

class identity(Generic[_T]):
    """A static value of any kind that is compared by identity: `static[identity[Executor]]`.

    Use it for closures, lambdas and clients. Each new object causes a retrace.
    """

# --- declarations

@final
class Dim:
    """A dimension of arrays: `nx = Dim()  # cells along x`.

    A dimension has one size in an object. If a `static[int]` field has the name of the dimension,
    that field gives the size.
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
    """Declare options of a field.

    Args:
        default: the default. `x: static[int] = 3` is the short form.
        factory: "module:function", called without arguments whenever no value is passed to the
            constructor. `= {}` and `= []` are short forms for empty containers.
        init: the name of an initializer of `jax.nn.initializers` (`init="lecun_normal"`), a call of
            one (`init=normal(0.02)`), or your own "module:function". For dynamic and donated
            arrays.
        spec: the PartitionSpec, `("rows", None)`, instead of the mesh axes of the dimensions. For
            dynamic and donated arrays.
        tag: a name, or a tuple of names, for the masks and labels of optax: `labels()` and
            `mask("decay")`. For dynamic and donated fields.
        convert: "module:function", called on a value that is passed to the constructor or to
            `replace`, and on the default. For static fields.
    """

class _Impl(Protocol):
    def __call__(self, function: _Function, /) -> _Function: ...

def impl(
    place: str,
    *,
    checks: bool = ...,
    compiler_options: dict[str, str | float] = ...,
    inline: bool = ...,
    keep_unused: bool = ...,
    traces: int = ...,
) -> _Impl:
    """Name the Python function that implements a function or a method.

    A function at module level is jitted. In a class, `@impl` declares a method that is not jitted:
    also `__call__`, other special methods, and with `@property`, `@classmethod` or `@staticmethod`.

    Args:
        place: "module:function". It is imported at the first call.
        checks: whether dtypes and shapes of arguments and results are checked when a function at
            module level is traced. The default is True.
        compiler_options: the option of `jax.jit`, a dict of literals. For functions at module
            level. Calls inside another trace ignore it.
        inline: the option of `jax.jit`. For functions at module level.
        keep_unused: the option of `jax.jit`. For functions at module level.
        traces: the number of traces after which a function at module level warns.
    """

def share(owner: object, /, *others: object) -> None:
    """Declare, in the body of a class, that several paths refer to the same object or array.

    After `share(embed, encoder.embed, decoder.embed)` the object appears in the pytree once, under
    the first path. It has one gradient and one buffer to donate.
    """

def reserved(name: str, /, *names: str) -> None:
    """Declare, in the body of a class, the names of removed fields.

    After `reserved("dx")` no field may have the name `dx`. A checkpoint that contains `dx` loads
    without it.
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
