from codegen.schema import bf16, dynamic, f16, i8

class Bar:
    a: dynamic[f16[3]]
    b: dynamic[tuple[i8[2], ...]]
    c: dynamic[bf16]
    d: dynamic[f16[3] | None]
