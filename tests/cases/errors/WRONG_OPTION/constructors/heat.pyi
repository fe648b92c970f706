from codegen.schema import dynamic, f32

class Plate(init=False):
    u: dynamic[f32]
