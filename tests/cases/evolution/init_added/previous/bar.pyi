from codegen.schema import Dim, donated, f32, field, stacked

n = Dim()
layers = Dim()

class Bar:
    u: donated[f32[n]] = field(init="ones")

class Rod:
    bars: donated[tuple[Bar, ...]]

class Pile:
    bars: donated[stacked[Bar, layers]]

class Table:
    numbers: donated[dict[int, Bar]]
    pairs: donated[dict[tuple[int, str], Bar]]
    names: donated[dict[str, Bar]]
