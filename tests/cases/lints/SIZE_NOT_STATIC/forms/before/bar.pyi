from codegen.schema import Dim, dynamic, f32, impl, static

from .grid import ny as rows

nx = Dim()

class Bar:
    nx: static[float]
    rows: dynamic[f32[nx, rows]]

@impl("bar:run")
def run(nx: dynamic[int], u: dynamic[f32[nx]]) -> f32[nx]: ...
