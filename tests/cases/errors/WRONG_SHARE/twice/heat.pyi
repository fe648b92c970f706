from codegen.schema import Dim, donated, f32, share

n = Dim()

class Table:
    rows: donated[f32[n]]

class Mirrored:
    first: donated[Table]
    second: donated[Table]
    share(first, second)
    share(second, first)

class Around:
    mirrored: donated[Mirrored]
    table: donated[Table]
    share(table, mirrored.second)
