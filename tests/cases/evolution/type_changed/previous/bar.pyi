from codegen.schema import dynamic, f32, static

class Bar:
    a: static[int]
    c: dynamic[f32[3]]
    d: dynamic[f32]
