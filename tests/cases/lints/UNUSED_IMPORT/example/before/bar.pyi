from codegen.schema import Dim, dynamic, f32

class Clock:
    time: dynamic[f32]  # [s]
