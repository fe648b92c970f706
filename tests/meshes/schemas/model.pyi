"""Arrays of every kind of dimension, and the functions that are called under a mesh."""

from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, field, i32, impl, key, share, static

nx = Dim(mesh="rows")
ny = Dim(mesh="cols")
cells = Dim(mesh=("rows", "cols"))
pixels = Dim()
hidden = Dim(mesh="cols")
classes = Dim()
batch = Dim(mesh="rows")
n_in = Dim()
n_out = Dim()
first = Dim()
second = Dim()
several = Dim()

class Grid:
    nx: static[int]
    ny: static[int]

class Plate:
    u: donated[f32[nx, ny]]
    alpha: dynamic[f32[nx, ny]]
    edge: dynamic[f32[nx + 1]]
    grid: static[Grid]
    source: dynamic[f32[ny] | None] = None
    t: dynamic[f32] = 0.0
    rate: dynamic[float] = 0.5

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]]
    b: donated[f32[n_out]]

class Named(Linear[first, second], dims=(first, second)):
    scale: dynamic[f32[second]]

class Loose:
    part: dynamic[Linear[_, _]]
    either: dynamic[Linear[pixels, nx] | Scalars]

class Cell:
    u: donated[f32[nx]]

class Pair:
    u: donated[f32[nx]]
    cell: donated[Cell]
    share(u, cell.u)

class Mlp:
    first: donated[Linear[pixels, hidden]]
    middle: donated[tuple[Linear[hidden, hidden], ...]]
    last: donated[Linear[hidden, classes]]

class Odd:
    square: dynamic[f32[nx, nx]]
    flat: dynamic[f32[cells, ny]]
    placed: dynamic[f32[nx, ny]] = field(spec=("cols", None))
    trailing: dynamic[f32[..., nx]]
    leading: dynamic[f32[*batch, ny]]
    named: dynamic[dict[str, f32[ny]]]
    pair: dynamic[tuple[f32[nx], f32[ny]]]
    either: dynamic[f32[nx] | i32[ny] | None]
    anything: dynamic[Any]
    rngs: dynamic[key[nx]]

class Whole:
    x: dynamic[f32[*batch, ny]] = field(spec=("cols", None))

class Table:
    rows: donated[f32[nx, n_in]]

class Coder:
    table: donated[Table]
    bias: dynamic[f32[ny]]

class Model:
    table: donated[Table]
    coder: donated[Coder]
    share(table, coder.table)

class Training:
    model: donated[Mlp]
    moments: donated[Any]
    rng: donated[key]

class Scalars:
    loss: dynamic[f32]

class Flat:
    u: donated[f32[nx, ny]]
    cells: donated[f32[cells]]
    placed: donated[f32[nx, ny]] = field(spec=("cols", None))

class Film:
    mean: donated[f32[nx, ny]]
    frames: donated[f32[*several, nx]]
    either: donated[f32[nx] | f32[nx, ny]]

class Frames:
    frames: donated[f32[*several, nx]]

@impl("tests.meshes.impl:advance")
def advance(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate: ...
@impl("tests.meshes.impl:train")
def train(
    training: donated[Training], images: dynamic[f32[batch, pixels]]
) -> tuple[Training, Scalars]: ...
@impl("tests.meshes.impl:total")
def total(plate: donated[Plate], other: donated[f32[nx, ny]]) -> f32: ...
@impl("tests.meshes.impl:double")
def flatten(flat: donated[Flat]) -> Flat: ...
@impl("tests.meshes.impl:double")
def run(film: donated[Film]) -> Film: ...
@impl("tests.meshes.impl:double")
def play(frames: donated[Frames]) -> Frames: ...
@impl("tests.meshes.impl:change")
def change(plate: donated[Plate], how: static[str]) -> Plate: ...
@impl("tests.meshes.impl:double")
def double(plate: donated[Plate]) -> Plate: ...
