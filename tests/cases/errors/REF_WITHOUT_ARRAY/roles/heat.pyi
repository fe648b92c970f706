from codegen.schema import Dim, dynamic, f32, i32, impl, ref, static

n = Dim()

class Inner:
    u: dynamic[f32[n]]

class Number:
    a: ref[int]
    b: ref[tuple[f32[n], ...]]
    c: ref[f32[n] | None]
    d: ref[Inner]

class Fixed(use="static"):
    a: ref[f32[n]]

class Default:
    a: ref[i32] = 0
    b: static[Fixed]
    c: ref[f32[n]] = None

@impl("m:f")
def f(x: ref[Inner], y: ref[i32] = 0) -> f32[n]: ...
