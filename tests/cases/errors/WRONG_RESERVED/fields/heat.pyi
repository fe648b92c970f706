from codegen.schema import donated, dynamic, f32, reserved

class Rod:
    reserved("length", "hot", "cold")

    hot: dynamic[f32]  # [K]
    width: dynamic[f32]  # [m]  # codegen: was[length]

class Plate(Rod):
    reserved("width")

    cold: donated[f32]  # [K]
