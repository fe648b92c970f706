from codegen.schema import dynamic, f16, f32, static

class Bar:
    a: static[str]
    c: dynamic[f32[3, 1]]
    d: dynamic[f16]
