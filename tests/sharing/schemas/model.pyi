"""Declared sharing: of objects, of arrays, and through a class that itself shares."""

from codegen.schema import Dim, donated, dynamic, f32, impl, share, static

n = Dim()

class Table:
    rows: donated[f32[n]]

class Coder:
    table: donated[Table]
    bias: dynamic[f32] = 0.0
    depth: static[int] = 1

class Cell:
    u: donated[f32[n]]

class Model:
    table: donated[Table]
    encoder: donated[Coder]
    decoder: donated[Coder]
    share(table, encoder.table, decoder.table)

class Pair:
    u: donated[f32[n]]
    cell: donated[Cell]
    share(u, cell.u)

class Measured(Pair):
    """It shares what its base does, and one part more."""

    first: donated[Cell]
    second: donated[Cell]
    share(first, second)

class Outer:
    model: donated[Model]
    table: donated[Table]
    share(model.encoder.table, table)

@impl("sharing_model:grow")
def grow(outer: donated[Outer], pair: donated[Pair]) -> tuple[Outer, Pair]:
    """Add one to every leaf."""

class Both:
    """Two places of one field."""

    u: dynamic[f32[n]]
    left: dynamic[Cells]
    share(u, left.a, left.b)

class Cells:
    a: dynamic[f32[n]]
    b: dynamic[f32[n]]

class Around:
    """It lends what the model, in turn, lends to its coders."""

    table: donated[Table]
    model: donated[Model]
    share(table, model.table)

class Beyond:
    """It lends it where another model only borrows it."""

    around: donated[Around]
    other: donated[Model]
    share(around.table, other.decoder.table)

class Arrays:
    """Shares two arrays."""

    first: donated[f32[...]]
    second: donated[f32[...]]
    share(first, second)

class MoreArrays(Arrays):
    """Inherits what is shared."""

    third: donated[f32[...]]
