from codegen.schema import dynamic, f32, static

class Bar:
    a: static[int]
    b: static[float]
    c: dynamic[f32]
    d: dynamic[int]
    e: dynamic[f32]
