from codegen.schema import Dim, donated, f32, share

n = Dim()

class Table:
    rows: donated[f32[n]]

class Coder:
    table: donated[Table]

class Model:
    table: donated[Table]
    encoder: donated[Coder]
    share(table, encoder.table)

class Around:
    table: donated[Table]
    model: donated[Model]
    other: donated[Model]
    rows: donated[f32[n]]
    share(table, model.encoder.table, model.table)
    share(rows, other.encoder.table.rows)
    share(other.table, table)
