from codegen.schema import dynamic, f32, share

class Plate:
    x: dynamic[f32]
    y: dynamic[f32]
    share("x", "y")

class Other:
    x: dynamic[f32]
    y: dynamic[f32]
    share("x", y)
