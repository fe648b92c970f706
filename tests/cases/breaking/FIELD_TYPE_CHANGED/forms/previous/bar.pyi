from codegen.schema import Dim, dynamic, f32, static

n = Dim()
m = Dim()

class Bar:
    dtype: dynamic[f32[n]]
    rank: dynamic[f32[n]]
    size: dynamic[f32[3]]
    name: dynamic[f32[n]]
    optional: dynamic[f32[n]]
    scalar: static[int]
    other: static[str]
