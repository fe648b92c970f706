from codegen.schema import dynamic, f32, i32

class Bar:
    a: dynamic[f32[3]]
    b: dynamic[tuple[i32[2], ...]]
    c: dynamic[f32]
    d: dynamic[f32[3] | None]
