from codegen.schema import Dim, donated, f32, share

n = Dim()

class Table:
    rows: donated[f32[n]]

class Coder:
    first: donated[Table]
    second: donated[Table]
    share(first, second)

class Model:
    coder: donated[Coder]
    table: donated[Table]
    share(table, coder.first)

class Around:
    model: donated[Model]
    other: donated[Table]
    rows: donated[f32[n]]
    share(other, model.table, model.coder.second)
    share(rows, model.coder.first.rows)
