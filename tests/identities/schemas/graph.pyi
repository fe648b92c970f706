"""Objects that graphs are made of."""

from typing import Any

from codegen.schema import Dim, dynamic, f32, share, static

n = Dim()

class Grid:
    """Without leaves."""

    nx: static[int] = 3

class Table:
    rows: dynamic[f32[n]]

class Counter:
    value: dynamic[f32] = 0.0

class Two:
    """The thread's example: nothing says that the counters are one."""

    first: dynamic[Counter]
    second: dynamic[Counter]

class Node:
    """Any graph at all."""

    x: dynamic[f32[n]]
    left: dynamic[Any] = None
    right: dynamic[Any] = None
    name: static[str] = ""

class Coder:
    """Of what it holds, a model may lend all."""

    table: dynamic[Table]

class Model:
    encoder: dynamic[Coder]
    table: dynamic[Table]
    decoder: dynamic[Coder]
    bias: dynamic[f32] = 0.0
    share(table, encoder.table, decoder.table)

class Pair:
    a: dynamic[f32]
    b: dynamic[f32]

class Crossed:
    """Each of the two owns what the other borrows."""

    one: dynamic[Pair]
    other: dynamic[Pair]
    share(one.a, other.a)
    share(other.b, one.b)
