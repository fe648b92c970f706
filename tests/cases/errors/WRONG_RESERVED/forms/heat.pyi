from codegen.schema import dynamic, f32, reserved

reserved("module")

class Rod:
    reserved()
    reserved(length)
    reserved("a b", "c")
    reserved(name="length")
    reserved("d", "d")
    hot: dynamic[f32]  # [K]

class Plate:
    reserve("x")
    hot: dynamic[f32]  # [K]
