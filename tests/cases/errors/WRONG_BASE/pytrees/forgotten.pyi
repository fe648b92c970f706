from codegen.schema import dynamic, f32

class A(eqx.Module):
    t: dynamic[f32]
