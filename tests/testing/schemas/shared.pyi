"""Parts that lie at several paths."""

from codegen.schema import Dim, donated, dynamic, f32, share, static

n = Dim()

class Table:
    """Rows that are looked up."""

    rows: donated[f32[n]]
    width: static[int] = 1

class Encoder:
    embed: donated[Table]
    scale: dynamic[f32] = 1.0

class Model:
    """One table, owned here, in three places."""

    embed: donated[Table]
    encoder: donated[Encoder]
    decoder: dynamic[Encoder]
    share(embed, encoder.embed, decoder.embed)

class Lender:
    """What is donated below a dynamic owner is not."""

    own: dynamic[Table]
    lent: donated[Table]
    share(own, lent)

class Whole:
    u: donated[f32[n]]
    v: donated[f32[n]]
    share(u, v)

class Cell:
    u: donated[f32[n]]
    scale: dynamic[f32] = 1.0

class Borrower:
    """An array that an object below borrows."""

    u: donated[f32[n]]
    cell: donated[Cell]
    share(u, cell.u)
