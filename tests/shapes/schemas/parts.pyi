"""Arrays of every declared kind, and classes at several sizes."""

from typing import Any

from codegen.schema import (
    Bool,
    Complex,
    Dim,
    Float,
    Int,
    Num,
    UInt,
    bf16,
    donated,
    dynamic,
    f32,
    f64,
    field,
    i32,
    key,
    static,
)

nx = Dim(mesh="rows")
ny = Dim(mesh="cols")
pixels = Dim()
hidden = Dim(mesh="model")
classes = Dim()
batch = Dim(mesh="data")
k = Dim()

class Grid:
    nx: static[int]
    ny: static[int] = 4

class Five:
    """Plain arrays alone, whose check is a single expression."""

    a: donated[f32[nx, ny]] = field(init="zeros")
    b: donated[f32[nx, ny]] = field(init="ones")
    c: dynamic[f32[ny]] = field(init="zeros")
    d: dynamic[f32] = 2.5
    e: dynamic[i32[ny + 1]] = field(init="zeros")

class Lone:
    """An array whose sizes are compared with nothing."""

    x: dynamic[f32[nx, ny]]

class Plate:
    u: donated[f32[nx, ny]] = field(init="normal")
    alpha: dynamic[f32[nx, ny]] = field(init="ones")
    grid: static[Grid]
    t: dynamic[f32] = 1.5
    name: static[str] = "plate"

class Sums:
    """Sizes that only arithmetic says."""

    cells: dynamic[f32[2 * nx]] = field(init="zeros")
    faces: dynamic[f32[nx + 1]] = field(init="zeros")
    inner: dynamic[f32[ny - 2]] = field(init="zeros")
    half: dynamic[f32[(nx + ny) // 2]] = field(init="zeros")
    fixed: dynamic[f32[3, nx]] = field(init="zeros")

class Ratio:
    """A size that is divided by another."""

    k: static[int]
    nx: static[int]
    parts: dynamic[f32[nx // k]]

class Even:
    cells: dynamic[f32[2 * nx]] = field(init="zeros")
    faces: dynamic[f32[nx + 1]] = field(init="zeros")

class Stack:
    """Any number of axes."""

    x: dynamic[f32[*batch, nx]] = field(init="zeros")
    mask: dynamic[Bool[*batch]] = field(init="zeros")
    t: dynamic[f32[*batch]] = 3.0

class Loose:
    """Axes that nothing is said of."""

    tail: dynamic[f32[..., nx]]
    column: dynamic[f32[nx, _]]
    any: dynamic[Float[...]] = 0.5

class Kinds:
    real: dynamic[Float[nx]] = field(init="ones")
    count: dynamic[Int] = 3
    unsigned: dynamic[UInt[nx]] = field(init="ones")
    truth: dynamic[Bool] = True
    wave: dynamic[Complex[nx]] = field(init="ones")
    number: dynamic[Num] = 1
    brain: dynamic[bf16[nx]] = field(init="normal")
    wide: dynamic[f64[nx]] = field(init="normal")
    rng: dynamic[key]
    keys: dynamic[key[nx]]

class Weak:
    x: dynamic[float] = 0.5
    n: dynamic[int] = 2
    flag: dynamic[bool] = True

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]] = field(init="he_normal")
    b: donated[f32[n_out]] = field(init="zeros")

class Head(Linear[hidden, 10]):
    scale: dynamic[f32[hidden]] = field(init="ones")

class Mlp:
    first: donated[Linear[pixels, hidden]]
    middle: donated[tuple[Linear[hidden, hidden], ...]]
    last: donated[Linear[hidden, classes]]
    dropout: dynamic[f32 | None] = None
    rng: dynamic[key]

class Heads:
    head: donated[Head]
    pair: donated[tuple[Linear[hidden, 2 * hidden], Linear[2 * hidden, 3]]]

class Containers:
    items: dynamic[list[f32[nx]]]
    table: donated[dict[str, Linear[nx, 3]]]
    record: dynamic[tuple[f32[nx], i32]]
    maybe: dynamic[f32[nx] | None]
    either: dynamic[f32[nx] | f32[ny] | i32]
    free: dynamic[Linear[_, _]]
    anything: dynamic[Any]

class Wide:
    """Arrays that JAX holds with 32 bits unless it is told otherwise."""

    either: dynamic[f64[nx] | f64[nx, ny]]

class Tables:
    """Constant arrays have sizes too."""

    nx: static[int]
    x: static[f32[nx]]
    faces: static[f32[nx + 1]]

class Field:
    tables: static[Tables]
    u: donated[f32[nx]] = field(init="zeros")

class Twice:
    """One dimension, of which two static fields are the size."""

    nx: static[int]
    grid: static[Grid]
    u: dynamic[f32[nx]] = field(init="zeros")
