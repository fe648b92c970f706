from codegen.schema import dynamic, f32

class Bar:
    a: dynamic[f32]
