from codegen.schema import Dim, dynamic, f32, f64, static

n = Dim()
m = Dim()

class Bar:
    dtype: dynamic[f64[n]]
    rank: dynamic[f32[n, n]]
    size: dynamic[f32[4]]
    name: dynamic[f32[m]]
    optional: dynamic[f32[n] | None]
    scalar: static[int | None]
    other: static[str]
