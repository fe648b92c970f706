from codegen.schema import dynamic, f32

class Plate:
    x: dynamic[f32]
