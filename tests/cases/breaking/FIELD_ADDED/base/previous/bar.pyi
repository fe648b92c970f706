from codegen.schema import dynamic, f32

class Bar:
    u: dynamic[f32]

class Rod(Bar):
    v: dynamic[f32]
