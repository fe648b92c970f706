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

class Outer:
    model: donated[Model]
    table: donated[Table]
    share(model.encoder.table, table)

@impl("sharing_model:grow")
def grow(outer: donated[Outer], pair: donated[Pair]) -> tuple[Outer, Pair]:
    """Add one to every leaf."""
