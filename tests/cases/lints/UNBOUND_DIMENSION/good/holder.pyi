from codegen.schema import Dim, dynamic, f32, static

n = Dim()
k = Dim()

class Edges:
    flux: dynamic[f32[n + 1]]

class Grid:
    n: static[int]

class Bar:
    grid: static[Grid]
    edges: dynamic[tuple[Edges, ...]]

class Layer(dims=(k,)):
    w: dynamic[f32[2 * k]]
