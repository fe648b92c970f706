from codegen.schema import Dim, donated, dynamic, f32, impl, static

m = Dim()  # codegen: was[n]
k = Dim()  # codegen: was[m]

class Grid:
    b: static[int]  # codegen: was[a]
    c: static[int]  # codegen: was[b]

class Bar:
    middle: donated[f32[m, k]]  # codegen: was[first]
    last: dynamic[f32[m, k]]  # codegen: was[oldest, middle]
    b: static[int]  # codegen: was[a]
    c: static[float]  # codegen: was[b]
    a: static[int] = 7
    grid: static[Grid]

@impl("bars:step")
def advance(bar: dynamic[Bar]) -> Bar: ...  # codegen: was[step]
@impl("bars:advance")
def run(bar: dynamic[Bar], n: static[int]) -> Bar: ...  # codegen: was[advance]
