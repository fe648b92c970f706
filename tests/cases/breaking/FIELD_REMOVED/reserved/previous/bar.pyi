from codegen.schema import dynamic, f32, static

class Bar:
    u: dynamic[f32]
    v: dynamic[f32]
    n: static[int]
