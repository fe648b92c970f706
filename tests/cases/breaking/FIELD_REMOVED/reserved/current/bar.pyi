from codegen.schema import dynamic, f32, reserved

class Bar:
    reserved("v", "n")
    u: dynamic[f32]
