from codegen.schema import Dim, dynamic, f32, impl, static

n = Dim()

class Bar:
    u: dynamic[f32[n]]
    count: dynamic[int]

@impl("bar:run")
def run(n: static[int], u: dynamic[f32[n]]) -> f32[n]: ...
