from codegen.schema import Dim, donated, dynamic, f32, impl, static

n = Dim()
m = Dim()

class Grid:
    a: static[int]
    b: static[int]

class Bar:
    first: donated[f32[n, m]]
    middle: dynamic[f32[n, m]]
    a: static[int]
    b: static[float]
    grid: static[Grid]

@impl("bars:step")
def step(bar: dynamic[Bar]) -> Bar: ...
@impl("bars:advance")
def advance(bar: dynamic[Bar], n: static[int]) -> Bar: ...
